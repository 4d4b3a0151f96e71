"""The saved plan: what should be, as a folder that is safe to commit. Stored, read, compared."""
