"""nccl-tests: a tool whose output is read."""
