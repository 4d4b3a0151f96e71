"""Values become words: tables, JSON, CSV, pages. One file per report; nothing here computes."""
