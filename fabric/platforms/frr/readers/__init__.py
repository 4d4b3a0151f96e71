"""What vtysh prints, read."""
