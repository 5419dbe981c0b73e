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
    rover markers 2 0 1                  (alone: the places of the markers of colours 1 to 3)
    pile 1:3 2:? 3:1                     (Rover's tokens, colour and token, top last; at least one a turn left)
    dealt W-001 N-004                    (the cards Rover has taken)

Downstream's lines are described in `meadow_engine.meadow.downstream.position`.

``halfway`` in the first line puts the N deck in the place of the S deck. With one seat it is a solo game. The seat
named by ``turn`` places a token next, in a solo game after Rover. Seats are given in order, each followed by its hand,
columns and landscapes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from meadow_engine.kernel.errors import BadNotation
from meadow_engine.kernel.rng import SEED_BYTES, Streams
from meadow_engine.kernel.stack import run
from meadow_engine.kernel.zones import EVERYBODY, HiddenPile, seat_bit
from meadow_engine.meadow.catalogue import BOARD_SPOTS, Catalogue, Deck, Kind
from meadow_engine.meadow.downstream.catalogue import EXTRA_ROADS, SIDES
from meadow_engine.meadow.downstream.position import RIVER_DECKS, SIDE, RiverReader
from meadow_engine.meadow.notation import place_names, token_numbers
from meadow_engine.meadow.parts import Parts
from meadow_engine.meadow.places import EMPTY, PLACES, token_piece
from meadow_engine.meadow.playability import RIGHT
from meadow_engine.meadow.playing import cover_top, lay_ground
from meadow_engine.meadow.rounds import NextTurn, places_for, places_of, tokens_of
from meadow_engine.meadow.rover import COLOURS
from meadow_engine.meadow.state import MAX_GROUNDS, NO_CARD, MeadowState, Player, Rover
from meadow_engine.meadow.symbols import SYMBOL_NUMBERS

GAP = "-----"
MAX_SEATS = 4


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines() if line.strip()]


def variant_id(text: str) -> str:
    """The variant that a position's text is of; BadNotation for an unknown side of the river board."""
    lines = [line.split() for line in _lines(text)]
    solo = "_solo" if lines and "seats 1" in " ".join(lines[0]) else ""
    sides = [words[1] for words in lines if words[0] == SIDE and len(words) == 2]
    if not sides:
        return f"meadow{solo}"
    if sides[0] not in SIDES:
        raise BadNotation(f"the river board has the sides {', '.join(SIDES)}, not {sides[0]}")
    return f"downstream_{sides[0]}{solo}"


def read_envelopes(text: str, known: Sequence[str]) -> tuple[str, ...]:
    """Those of the known envelopes that a position's text names; BadNotation if it names another one."""
    named = {letter for line in _lines(text) if line.split()[0] == "envelopes" for letter in line.split()[1:]}
    if not named <= set(known):
        raise BadNotation(f"envelopes are {', '.join(known)}, not {', '.join(sorted(named - set(known)))}")
    return tuple(name for name in known if name in named)


def parse_position(catalogue: Catalogue, text: str, parts: Parts) -> MeadowState:
    """The state of a position's text, run to its first decision.

    Args:
        catalogue: the content.
        text: as the module describes.
        parts: of the variant, with the envelopes that the text names.

    Raises:
        BadNotation: naming the line that is wrong.
    """
    reader = _Reader(MeadowState(catalogue, parts, 0, Streams(bytes(SEED_BYTES))))
    for line in _lines(text):
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
        self.used: set[int] = set()
        self.river = RiverReader(state, self._drawn)
        self.readers: Mapping[str, Callable[[list[str]], None]] = {
            "meadow": self._head,
            "board": lambda words: self.state.board.extend(self._spot(word) for word in words),
            "deck": self._deck,
            "goals": self._goals,
            "claim": self._claim,
            "supply": self._supply,
            "token": self._token,
            "seat": self._seat,
            "hand": self._hand,
            "column": self._column,
            "landscape": self._landscape,
            "rover": self._rover,
            "pile": self._pile,
            **self.river.readers,
            "dealt": lambda words: self._rover_of().cards.extend(map(self._drawn, words)),
        }

    @property
    def player(self) -> Player:
        return self.state.players[-1]

    def read(self, line: str) -> None:
        word, *words = line.split()
        if word == "envelopes":
            return  # they were read first: they decide the parts
        if not self.state.seats and word != "meadow":
            raise ValueError("a position begins with: meadow seats N first N turn N round N")
        if word not in self.readers:
            raise ValueError(f"expected one of {', '.join(self.readers)}")
        self.readers[word](words)

    def finish(self) -> MeadowState:
        state = self.state
        if len(state.board) != BOARD_SPOTS or not state.goals:
            raise BadNotation("a position needs four lines of the board and the goals")
        self.river.finish()
        if len(state.players) != state.seats:
            raise BadNotation(f"{state.seats} seats are announced, {len(state.players)} are given")
        if (state.rover is None) != (state.seats > 1):
            raise BadNotation("Rover belongs to positions of one seat")
        self._check_room()
        state.push(NextTurn(self.turn))
        run(state)
        return state

    def _check_room(self) -> None:
        """Every token must find a place, Rover's among them."""
        state = self.state
        left = sum(player.tokens.bit_count() for player in state.players)
        if state.rover is not None:
            pile = state.rover.pile.items
            lying = [piece for piece in state.places if piece >= token_piece(COLOURS[0], 0)]
            if len(set(pile + lying)) < len(pile + lying):
                raise BadNotation("a token of Rover's is in two places")
            if len(pile) < left:
                raise BadNotation(f"Rover's pile has {len(pile)} tokens for {left} turns")
            left *= 2
        if left > state.free.bit_count():
            raise BadNotation(f"{left} tokens are left for {state.free.bit_count()} free places")

    def _head(self, words: list[str]) -> None:
        state = self.state
        if "halfway" in words:
            state.halfway = True
            words = [word for word in words if word != "halfway"]
        limits = {"seats": (1, MAX_SEATS), "first": (0, MAX_SEATS - 1), "turn": (0, MAX_SEATS - 1), "round": (1, 8)}
        numbers = _numbers(words, limits)
        state.seats = numbers["seats"]
        board = state.catalogue.campfires[state.seats]
        self.turn, state.first_seat = self._own(numbers.get("turn", 0)), self._own(numbers.get("first", 0))
        state.round, state.rounds = numbers.get("round", 1), board.rounds
        if state.round > state.rounds:
            raise ValueError(f"there are {state.rounds} rounds")
        state.decks = [HiddenPile() for _ in (Deck.W, Deck.S, Deck.E, Deck.N)]
        state.places, state.free = [EMPTY] * PLACES, places_of(state)
        state.starts = list(range(state.seats))
        state.road_supply = state.catalogue.road_tokens

    def _own(self, seat: int) -> int:
        if not 0 <= seat < self.state.seats:
            raise ValueError(f"there is no seat {seat}")
        return seat

    def _deck(self, words: list[str]) -> None:
        cards = [self._drawn(word) for word in words[1:]]
        if any(self.state.catalogue.cards[card].deck != Deck[words[0]] for card in cards):
            raise ValueError("a card with another back")
        self.state.decks[Deck[words[0]]] = HiddenPile(cards)

    def _goals(self, words: list[str]) -> None:
        self.state.goals = [SYMBOL_NUMBERS[name.strip()] for name in " ".join(words).split(",")]
        self.state.claims = [EMPTY] * len(self.state.goals)

    def _claim(self, words: list[str]) -> None:
        pair, _, seat = words
        if not pair.isdigit():
            raise ValueError("a pair is a number")
        self.state.claims[int(pair)] = self._own(int(seat))

    def _supply(self, words: list[str]) -> None:
        limit = self.state.catalogue.road_tokens + (EXTRA_ROADS if self.state.river else 0)
        self.state.road_supply = _numbers(["supply", *words], {"supply": (0, limit)})["supply"]

    def _token(self, words: list[str]) -> None:
        token, _, place, _, owner = words
        kind = token_numbers()[token]
        piece = token_piece(int(owner), kind)
        if int(owner) not in (range(self.state.seats) if self.state.seats > 1 else (0, *COLOURS)):
            raise ValueError(f"no tokens belong to {owner}")
        number = place_names(self.state.catalogue).index(place)
        if not self.state.is_free(number) or not places_for(self.state, kind) >> number & 1:
            raise ValueError(f"{place} is taken, or not in this game, or not for this token")
        self.state.occupy(number, piece)

    def _seat(self, words: list[str]) -> None:
        tokens = words.pop(words.index("tokens") + 1) if "tokens" in words else ""
        words = [word for word in words if word != "tokens"]
        most = len(self.state.catalogue.bonus_values)
        limits = {"seat": (len(self.state.players),) * 2, "roads": (0, 36), "bonuses": (0, most)}
        numbers = _numbers(["seat", *words], limits)
        player = Player(roads=numbers.get("roads", 0), bonuses=numbers.get("bonuses", 0))
        player.tokens = sum(1 << number for number in {token_numbers()[token] for token in tokens})
        if player.tokens & ~tokens_of(self.state):
            raise ValueError(f"not all of the tokens {tokens} are in this game")
        self.state.players.append(player)

    def _hand(self, words: list[str]) -> None:
        own = seat_bit(len(self.state.players) - 1)
        for word in words:
            self.player.gain(self._drawn(word.rstrip("!")), own if word.endswith("!") else EVERYBODY)

    def _column(self, words: list[str]) -> None:
        ground, *cards = [self.state.catalogue.cards[self._card(word)] for word in words]
        if ground.kind is not Kind.GROUND or any(card.kind is not Kind.OBSERVATION for card in cards):
            raise ValueError("a column is a ground card with observations on it")
        if len(self.player.columns) == MAX_GROUNDS:
            raise ValueError("a meadow has ten ground cards at most")
        column = lay_ground(self.player, ground, RIGHT)
        for card in cards:
            cover_top(self.state, self.player, card, column)

    def _landscape(self, words: list[str]) -> None:
        cards = [self.state.catalogue.cards[self._card(word)] for word in words]
        if [card.kind for card in cards] not in ([Kind.LANDSCAPE], [Kind.LANDSCAPE, Kind.DISCOVERY]):
            raise ValueError("a landscape, with one discovery on it or none")
        self.player.landscapes.append(cards[0].number)
        self.player.discoveries.append(cards[1].number if len(cards) > 1 else NO_CARD)

    def _rover(self, words: list[str]) -> None:
        markers = tuple(int(word) for word in words[1:])
        if words[0] != "markers" or sorted(markers) != list(range(len(COLOURS))):
            raise ValueError("rover markers, then the three places in some order")
        self.state.rover = Rover(HiddenPile(), markers)

    def _rover_of(self) -> Rover:
        if self.state.rover is None:
            raise ValueError("a line about rover's markers comes first")
        return self.state.rover

    def _pile(self, words: list[str]) -> None:
        pile = []
        for word in words:
            colour, _, token = word.partition(":")
            if colour not in map(str, COLOURS):
                raise ValueError(f"{word}: colours are 1 to 3")
            pile.append(token_piece(int(colour), token_numbers()[token]))
        self._rover_of().pile = HiddenPile(pile)

    def _spot(self, word: str) -> int:
        return NO_CARD if word == GAP else self._drawn(word)

    def _drawn(self, word: str) -> int:
        card = self._card(word)
        if self.state.catalogue.cards[card].deck is Deck.START:
            raise ValueError(f"{word} is a starting ground card: it lies in a meadow")
        return card

    def _card(self, word: str) -> int:
        if word not in self.state.catalogue.card_ids:
            raise ValueError(f"there is no card {word}")
        card = self.state.catalogue.card_ids[word]
        if card in self.used:
            raise ValueError(f"{word} is in two places")
        if self.state.river is None and self.state.catalogue.cards[card].deck in RIVER_DECKS:
            raise ValueError(f"{word} belongs to the river board, whose side has to be named behind the first line")
        self.used.add(card)
        return card


def _numbers(words: list[str], limits: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """Names and numbers in turn, within their limits."""
    if len(words) % 2 or not set(words[::2]) <= limits.keys():
        raise ValueError(f"expected numbers, each after its name: {', '.join(limits)}")
    numbers = {}
    for name, word in zip(words[::2], words[1::2], strict=True):
        least, greatest = limits[name]
        if not (word.isascii() and word.isdigit() and len(word) < 5 and least <= int(word) <= greatest):
            raise ValueError(f"{name} {word}: a number from {least} to {greatest}")
        numbers[name] = int(word)
    return numbers
