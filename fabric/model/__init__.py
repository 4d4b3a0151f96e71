"""The values that travel between rooms: frozen, typed, free of the outside world."""
