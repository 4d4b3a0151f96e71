"""All that touches another process or a network."""
