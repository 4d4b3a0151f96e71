"""What ``sonic-cli`` prints, read: layouts that a public source shows (``commands.yaml``)."""
