"""What ``all_reduce_perf`` and its kin print, read."""
