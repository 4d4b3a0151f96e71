"""Bandwidth that one can defend: bisection, throughput, effective rates (validation 2).

Rates are in NIC rates (line rate of the fabric's NICs, ``Plant.nic_gbps``) unless a name says Gb/s.
"""
