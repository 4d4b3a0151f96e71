"""Readers of what Comware 7 and 9 print, one function per command."""
