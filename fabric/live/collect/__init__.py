"""Asking devices for facts, and typing what they say."""
