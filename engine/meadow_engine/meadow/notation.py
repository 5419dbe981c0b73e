"""Text forms of actions and views.

Actions: ``row 2``, ``ground 1``, ``token ? L3`` (notches L1 to L4, R1 to R4, B1 to B4 of the main board, C1 to C5 of
the campfire, benches S1 to S4, V1 to V6 of the river), ``take 5`` (a spot), ``roads``, ``look W``, ``special 4``,
``keep 0``, ``under 1``, ``goal 3``, ``pass``, ``discard W-017``, ``play S-003 2``; on the river ``watery 0 1`` (side,
end), ``way 1``, ``use``, ``draw RIVER``, ``pick 3`` (a pier or tent token; 6 is the one face down).
"""

from __future__ import annotations

from dataclasses import astuple

from meadow_engine.kernel.errors import BadNotation
from meadow_engine.meadow.actions import (
    ChooseGround,
    ChooseRow,
    ChooseSpecial,
    ChooseWateryGround,
    ChooseWay,
    ClaimGoal,
    Discard,
    DrawFrom,
    KeepCard,
    LookAtDeck,
    MeadowAction,
    Pass,
    PlaceToken,
    PlayCard,
    PutUnder,
    TakeCard,
    TakeRoads,
    TakeToken,
    UseSpace,
)
from meadow_engine.meadow.catalogue import BOARD_SIDE, BOARD_SPOTS, Catalogue, Deck
from meadow_engine.meadow.downstream.catalogue import RIVER_NOTCHES, notch_name
from meadow_engine.meadow.downstream.notation import pending_river_text, river_text
from meadow_engine.meadow.places import (
    BENCHES,
    CAMPFIRE_NOTCHES,
    EMPTY,
    TOKENS,
    piece_parts,
    token_name,
)
from meadow_engine.meadow.state import NO_CARD
from meadow_engine.meadow.symbols import SYMBOLS
from meadow_engine.meadow.view import MeadowView, PlayerView, RoverView


def token_numbers() -> dict[str, int]:
    """The numbers of the tokens by their names 1 to 4, ? and R."""
    return {token_name(token): token for token in range(TOKENS)}


def place_names(catalogue: Catalogue) -> list[str]:
    """Names of all places: notches of the main board, of the campfire board, benches, notches of the river board."""
    main = [notch.id for notch in catalogue.main_board.notches]
    campfire, benches = [f"C{n + 1}" for n in range(CAMPFIRE_NOTCHES)], [f"S{n + 1}" for n in range(BENCHES)]
    return main + campfire + benches + [notch_name(n) for n in range(RIVER_NOTCHES)]


_PLAIN: dict[str, MeadowAction] = {"roads": TakeRoads(), "pass": Pass(), "use": UseSpace()}
_NUMBERED: dict[str, type] = {
    "row": ChooseRow,
    "ground": ChooseGround,
    "take": TakeCard,
    "special": ChooseSpecial,
    "keep": KeepCard,
    "under": PutUnder,
    "goal": ClaimGoal,
    "way": ChooseWay,
    "pick": TakeToken,
    "watery": ChooseWateryGround,
}
_DECK_WORDS: dict[type, str] = {LookAtDeck: "look", DrawFrom: "draw"}
_WORDS = {action_type: word for word, action_type in _NUMBERED.items()}


def action_text(catalogue: Catalogue, action: MeadowAction) -> str:
    """The one-line form of an action."""
    match action:
        case PlaceToken(token, place):
            return f"token {token_name(token)} {place_names(catalogue)[place]}"
        case LookAtDeck(deck) | DrawFrom(deck):
            return f"{_DECK_WORDS[type(action)]} {Deck(deck).name}"
        case PlayCard(card, place):
            return f"play {catalogue.cards[card].id} {place}"
        case Discard(card):
            return f"discard {catalogue.cards[card].id}"
        case TakeRoads() | Pass() | UseSpace():
            return next(word for word, plain in _PLAIN.items() if plain == action)
        case _:
            return " ".join(map(str, (_WORDS[type(action)], *astuple(action))))


def parse_action(catalogue: Catalogue, text: str) -> MeadowAction:
    """The action of a one-line form; BadNotation if it is none."""
    try:
        return _parse_words(catalogue, text.split())
    except (ValueError, KeyError, TypeError):
        example = "token 3 L2, take 5, play S-003 2, discard W-017, goal 3, pass"
        raise BadNotation(f"{text!r} is no action; try: {example}") from None


def _parse_words(catalogue: Catalogue, words: list[str]) -> MeadowAction:
    match words:
        case ["token", token, place]:
            return PlaceToken(token_numbers()[token], place_names(catalogue).index(place))
        case ["look" | "draw" as word, deck]:
            return LookAtDeck(Deck[deck]) if word == "look" else DrawFrom(Deck[deck])
        case ["play", card, place]:
            return PlayCard(catalogue.card_ids[card], int(place))
        case ["discard", card]:
            return Discard(catalogue.card_ids[card])
        case [word, *numbers] if numbers:
            action: MeadowAction = _NUMBERED[word](*map(int, numbers))
            return action
        case _:
            return _PLAIN[" ".join(words)]


def view_text(view: MeadowView, catalogue: Catalogue) -> str:
    """A view as text, for people, logs of test games and language models."""
    supply = f"roads {view.road_supply}, decks {' '.join(map(str, view.deck_counts))}"
    lines = [f"round {view.round} of {view.rounds}, seat {view.first_seat} first, {supply}"]
    names = [catalogue.cards[card].id if card != NO_CARD else "-----" for card in view.board]
    for start in range(0, len(names), BOARD_SIDE):
        area = "board" if start < BOARD_SPOTS else "river"
        lines.append(f"{area} " + " ".join(names[start : start + BOARD_SIDE]))
    lines.append("tokens " + (_tokens_text(view, catalogue) or "none"))
    lines.append("goals " + _goals_text(view))
    for seat, player in enumerate(view.players):
        lines += _player_text(seat, player, catalogue)
    if view.river:
        lines += river_text(view.river, catalogue)
    if view.rover:
        lines.append(_rover_text(view.rover, catalogue))
    lines.append(_pending_text(view, catalogue))
    return "\n".join(lines) + "\n"


def _tokens_text(view: MeadowView, catalogue: Catalogue) -> str:
    names = place_names(catalogue)
    tokens = []
    for place, piece in enumerate(view.places):
        if piece != EMPTY:
            seat, token = piece_parts(piece)
            tokens.append(f"{names[place]}={seat}:{token_name(token)}")
    return " ".join(tokens)


def _goals_text(view: MeadowView) -> str:
    words = []
    for symbol, claim in zip(view.goals, view.claims, strict=True):
        words.append(f"{SYMBOLS[symbol]} ({'' if claim == EMPTY else claim})")
    return " ".join(words)


def _player_text(seat: int, player: PlayerView, catalogue: Catalogue) -> list[str]:
    cards = catalogue.cards
    unknown = [f"{count} {deck.name}" for deck, count in zip(Deck, player.unknown, strict=False) if count]
    tokens = "".join(token_name(token) for token in range(TOKENS) if player.tokens >> token & 1)
    lines = [f"seat {seat}: {player.score.total} points, roads {player.roads}, tokens {tokens or '-'}"]
    hand = [cards[card].id for card in player.hand] + unknown
    lines.append("  hand " + (", ".join(hand) or "empty"))
    lines += [
        f"  column {column}: " + " < ".join(cards[card].id for card in player.columns[column]) for column in player.row
    ]
    visible = [f"{SYMBOLS[symbol]} {count}" for symbol, count in enumerate(player.visible) if count]
    lines.append("  visible " + (", ".join(visible) or "nothing"))
    for landscape, discovery in zip(player.landscapes, player.discoveries, strict=True):
        found = f" with {cards[discovery].id}" if discovery != NO_CARD else ""
        lines.append(f"  landscape {cards[landscape].id}{found}")
    return lines


def _rover_text(rover: RoverView, catalogue: Catalogue) -> str:
    cards = " ".join(catalogue.cards[card].id for card in rover.cards)
    return f"rover: {rover.points} points, {rover.tokens_left} tokens left, markers {rover.markers}, cards {cards}"


def _pending_text(view: MeadowView, catalogue: Catalogue) -> str:
    waiting = view.pending
    if waiting is None:
        return "game over"
    text = f"seat {waiting.seat}: {waiting.kind}"
    if waiting.kind == "campfire":
        text += f", special {waiting.special}, plays {waiting.plays}, goals {list(waiting.claimable)}"
    text += pending_river_text(waiting)
    if waiting.card != NO_CARD:
        text += f" for {catalogue.cards[waiting.card].id}, {waiting.discards} left"
    if waiting.looked_at:
        text += " of " + " ".join(catalogue.cards[card].id for card in waiting.looked_at)
    return text
