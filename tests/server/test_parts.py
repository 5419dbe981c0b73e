"""The small parts: tokens, pages, configuration, errors, logs, limits."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from types import ModuleType

import pytest
import structlog
from google.rpc import error_details_pb2  # type: ignore[import-untyped]
from meadow_api.v1 import common_pb2
from meadow_engine import api
from meadow_server import errors
from meadow_server.config import Config, parse_config
from meadow_server.header import GameHeader, SeatPlan
from meadow_server.limits import Limits
from meadow_server.logs import configure_logs, hide_secrets
from meadow_server.paging import page_size, page_token, read_page_token
from meadow_server.tokens import Mint, Token
from meadow_server.wire.meadow import events as meadow_events
from meadow_server.wire.spring_meadow import events as spring_events

GAME = bytes(range(16))
MINT = Mint(b"k" * 32)


def test_tokens_say_what_they_were_made_of() -> None:
    """A token read by the key that made it says game, seat and generation; another key reads nothing."""
    seat = MINT.seat_token(GAME, 3, 2**32 - 1)
    assert MINT.read(seat) == Token(GAME, 3, 2**32 - 1)
    assert MINT.read(MINT.host_token(GAME, 7)) == Token(GAME, None, 7)
    assert Mint(b"o" * 32).read(seat) is None


def test_no_changed_token_is_read() -> None:
    """Whatever character of a token is changed, it is no token any more."""
    token = MINT.seat_token(GAME, 0, 0)
    for place, char in enumerate(token):
        for other in "Ab-_=\n":
            if other != char:
                assert MINT.read(token[:place] + other + token[place + 1 :]) is None
    for wrong in ("", token + "A", token[:-1], "ä" * len(token)):
        assert MINT.read(wrong) is None


def test_join_codes_are_for_people() -> None:
    """A code has three groups of four letters and digits that are not mixed up, and is found as people write it."""
    code = MINT.join_code(GAME)
    assert [len(group) for group in code.split("-")] == [4, 4, 4]
    assert not set(code) & set("01IO")
    assert MINT.join_hash(code) == MINT.join_hash(f" {code.lower().replace('-', '')} ")
    assert MINT.join_hash(code) != MINT.join_hash(MINT.join_code(bytes(16)))


def test_page_tokens_fit_their_list_alone() -> None:
    """A page token gives its cursor back for the same list, and is refused for another or when invented."""
    token = page_token(MINT, b"list", b"cursor")
    assert read_page_token(MINT, b"list", token) == b"cursor"
    assert read_page_token(MINT, b"list", "") is None
    for binding, text in ((b"other", token), (b"list", "AAAAAAAAAAAAAAAA"), (b"list", "?"), (b"lis", token)):
        with pytest.raises(errors.ApiError) as refusal:
            read_page_token(MINT, binding, text)
        assert refusal.value.reason == "BAD_PAGE_TOKEN"


def test_page_sizes_are_clamped() -> None:
    """Zero is the default, too much the maximum, a negative size an error."""
    assert [page_size(asked, 50, 1000) for asked in (0, 7, 5000)] == [50, 7, 1000]
    with pytest.raises(errors.ApiError):
        page_size(-1, 50, 1000)


def test_every_reason_has_a_code_and_every_code_a_published_reason() -> None:
    """The server's table and the published enum name the same reasons."""
    assert sorted(errors.CODE_OF_REASON) == sorted(errors.reason_names())


def test_every_engine_error_has_a_reason() -> None:
    """What the engine refuses to a player is told to them; what only a broken server meets is a fault."""
    known = {cls.code: cls for cls in _subclasses(api.EngineError)}
    faults = {code for code in known if errors.from_engine(_example(known[code])).reason == "INTERNAL_FAULT"}
    assert faults <= {"BAD_CHANCE", "BAD_NOTATION", "BAD_ENCODING", "BAD_CONTENT"}


def _subclasses(cls: type[api.EngineError]) -> Iterator[type[api.EngineError]]:
    for sub in cls.__subclasses__():
        yield sub
        yield from _subclasses(sub)


def _example(cls: type[api.EngineError]) -> api.EngineError:
    error = cls.__new__(cls)
    error.message, error.details = "message", {}
    return error


def test_details_stay_small() -> None:
    """However long the arguments of an error are, its status stays below four kilobytes, and keeps its reason."""
    error = errors.bad_field("x" * 5000, "y" * 5000)
    status = error.status()
    assert status.ByteSize() <= errors.MAX_DETAIL_BYTES
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    assert info.reason == "BAD_FIELD"


def test_a_detail_comes_once_of_each_kind() -> None:
    """A stale version carries its reason, its arguments as text, and one typed detail."""
    status = errors.stale_version(3, 5).status()
    assert [detail.TypeName() for detail in status.details] == [
        "google.rpc.ErrorInfo",
        common_pb2.StaleVersionDetail.DESCRIPTOR.full_name,
    ]


def test_defaults() -> None:
    """Without flags and variables the configuration is the documented one."""
    assert parse_config([], {}) == Config()


def test_flags_go_before_variables() -> None:
    """Every option has a flag and a variable, and the flag wins."""
    environ = {"MEADOW_LISTEN": "0.0.0.0:1", "MEADOW_PAGE_SIZE": "9", "MEADOW_REFLECTION": "no", "MEADOW_PACKS": "a:b"}
    config = parse_config(["--page-size", "8", "--journal", "x.db"], environ)
    assert (config.listen, config.journal, config.reflection) == ("0.0.0.0:1", Path("x.db"), False)
    assert config.limits.page_size == 8
    assert config.packs == tuple(Path(part) for part in "a:b".split(os.pathsep))


@pytest.mark.parametrize(
    "argv",
    [
        ["--listen", "nowhere"],
        ["--listen", "host:70000"],
        ["--page-size", "-1"],
        ["--page-size", "many"],
        ["--bot-processes", "0"],
        ["--log-level", "loud"],
        ["--unknown"],
    ],
)
def test_wrong_flags_are_refused(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A value that cannot be is refused with usage and exit code 2."""
    with pytest.raises(SystemExit) as end:
        parse_config(argv, {})
    assert end.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_help_lists_every_option_with_its_variable(capsys: pytest.CaptureFixture[str]) -> None:
    """--help names each limit and option, and the variable of each."""
    with pytest.raises(SystemExit):
        parse_config(["--help"], {})
    said = capsys.readouterr().out
    names = [f.name for f in fields(Limits)] + ["listen", "journal", "packs", "log_format", "log_level", "reflection"]
    for name in names:
        assert "--" + name.replace("_", "-") in said
        assert "MEADOW_" + name.upper() in said


def test_logs_are_json_lines_without_secrets(capsys: pytest.CaptureFixture[str]) -> None:
    """Each message is one JSON object, and a key that names a secret is blanked out."""
    configure_logs("json", "info")
    structlog.get_logger().info("hello", game="games/1", token="abc", seed=b"123")
    line = json.loads(capsys.readouterr().err)
    assert (line["event"], line["game"], line["level"]) == ("hello", "games/1", "info")
    assert (line["token"], line["seed"]) == ("(hidden)", "(hidden)")
    configure_logs("json", "error")
    structlog.get_logger().info("quiet")
    assert not capsys.readouterr().err
    assert hide_secrets(None, "", {"event": "x", "join_code": "y"})["join_code"] == "(hidden)"


def test_a_header_comes_back_from_its_bytes() -> None:
    """The configuration of a game is read from the journal as it was written, and never printed with its seed."""
    header = GameHeader(
        variant="spring_meadow",
        options={"expert": True, "faces": ["1A", "2B"], "first_seat": -1},
        seats=(SeatPlan("OPEN", "Ä", "RED"), SeatPlan("BOT", "", "TEAL", "greedy")),
        pack_hash=bytes(32),
        rules_revision=1,
        seed=bytes(range(32)),
        nonce=b"n" * 32,
        bot_seed=b"b" * 32,
        commitment=b"c" * 32,
        seeded=False,
        public=True,
        wait_for_start=False,
        display_name="x",
        time=5,
    )
    assert GameHeader.from_bytes(header.to_bytes()) == header
    assert bytes(range(32)).hex() not in repr(header)
    assert "\\x01\\x02\\x03" not in repr(header)


def event_classes(*modules: ModuleType) -> set[type]:
    """The events that some modules define, but for what is only a base of others."""
    bases = {api.Event, api.meadow_events.HiddenCardEvent}
    values = [value for module in modules for value in vars(module).values()]
    return {value for value in values if isinstance(value, type) and issubclass(value, api.Event)} - bases


def test_every_event_has_a_message() -> None:
    """Each event class of the engine is written, and nothing else is."""
    assert set(spring_events._WRITERS) == event_classes(api.spring_events)
    assert set(meadow_events._WRITERS) == event_classes(api.meadow_events, api.downstream_events)
