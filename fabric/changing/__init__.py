"""How a switch system is changed: the protocol of a procedure, and what procedures share.

Everything here is pure: values of ``model/push`` in and out. ``live`` carries them out.
"""
