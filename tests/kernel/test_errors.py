from __future__ import annotations

import re

import pytest
from meadow_engine import api
from meadow_engine.kernel.errors import EngineError, IllegalAction


def every_error() -> list[type[EngineError]]:
    """All errors of the engine, whatever module they are in."""
    found, rest = [], [EngineError]
    while rest:
        subclasses = rest.pop().__subclasses__()
        found += subclasses
        rest += subclasses
    return found


def test_each_error_has_a_stable_code_of_its_own() -> None:
    """Codes are part of the public contract: upper-case words, one error each."""
    codes = [error.code for error in every_error()]
    assert all(re.fullmatch(r"[A-Z]+(_[A-Z]+)*", code) for code in codes)
    assert len(set(codes)) == len(codes)
    assert EngineError.code not in codes


@pytest.mark.parametrize("error", every_error(), ids=lambda error: error.code)
def test_each_error_can_be_caught_by_name_at_the_door(error: type[EngineError]) -> None:
    """Whoever uses `meadow_engine.api` finds every error there."""
    assert getattr(api, error.__name__) is error


def test_details_are_plain_text_in_the_order_given() -> None:
    """What a user interface needs for its own message comes as strings."""
    error = IllegalAction("RULE", "in words", row=3, column=True, name="x")
    assert list(error.details.items()) == [("row", "3"), ("column", "True"), ("name", "x")]
    assert (error.rule, error.message, str(error)) == ("RULE", "in words", "in words")
