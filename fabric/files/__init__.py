"""Files: YAML with positions, where templates lie, writing a folder whole or not at all."""
