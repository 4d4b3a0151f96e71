"""What the readers of all systems share: tables, sections, numbers, FRR's and lldpd's words.

A reader takes the cleaned text of one command's output and returns a ``Reading``. It never raises
on odd text: what it does not understand goes under ``unparsed``. It knows columns by the words of
their header, ports and names by their shape, nothing by the place or the number of lines.
"""
