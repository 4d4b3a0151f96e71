"""From the intent to every value of the design: ports, addresses, sessions, lossless numbers."""
