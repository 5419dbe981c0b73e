"""`python -m meadow_server`: the same as `meadow serve`."""

from __future__ import annotations

import sys

from meadow_server.config import parse_config
from meadow_server.main import serve

sys.exit(serve(parse_config()))
