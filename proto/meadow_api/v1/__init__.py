"""Version 1 of the Meadow API."""
