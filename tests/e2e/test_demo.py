"""The whole table in one command: closed loop, mistakes put right, and negative controls that must fail (docs/design.md §7)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Place

pytestmark = pytest.mark.timeout(1000)
RUN = """
import json, sys
from companion.virtual import demo
arguments = json.loads(sys.argv[1])
result = demo.run(**arguments)
print(json.dumps(demo.report(result) | {"passed": demo.passed(result)}))
"""


def play(place: Place, **arguments: Any) -> dict[str, Any]:
    """One demo in a process of its own, without a screen."""
    wanted = {"game": "skytopia", "players": 2, "seed": 1, "fast": True, "headless": True} | arguments
    environment = {
        k: v for k, v in place.full_environment.items() if k not in ("TABLESIDE_STATE_DIR", "TABLESIDE_PRINT_JOIN")
    }
    done = subprocess.run(
        [sys.executable, "-c", RUN, json.dumps(wanted)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.stdout, done.stderr[-3000:]
    report: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return report


@pytest.mark.long(50)
def test_camera_dial_and_phones_carry_the_game(place: Place) -> None:
    """A whole game: bots decide, hands move pieces, the core follows; nothing is read wrongly, little has to be asked."""
    report = play(place)
    assert report["passed"], json.dumps(report)
    assert report["seen"] > 100
    assert report["questions"] <= 0.05 * report["moves"], report


@pytest.mark.long(78)
def test_mistakes_of_hands_are_put_right(place: Place) -> None:
    """A whole game in which hands err: wrong face, wrong card, a die knocked over, the dial forgotten or turned twice."""
    report = play(place, seed=3, mistakes=0.05)
    assert report["passed"], json.dumps(report)
    assert report["mistakes"] > 1
    assert report["corrections"] == report["mistakes"]
    assert report["questions"] <= 0.05 * report["moves"], report


@pytest.mark.long(20)
def test_a_covered_lens_commits_nothing(place: Place) -> None:
    """Negative control: with a cap on the lens no card is ever seen; people say everything, and nothing is wrong."""
    report = play(place, light={"covered": True}, limit=8)
    assert report["seen"] == 0, report
    assert report["misreads"] == 0, report
    assert report["touched"] == 8, report


@pytest.mark.long(25)
def test_a_renderer_that_swaps_two_faces_is_found_out(place: Place) -> None:
    """Negative control: what the core believes comes from the picture, so a lying picture must show."""
    report = play(place, light={"swap": [2, 5]}, limit=24)
    assert report["misreads"] + report["touched"] > 1, report


@pytest.mark.long(20)
@pytest.mark.parametrize(
    ("game", "players", "bot"), [("praga", 2, "random"), ("skyrise", 3, "random"), ("scorepad", 2, "")]
)
def test_the_other_games_are_played_too(place: Place, game: str, players: int, bot: str) -> None:
    """Praga by its wheel, Skyrise on phones alone, the score pad without any rules to win by."""
    report = play(place, game=game, players=players, bot=bot, camera=False)
    assert report["passed"], json.dumps(report)
    if game == "praga":
        assert report["seen"] >= 32


@pytest.mark.long(30)
def test_the_camera_sees_the_bids_and_who_won(place: Place) -> None:
    """Skyrise: bids come and go on the islands, and only the numbers are told."""
    report = play(place, game="skyrise", players=3, limit=30)
    assert report["seen"] >= 8, report
    assert (report["misreads"], report["moves"]) == (0, 30), report
    assert report["questions"] <= 1, report


def test_the_command_writes_its_report_and_exits_zero(place: Place, tmp_path: Path) -> None:
    """The contract of `tableside demo`."""
    target = tmp_path / "report.json"
    command = [
        sys.executable,
        "-m",
        "companion.cli",
        "demo",
        "--game",
        "scorepad",
        "--players",
        "2",
        "--fast",
        "--headless",
    ]
    environment = {k: v for k, v in place.full_environment.items() if k != "TABLESIDE_STATE_DIR"}
    done = subprocess.run(
        [*command, "--bot", "random", "--report", str(target)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    wanted = {
        "game",
        "players",
        "seed",
        "truth",
        "companion",
        "equal",
        "frames",
        "misreads",
        "questions",
        "corrections",
        "seconds",
    }
    assert wanted <= set(json.loads(target.read_text()))
