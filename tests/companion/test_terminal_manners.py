"""What people read in the terminal: one line when words do not fit, verbs by task, no other program's talk."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from companion.cli import app
from companion.machine.supervisor import Child
from companion.virtual import demo
from companion.virtual.ports import claimed_ports
from companion.wire.config import BrokerConfig, WebConfig
from companion.wire.messages import State
from tests.conftest import PATIENCE, Place
from vision.terminal import read


@pytest.mark.parametrize("words", [("demo", "--players", "x"), ("tally",), ("nope",), ("run", "--set", "nope")])
def test_words_that_do_not_fit_are_answered_in_one_line(place: Place, words: tuple[str, ...]) -> None:
    """Newcomer E9: what is wrong and where to read more, and nothing else."""
    done = place.python("companion.cli", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith("--help\n")


def test_the_list_of_verbs_begins_with_playing_and_cuts_no_sentence(place: Place) -> None:
    """Newcomer E9: by what somebody wants to do; every verb is in it."""
    said = place.python("companion.cli", "--help").stdout
    verbs = [line.split()[0] for line in said.splitlines() if line.startswith("  ") and line[2] not in " -"]
    assert verbs[1:3] == ["demo", "run"]
    assert {"backup", "tally", "mat", "history"} <= set(verbs)
    assert "…" not in said.replace("PHOTO…", "")
    assert "[]" not in said


def test_nothing_asked_is_answered_with_the_list(place: Place) -> None:
    """As a list, not as a line of an error."""
    done = place.python("companion.cli")
    assert done.returncode == 2
    assert "\n  demo" in done.stdout + done.stderr


def test_another_programs_talk_is_not_passed_on(capfd: pytest.CaptureFixture[str]) -> None:
    """Newcomer E7: a broker started by root warns those who did not start it; what else it says is heard."""
    says = "import sys; sys.stderr.write('Mosquitto should not be run as root\\nError: no port\\n')"
    child = Child("talker", [sys.executable, "-c", says], {}, unsaid=("should not be run as root",))
    child.start()
    assert child.process is not None
    child.process.wait(PATIENCE)
    child.pass_on()
    child.ears.close()
    assert capfd.readouterr().err == "Error: no port\n"


def test_without_a_screen_the_terminal_hears_a_line_a_round(capsys: pytest.CaptureFixture[str]) -> None:
    """Newcomer E7: who has how many points, once a round."""

    class Ears:
        state: State | None = None

    class Stand:
        people = type("People", (), {"ears": Ears()})()

    attend = demo.round_by_round(Stand())  # type: ignore[arg-type]
    attend()
    for seq, number in ((1, 1), (2, 1), (3, 2)):
        shown = msgspec.Raw(msgspec.json.encode({"round": number, "players": [{"name": "Ada", "points": seq}]}))
        Ears.state = State(table="t", phase="playing", seq=seq, view=shown)
        attend()
    assert capsys.readouterr().err == "Round 1: Ada 1\nRound 2: Ada 3\n"


def test_a_demo_is_nobodys_table() -> None:
    """Newcomer E8: it listens elsewhere, so `run`, `check` and `calibrate` beside it meet no broker that refuses them."""
    with claimed_ports() as ports:
        taken = {int(port) for port in ports.values()}
    assert not taken & {WebConfig().port, BrokerConfig().port, BrokerConfig().websocket_port}


@pytest.mark.parametrize("screen", [":9", ""])
def test_a_demo_that_was_watched_ends_with_one_line(monkeypatch: pytest.MonkeyPatch, screen: str) -> None:
    """Newcomer E2: also after whole games; the report is for whoever watched none."""
    done = demo.Result(game="skytopia", players=2, seed=1, equal=True)
    monkeypatch.setattr(demo, "run", lambda *what, **more: done)
    monkeypatch.setenv("DISPLAY", screen)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("TABLESIDE_PRINT_JOIN", "")
    said = CliRunner().invoke(app, ["demo"])
    assert said.exit_code == 0
    assert ("The demo has ended." in said.stderr) is bool(screen)
    assert ("equal" in said.stdout) is not bool(screen)


def test_small_words_of_the_terminal(place: Place, tmp_path: Path) -> None:
    """Newcomer E10: a folder that is not there is not made; an empty list of cards says what to do."""
    done = place.python("companion.cli", "backup", "-o", str(tmp_path / "nowhere" / "x.zip"))
    assert done.returncode == 1
    assert "there is no folder" in done.stderr
    assert not (tmp_path / "nowhere").exists()
    listed = subprocess.run(
        [sys.executable, "-m", "vision", "cards", "list"],
        env=place.full_environment, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert listed.stdout == ""
    assert "cards teach" in listed.stderr
    die = {"x": 10.0, "y": 20.0, "w": 8.0, "h": 4.0, "value": 5, "colour": "red", "confidence": 0.99}
    assert read._told(die) == "5 red (99%) at 14,22"
    assert read._told(die | {"value": None, "colour": None}) == "? (99%) at 14,22"
