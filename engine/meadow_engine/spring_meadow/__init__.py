"""Spring Meadow: tiles with holes on a mountain board, for two to four players, alone, or as a campaign."""
