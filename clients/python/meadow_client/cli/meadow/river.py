"""The river board of Meadow: Downstream in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meadow_api.v1 import downstream_pb2 as pb
from meadow_api.v1 import game_pb2, meadow_pb2
from meadow_api.v1 import meadow_cards_pb2 as card_pb
from meadow_api.v1.meadow_pb2 import MeadowCatalogue
from rich.console import Group, RenderableType
from rich.text import Text

from meadow_client.cli.common import counted
from meadow_client.cli.meadow.grid import COLUMNS, Notches, card_grid
from meadow_client.cli.meadow.words import DIM, card_line, symbols
from meadow_client.drawing.meadow.river import RIVER_SPOTS, board_of, side_name
from meadow_client.drawing.meadow.river_signs import EXTRAS, PIERS, TENTS
from meadow_client.drawing.scene import seat_colour, seat_name


def river_table(view: game_pb2.GameView, catalogue: MeadowCatalogue, width: int) -> RenderableType:
    """Cards on offer, piles, and the track from the last kayak on."""
    river = view.meadow.river
    board = board_of(river, catalogue)
    spots = range(RIVER_SPOTS, RIVER_SPOTS + len(board.spots))
    counts = {count.deck: count.count for count in view.meadow.deck_counts}
    heads = [f"river ({counts.get(card_pb.MEADOW_DECK_RIVER, 0)})", *[""] * (COLUMNS - 1)]
    grid = card_grid(view, catalogue, heads, spots, _notches(board), width)
    return Group(Text(side_name(river.side), style="bold"), grid, *_piles(view, catalogue), *track_lines(view, board))


def _notches(board: pb.DownstreamRiverBoard) -> Notches:
    """Those of the rows on the left, from the top; those of the columns below, from the left."""
    rows = sorted((notch for notch in board.notches if len(notch.spots) == COLUMNS), key=lambda notch: notch.point.y)
    columns = sorted((notch for notch in board.notches if len(notch.spots) < COLUMNS), key=lambda notch: notch.point.x)
    return Notches([notch.place for notch in rows], (), [notch.place for notch in columns])


def _piles(view: game_pb2.GameView, catalogue: MeadowCatalogue) -> Iterator[Text]:
    river = view.meadow.river
    yield _pile("sunset", river.sunset_cards, catalogue)
    if river.side == pb.DOWNSTREAM_SIDE_LAZY_RIVER:
        yield _pile("beaver dams", river.beaver_dam_cards, catalogue)
        placed = [seat_name(view, player.seat) for player in river.players if player.bonus_placed]
        here = f"; there: {', '.join(placed)}" if placed else ""
        yield Text.assemble(("goal space  ", DIM), "nature monument with ", symbols(river.goals, " or "), here)
    else:
        yield _area("piers", [PIERS[pier].words for pier in river.piers], river.piers_face_down)
        yield _area("tents", [TENTS[tent].words for tent in river.tents], river.tents_face_down)


def _pile(title: str, cards: Sequence[int], catalogue: MeadowCatalogue) -> Text:
    if not cards:
        return Text.assemble((f"{title}  ", DIM), "none left")
    return Text.assemble((f"{title}  ", DIM), card_line(catalogue.cards[cards[-1]]), f"; {len(cards)} left")


def _area(title: str, words: list[str], face_down: int) -> Text:
    return Text.assemble((f"{title}  ", DIM), "; ".join([*words, *["one face down"] * face_down]) or "none left")


def track_lines(view: game_pb2.GameView, board: pb.DownstreamRiverBoard, first: int | None = None) -> Iterator[Text]:
    """The track from a space on, or from the last kayak: a line for each stretch between forks and where ways meet."""
    kayaks: dict[int, list[int]] = {}
    for player in view.meadow.river.players:
        kayaks.setdefault(player.space, []).append(player.seat)
    reached = {min(kayaks) if first is None else first}
    for stretch in stretches(board):
        shown = [space for space in stretch if _add(reached, space)]
        if not shown:
            continue
        line = Text("  ").join(_space(view, space, kayaks.get(space.space, [])) for space in shown)
        yield Text.assemble(("track  ", DIM), line, _ways(shown[-1]))


def _add(reached: set[int], space: pb.DownstreamSpace) -> bool:
    """Whether a space can be reached; where one goes from there is reached then."""
    found = space.space in reached
    if found:
        reached.update(way.space for way in space.ways)
    return found


def stretches(board: pb.DownstreamRiverBoard) -> list[list[pb.DownstreamSpace]]:
    """The track in parts, in which every space but the last leads to the next alone, and nothing else leads there."""
    leading = [way.space for space in board.spaces for way in space.ways]
    parts: list[list[pb.DownstreamSpace]] = []
    for space in board.spaces:
        before = parts[-1][-1] if parts else None
        if before and [way.space for way in before.ways] == [space.space] and leading.count(space.space) == 1:
            parts[-1].append(space)
        else:
            parts.append([space])
    return parts


def _space(view: game_pb2.GameView, space: pb.DownstreamSpace, seats: list[int]) -> Text:
    text = Text(str(space.space), style=DIM)
    if space.extra_action:
        text.append(f" {EXTRAS[space.extra_action].words}", style="default")
    if space.points:
        text.append(f" ({space.points})", style="bold")
    for seat in seats:
        text.append(f" <{seat_name(view, seat)}>", style=f"bold {seat_colour(view, seat)}")
    return text


def _ways(space: pb.DownstreamSpace) -> Text:
    """Where one goes from the end of a stretch."""
    if not space.ways:
        return Text("  the end", style=DIM)
    words = [f"{way.space}" + (" by the shortcut" if way.shortcut else "") for way in space.ways]
    return Text(f"  then {' or '.join(words)}", style=DIM)


def space_words(space: pb.DownstreamSpace) -> str:
    """What a space offers, for a choice between ways."""
    words = [EXTRAS[space.extra_action].words] if space.extra_action else []
    words += [counted(space.points, "point")] if space.points else []
    return ", ".join(words) or "nothing there"


def seat_line(view: game_pb2.GameView, seat: int) -> Text:
    """What a seat has on the river."""
    player = view.meadow.river.players[seat]
    line = Text.assemble(("river  ", DIM), f"at space {player.space}, {counted(player.points, 'point')}")
    if player.tents:
        line.append(f"; tents: {'; '.join(TENTS[tent].words for tent in player.tents)}")
    if view.meadow.river.side == pb.DOWNSTREAM_SIDE_LAZY_RIVER:
        line.append(f"; additional bonus token {'placed' if player.bonus_placed else 'left'}")
    return line


def about(view: game_pb2.GameView, catalogue: MeadowCatalogue) -> Iterator[Text]:
    """What a choice on the river is about, before its list; nothing for any other choice."""
    decision, river = view.pending.meadow, view.meadow.river
    if decision.spaces_left:
        yield Text(f"Your kayak still moves {counted(decision.spaces_left, 'space')}.", style="bold")
    match decision.kind:
        case meadow_pb2.MEADOW_DECISION_KIND_EXTRA_ACTION:
            space = river.players[view.pending.seat].space
            yield Text(f"Space {space} offers {EXTRAS[decision.extra_action].words}.", style="bold")
        case meadow_pb2.MEADOW_DECISION_KIND_CHOOSE_WAY:
            board = board_of(river, catalogue)
            yield Text("The river forks.", style="bold")
            yield from track_lines(view, board, river.players[view.pending.seat].space)
        case meadow_pb2.MEADOW_DECISION_KIND_TRADE:
            yield Text("A card is discarded for the top 2 of a deck.", style="bold")
        case meadow_pb2.MEADOW_DECISION_KIND_CHOOSE_DECK:
            yield Text("The top 2 cards of one deck are yours.", style="bold")
        case meadow_pb2.MEADOW_DECISION_KIND_TAKE_CARD:
            yield Text("Which card do you take?", style="bold")
        case meadow_pb2.MEADOW_DECISION_KIND_CHOOSE_WATERY_GROUND:
            yield Text("Your watery ground lies beside the other ground: which side up, at which end?", style="bold")
