"""Meadow: Downstream: the parts that join the base game's (rulebook: Meadow: Downstream)."""
