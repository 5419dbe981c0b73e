"""`python -m bench`, also as `python bench`: the package is found either way."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.main import main

sys.exit(main(sys.argv[1:]))
