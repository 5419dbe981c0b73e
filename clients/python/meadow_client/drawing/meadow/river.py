"""The river board of Meadow: Downstream."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from meadow_api.v1 import downstream_pb2 as pb
from meadow_api.v1 import meadow_cards_pb2 as card_pb
from meadow_api.v1.common_pb2 import Point
from meadow_api.v1.meadow_pb2 import MeadowCatalogue, MeadowView

from meadow_client.drawing import svg
from meadow_client.drawing.meadow import boards, river_signs
from meadow_client.drawing.meadow import card as cards
from meadow_client.drawing.meadow.icons import icon
from meadow_client.drawing.meadow.river_signs import Sign

RIVER_SPOTS = 16
"""The first spot of the river card area."""
RIVER_PLACES = 21
"""The place of the first notch of the river board."""
SCALE = 80.0
"""Of the frame's unit: the cards on offer lie 1.6 of them apart."""
WIDTH, HEIGHT = 16 * SCALE, 9 * SCALE
_SPACE = 19.0
_BEND = 112.0
_PILE = 0.8
"""Size of the cards of a pile, that three have room below each other."""
_WATER, _DEEP, _BANK = "#8cc4d6", "#4d93ad", "#dbe8cf"


def side_name(side: pb.DownstreamSide.ValueType) -> str:
    """Lazy River, or Wild Rapids."""
    return pb.DownstreamSide.Name(side).removeprefix("DOWNSTREAM_SIDE_").replace("_", " ").title()


def game_name(view: MeadowView) -> str:
    """What is played."""
    return f"Downstream, {side_name(view.river.side)}" if view.HasField("river") else "Meadow"


def board_of(river: pb.DownstreamRiver, catalogue: MeadowCatalogue) -> pb.DownstreamRiverBoard:
    """The side of the board that is in play."""
    return next(board for board in catalogue.downstream.boards if board.side == river.side)


def river_board(view: MeadowView, catalogue: MeadowCatalogue, colours: Mapping[int, str]) -> str:
    """The river board with its track, kayaks, cards, tokens and piles, from (0, 0) at its top left corner."""
    board = board_of(view.river, catalogue)
    return "".join(
        [
            svg.box(0, 0, WIDTH, HEIGHT, 22, fill=_BANK, stroke="#a9b885", stroke_width=2),
            *_water(board),
            *(_space(space) for space in board.spaces),
            *_cards(view, board, catalogue),
            *_notches(view, board, colours),
            *_piles(view, board, catalogue, colours),
            *_kayaks(view.river, board, colours),
        ]
    )


def _at(point: Point) -> tuple[float, float]:
    return point.x * SCALE, point.y * SCALE


def _water(board: pb.DownstreamRiverBoard) -> Iterator[str]:
    """The river through all spaces, its shortcuts as narrow side arms."""
    ways = [(space, board.spaces[way.space], way.shortcut) for space in board.spaces for way in space.ways]
    short = [_bow(_at(start.point), _at(end.point)) for start, end, shortcut in ways if shortcut]
    straight = [svg.polyline([_at(start.point), _at(end.point)]) for start, end, shortcut in ways if not shortcut]
    for wider, colour in ((3.0, _DEEP), (0.0, _WATER)):
        for line in short:
            yield svg.path(line, stroke=colour, stroke_width=15 + 2 * wider, fill="none")
        for line in straight:
            yield svg.path(line, stroke=colour, stroke_width=52 + 2 * wider, stroke_linecap="round", fill="none")
    for start, end, shortcut in ways:
        if shortcut:
            x, y = _top(_at(start.point), _at(end.point))
            sign = icon(x - 11, (y + start.point.y * SCALE) / 2 - 11, 22, card_pb.MEADOW_SYMBOL_NATURE_MONUMENT)
            yield svg.element("g", svg.title("shortcut: with a nature monument visible in the meadow"), sign)


def _top(start: tuple[float, float], end: tuple[float, float]) -> tuple[float, float]:
    """Where a shortcut bends to: between its ends, towards the middle of the board."""
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    return x, y + (_BEND if y < HEIGHT / 2 else -_BEND)


def _bow(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Path data of a shortcut."""
    return "M{} {}Q{} {} {} {}".format(*map(svg.number, (*start, *_top(start, end), *end)))


def _space(space: pb.DownstreamSpace) -> str:
    x, y = _at(space.point)
    number = svg.title(f"space {space.space}")
    if not space.extra_action:
        drawn = [svg.circle(0, 0, 8, fill="#eaf6f8", stroke=_DEEP, stroke_width=1.5)]
    else:
        sign = river_signs.EXTRAS[space.extra_action]
        number = svg.title(f"space {space.space}: {sign.words}")
        drawn = [svg.circle(0, 0, _SPACE, fill="#f7fbf6", stroke=_DEEP, stroke_width=2), sign.drawing]
    if space.points:
        drawn.append(_number_beside(space))
    if not space.space:
        drawn.append(svg.text(0, -13, "start", 13, text_anchor="middle", fill="#1f4f63", font_weight="bold"))
    return svg.moved(x, y, number, *drawn)


def _number_beside(space: pb.DownstreamSpace) -> str:
    away = _SPACE * 0.9 if space.extra_action else 11.0
    disc = svg.circle(away, -away, 11, fill="#d9b33b", stroke="#fffdf7", stroke_width=2)
    return disc + svg.text(
        away, 4.5 - away, str(space.points), 12.5, text_anchor="middle", fill="#ffffff", font_weight="bold"
    )


def _cards(view: MeadowView, board: pb.DownstreamRiverBoard, catalogue: MeadowCatalogue) -> Iterator[str]:
    for number, point in zip(view.board_cards[RIVER_SPOTS:], board.spots, strict=True):
        x, y = point.x * SCALE - cards.WIDTH / 2, point.y * SCALE - cards.HEIGHT / 2
        if number >= 0:
            yield cards.face(x, y, catalogue.cards[number])
        else:
            yield svg.box(x, y, cards.WIDTH, cards.HEIGHT, 9, fill="#cbdcc0", stroke="#b7c9a8")


def _notches(view: MeadowView, board: pb.DownstreamRiverBoard, colours: Mapping[int, str]) -> Iterator[str]:
    placed = boards.placed(view, colours)
    for notch in board.notches:
        yield svg.moved(*_at(notch.point), boards.notch(placed.get(notch.place), notch.display_name))


def _kayaks(river: pb.DownstreamRiver, board: pb.DownstreamRiverBoard, colours: Mapping[int, str]) -> Iterator[str]:
    """Each seat's kayak below its space, several below each other."""
    here: dict[int, int] = {}
    for player in river.players:
        x, y = _at(board.spaces[player.space].point)
        row = here[player.space] = here.get(player.space, -1) + 1
        boat = svg.path("M-24 0Q0 -12 24 0Q0 12 -24 0Z", fill=colours[player.seat], stroke="#fffdf7", stroke_width=2)
        paddle = svg.path("M-9 -10L9 10", stroke="#4b4636", stroke_width=2.2)
        blades = svg.circle(-9, -10, 3.2, fill="#4b4636") + svg.circle(9, 10, 3.2, fill="#4b4636")
        yield svg.moved(x, y + 15 + 14 * row, svg.title(f"seat {player.seat + 1}"), boat, paddle, blades)


def _piles(
    view: MeadowView, board: pb.DownstreamRiverBoard, catalogue: MeadowCatalogue, colours: Mapping[int, str]
) -> Iterator[str]:
    river = view.river
    counts = {count.deck: count.count for count in view.deck_counts}
    drawn: Mapping[int, Callable[[], str]] = {
        pb.DOWNSTREAM_PILE_RIVER_DECK: lambda: svg.element(
            "g",
            cards.back(-15, -20, card_pb.MEADOW_DECK_RIVER, counts.get(card_pb.MEADOW_DECK_RIVER, 0)),
            transform="scale(1.9)",
        ),
        pb.DOWNSTREAM_PILE_SUNSET: lambda: _open_pile(river.sunset_cards, catalogue, "sunset"),
        pb.DOWNSTREAM_PILE_BEAVER_DAM: lambda: _open_pile(river.beaver_dam_cards, catalogue, "beaver dams"),
        pb.DOWNSTREAM_PILE_GOALS: lambda: _goals(river, colours),
        pb.DOWNSTREAM_PILE_PIER: lambda: _tokens(
            "piers", [river_signs.PIERS[pier] for pier in river.piers], river.piers_face_down, "#e9dcc3"
        ),
        pb.DOWNSTREAM_PILE_TENT: lambda: _tokens(
            "tents", [river_signs.TENTS[tent] for tent in river.tents], river.tents_face_down, "#f4dfcf"
        ),
    }
    for pile in board.piles:
        yield svg.moved(*_at(pile.point), drawn[pile.pile]())


def _open_pile(pile: Sequence[int], catalogue: MeadowCatalogue, name: str) -> str:
    """The top card, and how many there are."""
    wide, tall = _PILE * cards.WIDTH, _PILE * cards.HEIGHT
    if not pile:
        empty = svg.box(-wide / 2, -tall / 2, wide, tall, 8, fill="#cbdcc0", stroke="#b7c9a8")
        return empty + svg.text(0, 4, name, 12, text_anchor="middle", fill="#7d8c5b")
    face = cards.face(-cards.WIDTH / 2, -cards.HEIGHT / 2, catalogue.cards[pile[-1]])
    count = svg.circle(wide / 2, tall / 2, 11, fill="#fffdf7", stroke="#6d6753", stroke_width=1.5)
    words = svg.text(wide / 2, tall / 2 + 4.5, str(len(pile)), 13, text_anchor="middle", fill="#4b4636")
    return svg.element("g", face, transform=f"scale({_PILE})") + count + words


def _goals(river: pb.DownstreamRiver, colours: Mapping[int, str]) -> str:
    """Each goal beside a nature monument; below them the bonus tokens that were placed."""
    parts = []
    for place, goal in enumerate(river.goals):
        x = -46.0 + place * 50
        parts.append(svg.box(x - 4, -34, 46, 26, 6, fill="#fffdf7", stroke="#c9ac7c"))
        parts.append(icon(x - 1, -31, 20, card_pb.MEADOW_SYMBOL_NATURE_MONUMENT) + icon(x + 20, -31, 20, goal))
    placed = [player.seat for player in river.players if player.bonus_placed]
    for place, seat in enumerate(placed):
        star = svg.text(0, 5, "★", 15, text_anchor="middle", fill="#ffffff")
        disc = svg.circle(0, 0, 12, fill=colours[seat], stroke="#b99a66", stroke_width=1.5)
        parts.append(svg.moved(-36 + 26 * place, 14, disc, star))
    return "".join(parts)


def _tokens(name: str, signs: Sequence[Sign], face_down: int, colour: str) -> str:
    """The tokens of an area, two abreast, one that lies face down last."""
    tokens = [*signs, *[Sign("face down", svg.text(0, 6, "?", 17, text_anchor="middle", fill="#57523f"))] * face_down]
    if not tokens:
        return svg.text(0, 4, f"no {name} left", 12, text_anchor="middle", fill="#7d8c5b")
    drawn = []
    for place, sign in enumerate(tokens):
        row, column = divmod(place, 2)
        disc = svg.circle(0, 0, 21, fill=colour, stroke="#8a6a3a", stroke_width=1.8)
        drawn.append(svg.moved(-23 + 46 * column, -23 + 46 * row, svg.title(sign.words), disc, sign.drawing))
    return "".join(drawn)
