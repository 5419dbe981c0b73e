"""Spring Meadow for the conformance tests."""

from __future__ import annotations

from collections import Counter
from random import Random

from meadow_engine.api import Game, Result, Variant, spring_catalogue, spring_events, spring_views

from tests.engine.family import FamilyChecks, Options, Viewer

FACES = ("1A", "2B", "3A", "4B")


def options(variant: Variant, seats: int) -> list[Options]:
    """Each option alone and all of them together."""
    if variant.id == "spring_meadow":
        faces = FACES[:seats]
        starts: list[Options] = [{"first_seat": seat} for seat in range(seats)]
        together: Options = {"expert": True, "faces": faces[::-1], "first_seat": seats - 1}
        return [{}, {"expert": True}, {"faces": faces}, *starts, together]
    return [{}, {"faces": FACES if variant.id == "spring_meadow_campaign" else FACES[2:3]}]


def components(catalogue: spring_catalogue.Catalogue) -> Counter[str]:
    """The 100 tiles. Rocks and marmots are unlimited."""
    return Counter({kind.id: kind.copies for kind in catalogue.tiles})


def on_the_table(game: Game) -> list[int]:
    """Kinds of the tiles on the hiking map, in the queue and on the boards."""
    view = game.view()
    placed = [piece.kind for board in view.mountains for piece in board.pieces if not piece.rock]
    return [tile for tile in (*view.meadow_map, *view.queue, *placed) if tile >= 0]


def in_play(game: Game) -> Counter[str]:
    """The tiles in the box and on the table."""
    return Counter(game.catalogue.tiles[tile].id for tile in (*game.state.box.items, *on_the_table(game)))


def leaves(before: Game, result: Result) -> Counter[str]:
    """Between two games of a campaign all tiles of the table go away; an action moves one within the table only."""
    if any(isinstance(event, spring_events.CampaignGameStarted) for event in result.events):
        return Counter(before.catalogue.tiles[tile].id for tile in on_the_table(before))
    return Counter()


def consistent(game: Game) -> None:
    """Every board is what its pieces make it."""
    for board in game.view().mountains:
        covered = 0
        for piece in board.pieces:
            kind = (game.catalogue.rocks if piece.rock else game.catalogue.tiles)[piece.kind]
            form = kind.forms[kind.form_of[piece.form]]
            anchor = piece.row * spring_catalogue.COLUMNS + piece.column
            assert form.index == piece.form, "a piece lies in a form that has another index"
            assert form.bounds >> anchor & 1, "a piece extends over the edge"
            assert not covered & form.covered_mask << anchor, "two pieces overlap"
            covered |= form.covered_mask << anchor
        assert board.covered == covered, "covered spaces are not those of the pieces"
        assert not board.covered & (board.holes | board.marmots), "a covered space cannot be open too"
        assert not board.holes & board.marmots, "a marmot fills its hole"
        assert not board.marmots & ~board.burrows, "a marmot sits where no burrow is"
        assert board.cleared == board.holes & board.burrows
        assert board.marmots.bit_count() >= (board.covered & board.burrows).bit_count() - _owed(game)


def _owed(game: Game) -> int:
    pending = game.view().pending
    return pending.marmots if pending else 0


def swap_box(game: Game, kept: tuple[Viewer, ...], random: Random) -> bool:
    """Lie the tiles in the box in another order: nobody knows it."""
    before = game.state.box.items.copy()
    random.shuffle(game.state.box.items)
    return bool(before != game.state.box.items)


VIEW_FIELDS = {
    "SpringView": "seats meadow_map path active turn expert queue box_count mountains scorings solo campaign pending",
    "MountainView": "face pieces burrows covered holes marmots cleared full_rows start_rock pins score",
    "PieceView": "rock kind form row column",
    "PendingView": "seat kind space tile marmots start_rock earned_rocks rock_size rock_is_start",
    "SoloView": "turn path_value rows burrow_points points",
    "ScoreLine": "rows partial burrows picnic",
    "ScoringPhase": "active lines winner",
    "RowScore": "row turn value",
    "CampaignGame": "face rows burrow_points points",
}

SPRING_CHECKS = FamilyChecks(
    options=options,
    components=components,
    in_play=in_play,
    leaves=leaves,
    consistent=consistent,
    swaps={"box": swap_box},
    mixing=frozenset(),
    hidden=lambda game: game.state.box.items,
    view_fields={name: frozenset(fields.split()) for name, fields in VIEW_FIELDS.items()},
    revealing=frozenset({"MapRefilled", "QueueExtended"}),
    observation_size=spring_views.OBSERVATION_SIZE,
    most_decisions=1000,
)
