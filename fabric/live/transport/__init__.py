"""Sessions with devices: SSH, credentials, host keys, and what a failure means."""
