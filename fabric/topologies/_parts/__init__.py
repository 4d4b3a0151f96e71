"""Parts that topology kinds are made of: placing hosts, closed forms, statements of shape."""
