"""Training jobs: what their collectives send, and how long a fabric needs for it (validation 6)."""
