"""A position written as text, to start a scenario or a study from.

    meadow seats 2 first 0 turn 1 round 3
    envelopes U T                        (may be left out)
    board W-001 S-002 S-003 E-004        (four such lines; ----- is an empty spot)
    deck W W-010 W-011                   (top last; cards not named are out of the game)
    goals tree, bird of prey, fence      (the ring, in order)
    claim 2 by 0                         (the pair of squares 2 and 3)
    supply 20                            (road tokens)
    token ? at L3 by 0
    seat 0 tokens 124? roads 2 bonuses 1
    hand W-001 S-003 N-004!              (! marks a card that nobody else knows)
    column G1A S-011                     (from left to right)
    landscape W-030 W-040                (with the discovery on it, if any)

``halfway`` in the first line puts the N deck in the place of the S deck. The seat named by ``turn`` places a token
next; seats are given in order, each followed by its hand, columns and landscapes.
"""

from __future__ import annotations

from collections.abc import Callable

from meadow_engine.kernel.errors import BadNotation
from meadow_engine.kernel.rng import SEED_BYTES, Streams
from meadow_engine.kernel.stack import run
from meadow_engine.kernel.zones import EVERYBODY, HiddenPile, seat_bit
from meadow_engine.meadow.catalogue import BOARD_SPOTS, Catalogue, Deck, Kind
from meadow_engine.meadow.notation import place_names, token_numbers
from meadow_engine.meadow.parts import Parts
from meadow_engine.meadow.places import EMPTY, PLACES, token_piece
from meadow_engine.meadow.playability import RIGHT
from meadow_engine.meadow.playing import cover_top, lay_ground
from meadow_engine.meadow.rounds import NextTurn, places_of
from meadow_engine.meadow.state import NO_CARD, MeadowState, Player
from meadow_engine.meadow.symbols import SYMBOL_NUMBERS

NO_CARD_TEXT = "-----"


def parse_position(catalogue: Catalogue, text: str, parts_of: Callable[[tuple[str, ...]], Parts]) -> MeadowState:
    """The state of a position's text, run to its first decision.

    Args:
        catalogue: the content.
        text: as the module describes.
        parts_of: the parts of the game with these envelopes.

    Raises:
        BadNotation: naming the line that is wrong.
    """
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    envelopes = next((tuple(line.split()[1:]) for line in lines if line.startswith("envelopes")), ())
    reader = _Reader(MeadowState(catalogue, parts_of(envelopes), 0, Streams(bytes(SEED_BYTES))))
    for line in lines:
        try:
            reader.read(line)
        except (KeyError, ValueError, IndexError) as error:
            raise BadNotation(f"line {line!r}: {error}") from None
    return reader.finish()


class _Reader:
    """Reads a position line by line."""

    def __init__(self, state: MeadowState) -> None:
        self.state = state
        self.turn = 0
        self.player = Player()

    def read(self, line: str) -> None:
        word, *words = line.split()
        reading = {
            "meadow": self._head,
            "board": lambda words: self.state.board.extend(self._card(word) for word in words),
            "deck": self._deck,
            "goals": lambda words: self._goals(" ".join(words)),
            "claim": lambda words: self.state.claims.__setitem__(int(words[0]), int(words[2])),
            "supply": self._supply,
            "token": self._token,
            "seat": self._seat,
            "hand": self._hand,
            "column": self._column,
            "landscape": self._landscape,
        }
        if word != "envelopes":  # they were read first: they decide the parts
            reading[word](words)

    def finish(self) -> MeadowState:
        state = self.state
        if len(state.board) != BOARD_SPOTS or not state.goals:
            raise BadNotation("a position needs four lines of the board and the goals")
        if len(state.players) != state.seats:
            raise BadNotation(f"{state.seats} seats are announced, {len(state.players)} are given")
        state.push(NextTurn(self.turn))
        run(state)
        return state

    def _head(self, words: list[str]) -> None:
        state = self.state
        if "halfway" in words:
            state.halfway = True
            words.remove("halfway")
        numbers = _pairs(words)
        state.seats = numbers["seats"]
        board = state.catalogue.campfires[state.seats]
        self.turn = numbers.get("turn", 0)
        state.first_seat = numbers.get("first", 0)
        state.round, state.rounds = numbers.get("round", 1), board.rounds
        state.decks = [HiddenPile() for _ in (Deck.W, Deck.S, Deck.E, Deck.N)]
        state.places, state.free = [EMPTY] * PLACES, places_of(state)
        state.starts = list(range(state.seats))
        state.road_supply = state.catalogue.road_tokens

    def _deck(self, words: list[str]) -> None:
        self.state.decks[Deck[words[0]]] = HiddenPile([self._card(word) for word in words[1:]])

    def _goals(self, text: str) -> None:
        self.state.goals = [SYMBOL_NUMBERS[name.strip()] for name in text.split(",")]
        self.state.claims = [EMPTY] * len(self.state.goals)

    def _supply(self, words: list[str]) -> None:
        self.state.road_supply = int(words[0])

    def _token(self, words: list[str]) -> None:
        token, _, place, _, seat = words
        piece = token_piece(int(seat), token_numbers()[token])
        self.state.occupy(place_names(self.state.catalogue).index(place), piece)

    def _seat(self, words: list[str]) -> None:
        tokens = words.pop(words.index("tokens") + 1) if "tokens" in words else ""
        if tokens:
            words.remove("tokens")
        numbers = _pairs(["seat", *words])
        self.player = Player(roads=numbers.get("roads", 0), bonuses=numbers.get("bonuses", 0))
        self.player.tokens = sum(1 << token_numbers()[token] for token in tokens)
        self.state.players.append(self.player)

    def _hand(self, words: list[str]) -> None:
        own = seat_bit(len(self.state.players) - 1)
        for word in words:
            self.player.gain(self._card(word.rstrip("!")), own if word.endswith("!") else EVERYBODY)

    def _column(self, words: list[str]) -> None:
        ground, *cards = [self.state.catalogue.cards[self._card(word)] for word in words]
        if ground.kind is not Kind.GROUND:
            raise ValueError(f"{ground.id} is no ground card")
        column = lay_ground(self.player, ground, RIGHT)
        for card in cards:
            cover_top(self.state, self.player, card, column)

    def _landscape(self, words: list[str]) -> None:
        self.player.landscapes.append(self._card(words[0]))
        self.player.discoveries.append(self._card(words[1]) if len(words) > 1 else NO_CARD)

    def _card(self, word: str) -> int:
        return NO_CARD if word == NO_CARD_TEXT else self.state.catalogue.card_ids[word]


def _pairs(words: list[str]) -> dict[str, int]:
    return {name: int(number) for name, number in zip(words[::2], words[1::2], strict=True)}
