"""Cards of Meadow: whole faces, and what shows of a card that is covered."""

from __future__ import annotations

from meadow_api.v1 import meadow_cards_pb2 as card_pb

from meadow_client.drawing import svg
from meadow_client.drawing.meadow.icons import colour_of, icon

WIDTH, HEIGHT = 118.0, 128.0
STRIP = 21.0
"""Height of what shows of a covered card."""
_ICON = 20.0
_BOLD_WIDTH = 0.68
"""Mean width of a bold letter, as a part of the type's size."""
_SMALL = 15.0
_POINTS = ("#d8d2bd", "#8fae4a", "#d9b33b", "#d98a3b", "#c9603a")
"""Colours of the leaf with the points, from 0 to 4 and more."""
BACKS = {
    card_pb.MEADOW_DECK_W: ("W", "#a06a4c"),
    card_pb.MEADOW_DECK_S: ("S", "#6f9a45"),
    card_pb.MEADOW_DECK_E: ("E", "#b08b3e"),
    card_pb.MEADOW_DECK_N: ("N", "#5f7fa5"),
    card_pb.MEADOW_DECK_START: ("", "#8d8a7c"),
    card_pb.MEADOW_DECK_RIVER: ("R", "#3f8fa8"),
    card_pb.MEADOW_DECK_SUNSET: ("", "#d0784a"),
    card_pb.MEADOW_DECK_BEAVER_DAM: ("", "#7a5a3a"),
}
_PAPERS = {
    card_pb.MEADOW_CARD_KIND_GROUND: "#efe8d0",
    card_pb.MEADOW_CARD_KIND_OBSERVATION: "#fbf9ef",
    card_pb.MEADOW_CARD_KIND_LANDSCAPE: "#e4eef2",
    card_pb.MEADOW_CARD_KIND_DISCOVERY: "#f3e7ea",
}


def face(x: float, y: float, card: card_pb.MeadowCard) -> str:
    """A whole card with its top left corner at (x, y)."""
    letter, colour = BACKS[card.deck]
    parts = [
        svg.box(0, 0, WIDTH, HEIGHT, 9, fill=_PAPERS[card.kind], stroke="#b9b09a", stroke_width=1.2),
        svg.box(0, HEIGHT - 10, WIDTH, 10, 4, fill=colour),
        *_granted(card),
        *_worth(card),
        *_requirements(card, 52),
        *_name(card),
        svg.text(WIDTH / 2, HEIGHT - 2.5, letter, 8, text_anchor="middle", fill="#ffffff", font_weight="bold"),
    ]
    return svg.moved(x, y, svg.title(describe(card)), *parts)


def describe(card: card_pb.MeadowCard) -> str:
    """A card in a line: what a pointer that rests on it shows."""
    return f"{card.id} {card.display_name}" + (f" ({card.scientific_name})" if card.scientific_name else "")


def points(x: float, y: float, value: int, radius: float = 10.5) -> str:
    """The leaf with a card's points around (x, y)."""
    r = radius
    leaf = f"M{svg.number(-r)} 0Q{svg.number(-r)} {svg.number(-r)} 0 {svg.number(-r)}L{svg.number(r)} {svg.number(-r)}"
    leaf += f"L{svg.number(r)} 0Q{svg.number(r)} {svg.number(r)} 0 {svg.number(r)}Q{svg.number(-r)} {svg.number(r)} "
    leaf += f"{svg.number(-r)} 0Z"
    number = svg.text(0, r * 0.42, str(value), r * 1.25, text_anchor="middle", fill="#ffffff", font_weight="bold")
    return svg.moved(x, y, svg.path(leaf, fill=_POINTS[min(value, len(_POINTS) - 1)]), number)


def _worth(card: card_pb.MeadowCard) -> list[str]:
    """Points in the corner, an oar below them, or in their place on cards that only have one."""
    worth = [points(WIDTH - 17, 17, card.points)] if card.points or not card.oar else []
    return [*worth, _oar(WIDTH - 6, 30 if worth else 8, card.oar)] if card.oar else worth


def _oar(right: float, y: float, arrows: int) -> str:
    """An oar with its arrows; its right end and its top are given."""
    wide = 20.0 + 8 * arrows
    paddle = svg.path("M6 9H13", stroke="#ffffff", stroke_width=2) + svg.circle(6, 9, 3.4, fill="#ffffff")
    line = " ".join(f"M{svg.number(15.0 + 8 * place)} 5l4 4l-4 4" for place in range(arrows))
    chevrons = svg.path(line, stroke="#ffffff", stroke_width=2, fill="none")
    return svg.moved(right - wide, y, svg.box(0, 0, wide, 18, 9, fill="#3f8fa8"), paddle, chevrons)


def _granted(card: card_pb.MeadowCard) -> list[str]:
    symbols = [*card.grounds, *card.symbols]
    if not symbols:
        return [road(7, 7)] if card.kind == card_pb.MEADOW_CARD_KIND_LANDSCAPE else [_find(7, 7)]
    return [icon(7 + place * (_ICON + 3), 7, _ICON, symbol) for place, symbol in enumerate(symbols)]


def road(x: float, y: float) -> str:
    """A road token with its top left corner at (x, y), 20 wide."""
    return svg.moved(
        x,
        y,
        svg.circle(10, 10, 10, fill="#7b8a8f"),
        svg.path("M6 18L9 2H11L14 18Z", fill="#f4efe0"),
        svg.path("M10 5V7M10 10V12M10 15V17", stroke="#7b8a8f", stroke_width=1.2),
    )


def _find(x: float, y: float) -> str:
    return svg.moved(
        x,
        y,
        svg.circle(10, 10, 10, fill="#a7596b"),
        svg.path("M5 8H15V15H5ZM8 8V6H12V8", fill="none", stroke="#ffffff", stroke_width=1.8),
    )


def _requirements(card: card_pb.MeadowCard, y: float) -> list[str]:
    """What the card asks for; a slash between halves, arrows around what has to stand beside."""
    parts, x = [], 8.0
    if card.kind == card_pb.MEADOW_CARD_KIND_LANDSCAPE:
        parts.append(svg.element("g", road(0, 0), transform=f"translate({svg.number(x)} {svg.number(y)}) scale(0.75)"))
        x += _SMALL + 4
    if card.kind == card_pb.MEADOW_CARD_KIND_DISCOVERY:
        parts.append(svg.box(x, y + 2, _SMALL, 11, 2, fill="#b7cdd6", stroke="#7b9aa8"))
        x += _SMALL + 4
    for requirement in card.requirements:
        if x > WIDTH - 26:
            x, y = 8.0, y + _SMALL + 4
        if requirement.adjacent:
            parts.append(_arrow(x, y + _SMALL / 2, -1))
            x += 6
        for place, symbol in enumerate(requirement.symbols):
            if place:
                parts.append(svg.text(x, y + 12, "/", 13, fill="#6d6753", font_weight="bold"))
                x += 6
            parts.append(icon(x, y, _SMALL, symbol))
            x += _SMALL + 1
        if requirement.adjacent:
            parts.append(_arrow(x + 1, y + _SMALL / 2, 1))
            x += 7
        x += 3
    return parts


def _arrow(x: float, y: float, way: int) -> str:
    tip = svg.polyline(
        [(x + (0 if way < 0 else 5), y), (x + (5 if way < 0 else 0), y - 4), (x + (5 if way < 0 else 0), y + 4)],
        closed=True,
    )
    return svg.path(tip, fill="#6d6753")


def _name(card: card_pb.MeadowCard) -> list[str]:
    lines = _wrapped(card.display_name, 19)[:2]
    start = HEIGHT - 18 - 12 * (len(lines) - 1)
    size = min(_fitting(line, WIDTH - 14, 10.5) for line in lines)
    return [
        svg.text(8, start + 12 * place, line, size, fill="#4b4636", font_weight="bold")
        for place, line in enumerate(lines)
    ]


def _fitting(words: str, room: float, largest: float) -> float:
    """The largest size, up to a given one, at which words in bold are no wider than the room for them."""
    return round(min(largest, room / (_BOLD_WIDTH * max(1, len(words)))), 1)


def _wrapped(words: str, width: int) -> list[str]:
    lines = [""]
    for word in words.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def strip(x: float, y: float, card: card_pb.MeadowCard, *, ground: bool) -> str:
    """What shows of a covered card: its points and name; of a ground card its ground symbols."""
    colour = colour_of(card.grounds[0]) if ground else "#f4f0e2"
    parts = [svg.box(0, 0, WIDTH, STRIP - 1, 5, fill=colour, stroke="#b9b09a", stroke_width=1)]
    if ground:
        parts += [icon(5 + 18 * place, 2.5, _SMALL, symbol) for place, symbol in enumerate(card.grounds)]
    else:
        parts += [points(13, 10, card.points, 7.5)] if card.points or not card.oar else []
    words = _wrapped(card.display_name, 16)[0]
    shift = 6 + 18 * len(card.grounds) if ground else 26
    parts.append(
        svg.text(shift, 14, words, _fitting(words, WIDTH - shift - 4, 9.5), fill="#ffffff" if ground else "#6d6753")
    )
    return svg.moved(x, y, svg.title(describe(card)), *parts)


def back(x: float, y: float, deck: int, count: int) -> str:
    """A pile of cards seen from behind, with how many they are."""
    letter, colour = BACKS[deck]  # type: ignore[index]
    parts = [
        svg.box(0, 0, 30, 40, 5, fill=colour, stroke="#ffffff", stroke_width=1.5),
        svg.text(15, 26, letter, 17, text_anchor="middle", fill="#ffffff", font_weight="bold"),
        svg.circle(28, 38, 9, fill="#fffdf7", stroke=colour, stroke_width=1.5),
        svg.text(28, 42, str(count), 11, text_anchor="middle", fill="#4b4636", font_weight="bold"),
    ]
    return svg.moved(x, y, *parts)
