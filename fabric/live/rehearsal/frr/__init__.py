"""FRR as a program: its configuration as state, vtysh, frr-reload.py, and its BGP sessions."""
