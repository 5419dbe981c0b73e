"""Words for the person at the table: help, and why something cannot be done."""

from __future__ import annotations

from meadow_client.errors import IllegalAction

HELP = """At any prompt:
  table          show the table again          undo [N]   take back your last choice, or N of them
  any [N]        let chance choose, N times    scores     points by source
  help           this text                     quit       leave; meadow play --resume goes on
  resign         give the game up
Choosing a tile: its number on the signpost's path, 1 to 5.
Placing:
  3              look at way 3 to turn it      r, f       turn it a quarter, flip it left-right
  c4             lower left corner on c4, with a preview; Enter then places it
  3 c4!          way 3 on c4 at once, without preview
A + on your board marks every space for the lower left corner of the shape as it is turned now. The corner is that of
the rectangle around the shape, holes included."""

_RULES = {
    "UNKNOWN_ACTION": "there is no such choice",
    "WRONG_DECISION": "something else has to be chosen now",
    "NOT_ON_PATH": "that tile is not on the signpost's path",
    "EMPTY_SPACE": "no tile is left there",
    "TILE_DOES_NOT_FIT": "that tile fits nowhere on your board",
    "OFF_BOARD": "it would reach over the edge of the board",
    "OVERLAPS": "it would overlap another piece",
    "COVERS_MARMOT": "it would lie over a marmot",
    "NOT_A_CLEARED_BURROW": "that is no cleared burrow that could take a marmot",
    "ROCK_SIZE": "the rock is larger than what you earned",
    "ROCK_NOT_PENDING": "no such rock is to be placed",
    "BOARD_USED": "that board was played on already",
}


def why(refused: IllegalAction) -> str:
    """Why the rules forbid an action."""
    if refused.rule == "BURROW_NOT_PAID":
        return _unpaid(refused.spring_meadow.burrows_covered, refused.spring_meadow.burrows_cleared)
    return _RULES.get(refused.rule, refused.message)


def _unpaid(covered: int, cleared: int) -> str:
    """Why so many burrows cannot be covered when so many were cleared before."""
    over, marmots = ("a burrow", "a marmot") if covered == 1 else (f"{covered} burrows", "marmots")
    there = "there is none" if not cleared else f"there {'is' if cleared == 1 else 'are'} only {cleared}"
    return f"it would cover {over}; that takes {covered} cleared earlier, to put {marmots} on, and {there}"
