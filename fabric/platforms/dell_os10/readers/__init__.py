"""Readers of what OS10 prints, one function per command. Its structured output is XML."""
