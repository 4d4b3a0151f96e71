"""The push: change, order, waves, gates, journal, restore, resume, rollback."""
