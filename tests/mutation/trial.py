"""Runs tests in a process of their own with a mutant in place of a function, and tells whether one noticed."""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from types import FunctionType
from typing import Any

from tests.mutation.mutants import Mutant

SECONDS = 40
"""A mutant that computes longer has lost its way: a loop without an end. Time that others use is not counted."""
BYTES = 2 << 30
SURVIVED, NOTICED = 0, 1

Test = Callable[[], None]


def rule_test(folder: str, name: str) -> list[Test]:
    """The test function `file::function` of a folder of tests, once for each of its parameter sets."""
    file, _, function = name.partition("::")
    return _calls(getattr(import_module(f"tests.{folder}.{file.removesuffix('.py')}"), function))


def all_tests(folder: str, file: str) -> list[Test]:
    """All tests of a file that need no fixture."""
    module = import_module(f"tests.{folder}.{file.removesuffix('.py')}")
    return [call for name, test in vars(module).items() if name.startswith("test_") for call in _calls(test)]


def _calls(test: FunctionType) -> list[Test]:
    """The calls of a test that pytest would make; none if it needs a fixture."""
    sets: list[dict[str, Any]] = [{}]
    for mark in getattr(test, "pytestmark", ()):
        if mark.name == "parametrize":
            names, values = mark.args
            names = names.split(",") if isinstance(names, str) else names
            rows = [value if len(names) > 1 else (value,) for value in values]
            sets = [{**one, **dict(zip(names, row, strict=True))} for one in sets for row in rows]
    return [
        partial(test, **one) for one in sets if len(one) == test.__code__.co_argcount + test.__code__.co_kwonlyargcount
    ]


def notices(tests: Sequence[Test], function: FunctionType, mutant: Mutant) -> bool:
    """Whether any of these tests fails, crashes or hangs once the mutant is in place."""
    child = os.fork()
    if child == 0:
        os._exit(_try_out(tests, function, mutant))
    _, status = os.waitpid(child, 0)
    return status != SURVIVED


def _try_out(tests: Sequence[Test], function: FunctionType, mutant: Mutant) -> int:
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    function.__code__ = mutant.code
    forget()
    try:
        for test in tests:
            test()
    except BaseException:  # noqa: BLE001 - whatever went wrong, the mutant was noticed
        return NOTICED
    return SURVIVED


def forget() -> None:
    """Empty every cache of engine and tests: it may hold what the function gave before."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("meadow_engine", "tests")):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
