"""The door of the engine: `meadow_engine.api`."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from meadow_engine import api

from tests.engine.conformance import outcome_of
from tests.engine.families import FAMILIES, Case, main_cases
from tests.support.frozen import frozen_pack

each_main_case = pytest.mark.parametrize("case", main_cases(), ids=str)
SPRING = "spring_meadow"


def halfway(case: Case, seed: int = 3, plies: int = 20) -> api.Game:
    """A game in its middle."""
    game, random = case.new_game(seed), Random(seed)
    for _ in range(plies):
        game.apply(random.choice(game.legal_ids()))
    return game


def test_the_door_names_all_it_offers() -> None:
    """Everything in `__all__` is there once and says what it is; no function of the door is missing in it."""
    assert len(set(api.__all__)) == len(api.__all__)
    for name in api.__all__:
        thing = getattr(api, name)
        if callable(thing) or inspect.ismodule(thing):
            assert inspect.getdoc(thing), name
    own = {name for name, thing in vars(api).items() if inspect.isfunction(thing) and thing.__module__ == api.__name__}
    assert own <= set(api.__all__)


@pytest.mark.parametrize("method", [name for name in dir(api.Game) if not name.startswith("_")])
def test_each_method_of_a_game_is_described(method: str) -> None:
    """Whoever asks `help(Game)` learns what each method does."""
    if method not in api.Game.__slots__:
        assert inspect.getdoc(getattr(api.Game, method))


def test_the_example_at_the_door_runs() -> None:
    """The first lines anybody copies play a whole game."""
    assert api.__doc__ is not None
    lines = [line.removeprefix("    ") for line in api.__doc__.splitlines() if line.startswith("    ") or not line]
    names: dict[str, object] = {}
    exec("\n".join(lines).replace("print(", "str("), names)
    game = names["game"]
    assert isinstance(game, api.Game)
    assert game.is_over


def test_variants_are_found_by_their_ids() -> None:
    """Each variant has an id, a title, a family, seats, options and hidden zones; unknown ids are refused."""
    for variant in api.variants():
        assert api.variant(variant.id) is variant
        assert variant.title
        assert variant.about
        assert 1 <= variant.min_seats <= variant.max_seats
        assert variant.rules_revision >= 1
        assert variant.read_options(None).keys() == {option.name for option in variant.options}
    for wrong in ("", "chess", "SPRING_MEADOW"):
        for call in (api.variant, _two_seats):
            with pytest.raises(api.UnknownVariant) as refusal:
                call(wrong)
            assert refusal.value.details == {"variant": wrong}


def _two_seats(variant_id: str) -> api.Game:
    return api.new_game(variant_id, seats=2, seed=0)


def test_a_seed_is_a_number_or_its_bytes() -> None:
    """Both ways of writing a seed make the same game."""
    number = 2**255 + 12345
    one, other = (api.new_game(SPRING, seats=2, seed=seed) for seed in (number, number.to_bytes(32, "big")))
    assert one.encode() == other.encode()


@pytest.mark.parametrize(
    ("changes", "option"),
    [
        ({"seats": 1}, "seats"),
        ({"seats": 5}, "seats"),
        ({"seats": True}, "seats"),
        ({"seats": "2"}, "seats"),
        ({"seats": 2.0}, "seats"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**256}, "seed"),
        ({"seed": b"short"}, "seed"),
        ({"options": {"expert": "yes"}}, "expert"),
        ({"options": {"first_seat": 2}}, "first_seat"),
        ({"options": {"first_seat": 9}}, "first_seat"),
        ({"options": {"faces": ["1A"]}}, "faces"),
        ({"options": {"faces": ["1A", "9Z"]}}, "faces"),
        ({"options": {"faces": ["1A", "1B"]}}, "faces"),
        ({"options": {"faces": ["1A", "2A", "3A"]}}, "faces"),
        ({"seats": 3, "options": {"faces": ["1A", "2A"]}}, "faces"),
        ({"options": {"speed": 1}}, "speed"),
    ],
)
def test_an_impossible_configuration_is_refused(changes: dict[str, object], option: str) -> None:
    """Seats, seed and options are checked at creation, and the error names what is wrong."""
    arguments: dict[str, object] = {"seats": 2, "seed": 0} | changes
    for make in (api.new_game, api.game_config):
        with pytest.raises(api.BadOption) as refusal:
            make(SPRING, **arguments)  # type: ignore[arg-type]
        assert refusal.value.details == {"option": option}


@each_main_case
def test_the_commitment_binds_the_whole_configuration(case: Case) -> None:
    """Change anything - seed, nonce, an option, seats, variant, pack - and the commitment is another."""
    config, nonce = case.new_game(1).config, bytes(32)
    made = config.commitment(nonce)
    assert len(made) == 32
    assert made == case.new_game(1).config.commitment(nonce)
    options = config.options | {"first_seat": 1} if "first_seat" in config.options else config.options | {"new": True}
    others: list[api.GameConfig] = [
        replace(config, seed=bytes(31) + b"\2"),
        replace(config, options=options),
        replace(config, seats=config.seats + 1),
        replace(config, pack=frozen_pack()),
        replace(config, rules_revision=config.rules_revision + 1),
        replace(config, variant=next(variant for variant in api.variants() if variant is not config.variant)),
    ]
    commitments = [other.commitment(nonce) for other in others] + [config.commitment(b"\1" * 32), made]
    assert len(set(commitments)) == len(commitments)


def test_a_game_keeps_its_content() -> None:
    """Another pack may be given; the game is decoded with that one only."""
    game = api.new_game(SPRING, seats=2, seed=0, pack=frozen_pack())
    assert game.config.public["pack"] == frozen_pack().hash.hex()
    assert api.decode(game.encode(), frozen_pack()).encode() == game.encode()
    with pytest.raises(api.BadEncoding):
        api.decode(game.encode())
    again = api.pack_from_bytes(frozen_pack().to_bytes())
    assert again == frozen_pack()
    assert api.decode(game.encode(), again).encode() == game.encode()


@pytest.mark.parametrize(
    "damage",
    [
        lambda plain: plain.pop("seed"),
        lambda plain: plain.update(seed="00"),
        lambda plain: plain.update(seed=7),
        lambda plain: plain.update(seats=3),
        lambda plain: plain.update(seats="2"),
        lambda plain: plain.update(variant="chess"),
        lambda plain: plain.update(variant=[]),
        lambda plain: plain.update(options=["expert"]),
        lambda plain: plain.update(options={"expert": 1}),
        lambda plain: plain.update(options={"first_seat": 3}),
        lambda plain: plain.update(pack="00" * 32),
        lambda plain: plain.update(pack=None),
    ],
)
def test_a_damaged_configuration_is_refused(damage: Callable[[dict[str, object]], object]) -> None:
    """An encoded game whose first line is not the configuration of its state is BadEncoding."""
    head, _, body = api.new_game(SPRING, seats=2, seed=0).encode().partition(b"\n")
    plain = json.loads(head)
    damage(plain["config"])
    with pytest.raises(api.BadEncoding):
        api.decode(json.dumps(plain).encode() + b"\n" + body)


def test_another_revision_is_named() -> None:
    """A game of other rules is not decoded into something half right."""
    data = api.new_game(SPRING, seats=2, seed=0).encode()
    with pytest.raises(api.RulesRevisionUnsupported) as refusal:
        api.decode(data.replace(b'"rules_revision":1', b'"rules_revision":2'))
    assert refusal.value.code == "RULES_REVISION_UNSUPPORTED"


def test_only_a_games_own_state_is_decoded() -> None:
    """Something else the codec knows - a board, a frame - is no game."""
    head, _, body = api.new_game(SPRING, seats=2, seed=0).encode().partition(b"\n")
    others: list[object] = [json.loads(body)["mountains"][0], {"$": "MoveOn", "seat": 0}, [], None]
    for other in others:
        with pytest.raises(api.BadEncoding):
            api.decode(head + b"\n" + json.dumps(other).encode())


WRITTEN = api.new_game(SPRING, seats=2, seed=0).encode()


@given(st.integers(0, len(WRITTEN) - 1), st.integers(0, 8), st.binary(max_size=8))
def test_damaged_bytes_decode_or_are_refused(start: int, length: int, between: bytes) -> None:
    """Whatever happens to the bytes of a game, decoding gives a game or one of the engine's own errors."""
    outcome_of(api.decode, WRITTEN[:start] + between + WRITTEN[start + length :])


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_no_game(data: bytes) -> None:
    """Bytes from anywhere are BadEncoding."""
    with pytest.raises(api.BadEncoding):
        api.decode(data)


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_bots_choose_legal_actions_and_repeat_themselves(family: str) -> None:
    """Each bot has a name, a version and a description; with the same stream it makes the same choices."""
    names = [bot.name for bot in api.bots(family)]
    assert len(set(names)) == len(names)
    for bot in api.bots(family):
        assert api.bot(bot.name, family) is bot
        assert bot.about
        assert bot.version >= 1
        for case in (case for case in main_cases() if case.variant.family == family):
            game = halfway(case, plies=5)
            streams = [api.Streams(bytes(32)) for _ in range(2)]
            for _ in range(8):
                decision = game.decision
                assert decision is not None
                view, ids = game.view(decision.seat), game.legal_ids()
                one, other = (bot.choose(view, ids, game.catalogue, stream) for stream in streams)
                assert one == other
                assert one in ids
                game.apply(one)


def test_an_unknown_bot_is_refused() -> None:
    """The error says which bots there are."""
    with pytest.raises(api.BadOption, match="greedy"):
        api.bot("clairvoyant", SPRING)


@each_main_case
def test_given_outcomes_lead_to_what_might_have_been(case: Case) -> None:
    """`apply_with` takes any outcomes the hidden piles allow, and refuses others without a trace."""
    game, random, tried = case.new_game(11), Random(11), 0
    while not game.is_over:
        action_id = random.choice(game.legal_ids())
        drawn, before = game.clone().apply(action_id).chance, game.encode()
        if drawn:
            other = game.clone()
            result = other.apply_with(action_id, drawn)
            assert (result.chance, other.state_hash()) == (drawn, _after(game, action_id).state_hash())
            tried += _might_have_been(game, action_id, drawn[::-1])
            assert case.checks.in_play(other) == case.checks.in_play(_after(game, action_id))
            for impossible in (drawn[:-1], (*drawn, drawn[0]), (10**6, *drawn[1:])):
                with pytest.raises(api.BadChance):
                    game.apply_with(action_id, impossible)
                assert game.encode() == before
        game.apply(action_id)
    assert tried or case.variant.id == "spring_meadow_solo"


def _might_have_been(game: api.Game, action_id: int, chance: tuple[int, ...]) -> bool:
    """Whether an action can have these outcomes; if so it has them."""
    other = game.clone()
    try:
        assert other.apply_with(action_id, chance).chance == chance
    except api.BadChance:
        assert other.encode() == game.encode()
        return False
    return True


def _after(game: api.Game, action_id: int) -> api.Game:
    copy = game.clone()
    copy.apply(action_id)
    return copy


@each_main_case
def test_labels_and_texts_belong_to_the_position(case: Case) -> None:
    """The text of a legal action parses back to it; its label is for people."""
    game = halfway(case)
    for action_id in game.legal_ids():
        assert game.parse_action(game.action_text(action_id)) == action_id
        assert game.label(action_id) != game.action_text(action_id)
