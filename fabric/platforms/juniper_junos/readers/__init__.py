"""What Junos prints, read: text, JSON and XML."""
