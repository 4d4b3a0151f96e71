"""H3C Comware 7 and 9."""
