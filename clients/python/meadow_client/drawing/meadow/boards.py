"""The main board and the campfire board of Meadow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from meadow_api.v1 import meadow_cards_pb2 as card_pb
from meadow_api.v1 import meadow_pb2 as pb

from meadow_client.drawing import svg
from meadow_client.drawing.meadow import card as cards
from meadow_client.drawing.meadow.icons import icon

SIDE = 4
_STEP_X, _STEP_Y = cards.WIDTH + 12, cards.HEIGHT + 12
BORDER = 58.0
MAIN_WIDTH = SIDE * _STEP_X + 2 * BORDER
MAIN_HEIGHT = SIDE * _STEP_Y + 2 * BORDER
CAMPFIRE_SIDE = MAIN_WIDTH
CAMPFIRE_PLACES = 12
BENCH_PLACES = 17
ROVER_COLOURS = ("#8a8578", "#b06a52", "#5f7fa5", "#8f6fa0")
"""Shades of Rover's tokens, by colour."""


def token(x: float, y: float, number: int, colour: str) -> str:
    """A path token around (x, y)."""
    face = "1234?R"[number]
    return svg.moved(
        x,
        y,
        svg.circle(0, 0, 16, fill=colour, stroke="#fffdf7", stroke_width=2.5),
        svg.text(0, 6, face, 17, text_anchor="middle", fill="#ffffff", font_weight="bold"),
    )


def placed(view: pb.MeadowView, colours: Mapping[int, str]) -> dict[int, str]:
    """For each taken place the drawing of its token around (0, 0)."""
    return {placed.place: token(0, 0, placed.token, _colour(placed, colours)) for placed in view.placed_tokens}


def _colour(placed: pb.MeadowPlacedToken, colours: Mapping[int, str]) -> str:
    return ROVER_COLOURS[placed.rover_colour] if placed.HasField("rover_colour") else colours[placed.seat]


def main_board(view: pb.MeadowView, catalogue: pb.MeadowCatalogue, colours: Mapping[int, str]) -> str:
    """The main board with its cards and notches, from (0, 0) at its top left corner."""
    parts = [svg.box(0, 0, MAIN_WIDTH, MAIN_HEIGHT, 22, fill="#d9e2bd", stroke="#a9b885", stroke_width=2)]
    parts += list(_decks(view, catalogue))
    for spot, number in enumerate(view.board_cards[: SIDE * SIDE]):
        x, y = BORDER + spot % SIDE * _STEP_X + 6, BORDER + spot // SIDE * _STEP_Y + 6
        if number >= 0:
            parts.append(cards.face(x, y, catalogue.cards[number]))
        else:
            parts.append(svg.box(x, y, cards.WIDTH, cards.HEIGHT, 9, fill="#cbd6ab", stroke="#b7c493"))
    tokens = placed(view, colours)
    for hollow in catalogue.notches:
        x, y = BORDER + hollow.point.x * _STEP_X, BORDER + hollow.point.y * _STEP_Y
        x = min(max(x, BORDER / 2), MAIN_WIDTH - BORDER / 2)
        y = min(y, MAIN_HEIGHT - BORDER / 2)
        parts.append(svg.moved(x, y, notch(tokens.get(hollow.place), hollow.display_name)))
    return "".join(parts)


def notch(token_on_it: str | None, name: str) -> str:
    """A notch with its name, or the token on it, around (0, 0)."""
    hollow = svg.circle(0, 0, 17, fill="#f3f2df", stroke="#98a873", stroke_width=2, stroke_dasharray="4 4")
    return token_on_it or hollow + svg.text(0, 4, name, 10, text_anchor="middle", fill="#7d8c5b")


def _decks(view: pb.MeadowView, catalogue: pb.MeadowCatalogue) -> Iterator[str]:
    counts = {count.deck: count.count for count in view.deck_counts}
    for column, deck in enumerate(catalogue.board_columns):
        in_use = card_pb.MEADOW_DECK_N if view.halfway and deck == card_pb.MEADOW_DECK_S else deck
        x = BORDER + (column + 0.5) * _STEP_X - 15
        yield cards.back(x, 10, in_use, counts.get(in_use, 0))


def campfire(
    view: pb.MeadowView, board: pb.MeadowCampfireBoard, colours: Mapping[int, str], waterfalls: Sequence[int] = ()
) -> str:
    """The campfire board: notches, ring of goals, benches, round tracker, waterfalls after some rounds."""
    side = CAMPFIRE_SIDE
    parts = [
        svg.box(0, 0, side, side, 22, fill="#efe0c3", stroke="#c9ac7c", stroke_width=2),
        svg.circle(side / 2, side / 2, 34, fill="#f6c968"),
        svg.path(_flame(side / 2, side / 2 + 10), fill="#e07b3a"),
    ]
    parts += list(_goals(view, board, colours)) + list(_rounds(view, board, waterfalls))
    tokens = placed(view, colours)
    for number, point in enumerate(board.notches):
        blocked = number >= board.open_notches
        here = svg.path("M-7 -7L7 7M7 -7L-7 7", stroke="#a58a5c", stroke_width=3) if blocked else ""
        hollow = svg.circle(0, 0, 16, fill="#f8f1df", stroke="#b99a66", stroke_width=2, stroke_dasharray="4 4") + here
        parts.append(svg.moved(point.x * side, point.y * side, tokens.get(CAMPFIRE_PLACES + number) or hollow))
    for number, point in enumerate(board.benches):
        bench = svg.box(-20, -8, 40, 16, 6, fill="#b98d5a") + svg.text(
            0, 4, "bench", 9, text_anchor="middle", fill="#fff"
        )
        parts.append(svg.moved(point.x * side, point.y * side, tokens.get(BENCH_PLACES + number) or bench))
    return "".join(parts)


def _flame(x: float, y: float) -> str:
    return f"M{svg.number(x)} {svg.number(y)}q-22 -16 0 -42q4 14 14 20q6 12 -14 22Z"


def _goals(view: pb.MeadowView, board: pb.MeadowCampfireBoard, colours: Mapping[int, str]) -> Iterator[str]:
    side = CAMPFIRE_SIDE
    for symbol, point in zip(view.goals, board.goals, strict=False):
        x, y = point.x * side - 17, point.y * side - 17
        yield svg.box(x - 2, y - 2, 38, 38, 8, fill="#fffdf7", stroke="#c9ac7c") + icon(x, y, 34, symbol)
    claims = {claim.pair: claim.seat for claim in view.claims}
    for pair, point in enumerate(board.bonuses):
        taken = pair in claims
        fill = colours[claims[pair]] if taken else "#f8f1df"
        mark = svg.text(0, 5, "★", 15, text_anchor="middle", fill="#ffffff") if taken else ""
        disc = svg.circle(0, 0, 12, fill=fill, stroke="#b99a66", stroke_width=1.5)
        yield svg.moved(point.x * side, point.y * side, disc, mark)


def _rounds(view: pb.MeadowView, board: pb.MeadowCampfireBoard, waterfalls: Sequence[int]) -> Iterator[str]:
    side = CAMPFIRE_SIDE
    for number, point in enumerate(board.rocks, start=1):
        here = number == view.round
        yield svg.moved(
            point.x * side,
            point.y * side,
            svg.circle(0, 0, 11, fill="#6f7f55" if here else "#c7bda3"),
            svg.text(0, 4, str(number), 11, text_anchor="middle", fill="#ffffff"),
        )
    for number in waterfalls:
        before, after = board.rocks[number - 1], board.rocks[number]
        falls = svg.path("M-5 -9V9M0 -9V9M5 -9V9", stroke="#4d93ad", stroke_width=3, stroke_linecap="round")
        yield svg.moved((before.x + after.x) / 2 * side, (before.y + after.y) / 2 * side, falls)
    glass = board.hourglass_point
    yield svg.moved(glass.x * side, glass.y * side, svg.path("M-6 -9H6L-6 9H6Z", fill="#8a6a3a"))
