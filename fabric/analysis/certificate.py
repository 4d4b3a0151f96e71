"""Why there can be no cycle: sufficient arguments that need no arrays."""
