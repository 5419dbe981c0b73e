"""Conformance, the engine's half: what must be true of every game at every decision.

Each function takes a `Game` and raises AssertionError. `walk` plays a game and yields it before each decision, so that
a test is a loop over a walk. Nothing here knows a particular game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from random import Random

import pytest
from meadow_engine import api
from meadow_engine.api import Game

from tests.engine.families import Case

Policy = Callable[[Game, Random], int]


def any_legal(game: Game, random: Random) -> int:
    """Any legal action."""
    return random.choice(game.legal_ids())


def first_legal(game: Game, random: Random) -> int:
    """Always the first one."""
    return game.legal_ids()[0]


def last_legal(game: Game, random: Random) -> int:
    """Always the last one."""
    return game.legal_ids()[-1]


def by_bots(game: Game, random: Random) -> int:
    """The choice of the family's strongest bot, now and then any other: games like those of people."""
    decision = game.decision
    assert decision is not None
    if random.random() < 0.1:
        return any_legal(game, random)
    bot = api.bots(game.variant.family)[-1]
    streams = api.Streams(random.randbytes(32))
    return bot.choose(game.view(decision.seat), game.legal_ids(), game.catalogue, streams)


POLICIES: dict[str, Policy] = {"any": any_legal, "first": first_legal, "last": last_legal, "bots": by_bots}


def walk(case: Case, seed: int, policy: Policy = any_legal) -> Iterator[Game]:
    """Play a game to its end, and yield it before each decision and at the end. It ends within the family's limit."""
    game, random = case.new_game(seed), Random(seed)
    for _ in range(case.checks.most_decisions):
        yield game
        if game.is_over:
            return
        game.apply(policy(game, random))
    raise AssertionError(f"{case} does not end within {case.checks.most_decisions} decisions")


def sampled(ply: int, every: int) -> bool:
    """Whether to look at a decision: one of so many, and later in a long game one of five times as many."""
    return ply % (every if ply < 60 else 5 * every) == 0


def viewers(game: Game) -> list[int | None]:
    """A spectator and every seat."""
    return [None, *range(game.seats)]


def outcome_of(call: Callable[..., object], *arguments: object) -> object:
    """What a call answers, or how it is refused: everything a caller can tell."""
    try:
        return call(*arguments)
    except api.EngineError as error:
        rule = getattr(error, "rule", None)
        return type(error), error.code, rule, error.message, list(error.details.items()), str(error)


def check_legal_list(game: Game) -> None:
    """The list is ascending, without doubles, not empty, within the space, listed as checked, and in the mask."""
    ids, space = game.legal_ids(), game.action_space
    assert ids, "a seat has to choose among nothing"
    assert ids == sorted(set(ids))
    assert ids[0] >= 0
    assert ids[-1] < space.size
    assert [game.check(action_id) for action_id in ids] == ids
    mask = game.legal_mask()
    assert len(mask) == (space.size + 7) // 8
    assert [i for i in range(space.size) if mask[i // 8] >> i % 8 & 1] == ids
    labels = [game.label(action_id) for action_id in ids]
    assert len(set(labels)) == len(labels), "two legal actions have the same label"
    assert all(text and text.isprintable() for text in labels)


def check_decision(game: Game) -> None:
    """Somebody who sits at the table has to choose, and the running game has no outcome yet."""
    decision = game.decision
    assert decision is not None
    assert decision.seat in range(game.seats)
    assert decision.kind.isidentifier()
    assert len(game.returns()) == game.seats
    with pytest.raises(ValueError, match="not over"):
        game.outcome()


def check_whole_space(game: Game) -> set[int]:
    """Over all ids: `check` accepts the legal ones as they are and equivalents under a legal one, and refuses the rest.

    Returns:
        The ids that are not listed but accepted as equivalents.
    """
    legal, before, equivalents = set(game.legal_ids()), game.state_hash(), set()
    for action_id in range(game.action_space.size):
        refusal = refusal_of(game, action_id)
        if refusal is not None:
            assert action_id not in legal
            assert refusal.rule.isupper()
            assert refusal.message
            continue
        listed = game.check(action_id)
        assert listed in legal
        if action_id in legal:
            assert listed == action_id
        else:
            assert listed < action_id, "the listed form is the one of the lowest id"
            equivalents.add(action_id)
    assert game.state_hash() == before
    return equivalents


def refusal_of(game: Game, action_id: int) -> api.IllegalAction | None:
    """Why an action may not be taken, if it may not."""
    try:
        game.check(action_id)
    except api.IllegalAction as refusal:
        return refusal
    return None


def check_equivalents(game: Game, equivalents: set[int], random: Random, count: int = 3) -> None:
    """An equivalent id does what the listed one does."""
    for action_id in random.sample(sorted(equivalents), min(count, len(equivalents))):
        one, other = game.clone(), game.clone()
        listed = game.check(action_id)
        assert one.apply(action_id) == other.apply(listed)
        assert one.state_hash() == other.state_hash()


def check_refusals(game: Game, random: Random, count: int = 5) -> None:
    """Actions that are not legal are refused by `apply` and `apply_with` without a trace."""
    before, legal, size = game.encode(), set(game.legal_ids()), game.action_space.size
    for action_id in [-1, size, *random.sample(range(size), count)]:
        if refusal_of(game, action_id) is None:
            continue
        refused = outcome_of(game.check, action_id)
        assert outcome_of(game.apply, action_id) == refused
        assert outcome_of(game.apply_with, action_id, []) == refused
    with pytest.raises(api.BadChance):
        game.apply_with(min(legal), [10**9])
    assert game.encode() == before


def check_round_trip(game: Game) -> Game:
    """Encoded and decoded, the game is the same to the last bit, and so is what can be chosen.

    Returns:
        The decoded game.
    """
    data = game.encode()
    again = api.decode(data)
    assert again.encode() == data
    assert again.legal_ids() == game.legal_ids()
    return again


def check_looks_alike(game: Game, again: Game) -> None:
    """Two games have the same configuration, hash, and views."""
    assert again.config == game.config
    assert again.state_hash() == game.state_hash()
    assert [again.view(viewer) for viewer in viewers(again)] == [game.view(viewer) for viewer in viewers(game)]


def check_every_action(game: Game) -> None:
    """Each legal action is accepted, and accepted again with the outcomes it drew, to the same effect."""
    for action_id in game.legal_ids():
        copy, again = game.clone(), game.clone()
        result = copy.apply(action_id)
        assert result.action_id == action_id
        assert again.apply_with(action_id, result.chance) == result
        assert again.state_hash() == copy.state_hash()


def check_clone(game: Game, random: Random, plies: int = 4) -> None:
    """A clone is equal; playing it on does not touch the original, nor the other way round."""
    before, copy = game.encode(), game.clone()
    assert copy.encode() == before
    for _ in range(plies):
        if not copy.is_over:
            copy.apply(any_legal(copy, random))
    assert game.encode() == before
    frozen, original = game.clone(), game.clone()
    for _ in range(plies):
        if not original.is_over:
            original.apply(any_legal(original, random))
    assert frozen.encode() == before


def check_views(case: Case, game: Game) -> None:
    """A view holds nothing but what the family lists, and nothing that could change; observations have one size."""
    for viewer in viewers(game):
        check_view_fields(case, game.view(viewer))
        observation = game.observation(viewer)
        assert len(observation) == case.checks.observation_size
        assert all(type(number) is int for number in observation)
        assert game.text(viewer).endswith("\n")
        hash(game.view(viewer))  # of frozen parts only


def check_view_fields(case: Case, value: object) -> None:
    """Nothing but frozen dataclasses with the fields listed, tuples, numbers, texts, flags and names."""
    if isinstance(value, tuple):
        for item in value:
            check_view_fields(case, item)
    elif is_dataclass(value):
        name = type(value).__name__
        assert {field.name for field in fields(value)} == set(case.checks.view_fields[name]), f"fields of {name}"
        for field in fields(value):
            with pytest.raises(AttributeError):
                setattr(value, field.name, None)
            check_view_fields(case, getattr(value, field.name))
    else:
        assert value is None or isinstance(value, bool | int | str | Enum), f"{type(value).__name__} in a view"


def check_end(game: Game) -> None:
    """Nothing can be chosen any more, and the outcome ranks everybody, or names a band."""
    assert game.is_over
    assert game.decision is None
    assert game.legal_ids() == []
    assert not any(game.legal_mask())
    for action_id in (0, game.action_space.size - 1):
        for refused in (game.check, game.apply, lambda i: game.apply_with(i, [])):
            with pytest.raises(api.GameOver):
                refused(action_id)
    outcome, returns = game.outcome(), game.returns()
    assert len(outcome.ranks) == len(returns) == game.seats
    assert min(outcome.ranks) == 1
    # ties share a rank, and the next rank counts all before it
    assert all(rank == 1 + sum(other < rank for other in outcome.ranks) for rank in outcome.ranks)
    assert (outcome.band >= 0) == (game.seats == 1)
    best = [returns[seat] for seat in range(game.seats) if outcome.ranks[seat] == 1]
    assert min(best) == max(returns)
