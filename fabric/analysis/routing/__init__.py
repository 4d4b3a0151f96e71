"""Routing models (validation 1.3): from a network to the next hops that it settles on."""
