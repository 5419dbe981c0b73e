"""Drawings of a table of Meadow, from the API's messages alone."""
