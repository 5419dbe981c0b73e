from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from meadow_engine.kernel import codec
from meadow_engine.kernel.errors import BadEncoding
from meadow_engine.kernel.records import (
    RECORD_CLASSES,
    Aborted,
    ActionsUndone,
    ActionTaken,
    ClockExpired,
    GameEnded,
    HostTokenReplaced,
    Record,
    SeatBot,
    SeatClaimed,
    SeatReleased,
    SeatResigned,
    Started,
    decode_record,
    encode_record,
)

seats = st.integers(0, 3)
records = st.one_of(
    st.builds(SeatClaimed, seats, st.text(max_size=40), st.text(max_size=10)),
    st.builds(SeatReleased, seats, st.integers(0, 9)),
    st.builds(SeatBot, seats, st.text(max_size=20), st.integers(0, 9)),
    st.builds(Started),
    st.builds(ActionTaken, seats, st.integers(0, 2000)),
    st.builds(ActionsUndone, seats, st.integers(1, 9)),
    st.builds(Aborted, st.text(max_size=80)),
    st.builds(HostTokenReplaced, st.integers(0, 9)),
    st.builds(SeatResigned, seats),
    st.builds(ClockExpired, seats),
    st.builds(GameEnded),
)

# A journal written today must be readable for ever: these bytes may not change.
WRITTEN = {
    b'{"$":"SeatClaimed","colour":"blue","display_name":"\\u00c9va","seat":1}': SeatClaimed(1, "Éva", "blue"),
    b'{"$":"SeatReleased","generation":2,"seat":1}': SeatReleased(1, 2),
    b'{"$":"SeatBot","bot":"greedy","generation":3,"seat":0}': SeatBot(0, "greedy", 3),
    b'{"$":"Started"}': Started(),
    b'{"$":"ActionTaken","action_id":744,"seat":2}': ActionTaken(2, 744),
    b'{"$":"ActionsUndone","count":2,"seat":2}': ActionsUndone(2, 2),
    b'{"$":"Aborted","reason":"host left"}': Aborted("host left"),
    b'{"$":"HostTokenReplaced","generation":1}': HostTokenReplaced(1),
    b'{"$":"SeatResigned","seat":1}': SeatResigned(1),
    b'{"$":"ClockExpired","seat":0}': ClockExpired(0),
    b'{"$":"GameEnded"}': GameEnded(),
}


@given(records)
def test_a_record_is_read_as_it_was_written(record: Record) -> None:
    """Names, reasons and numbers of any kind survive the journal."""
    assert decode_record(encode_record(record)) == record


@pytest.mark.parametrize(("data", "record"), WRITTEN.items(), ids=lambda value: type(value).__name__)
def test_the_written_form_of_each_record_is_fixed(data: bytes, record: Record) -> None:
    """A journal outlives versions of the engine, so each record has one written form that stays."""
    assert encode_record(record) == data
    assert decode_record(data) == record


@given(records)
def test_records_are_written_as_the_codec_has_them(record: Record) -> None:
    """The short way for actions gives the same bytes as the long way for all."""
    assert encode_record(record) == codec.encode(record)


def test_every_record_has_a_fixed_form() -> None:
    """No kind of record is missing above."""
    assert {type(record) for record in WRITTEN.values()} == set(RECORD_CLASSES.values())


@given(st.binary(max_size=80))
def test_bytes_that_are_no_record_are_refused(data: bytes) -> None:
    """Whatever lies in a damaged journal is refused as BadEncoding and nothing else."""
    with suppress(BadEncoding):
        decode_record(data)


@pytest.mark.parametrize(
    "plain",
    [
        None,
        {},
        {"$": "Record"},
        {"$": "GameOver"},
        {"$": "Started", "seat": 0},
        {"$": "ActionTaken", "seat": 0},
        {"$": "ActionTaken", "seat": "0", "action_id": 1},
        {"$": "ActionTaken", "seat": True, "action_id": 1},
    ],
)
def test_a_record_with_other_fields_is_refused(plain: object) -> None:
    """Unknown kinds, missing or surplus fields and values of another type are no records."""
    with pytest.raises(BadEncoding):
        decode_record(json.dumps(plain).encode())
