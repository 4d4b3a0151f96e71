"""Dell SmartFabric OS10."""
