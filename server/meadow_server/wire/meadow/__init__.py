"""Meadow on the wire."""
