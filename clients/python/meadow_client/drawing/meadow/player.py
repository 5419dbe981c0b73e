"""What lies before a seat: meadow, surroundings, hand, tokens, points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from meadow_api.v1 import meadow_pb2 as pb

from meadow_client.drawing import svg
from meadow_client.drawing.meadow import boards
from meadow_client.drawing.meadow import card as cards

_STEP = cards.WIDTH + 8
FEWEST_COLUMNS = 8
"""Room that every panel has, so that a young meadow has some before it."""
_HEAD = 50.0
_GAP = 24.0
"""Between the meadow and what lies below it: room for the words that say what that is."""
_BONUSES = (2, 3, 4)


def height(player: pb.MeadowPlayer) -> float:
    """Height of a seat's panel."""
    return _HEAD + _meadow_height(player) + _GAP + _below_height(player) + _GAP


def _meadow_height(player: pb.MeadowPlayer) -> float:
    tallest = max((len(column.cards) for column in player.columns), default=1)
    return cards.HEIGHT + cards.STRIP * (tallest - 1) + cards.STRIP


def _below_height(player: pb.MeadowPlayer) -> float:
    return cards.HEIGHT if player.hand_cards or player.landscapes else 48.0


def width(players: Iterable[pb.MeadowPlayer]) -> float:
    """Width of the seats' panels, which are all alike."""
    return 32 + _STEP * max(FEWEST_COLUMNS, *(len(player.columns) for player in players))


def panel(
    player: pb.MeadowPlayer, catalogue: pb.MeadowCatalogue, name: str, colour: str, wide: float, *, active: bool
) -> str:
    """A seat's panel, from (0, 0) at its top left corner."""
    tall = height(player)
    frame = svg.box(0, 0, wide, tall, 16, fill="#fffdf7", stroke=colour, stroke_width=5 if active else 2)
    parts = [frame, *_head(player, catalogue, name, colour, wide)]
    parts += list(_meadow(player, catalogue))
    parts += list(_below(player, catalogue, _HEAD + _meadow_height(player) + _GAP, wide))
    return "".join(parts)


def _head(player: pb.MeadowPlayer, catalogue: pb.MeadowCatalogue, name: str, colour: str, wide: float) -> Iterator[str]:
    plate = 24 + 10.5 * len(name)
    yield svg.box(14, 11, plate, 28, 14, fill=colour)
    yield svg.text(26, 31, name, 17, fill="#ffffff", font_weight="bold")
    x = 30 + plate
    for token in player.tokens:
        yield svg.element(
            "g", boards.token(0, 0, token, colour), transform=f"translate({svg.number(x + 12)} 25) scale(0.8)"
        )
        x += 32
    x += 14
    yield svg.text(x, 31, f"roads {player.roads}", 15, fill="#57523f")
    x += 84
    for place, value in enumerate(catalogue.bonus_values):
        used = place < player.bonuses_placed
        yield svg.circle(x + 10, 25, 12, fill="none" if used else colour, stroke=colour, stroke_width=2)
        yield svg.text(x + 10, 30, str(value), 13, text_anchor="middle", fill=colour if used else "#ffffff")
        x += 30
    score = player.score
    words = f"meadow {score.meadow_points}, landscapes {score.landscape_points}, "
    words += f"discoveries {score.discovery_points}, goals {score.goal_points}"
    at_the_river = (
        ("river", score.river_points),
        ("river goal", score.river_goal_points),
        ("tents", score.tent_points),
    )
    words += "".join(f", {name} {points}" for name, points in at_the_river if points)
    yield svg.text(wide - 66, 31, words, 14, fill="#57523f", text_anchor="end")
    yield svg.text(wide - 18, 34, str(score.total), 25, fill=colour, text_anchor="end", font_weight="bold")


def _meadow(player: pb.MeadowPlayer, catalogue: pb.MeadowCatalogue) -> Iterator[str]:
    bottom = _HEAD + _meadow_height(player)
    columns = {column.column: column.cards for column in player.columns}
    for place, number in enumerate(player.row):
        x = 16 + place * _STEP
        ground, *above = [catalogue.cards[card] for card in columns[number]]
        y = bottom - cards.STRIP
        yield cards.strip(x, y, ground, ground=True)
        if not above:
            yield cards.face(x, y - cards.HEIGHT, ground)
            continue
        for covered in above[:-1]:
            y -= cards.STRIP
            yield cards.strip(x, y, covered, ground=False)
        yield cards.face(x, y - cards.HEIGHT, above[-1])


def _below(player: pb.MeadowPlayer, catalogue: pb.MeadowCatalogue, y: float, wide: float) -> Iterator[str]:
    """Surroundings first, then the hand: faces that the viewer knows, backs of the others."""
    x = 16.0
    if player.landscapes:
        yield svg.text(x, y - 6, "surroundings", 13, fill="#57523f")
    for landscape in player.landscapes:
        yield cards.face(x, y, catalogue.cards[landscape.card])
        if landscape.HasField("discovery"):
            found = catalogue.cards[landscape.discovery]
            yield cards.strip(x, y + 75, found, ground=False)  # between what the landscape asks for and its name
        x += min(_STEP, (wide / 2 - 40) / max(1, len(player.landscapes)))
    x = max(x + cards.WIDTH / 2, wide / 2)
    if player.hand_cards or player.unknown_hand_cards:
        yield svg.text(x, y - 6, "hand", 13, fill="#57523f")
    known = list(player.hand_cards)
    room = wide - 16 - x - 40 * len(player.unknown_hand_cards)
    step = min(_STEP, (room - cards.WIDTH) / max(1, len(known) - 1)) if known else 0
    for number in known:
        yield cards.face(x, y, catalogue.cards[number])
        x += step
    x += cards.WIDTH - step + 8 if known else 0
    for count in player.unknown_hand_cards:
        yield cards.back(x, y + 4, count.deck, count.count)
        x += 40
