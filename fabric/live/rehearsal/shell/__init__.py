"""A small shell and the programs of a Linux system, as fake switches have them."""
