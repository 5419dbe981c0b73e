from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from meadow_api.v1 import common_pb2, game_pb2, game_service_pb2, meadow_cards_pb2, spring_meadow_pb2
from meadow_client import requests
from meadow_client.messages import members, options_message, packed, seed_bytes, set_choice, value_name


@given(st.sets(st.integers(0, 2000)))
def test_packed_sets_read_back(numbers: set[int]) -> None:
    """Packing a set and listing its members gives the set, ascending."""
    assert list(members(packed(numbers))) == sorted(numbers)


def _submitted(choice: object) -> game_service_pb2.SubmitActionRequest:
    request = game_service_pb2.SubmitActionRequest()
    set_choice(request, choice)  # type: ignore[arg-type]
    return request


def test_a_choice_may_be_an_id_an_entry_or_a_typed_action() -> None:
    """Each form of a single choice goes into the field made for it."""
    take = spring_meadow_pb2.SpringMeadowTakeTile(space=7)
    action = game_pb2.Action(spring_meadow=spring_meadow_pb2.SpringMeadowAction(take_tile=take))
    assert _submitted(7).action_id == 7
    assert _submitted(game_pb2.LegalAction(action_id=7, action=action)).action_id == 7
    assert _submitted(take).action == action
    assert _submitted(action).action == action


def test_several_choices_make_a_batch() -> None:
    """A list is a batch, even of one; a composite entry of a legal list is the batch of its choices."""
    composite = game_pb2.LegalAction(action_id=3, then_action_ids=[40])
    assert [choice.action_id for choice in _submitted(composite).batch.choices] == [3, 40]
    assert [choice.action_id for choice in _submitted([3]).batch.choices] == [3]
    assert [choice.action_id for choice in _submitted([composite, 5]).batch.choices] == [3, 40, 5]


def test_seats_may_be_words() -> None:
    """A seat to create is "me", "open", a bot's name, or the message itself."""
    spec = game_service_pb2.SeatSpec(kind=common_pb2.SEAT_KIND_OPEN, display_name="Ada")
    assert requests.seat_spec("me").kind == common_pb2.SEAT_KIND_RESERVED
    assert requests.seat_spec("open").kind == common_pb2.SEAT_KIND_OPEN
    assert requests.seat_spec("greedy").bot == "greedy"
    assert requests.seat_spec(spec) is spec


def test_a_seed_may_be_a_number() -> None:
    """A number becomes its 32 big-endian bytes; bytes stay as they are."""
    assert seed_bytes(258) == bytes(30) + b"\x01\x02"
    assert seed_bytes(b"x" * 32) == b"x" * 32


def test_options_are_put_into_their_frame() -> None:
    """A family's options become the neutral message; None stays None."""
    options = spring_meadow_pb2.SpringMeadowOptions(expert=True)
    framed = options_message(options)
    assert framed is not None
    assert framed.spring_meadow.expert
    assert options_message(framed) is framed
    assert options_message(None) is None


def test_each_mutation_has_its_own_request_id() -> None:
    """No two requests share a request_id, which is a UUID as text."""
    made = [requests.undo("games/x", 1, 1, requests.Extras()).request_id for _ in range(50)]
    assert len(set(made)) == 50
    assert all(len(text) == 36 for text in made)


def test_values_of_a_newer_server_have_their_number_for_a_name() -> None:
    """An enum's value goes by its name, and one that this client does not know by its number."""
    assert value_name(common_pb2.SeatColour, common_pb2.SEAT_COLOUR_RED) == "RED"
    assert value_name(meadow_cards_pb2.MeadowDeck, 9_999) == "9999"
