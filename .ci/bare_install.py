"""Plays a seeded game on the bare wheel, and asks the command line for help it cannot give without its extra."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata
from pathlib import Path

started_with = set(sys.modules)  # with what the environment itself loads at start

from meadow_engine import api  # noqa: E402

game = api.new_game("spring_meadow", seats=2, seed=1, options=None)
actions = 0
while not game.is_over:
    game.apply(game.legal_ids()[0])
    actions += 1
print(f"meadow-engine {metadata.version('meadow-engine')}: played {actions} actions to the end, {game.returns()}")

foreign = sorted(
    name
    for name in sys.modules.keys() - started_with
    if "site-packages" in (getattr(sys.modules[name], "__file__", None) or "") and not name.startswith("meadow_engine")
)
assert not foreign, f"the engine has loaded {foreign}"

meadow = Path(sys.executable).parent / "meadow"
answer = subprocess.run([meadow, "--help"], capture_output=True, text=True, check=False)
assert answer.returncode != 0, "without the client extra the command line cannot run"
assert "meadow-engine[client]" in answer.stderr, f"it must name the missing extra, not: {answer.stderr}"
assert "Traceback" not in answer.stderr, answer.stderr
print(answer.stderr.strip())
