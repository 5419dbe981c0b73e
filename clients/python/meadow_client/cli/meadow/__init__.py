"""Meadow in the terminal: its table, its questions, its story."""
