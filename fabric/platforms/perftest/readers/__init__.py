"""What ``ib_write_bw`` and its kin print, read."""
