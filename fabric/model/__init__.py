"""The values that travel between rooms: frozen, typed, without behaviour that needs the outside world."""
