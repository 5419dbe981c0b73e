"""Runs tests in a process of their own with a mutant in place of a function, and tells whether one noticed."""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from types import FunctionType

from tests.mutation.mutants import Mutant

SECONDS = 40
"""A mutant that computes longer has lost its way: a loop without an end. Time that others use is not counted."""
BYTES = 2 << 30
SURVIVED, NOTICED = 0, 1

Test = Callable[[], None]


def rule_test(folder: str, name: str) -> Test:
    """The test function `file::function` of a folder of tests; it takes no arguments."""
    file, _, function = name.partition("::")
    found: Test = getattr(import_module(f"tests.{folder}.{file.removesuffix('.py')}"), function)
    return found


def all_tests(folder: str, file: str) -> list[Test]:
    """All tests of a file that take no arguments."""
    module = import_module(f"tests.{folder}.{file.removesuffix('.py')}")
    return [test for name, test in vars(module).items() if name.startswith("test_") and not test.__code__.co_argcount]


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
