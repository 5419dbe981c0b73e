"""Every variant, number of seats and set of options keeps what the engine promises, at every decision."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from meadow_engine import api

from tests.engine import conformance as must
from tests.engine.families import FAMILIES, Case, cases, main_cases, tables

each_case = pytest.mark.parametrize("case", cases(), ids=str)
each_main_case = pytest.mark.parametrize("case", main_cases(), ids=str)


def test_every_variant_and_seat_count_is_a_case() -> None:
    """No family, variant, number of seats, or option escapes these tests."""
    assert {variant.family for variant in api.variants()} == set(FAMILIES)
    assert {(case.variant.id, case.seats) for case in cases()} == {(v.id, seats) for v, seats in tables()}
    for variant in api.variants():
        tried = {name for case in cases() if case.variant is variant for name in case.options}
        assert tried == {option.name for option in variant.options}
        assert set(FAMILIES[variant.family].swaps) >= set(variant.hidden_zones)


@each_case
def test_the_same_seed_and_actions_make_the_same_game(case: Case) -> None:
    """Two games of one seed agree in every state, event and outcome; another seed makes another game."""
    one, other, random, ply = case.new_game(5), case.new_game(5), Random(5), 0
    assert one.opening_events == other.opening_events
    while not one.is_over:
        ply += 1
        assert not must.sampled(ply, 5) or one.state_hash() == other.state_hash()
        action_id = must.any_legal(one, random)
        assert one.apply(action_id) == other.apply(action_id)
    assert one.encode() == other.encode()
    assert (one.outcome(), one.returns()) == (other.outcome(), other.returns())
    assert case.new_game(6).state_hash() != case.new_game(5).state_hash()


@each_case
def test_every_decision_is_well_formed(case: Case) -> None:
    """Legal lists, masks, labels, decisions and views are right, and the game comes to a sound end."""
    for ply, game in enumerate(must.walk(case, seed=1)):
        if game.is_over:
            must.check_views(case, game)
            must.check_end(game)
        elif must.sampled(ply, 3):
            must.check_views(case, game)
            must.check_decision(game)
            must.check_legal_list(game)


@each_main_case
def test_a_decoded_game_goes_on_like_the_original(case: Case) -> None:
    """At each decision the encoded game decodes to an equal one, and the same action has the same effect on both."""
    random, game, ply = Random(2), case.new_game(2), 0
    while not game.is_over:
        again, ply = must.check_round_trip(game), ply + 1
        action_id = must.any_legal(game, random)
        assert again.apply(action_id) == game.apply(action_id)
        if must.sampled(ply, 4):
            must.check_looks_alike(game, again)
    must.check_looks_alike(game, must.check_round_trip(game))


@each_case
def test_no_component_is_lost_or_doubled(case: Case) -> None:
    """What is in hidden piles, on the table and out of the game is always the whole box, and states are consistent."""
    checks, random, game = case.checks, Random(3), case.new_game(3)
    whole, gone = checks.components(game.catalogue), Counter[str]()
    while True:
        checks.consistent(game)
        assert checks.in_play(game) + gone == whole
        if game.is_over:
            break
        before = game.clone()
        gone += checks.leaves(before, game.apply(must.any_legal(game, random)))


@each_main_case
def test_the_whole_action_space_is_checked_rightly(case: Case) -> None:
    """At some decisions of each kind every id of the space is accepted or refused as the legal list says."""
    random, seen = Random(4), Counter[str]()
    for game in must.walk(case, seed=4):
        decision = game.decision
        if decision is None or seen[decision.kind] >= 3 or random.random() < 0.5:
            continue
        seen[decision.kind] += 1
        equivalents = must.check_whole_space(game)
        must.check_equivalents(game, equivalents, random)
        must.check_refusals(game, random)
    assert sum(seen.values()) >= 6


@each_main_case
def test_every_legal_action_is_accepted(case: Case) -> None:
    """At many decisions each listed action can be taken, also with its own outcomes handed back."""
    for ply, game in enumerate(must.walk(case, seed=8)):
        if must.sampled(ply, 6) and not game.is_over:
            must.check_every_action(game)


@each_main_case
def test_clones_are_independent(case: Case) -> None:
    """Clone and original do not notice what happens to the other."""
    random = Random(9)
    for ply, game in enumerate(must.walk(case, seed=9)):
        if must.sampled(ply, 4):
            must.check_clone(game, random)


@each_main_case
@pytest.mark.parametrize("policy", sorted(must.POLICIES))
def test_every_game_ends(case: Case, policy: str) -> None:
    """However the seats play, the game ends; its result is sound."""
    *_, last = must.walk(case, seed=10, policy=must.POLICIES[policy])
    must.check_end(last)


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_ids_actions_and_texts_are_one_to_one(family: str) -> None:
    """Over the whole space: each id has one action and one text, both lead back to it, and no two are alike."""
    variant = next(variant for variant in api.variants() if variant.family == family)
    game = api.new_game(variant.id, seats=variant.min_seats, seed=0)
    space = game.action_space
    actions = [game.action(action_id) for action_id in range(space.size)]
    assert [game.action_id(action) for action in actions] == list(range(space.size))
    assert len(set(actions)) == space.size
    texts = [game.action_text(action_id) for action_id in range(space.size)]
    assert [game.parse_action(text) for text in texts] == list(range(space.size))
    assert all(text.isprintable() and text.isascii() and text == text.strip() for text in texts)


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_the_action_space_is_the_familys(family: str) -> None:
    """Ids depend on neither variant, seats, options nor seed."""
    games = [case.new_game(seed) for seed, case in enumerate(cases()) if case.variant.family == family]
    assert all(game.action_space is games[0].action_space for game in games)
    assert api.action_space(family) is games[0].action_space


@pytest.mark.long
@each_case
def test_long_walks_keep_every_promise(case: Case) -> None:
    """Many games by every policy, with every check at every decision."""
    for seed in range(100, 104):
        policy = list(must.POLICIES.values())[seed % len(must.POLICIES)]
        random = Random(seed)
        for game in must.walk(case, seed, policy):
            must.check_views(case, game)
            case.checks.consistent(game)
            must.check_looks_alike(game, must.check_round_trip(game))
            if game.is_over:
                must.check_end(game)
                continue
            must.check_decision(game)
            must.check_legal_list(game)
            must.check_clone(game, random)
            if random.random() < 0.2:
                must.check_equivalents(game, must.check_whole_space(game), random)
                must.check_refusals(game, random)
                must.check_every_action(game)
