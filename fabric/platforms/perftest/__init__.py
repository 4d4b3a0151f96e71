"""perftest: a tool whose output is read."""
