"""Icons of Meadow's symbols, each in a square of 24 units."""

from __future__ import annotations

from meadow_api.v1 import meadow_cards_pb2 as card_pb

from meadow_client.drawing import svg
from meadow_client.messages import value_name

UNITS = 24.0
_WHITE = {"fill": "#ffffff"}
_LINE = {"fill": "none", "stroke": "#ffffff", "stroke_width": 2, "stroke_linecap": "round", "stroke_linejoin": "round"}


def _dots(points: list[tuple[float, float, float]]) -> str:
    return "".join(svg.circle(x, y, radius, **_WHITE) for x, y, radius in points)


def _ellipse(x: float, y: float, rx: float, ry: float, turn: float = 0) -> str:
    return svg.element(
        "ellipse", cx=x, cy=y, rx=rx, ry=ry, transform=f"rotate({turn} {x} {y})" if turn else None, **_WHITE
    )


def _petals() -> str:
    return "".join(
        svg.element("ellipse", cx=12, cy=7.2, rx=2.7, ry=3.9, transform=f"rotate({turn} 12 12)", **_WHITE)
        for turn in range(0, 360, 72)
    )


_SHAPES: dict[int, tuple[str, str]] = {
    card_pb.MEADOW_SYMBOL_LITTERFALL: (
        "#b5702f",
        svg.path("M12 4C6 8 6 15 12 20C18 15 18 8 12 4Z", **_WHITE) + svg.path("M12 8V20", stroke="#b5702f"),
    ),
    card_pb.MEADOW_SYMBOL_GRASS: (
        "#7da536",
        svg.path("M12 20V6M8 20C8 14 6.500 11 5 9M16 20C16 14 17.500 11 19 9", **_LINE),
    ),
    card_pb.MEADOW_SYMBOL_SANDS: (
        "#dcb35c",
        _dots([(7, 8, 1.6), (13, 6.5, 1.6), (18, 10, 1.6), (9, 13, 1.6), (15, 14.5, 1.6), (6, 18, 1.6), (12, 19, 1.6)]),
    ),
    card_pb.MEADOW_SYMBOL_ROCKS: ("#8a8f96", svg.path("M3 19L8 9L12 14L15.500 7L21 19Z", **_WHITE)),
    card_pb.MEADOW_SYMBOL_WETLANDS: (
        "#5d8f86",
        svg.path("M9 20V10M15 20V12M4 20H20", **_LINE) + _ellipse(9, 7.5, 1.8, 3.4) + _ellipse(15, 9.5, 1.6, 3),
    ),
    card_pb.MEADOW_SYMBOL_WATERY: (
        "#4f8fc4",
        svg.path("M3 9Q6 6 9 9T15 9T21 9M3 15Q6 12 9 15T15 15T21 15", **_LINE),
    ),
    card_pb.MEADOW_SYMBOL_LARVA: (
        "#9db84a",
        _dots([(5, 15, 2.4), (9, 12, 2.6), (13.4, 12.4, 2.6), (17, 10.4, 2.5), (19, 7.2, 2.2)]),
    ),
    card_pb.MEADOW_SYMBOL_BEETLE: (
        "#7a5c3e",
        _ellipse(12, 14, 5, 6)
        + svg.circle(12, 6.6, 2.6, **_WHITE)
        + svg.path("M7 11L3.500 9M7 15H3M8 18L5 20.500M17 11L20.500 9M17 15H21M16 18L19 20.500", **_LINE),
    ),
    card_pb.MEADOW_SYMBOL_BUTTERFLY: (
        "#d9843b",
        _ellipse(7.6, 9, 4.4, 3.4, 35)
        + _ellipse(16.4, 9, 4.4, 3.4, -35)
        + _ellipse(8.6, 15.6, 3, 2.4, -30)
        + _ellipse(15.4, 15.6, 3, 2.4, 30)
        + _ellipse(12, 12.5, 1.1, 6),
    ),
    card_pb.MEADOW_SYMBOL_FROG: (
        "#5a9e4b",
        _ellipse(12, 14, 7, 5) + _dots([(8.2, 8.6, 2.4), (15.8, 8.6, 2.4)]),
    ),
    card_pb.MEADOW_SYMBOL_BIRD: (
        "#4a86b8",
        svg.path("M3.500 13C6.500 7.500 12.500 7 15 10.200L21 9.500L16.500 13.500C15.500 18 8 19 3.500 13Z", **_WHITE),
    ),
    card_pb.MEADOW_SYMBOL_BIRD_OF_PREY: (
        "#6b5a8e",
        svg.path(
            "M2 9C6 7.500 9.500 9.500 12 12.500C14.500 9.500 18 7.500 22 9C19.500 11 17 14 15 14.800"
            "L12 20L9 14.800C7 14 4.500 11 2 9Z",
            **_WHITE,
        ),
    ),
    card_pb.MEADOW_SYMBOL_PAW: (
        "#a5683c",
        _ellipse(12, 15.6, 4.6, 3.8) + _dots([(5.8, 11.4, 2), (9.6, 7.4, 2.1), (14.4, 7.4, 2.1), (18.2, 11.4, 2)]),
    ),
    card_pb.MEADOW_SYMBOL_PREDATOR: (
        "#b5452f",
        svg.path("M4 5L9.500 8H14.500L20 5L18.200 14L12 20.500L5.800 14Z", **_WHITE),
    ),
    card_pb.MEADOW_SYMBOL_MUSHROOM: (
        "#a8573f",
        svg.path("M4 12.500C4 3.500 20 3.500 20 12.500Z", **_WHITE) + svg.path("M10 13H14L15 20H9Z", **_WHITE),
    ),
    card_pb.MEADOW_SYMBOL_TREE: (
        "#3f7d4a",
        svg.path("M12 3L18 11H15L19 17H5L9 11H6Z", **_WHITE) + svg.path("M11 17H13V21H11Z", **_WHITE),
    ),
    card_pb.MEADOW_SYMBOL_BERRIES: (
        "#8f3f6e",
        _dots([(8.4, 15, 3.2), (15.6, 15, 3.2), (12, 10.4, 3.2)]) + svg.path("M12 7.500L14.500 3.500", **_LINE),
    ),
    card_pb.MEADOW_SYMBOL_FLOWER: ("#c9598e", _petals() + svg.circle(12, 12, 2.4, fill="#f5d76b")),
    card_pb.MEADOW_SYMBOL_FENCE: (
        "#8c7a58",
        svg.path("M5.500 20V8L7.500 5.500L9.500 8V20ZM14.500 20V8L16.500 5.500L18.500 8V20Z", **_WHITE)
        + svg.path("M3 11.500H21M3 16H21", **_LINE),
    ),
    card_pb.MEADOW_SYMBOL_HOUSE: (
        "#b06a52",
        svg.path("M12 4L21 12H18.500V20H5.500V12H3Z", **_WHITE) + svg.box(10, 14, 4, 6, fill="#b06a52"),
    ),
    card_pb.MEADOW_SYMBOL_BIG_ENCOUNTER: (
        "#2f4f5c",
        svg.path("M12 13V20M12 13C9 12 7 10 7 5M12 13C15 12 17 10 17 5M7.500 8.500L4 6M16.500 8.500L20 6", **_LINE)
        + svg.circle(12, 19, 2.4, **_WHITE),
    ),
    card_pb.MEADOW_SYMBOL_NATURE_MONUMENT: (
        "#4b9a78",
        svg.path("M12 5L20 19H4Z", **_LINE),
    ),
    card_pb.MEADOW_SYMBOL_FISH: (
        "#3f7fa8",
        _ellipse(10.5, 12, 6.5, 4) + svg.path("M15.500 12L21 7.500V16.500Z", **_WHITE),
    ),
}
GROUNDS = range(card_pb.MEADOW_SYMBOL_LITTERFALL, card_pb.MEADOW_SYMBOL_WATERY + 1)


def name(symbol: int) -> str:
    """A symbol's name for people."""
    return value_name(card_pb.MeadowSymbol, symbol).replace("_", " ").lower()


def icon(x: float, y: float, side: float, symbol: int) -> str:
    """A symbol with its top left corner at (x, y): grounds in a square, others in a disc."""
    colour, shape = _SHAPES[symbol]
    if symbol in GROUNDS:
        back = svg.box(0.5, 0.5, UNITS - 1, UNITS - 1, 5, fill=colour)
    else:
        back = svg.circle(UNITS / 2, UNITS / 2, UNITS / 2 - 0.5, fill=colour)
    scale = svg.number(side / UNITS)
    place = f"translate({svg.number(x)} {svg.number(y)}) scale({scale})"
    return svg.element("g", svg.title(name(symbol)), back, shape, transform=place)


def colour_of(symbol: int) -> str:
    """The colour of a symbol's icon."""
    return _SHAPES[symbol][0]
