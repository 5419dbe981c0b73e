"""A copy of the content pack that no tuning touches, for tests that write down whole games."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from meadow_engine import api

FOLDER = Path(__file__).with_name("frozen_pack")


@cache
def frozen_pack() -> api.Pack:
    """The content pack as it was on the day it was frozen."""
    return api.load_pack(FOLDER)
