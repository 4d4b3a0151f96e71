"""Fake SSH switches: configuration as state, with each system's semantics.

They share no code with templates, parsers or procedures, so that agreement proves something.
"""
