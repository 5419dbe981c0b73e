"""What spaces, piers and tents of the river board offer: in words, and as signs that are drawn around (0, 0)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from meadow_api.v1 import downstream_pb2 as pb
from meadow_api.v1 import meadow_cards_pb2 as card_pb

from meadow_client.drawing import svg
from meadow_client.drawing.meadow import card as cards
from meadow_client.drawing.meadow.icons import icon


class Sign(NamedTuple):
    """Something that is offered.

    Attributes:
        words: what it is.
        drawing: within a circle of radius 14.
    """

    words: str
    drawing: str


def _beside(*parts: str) -> str:
    """Some signs beside each other, made smaller."""
    scale, step = (0.72, 14.0) if len(parts) == 2 else (0.58, 11.0)
    first = -step * (len(parts) - 1) / 2
    return "".join(
        svg.element("g", part, transform=f"translate({svg.number(first + place * step)} 0) scale({scale})")
        for place, part in enumerate(parts)
    )


def _back(deck: card_pb.MeadowDeck.ValueType) -> str:
    letter, colour = cards.BACKS[deck]
    word = svg.text(0, 5, letter, 13, text_anchor="middle", fill="#ffffff", font_weight="bold")
    return svg.box(-8, -10.5, 16, 21, 3, fill=colour, stroke="#ffffff", stroke_width=1.5) + word


def _worth(points: int) -> str:
    return cards.points(0, 0, points, 9.5)


_ROAD = svg.moved(-10, -10, cards.road(0, 0))
_PAPER: Mapping[str, object] = {"fill": "#fffdf7", "stroke": "#6d6753", "stroke_width": 1.5}
_FACE = svg.box(-8, -10.5, 16, 21, 3, **_PAPER) + svg.circle(0, -2, 4.5, fill="#6f9a45")
_PLAY = svg.box(-8, -10.5, 16, 21, 3, **_PAPER) + svg.path("M-4.5 0H-1.5V-6H1.5V0H4.5L0 6Z", fill="#6d6753")
_ANY_TWO = svg.box(-11, -8, 15, 19, 3, **_PAPER) + svg.box(-4, -11, 15, 19, 3, **_PAPER)
_EYE = svg.path("M-10 0Q0 -11 10 0Q0 11 -10 0Z", fill="#fffdf7", stroke="#4b4636", stroke_width=1.8) + svg.circle(
    0, 0, 3.6, fill="#4b4636"
)
_SUN = svg.path("M-9 5A9 9 0 0 1 9 5Z", fill="#e58a3c") + svg.path(
    "M-13 8H13M0 -8V-12M-8 -5L-11 -8M8 -5L11 -8", stroke="#d0784a", stroke_width=2.2, fill="none"
)
_DAM = "".join(
    svg.box(x, y, 15, 6, 3, fill="#8a6038", stroke="#5b3f22", stroke_width=1)
    for x, y in ((-12, 2), (-2, 2), (-7, -5), (-4, -11))
)
_MONUMENT = icon(-12, -12, 24, card_pb.MEADOW_SYMBOL_NATURE_MONUMENT)
_PIER = svg.path("M-11 -6H11M-11 -1H11M-11 4H11", stroke="#8a6038", stroke_width=3.4) + svg.path(
    "M-8 -9V11M8 -9V11", stroke="#5b3f22", stroke_width=2.4
)
_TENT = svg.path("M0 -11L13 9H-13Z", fill="#c9603a") + svg.path("M0 -4L5 9H-5Z", fill="#fff3dc")

EXTRAS: Mapping[int, Sign] = {
    pb.DOWNSTREAM_EXTRA_ACTION_ROAD: Sign("a road token", _ROAD),
    pb.DOWNSTREAM_EXTRA_ACTION_SUNSET: Sign("the top sunset card", _SUN),
    pb.DOWNSTREAM_EXTRA_ACTION_PLAY: Sign("a play", _PLAY),
    pb.DOWNSTREAM_EXTRA_ACTION_RIVER_OR_E: Sign(
        "a river or E card", _beside(_back(card_pb.MEADOW_DECK_RIVER), _back(card_pb.MEADOW_DECK_E))
    ),
    pb.DOWNSTREAM_EXTRA_ACTION_ROAD_OR_TWO_CARDS: Sign("a road token, or 2 cards for 1", _beside(_ROAD, _ANY_TWO)),
    pb.DOWNSTREAM_EXTRA_ACTION_FACE_UP: Sign("a face-up card", _FACE),
    pb.DOWNSTREAM_EXTRA_ACTION_BEAVER_DAM: Sign("the top beaver dam card", _DAM),
    pb.DOWNSTREAM_EXTRA_ACTION_GOAL: Sign("the goal space", _MONUMENT),
    pb.DOWNSTREAM_EXTRA_ACTION_S_OR_W: Sign(
        "an S or W card", _beside(_back(card_pb.MEADOW_DECK_S), _back(card_pb.MEADOW_DECK_W))
    ),
    pb.DOWNSTREAM_EXTRA_ACTION_LOOK_AT_N: Sign("one of 2 N cards", _beside(_EYE, _back(card_pb.MEADOW_DECK_N))),
    pb.DOWNSTREAM_EXTRA_ACTION_ROAD_AND_FACE_UP: Sign("a road token and a face-up card", _beside(_ROAD, _FACE)),
    pb.DOWNSTREAM_EXTRA_ACTION_PIER: Sign("a pier token", _PIER),
    pb.DOWNSTREAM_EXTRA_ACTION_TENT: Sign("a tent token", _TENT),
}
PIERS: Mapping[int, Sign] = {
    pb.DOWNSTREAM_PIER_E_W_N: Sign(
        "a card each of E, W and N",
        _beside(_back(card_pb.MEADOW_DECK_E), _back(card_pb.MEADOW_DECK_W), _back(card_pb.MEADOW_DECK_N)),
    ),
    pb.DOWNSTREAM_PIER_TWO_RIVER: Sign("2 river cards", _beside(*[_back(card_pb.MEADOW_DECK_RIVER)] * 2)),
    pb.DOWNSTREAM_PIER_TWO_ROADS: Sign("2 road tokens", _beside(_ROAD, _ROAD)),
    pb.DOWNSTREAM_PIER_LOOK_AT_E: Sign(
        "one of 3 E cards, then a play", _beside(_EYE, _back(card_pb.MEADOW_DECK_E), _PLAY)
    ),
    pb.DOWNSTREAM_PIER_FACE_UP: Sign("a face-up card", _FACE),
    pb.DOWNSTREAM_PIER_TWO_CARDS: Sign("2 cards for 1", _ANY_TWO),
}
TENTS: Mapping[int, Sign] = {
    pb.DOWNSTREAM_TENT_FOUR_POINTS: Sign("4 points", _worth(4)),
    pb.DOWNSTREAM_TENT_THREE_POINTS: Sign("3 points", _worth(3)),
    pb.DOWNSTREAM_TENT_FACE_UP_AND_PLAY_ONE_POINT: Sign(
        "a face-up card, then a play, and 1 point", _beside(_FACE, _PLAY, _worth(1))
    ),
    pb.DOWNSTREAM_TENT_PLAY_TWO_POINTS: Sign("a play, and 2 points", _beside(_PLAY, _worth(2))),
    pb.DOWNSTREAM_TENT_FACE_UP_AND_PLAY: Sign("a face-up card, then a play", _beside(_FACE, _PLAY)),
    pb.DOWNSTREAM_TENT_TWO_PLAYS: Sign("up to 2 plays", _beside(_PLAY, _PLAY)),
}
