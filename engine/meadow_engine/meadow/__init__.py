"""Meadow: the base game, its envelopes and its solo game."""
