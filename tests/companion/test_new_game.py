"""docs/new-game.md is true: its example is built as a distribution of its own and played on a real core."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

PLAY = """
import random
from pathlib import Path
from companion.wire import announced
from companion.wire import words
from companion.journal.store import Journal
from companion.wire.messages import SeatInfo
from companion.core.session import Session

assert "pig" in announced.names(), announced.names()
seats = tuple(SeatInfo(seat=i, name=n) for i, n in enumerate(("Ada", "Ben")))
session = Session.start(Journal(Path({state!r})), "pig", {{}}, {{}}, seats)
chance = random.Random(1)
while not session.pack.over(session.state):
    ask = session.pack.ask(session.state)
    assert "rolls the die" in words.Words("en", {{0: "Ada", 1: "Ben"}}).say(ask.text)
    session.play(chance.choice(ask.choices).move, sender="display", cause="touch")
again = Session.resume(session.journal, session.game)
assert again.state == session.state
tally = session.pack.tally(session.state)
assert max(p.total for p in tally.players) >= 20
print("played", len(session.done))
"""


def test_the_example_of_the_guide_is_built_and_played(tmp_path: Path) -> None:
    """Somebody follows the page to the letter and has a game."""
    guide = (ROOT / "docs" / "new-game.md").read_text()
    blocks = dict(re.findall(r"```(python|po|toml)\n(.*?)```", guide, flags=re.S))
    assert blocks["python"].count("\n") <= 80
    source = tmp_path / "src"
    (source / "pig" / "words").mkdir(parents=True)
    (source / "pig" / "__init__.py").write_text(blocks["python"])
    for language in ("en", "pl", "fr"):
        (source / "pig" / "words" / f"{language}.po").write_text(blocks["po"])
    (source / "pyproject.toml").write_text(blocks["toml"])
    place = tmp_path / "installed"
    command = [
        sys.executable,
        "-m",
        "uv",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        str(place),
        str(source),
    ]
    built = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    assert built.returncode == 0, built.stderr
    environment = os.environ | {"PYTHONPATH": str(place)}
    code = PLAY.format(state=str(tmp_path / "state"))
    played = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert played.returncode == 0, played.stderr
    assert "played" in played.stdout
