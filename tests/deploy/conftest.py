from __future__ import annotations

import pytest
from meadow_server.logs import configure_logs


@pytest.fixture(autouse=True)
def _quiet_logs() -> None:
    configure_logs("json", "error")
