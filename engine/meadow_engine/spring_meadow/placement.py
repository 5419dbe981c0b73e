"""Where a tile or rock may lie (rulebook: The Placement Rules).

Legal anchors are computed for a whole form at once with bit sets: shifting the set of free spaces by each offset of
the form and intersecting leaves the anchors at which all of it lands on free spaces.
"""

from __future__ import annotations

from collections.abc import Iterable

from meadow_engine.kernel.errors import IllegalAction
from meadow_engine.spring_meadow.catalogue import COLUMNS, Form
from meadow_engine.spring_meadow.state import Mountain


def legal_anchors(form: Form, mountain: Mountain) -> int:
    """The set of anchors at which a form may be laid.

    It must lie on the board, cover only free spaces and lay its holes over free spaces. Every burrow it covers needs a
    marmot, put on a burrow that was cleared before and that it does not itself cover.
    """
    free = mountain.free
    without_burrows = _anchors(form, free & ~mountain.burrows, free)
    if not mountain.cleared:
        return without_burrows
    return without_burrows | _paid_for(form, mountain, _anchors(form, free, free) & ~without_burrows)


def fits(forms: Iterable[Form], mountain: Mountain) -> bool:
    """Whether any of these forms can be laid anywhere at all."""
    free = mountain.free
    no_burrow = free & ~mountain.burrows
    forms = tuple(forms)
    # most often the first form fits without covering a burrow
    return any(_anchors(form, no_burrow, free) for form in forms) or (
        mountain.cleared > 0 and any(legal_anchors(form, mountain) for form in forms)
    )


def marmots_needed(covers: int, mountain: Mountain) -> int:
    """How many marmots it takes to cover these spaces (rulebook: Burrows)."""
    return (covers & mountain.burrows).bit_count()


def marmot_places(covers: int, mountain: Mountain) -> int:
    """Cleared burrows that can take a marmot when these spaces get covered."""
    return mountain.cleared & ~covers


def explain(form: Form, anchor: int, mountain: Mountain) -> IllegalAction | None:
    """Why a form may not be laid at an anchor, the most obvious reason first; None if it may."""
    row, column = divmod(anchor, COLUMNS)
    where = {"row": row, "column": column}
    if not form.bounds >> anchor & 1:
        return IllegalAction("OFF_BOARD", "it would extend over the edge of the board", **where)
    covers, holes = form.covered_mask << anchor, form.hole_mask << anchor
    if (covers | holes) & mountain.covered:
        return IllegalAction("OVERLAPS", "it would overlap a tile or rock", **where)
    if (covers | holes) & mountain.marmots:
        return IllegalAction("COVERS_MARMOT", "a space with a marmot stays as it is", **where)
    needed, places = marmots_needed(covers, mountain), marmot_places(covers, mountain).bit_count()
    if needed > places:
        return IllegalAction(
            "BURROW_NOT_PAID",
            f"it would cover {needed} burrows, and {places} cleared ones can take a marmot",
            **where,
            needed=needed,
            cleared=places,
        )
    return None


def _anchors(form: Form, to_cover: int, for_holes: int) -> int:
    """Anchors at which a form covers only spaces of one set and has its holes only over spaces of another."""
    anchors = form.bounds
    for offset in form.covered_offsets:
        anchors &= to_cover >> offset
    for offset in form.hole_offsets:
        anchors &= for_holes >> offset
    return anchors


def _paid_for(form: Form, mountain: Mountain, anchors: int) -> int:
    """Of anchors at which the form covers burrows, those whose marmots find a place."""
    covered_mask, burrows, cleared = form.covered_mask, mountain.burrows, mountain.cleared
    places = cleared.bit_count()
    paid = 0
    while anchors:
        bit = anchors & -anchors
        anchors ^= bit
        covers = covered_mask * bit
        # the marmots needed, and the places this very piece takes away
        if (covers & burrows).bit_count() + (covers & cleared).bit_count() <= places:
            paid |= bit
    return paid
