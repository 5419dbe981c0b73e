"""The rules of the Meadow family of games. It needs nothing but the standard library; start at `meadow_engine.api`."""
