"""Meadow for the conformance tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any

from meadow_engine.api import (
    MEADOW_SYMBOLS,
    Event,
    Game,
    Result,
    Variant,
    downstream_catalogue,
    downstream_events,
    meadow_catalogue,
    meadow_events,
)
from meadow_engine.kernel.zones import HiddenPile, knows

from tests.engine.family import FamilyChecks, Options, Viewer

Deck = meadow_catalogue.Deck
ENVELOPES = ("T", "U", "W", "X", "Y")
RIVER_ENVELOPES = (*ENVELOPES, "Z")


def envelopes_of(variant: Variant) -> tuple[str, ...]:
    """The letters that a variant takes."""
    return RIVER_ENVELOPES if on_river(variant) else ENVELOPES


def on_river(variant: Variant) -> bool:
    """Whether it is one of Downstream's."""
    return variant.id.startswith("downstream")


def options(variant: Variant, seats: int) -> list[Options]:
    """Each option alone and all of them together; on the river, which is many games already, the envelopes alone."""
    envelopes = envelopes_of(variant)
    together: Options = {"envelopes": envelopes, "beginners_deal": True}
    first: list[Options] = [{"first_seat": 0}] if variant.max_seats > 1 else []
    if first:
        together["first_seat"] = seats - 1
    if on_river(variant):
        return [{}, {"envelopes": envelopes[::-1]}, together]
    alone: list[Options] = [{}, {"beginners_deal": True}, {"envelopes": ("U",)}, {"envelopes": envelopes[::-1]}]
    return [*alone, *first, together]


def components(catalogue: meadow_catalogue.Catalogue) -> Counter[str]:
    """All cards but the starting grounds; a game without envelopes or a river does not have theirs."""
    return Counter(card.id for card in catalogue.cards if card.deck is not Deck.START)


def in_play(game: Game) -> Counter[str]:
    """All cards, wherever they are, with those that stayed in the box."""
    state, cards = game.state, game.catalogue.cards
    found = [card for deck in state.decks for card in deck.items] + [card for card in state.board if card >= 0]
    for player in state.players:
        found += player.hand + player.landscapes + [card for card in player.discoveries if card >= 0]
        found += [card for column in player.columns for card in column]
    found += state.rover.cards if state.rover else []
    found += state.river.sunset + state.river.beaver_dams if state.river else []
    sets = {"base", *game.config.options["envelopes"]}  # type: ignore[misc]
    sets |= {"downstream", "U"} if state.river else set()
    boxed = [card.number for card in cards if card.card_set not in sets]
    if state.river and state.river.side == downstream_catalogue.WILD_RAPIDS:
        boxed += game.catalogue.downstream.beaver_dams
    return Counter(cards[card].id for card in found + boxed if cards[card].deck is not Deck.START)


def leaves(before: Game, result: Result) -> Counter[str]:
    """Discarded sunset and beaver dam cards, and river cards put away after their deck has run out.

    The deck stays empty from then on, so it is enough that it is empty in the end; what has left is then seen from what
    is nowhere any more, and must have been discarded.
    """
    discarded = [card for event in result.events for card in _discarded(event)]
    if before.state.river is None or not discarded:
        return Counter()
    after = before.clone()
    after.apply(result.action_id)
    spent, decks = not after.state.decks[Deck.RIVER], {card.id: card.deck for card in before.catalogue.cards}
    gone = in_play(before) - in_play(after)
    ids = [before.catalogue.cards[card].id for card in discarded]
    assert gone <= Counter(ids)
    assert all(card in gone for card in ids if decks[card] in {Deck.SUNSET, Deck.BEAVER_DAM})
    assert all(decks[card] in {Deck.SUNSET, Deck.BEAVER_DAM} or (decks[card] is Deck.RIVER and spent) for card in gone)
    return gone


def _discarded(event: Event) -> tuple[int, ...]:
    match event:
        case meadow_events.CardDiscarded(card=card):
            return (card,)
        case downstream_events.WaterfallPassed(swept=swept) | downstream_events.RoverOnRiver(swept=swept):
            return swept
        case _:
            return ()


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
    in_the_box = game.catalogue.road_tokens + (downstream_catalogue.EXTRA_ROADS if state.river else 0)
    assert state.road_supply + roads == in_the_box, "a road token was lost or made"
    if state.river:
        consistent_river(game)


def consistent_river(game: Game) -> None:
    """Kayaks are on the track with points it has, tokens of both areas are each somewhere once, bonuses have a seat."""
    river = game.state.river
    track = game.catalogue.downstream.sides[river.side].spaces
    assert len(river.kayaks) == len(river.points) == len(river.starts) == len(set(river.starts)) == game.seats
    for space, points in zip(river.kayaks, river.points, strict=True):
        assert track[space].points <= points
        assert points in {0, *(before.points for before in track[: space + 1])}
    assert river.bonuses < 1 << game.seats
    for area in (river.piers, river.tents):
        assert len({*area.open, *area.hidden.items}) == len(area.open) + len(area.hidden)
        assert area.down <= min(1, len(area.hidden))


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
    """Decks, hands, Rover's pile, and what lies face down at the river."""
    state = game.state
    piles = [*state.decks, *filter(None, (pile_of(game, zone) for zone in PILES))]
    return [pile.items for pile in piles], [player.hand for player in state.players]


PILES: Mapping[str, Callable[[Any], HiddenPile]] = {
    "rover's pile": lambda state: state.rover.pile,
    "solo cards": lambda state: state.river.solo,
    "piers": lambda state: state.river.piers.hidden,
    "tents": lambda state: state.river.tents.hidden,
}
"""Piles that nobody has looked at."""


def pile_of(game: Game, zone: str) -> HiddenPile | None:
    """One of these piles, if the game has it."""
    return PILES[zone](game.state) if zone in game.variant.hidden_zones else None


def swap_pile(zone: str, game: Game, kept: tuple[Viewer, ...], random: Random) -> bool:
    """Lie a pile that nobody knows in another order."""
    pile = pile_of(game, zone)
    assert pile is not None
    before = pile.items.copy()
    random.shuffle(pile.items)
    return before != pile.items


VIEW_FIELDS = {
    "MeadowView": "seats round rounds first_seat halfway board deck_counts places free goals claims road_supply "
    "players rover river pending",
    "PlayerView": "hand unknown columns row visible landscapes discoveries roads tokens bonuses start score",
    "SeatScore": "sources discoveries",
    "PendingView": "seat kind spots special plays claimable card place discards deck looked_at hand extra ways decks "
    "spaces_left",
    "CardReport": "card places discards missing obstacle",
    "RoverView": "tokens_left markers cards points",
    "RiverView": "side starts kayaks points sunset beaver_dams goals bonuses piers tents kept solo_cards solo_spent",
    "TokenAreaView": "open down",
}

REVEALING = "BoardRefilled CardDrawn CardsLookedAt RoverDealt RoverMoved RoverOnRiver PierTaken TentTaken"

MEADOW_CHECKS = FamilyChecks(
    options=options,
    components=components,
    in_play=in_play,
    leaves=leaves,
    consistent=consistent,
    swaps={
        "decks": lambda game, kept, random: swap_hidden_cards(game, kept, random, hands=False),
        "hands": lambda game, kept, random: swap_hidden_cards(game, kept, random, hands=True),
        **{zone: partial(swap_pile, zone) for zone in PILES},
    },
    mixing=frozenset({"hands"}),
    hidden=hidden,
    view_fields={name: frozenset(fields.split()) for name, fields in VIEW_FIELDS.items()},
    revealing=frozenset(REVEALING.split()),
    observation_size=358,
    most_decisions=1000,
)
