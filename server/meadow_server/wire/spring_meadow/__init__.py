"""Spring Meadow on the wire."""
