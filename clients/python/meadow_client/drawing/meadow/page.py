"""The page: boards on the left, the seats beside them."""

from __future__ import annotations

from collections.abc import Sequence

from meadow_api.v1 import game_pb2
from meadow_api.v1 import meadow_pb2 as pb
from meadow_api.v1.downstream_pb2 import DownstreamWaterfalls

from meadow_client.drawing import svg
from meadow_client.drawing.meadow import boards, river
from meadow_client.drawing.meadow import card as cards
from meadow_client.drawing.meadow import player as players
from meadow_client.drawing.scene import seat_colour, seat_name

GAP = 24.0
TITLE = 62.0
_FONTS = "'Trebuchet MS', 'Segoe UI', 'DejaVu Sans', sans-serif"
_ROVER_STEP = 44.0
_CHOICES = {
    pb.MEADOW_DECISION_KIND_CHOOSE_ROW: "takes a row of cards",
    pb.MEADOW_DECISION_KIND_CHOOSE_GROUND: "chooses a side of the starting ground",
    pb.MEADOW_DECISION_KIND_PLACE_TOKEN: "places a path token",
    pb.MEADOW_DECISION_KIND_CHOOSE_SPOT: "chooses a card of the row or column",
    pb.MEADOW_DECISION_KIND_PLAY_CARD: "may play a card",
    pb.MEADOW_DECISION_KIND_DISCARD: "discards a card for a missing symbol",
    pb.MEADOW_DECISION_KIND_CAMPFIRE: "is at the campfire",
    pb.MEADOW_DECISION_KIND_KEEP_CARD: "keeps one of the cards looked at",
    pb.MEADOW_DECISION_KIND_PUT_UNDER: "puts cards back under their deck",
    pb.MEADOW_DECISION_KIND_CHOOSE_WATERY_GROUND: "lays the watery starting ground",
    pb.MEADOW_DECISION_KIND_TAKE_CARD: "takes a face-up card",
    pb.MEADOW_DECISION_KIND_CHOOSE_WAY: "chooses a way down the river",
    pb.MEADOW_DECISION_KIND_EXTRA_ACTION: "may do what the river offers",
    pb.MEADOW_DECISION_KIND_TRADE: "discards a card for two others",
    pb.MEADOW_DECISION_KIND_CHOOSE_DECK: "chooses a deck",
}


def draw_meadow(view: game_pb2.GameView, catalogue: pb.MeadowCatalogue, title: str = "") -> str:
    """A whole table of Meadow as an SVG document.

    Args:
        view: what a viewer sees; the game must have started.
        catalogue: the components that the view's numbers refer to.
        title: a line above the table; empty says whose choice is awaited.
    """
    meadow = view.meadow
    colours = {seat: seat_colour(view, seat) for seat in range(len(meadow.players))}
    board = next(face for face in catalogue.campfire_boards if face.players == len(meadow.players))
    waterfalls = next((falls.rounds for falls in _falls(meadow, catalogue) if falls.players == board.players), ())
    left, wide = boards.MAIN_WIDTH, players.width(meadow.players)
    parts = [
        svg.moved(GAP, TITLE, boards.main_board(meadow, catalogue, colours)),
        svg.moved(GAP, TITLE + boards.MAIN_HEIGHT + GAP, boards.campfire(meadow, board, colours, waterfalls)),
    ]
    bottom = TITLE + boards.MAIN_HEIGHT + GAP + boards.CAMPFIRE_SIDE
    y, x = TITLE, GAP + left + GAP
    if meadow.HasField("river"):
        parts.append(svg.moved(x, y, river.river_board(meadow, catalogue, colours)))
        y, wide = y + river.HEIGHT + GAP, max(wide, river.WIDTH)
    for seat, player in enumerate(meadow.players):
        active = view.HasField("pending") and view.pending.seat == seat
        panel = players.panel(player, catalogue, seat_name(view, seat), colours[seat], wide, active=active)
        parts.append(svg.moved(x, y, panel))
        y += players.height(player) + GAP
    if meadow.HasField("rover"):
        parts.append(svg.moved(x, y, _rover(meadow.rover, catalogue, wide)))
        y += 2 * cards.HEIGHT + GAP
    head = svg.text(GAP, 41, title or _title(view), 25, fill="#40593a", font_weight="bold")
    return _document(x + wide + GAP, max(bottom, y) + GAP, head, *parts)


def _falls(view: pb.MeadowView, catalogue: pb.MeadowCatalogue) -> Sequence[DownstreamWaterfalls]:
    """When waterfalls are passed, by number of players; none in a game without a river."""
    return catalogue.downstream.waterfalls if view.HasField("river") else ()


def draw_cards(catalogue: pb.MeadowCatalogue, columns: int = 12) -> str:
    """All cards of a catalogue, as an SVG document."""
    step_x, step_y = cards.WIDTH + 12, cards.HEIGHT + 12
    faces = [
        cards.face(GAP + place % columns * step_x, GAP + place // columns * step_y, card)
        for place, card in enumerate(catalogue.cards)
    ]
    lines = -(-len(catalogue.cards) // columns)
    return _document(2 * GAP + columns * step_x, 2 * GAP + lines * step_y, *faces)


def _title(view: game_pb2.GameView) -> str:
    meadow = view.meadow
    when = f"round {meadow.round} of {meadow.rounds}" if meadow.round else "set-up"
    if not view.HasField("pending"):
        return f"{river.game_name(meadow)}: the game is over"
    return (
        f"{river.game_name(meadow)}, {when}: {seat_name(view, view.pending.seat)} {_CHOICES[view.pending.meadow.kind]}"
    )


def _rover(rover: pb.MeadowRover, catalogue: pb.MeadowCatalogue, wide: float) -> str:
    points = f"{rover.points} points, " if rover.HasField("points") else ""
    words = f"Rover: {points}{rover.tokens_left} tokens left in his pile"
    step = min(_ROVER_STEP, (wide - cards.WIDTH - 32) / max(1, len(rover.cards) - 1))
    faces = [cards.face(16 + place * step, 44, catalogue.cards[card]) for place, card in enumerate(rover.cards)]
    frame = svg.box(0, 0, wide, 60 + cards.HEIGHT, 16, fill="#f4f1e6", stroke="#8a8578", stroke_width=2)
    return frame + svg.text(16, 30, words, 16, fill="#57523f", font_weight="bold") + "".join(faces)


def _document(width: float, height: float, *parts: str) -> str:
    w, h = svg.number(width), svg.number(height)
    paper = svg.box(0, 0, width, height, fill="#f8f6e8")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" '
        f'font-family="{_FONTS}">{paper}{"".join(parts)}</svg>\n'
    )
