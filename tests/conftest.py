"""What every test shares: hypothesis' profiles, the time limits of long tests, and what needs the source tree."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.source_tree import PACKAGES

# Tests start processes while channels are open. What gRPC would do around a fork can crash the child before its exec;
# it is read when gRPC is imported, which is later than this.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")

LONG_TEST_SECONDS = 3600
HAS_SOURCE_TREE = PACKAGES["meadow_engine"].is_dir()
ALL_ABOUT_THE_SOURCE = re.compile(r"^pytestmark = .*pytest\.mark\.source\b", re.MULTILINE)

# A loaded machine must not fail a test, so nothing has a deadline. The short profile draws the same examples each time:
# a failure in it belongs to the change at hand. The long one looks for new examples.
settings.register_profile(
    "short", deadline=None, derandomize=True, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "long", deadline=None, max_examples=1000, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave files that are all about the source tree unread where there is none: on an installed wheel."""
    if HAS_SOURCE_TREE or collection_path.suffix != ".py":
        return None
    return True if ALL_ABOUT_THE_SOURCE.search(collection_path.read_text(encoding="utf-8")) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give long tests that name no limit of their own an hour against hanging."""
    for item in items:
        if item.get_closest_marker("long") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(LONG_TEST_SECONDS))
