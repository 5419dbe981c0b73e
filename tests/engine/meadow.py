"""Meadow for the conformance tests."""

from __future__ import annotations

from collections import Counter
from random import Random

from meadow_engine.api import MEADOW_SYMBOLS, Game, Result, Variant, meadow_catalogue
from meadow_engine.kernel.zones import knows

from tests.engine.family import FamilyChecks, Options, Viewer

ENVELOPES = ("T", "U", "W", "X", "Y")


def options(variant: Variant, seats: int) -> list[Options]:
    """Each option alone and all of them together."""
    both: list[Options] = [{}, {"beginners_deal": True}, {"envelopes": ("U",)}, {"envelopes": ENVELOPES[::-1]}]
    if variant.id == "meadow_solo":
        return [*both, {"envelopes": ENVELOPES, "beginners_deal": True}]
    together: Options = {"envelopes": ENVELOPES, "beginners_deal": True, "first_seat": seats - 1}
    return [*both, {"first_seat": 0}, together]


def components(catalogue: meadow_catalogue.Catalogue) -> Counter[str]:
    """The cards of the four decks, envelopes included; a game without them does not have theirs."""
    return Counter(card.id for card in catalogue.cards if card.deck is not meadow_catalogue.Deck.START)


def in_play(game: Game) -> Counter[str]:
    """All cards of the decks, wherever they are, with those of envelopes that stayed in the box."""
    state, cards = game.state, game.catalogue.cards
    found = [card for deck in state.decks for card in deck.items] + [card for card in state.board if card >= 0]
    for player in state.players:
        found += player.hand + player.landscapes + [card for card in player.discoveries if card >= 0]
        found += [card for column in player.columns for card in column]
    found += state.rover.cards if state.rover else []
    sets = {"base", *game.config.options["envelopes"]}  # type: ignore[misc]
    boxed = [card.number for card in cards if card.card_set not in sets]
    return Counter(cards[card].id for card in found + boxed if cards[card].deck is not meadow_catalogue.Deck.START)


def leaves(before: Game, result: Result) -> Counter[str]:
    """No card ever leaves the game."""
    return Counter()


def consistent(game: Game) -> None:
    """Visible symbols are those of the tops and grounds; tokens, roads and bonus tokens add up."""
    state, cards = game.state, game.catalogue.cards
    for seat, player in enumerate(state.players):
        visible = [0] * len(MEADOW_SYMBOLS)
        for column in player.columns:
            for symbol in cards[column[-1]].symbols + cards[column[0]].grounds:
                visible[symbol] += 1
            assert cards[column[0]].kind is meadow_catalogue.Kind.GROUND
            assert all(cards[card].kind is meadow_catalogue.Kind.OBSERVATION for card in column[1:])
        assert player.visible == visible, "visible symbols are not those of the cards"
        assert sorted(player.row) == list(range(len(player.columns)))
        assert len(player.columns) <= 10
        assert state.claims.count(seat) == player.bonuses <= 3
        assert len(player.hand) == len(player.seen)
    roads = sum(player.roads + len(player.landscapes) for player in state.players)
    assert state.road_supply + roads == game.catalogue.road_tokens, "a road token was lost or made"


def swap_hidden_cards(game: Game, kept: tuple[Viewer, ...], random: Random, *, hands: bool) -> bool:
    """Exchange cards with the same back that no viewer knows: within decks, or between decks and hands."""
    state, changed = game.state, False
    for deck, pile in enumerate(state.decks):
        unknown = set.intersection(*(set(pile.unknown_to(viewer)) for viewer in kept))
        places = [(pile.items, place) for place in sorted(unknown)]
        if hands:
            for player in state.players:
                for place, (card, seen) in enumerate(zip(player.hand, player.seen, strict=True)):
                    if game.catalogue.cards[card].deck == deck and not any(knows(seen, viewer) for viewer in kept):
                        places.append((player.hand, place))
        before = [items[place] for items, place in places]
        after = random.sample(before, len(before))
        for (items, place), card in zip(places, after, strict=True):
            items[place] = card
        changed |= before != after
    return changed


def hidden(game: Game) -> object:
    """Decks, hands and Rover's pile."""
    rover = game.state.rover
    hands = [player.hand for player in game.state.players]
    return [deck.items for deck in game.state.decks], hands, rover and rover.pile.items


def swap_rover(game: Game, kept: tuple[Viewer, ...], random: Random) -> bool:
    """Lie Rover's tokens in another order."""
    rover = game.state.rover
    before = rover.pile.items.copy() if rover else []
    if rover:
        random.shuffle(rover.pile.items)
    return bool(rover and before != rover.pile.items)


VIEW_FIELDS = {
    "MeadowView": "seats round rounds first_seat halfway board deck_counts places free goals claims road_supply "
    "players rover river pending",
    "PlayerView": "hand unknown columns row visible landscapes discoveries roads tokens bonuses start score",
    "SeatScore": "sources discoveries",
    "PendingView": "seat kind spots special plays claimable card place discards deck looked_at hand extra ways decks",
    "CardReport": "card places discards missing obstacle",
    "RoverView": "tokens_left markers cards points",
}

MEADOW_CHECKS = FamilyChecks(
    options=options,
    components=components,
    in_play=in_play,
    leaves=leaves,
    consistent=consistent,
    swaps={
        "decks": lambda game, kept, random: swap_hidden_cards(game, kept, random, hands=False),
        "hands": lambda game, kept, random: swap_hidden_cards(game, kept, random, hands=True),
        "rover's pile": swap_rover,
    },
    mixing=frozenset({"hands"}),
    hidden=hidden,
    view_fields={name: frozenset(fields.split()) for name, fields in VIEW_FIELDS.items()},
    revealing=frozenset({"BoardRefilled", "CardDrawn", "CardsLookedAt", "RoverDealt", "RoverMoved"}),
    observation_size=351,
    most_decisions=1000,
)
