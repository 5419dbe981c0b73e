"""Words and short signs for the components of Meadow."""

from __future__ import annotations

from collections.abc import Iterable

from meadow_api.v1 import meadow_cards_pb2 as card_pb
from meadow_api.v1 import meadow_pb2 as pb
from rich.text import Text

from meadow_client.drawing.meadow.icons import colour_of, name
from meadow_client.drawing.meadow.river import RIVER_PLACES
from meadow_client.errors import IllegalAction
from meadow_client.messages import value_name

DIM = "grey58"
HELP = """At any prompt:
  table          show the table again          undo [N]   take back your last choice, or N of them
  any [N]        let chance choose, N times    scores     points by source
  help           this text                     quit       leave; meadow play --resume goes on
  resign         give the game up
  card W-017     show a card in full, by its id or part of its name: card tit
Placing a path token: the token and the place, such as 3 L2 (notch), ? C1 (campfire), 1 S1 (bench) or R V1 (river). The
list of cards that each token takes stands beside the board.
Goals: the symbols stand in a ring, and -1- is the space between the first two. Whoever shows both of them at the
campfire can claim that space: "claim the goal" then is in the list, once a turn.
On the river: a card with an oar moves your kayak by so many spaces of the track; what a space offers comes at once.
Any other choice: its number in the list."""

_RULES = {
    "UNKNOWN_ACTION": "there is no such choice",
    "WRONG_DECISION": "something else has to be chosen now",
    "TOKEN_USED": "that token was placed already",
    "OCCUPIED": "a token lies there already",
    "NOT_IN_THIS_GAME": "that place is not in use with so many players",
    "OUT_OF_REACH": "the token does not point there",
    "NOT_IN_HAND": "that card is not in your hand",
    "WRONG_PLACE": "the card cannot be placed there",
    "CARD_BEING_PLAYED": "the card to be played cannot pay for itself",
    "NO_PLAY_THIS_TURN": "this special action allows no play",
    "ONE_GOAL_A_TURN": "you claimed a goal this turn already",
    "GOAL_NOT_MET": "that pair is taken, or its symbols are not both visible",
    "WRONG_BOARD": "river trail tokens lie at the river only, the tokens 1 to 4 never do",
    "NOT_OFFERED": "the space does not offer that",
    "NO_SUCH_WAY": "the river does not go there",
    "NO_TRIANGLE": "the shortcut needs a nature monument visible in your meadow",
    "NO_SUCH_DECK": "that deck is empty, or not in use",
}
_OBSTACLES = {
    "SYMBOLS_MISSING": "symbols are missing, and there are too few cards to discard",
    "NOTHING_MET": "none of its symbols is visible",
    "NO_ROAD": "it needs a road token",
    "NO_LANDSCAPE": "it needs a landscape without a discovery",
    "NO_COLUMN": "no column takes it",
    "TEN_GROUNDS": "ten ground cards lie already",
}


def why(refused: IllegalAction) -> str:
    """Why the rules forbid an action."""
    return (_RULES | _OBSTACLES).get(refused.rule, refused.message)


def obstacle(number: pb.MeadowObstacle.ValueType) -> str:
    """Why a hand card cannot be played; empty if it can."""
    return _OBSTACLES.get(value_name(pb.MeadowObstacle, number), "")


def deck_letter(deck: card_pb.MeadowDeck.ValueType) -> str:
    """W, S, E, N or RIVER."""
    return value_name(card_pb.MeadowDeck, deck)


def token_name(token: int) -> str:
    """1 to 4, ?, or R for the river trail token."""
    return "1234?R"[token]


def place_name(place: int, catalogue: pb.MeadowCatalogue) -> str:
    """A place as L1 to B4 for notches of the main board, C1 to C5 at the campfire, S1 to S4 for benches, V1 to V6."""
    if place >= RIVER_PLACES:
        return catalogue.downstream.boards[0].notches[place - RIVER_PLACES].display_name
    notches = len(catalogue.notches)
    if place < notches:
        return catalogue.notches[place].display_name
    campfire = len(catalogue.campfire_boards[0].notches)
    return f"C{place - notches + 1}" if place < notches + campfire else f"S{place - notches - campfire + 1}"


def symbol(number: int) -> Text:
    """A symbol's name in its colour."""
    return Text(name(number), style=colour_of(number))


def symbols(numbers: Iterable[int], between: str = " ") -> Text:
    """Symbols in their colours."""
    return Text(between).join(symbol(number) for number in numbers)


def requirement(wanted: card_pb.MeadowRequirement) -> Text:
    """A requirement: a slash between halves, arrows around what has to stand beside."""
    text = symbols(wanted.symbols, "/")
    return Text.assemble("<", text, ">") if wanted.adjacent else text


def needs(card: card_pb.MeadowCard) -> Text:
    """Everything a card asks for."""
    parts = [requirement(wanted) for wanted in card.requirements]
    if card.kind == card_pb.MEADOW_CARD_KIND_LANDSCAPE:
        parts.insert(0, Text("road"))
    if card.kind == card_pb.MEADOW_CARD_KIND_DISCOVERY:
        parts.insert(0, Text("landscape"))
    return Text(" + ").join(parts)


def grants(card: card_pb.MeadowCard) -> Text:
    """The symbols a card shows."""
    if card.kind == card_pb.MEADOW_CARD_KIND_LANDSCAPE:
        return Text("landscape", style="bold")
    if card.kind == card_pb.MEADOW_CARD_KIND_DISCOVERY:
        return Text("discovery", style="bold")
    return symbols([*card.grounds, *card.symbols])


def worth(card: card_pb.MeadowCard) -> str:
    """Points and oar, with a blank behind them; empty for neither."""
    points = f"{card.points}p " if card.points else ""
    return points + (f"oar {card.oar} " if card.oar else "")


def card_line(card: card_pb.MeadowCard) -> Text:
    """A card in one line: name, points, oar, what it shows, what it asks for."""
    asked = needs(card)
    line = Text.assemble((card.display_name, "bold"), " ", worth(card), grants(card))
    return Text.assemble(line, " needs ", asked) if asked.plain else line
