"""What EOS's show commands print, as text and as JSON, read."""
