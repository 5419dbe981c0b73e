"""Secrecy by swapping: whatever lies hidden otherwise, nobody can tell.

A *twin* of a game has its hidden zones rearranged and another seed. It is played along with the original, given the
outcomes that the original drew, so that the two stay alike on the table and differ in what is hidden. Everything a
player can get hold of must then be equal, to the last character.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from meadow_engine import api
from meadow_engine.api import Event, Game, Result

from tests.engine.conformance import outcome_of, viewers
from tests.engine.families import Case
from tests.engine.family import Viewer


def twin_of(
    case: Case, game: Game, kept: tuple[Viewer, ...], random: Random, *, leave: frozenset[str] = frozenset()
) -> tuple[Game, set[str]]:
    """A copy that these viewers cannot tell from the game, and the zones in which it differs. Its seed differs too.

    Zones to `leave` are not touched.
    """
    twin = game.clone()
    seed = random.randbytes(api.SEED_BYTES)
    twin.config = replace(game.config, seed=seed)
    twin.state.streams = api.Streams(seed, dict(game.state.streams.used))
    zones = [zone for zone in case.variant.hidden_zones if zone not in leave]
    swapped = {zone for zone in zones if case.checks.swaps[zone](twin, kept, random)}
    return twin, swapped


def visible(game: Game, viewer: int | None) -> list[object]:
    """All that a viewer can ask a game for."""
    decision = game.decision
    own = decision is not None and decision.seat == viewer
    seen = [game.view(viewer), game.text(viewer), game.observation(viewer), repr(game.view(viewer)), game.is_over]
    seen += [game.returns(), game.score_sheet(), outcome_of(game.outcome) if game.is_over else None]
    if decision is not None and own:
        ids = game.legal_ids()
        seen += [ids, game.legal_mask(), [game.label(i) for i in ids], decision.kind]
    return seen


def refusals(game: Game, random: Random, count: int = 25) -> list[object]:
    """What a player learns from trying things that are not allowed."""
    size = game.action_space.size
    tried = [-1, size, *(random.randrange(size) for _ in range(count))]
    texts = ["", "nonsense", "take 99"]
    refused = [outcome_of(game.check, action_id) for action_id in tried]
    return refused + [outcome_of(game.parse_action, text) for text in texts]


def choices_of_bots(game: Game) -> list[int]:
    """What each bot would choose for the seat to move."""
    decision = game.decision
    assert decision is not None
    view, ids, family = game.view(decision.seat), game.legal_ids(), game.variant.family
    return [bot.choose(view, ids, game.catalogue, api.Streams(bytes(32))) for bot in api.bots(family)]


def seen_by(result: Result, viewer: int | None) -> list[Event]:
    """An action's events as a viewer gets them."""
    return [event.seen_by(viewer) for event in result.events]


def check_alike(game: Game, twin: Game, viewer: int | None, seed: int) -> None:
    """The viewer cannot tell the two apart, neither by looking nor by trying."""
    assert visible(game, viewer) == visible(twin, viewer)
    decision = game.decision
    if decision is not None and decision.seat == viewer:
        assert refusals(game, Random(seed)) == refusals(twin, Random(seed))


def check_until_reveal(case: Case, game: Game, twin: Game, action_id: int, viewer: int | None) -> bool:
    """Without outcomes handed over, the two differ at most from the first event on that tells what was drawn.

    Returns:
        Whether they did differ.
    """
    one, other = game.clone().apply(action_id), twin.clone().apply(action_id)
    assert (one.action_id, one.reveals) == (other.action_id, other.reveals)
    for mine, theirs in zip(seen_by(one, viewer), seen_by(other, viewer), strict=False):
        if mine != theirs:
            assert one.reveals
            assert type(mine).__name__ in case.checks.revealing
            return True
    assert one.reveals or len(one.events) == len(other.events)
    return False


def acting_twin(case: Case, game: Game, action_id: int, viewer: Viewer, random: Random) -> Game:
    """A twin for a viewer in which the action can be taken, with the outcomes that it has in the game."""
    assert game.decision is not None
    if not game.clone().apply(action_id).chance:
        return twin_of(case, game, (viewer, game.decision.seat), random)[0]
    # what was drawn in the game must not lie in a hand of the twin, nor where another seat knows of something else
    return twin_of(case, game, (viewer, *range(game.seats)), random, leave=case.checks.mixing)[0]


def lockstep(case: Case, seed: int) -> Iterator[tuple[Game, Game, int | None, set[str]]]:
    """Play a game and its twins, a new twin and viewer at each decision; yield game, twin, viewer, zones that differ.

    Each action is also taken in a twin that keeps what the acting seat knows, given what the original drew: the viewer
    sees the same events and game.
    """
    random, game, turn = Random(seed), case.new_game(seed), 0
    while not game.is_over:
        viewer = viewers(game)[turn % (game.seats + 1)]
        twin, swapped = twin_of(case, game, (viewer,), random)
        yield game, twin, viewer, swapped
        action_id = random.choice(game.legal_ids())
        twin = acting_twin(case, game, action_id, viewer, random)
        check_until_reveal(case, game, twin, action_id, viewer)
        result = game.apply(action_id)
        answer = twin.apply_with(action_id, result.chance)
        assert seen_by(result, viewer) == seen_by(answer, viewer)
        assert game.view(viewer) == twin.view(viewer)
        turn += 1
    assert visible(game, None) == visible(twin, None)
