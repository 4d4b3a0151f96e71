"""The planned fabric for real on one machine, out of network namespaces.

Each switch is a set of namespaces with its own FRR, sshd and lldpd, each host one with sshd and
lldpd; veth pairs are the cables of the plan. Addressing, BGP, ECMP, LLDP, SSH and failures are
real. PFC, ECN and buffers are not: veth has none.
"""
