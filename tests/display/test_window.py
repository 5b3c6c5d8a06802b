"""A real window on a real X server, driven by real clicks, against the real table."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benches import samples
from companion.wire.messages import JoinInfo, State
from display.scenes.welcome import STEPS
from tests.conftest import PATIENCE, Place, Run, until
from tests.display.robot import Robot, worth
from tests.display.xhand import Hand, XServer
from tests.views import view_of

SIZE = (800, 480)


@pytest.fixture
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[XServer]:
    server = XServer(*SIZE, tmp_path_factory.mktemp("screen"))
    yield server
    server.stop()


@pytest.fixture
def robot(place: Place, screen: XServer, request: pytest.FixtureRequest) -> Iterator[Robot]:
    """`tableside run` with its screen on the X server, and somebody in front of it."""
    place.environment |= {
        "TABLESIDE_DISPLAY_WELCOMED": str(getattr(request, "param", "true")),
        "DISPLAY": screen.name,
        "TABLESIDE_DISPLAY_DRIVER": "x11",
        "TABLESIDE_DISPLAY_WIDTH": str(SIZE[0]),
        "TABLESIDE_DISPLAY_HEIGHT": str(SIZE[1]),
        "TABLESIDE_DISPLAY_REDUCED_MOTION": "true",
    }
    run = Run(place, "--without", "vision,firmware_bridge")
    try:
        run.start()
        hand = Hand(screen.name)
        player = Robot(place.config(), hand, screen)
        player.until(lambda: player.client.last(State))
        until(lambda: b"display is ready" in run.log.read_bytes(), 20, run.log.read_text())
        yield player
        player.client.bus.stop()
        hand.close()
    finally:
        ended = run.stop()
    assert ended == 0, run.log.read_text()


def test_a_score_pad_is_played_by_touch(robot: Robot) -> None:
    """From the set-up to the tally: steps, a held key, undo, the end."""
    robot.click("game-scorepad")
    robot.click("start")
    robot.until(lambda: robot.state.game == "scorepad")
    robot.local = {}
    for name in ("p0+5", "p0+1", "p1+10", "p1-1"):
        robot.click(name)
    seq = robot.state.seq
    robot.click("form-send")
    robot.answered(seq)
    points = [player["points"] for player in view_of(robot.state)["players"]]
    assert points == [6, 9]
    seq = robot.state.seq
    robot.click("undo")
    robot.answered(seq)
    assert [player["points"] for player in view_of(robot.state)["players"]] == [0, 0]
    robot.click("p1+5")
    seq = robot.state.seq
    robot.click("form-send")
    robot.answered(seq)
    robot.click("end")
    robot.until(lambda: robot.state.phase == "over")
    assert robot.state.tally is not None
    assert robot.state.tally.winners == (1,)


def test_a_whole_skytopia_game_is_played_by_touch(robot: Robot) -> None:
    """Two players, from the set-up to the tally, nothing but clicks."""
    robot.click("game-skytopia")
    robot.click("start")
    robot.until(lambda: robot.state.game == "skytopia")
    robot.local = {}
    for _ in range(600):
        if robot.state.phase != "playing":
            break
        ask = robot.ask
        assert ask is not None
        possible = [choice for choice in ask.choices if choice.off is None]
        assert possible, ask
        best = min(possible, key=worth)
        seq = robot.state.seq
        robot.choose(best.id, best.group)
        robot.answered(seq)
    assert robot.state.phase == "over"
    tally = robot.state.tally
    assert tally is not None
    assert tally.winners
    assert [p.total for p in tally.players] == [sum(line.points for line in p.lines) for p in tally.players]
    assert robot.clicks > 100
    robot.click("cell 0 0")
    robot.click("next-game")
    robot.until(lambda: robot.state.phase == "lobby")


@pytest.mark.parametrize("robot", ["false"], indirect=True)
def test_a_new_machine_is_taken_through_the_first_steps(robot: Robot, place: Place) -> None:
    """All six by real clicks, the box on the way; afterwards the set-up, and it is remembered."""
    robot.local = {"scene": "welcome"}
    robot.join = JoinInfo(url="http://here/#code", code="ABCDEF")
    robot.settings |= {"vision": "none", "firmware_bridge": "none"} | samples.settings()
    for step in STEPS[1:]:
        robot.click("welcome-on")
        assert robot.local["welcome-step"] == step
    robot.click("welcome-on")
    robot.local = {}
    kept = place.root / "state" / "settings.toml"
    robot.until(lambda: kept.exists() and "welcomed = true" in kept.read_text())
    robot.click("game-scorepad")
    robot.click("start")
    robot.until(lambda: robot.state.game == "scorepad")


def test_without_any_screen_it_says_so_and_stays(place: Place, tmp_path: Path) -> None:
    """No X server, no panel: one clear line, and the process goes on."""
    environment = {k: v for k, v in place.full_environment.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment |= {"TABLESIDE_DISPLAY_DRIVER": "x11", "DISPLAY": ":9999"}
    log = tmp_path / "display.log"
    with log.open("wb") as out:
        process = subprocess.Popen([sys.executable, "-m", "display"], env=environment, stdout=out, stderr=out)
    try:
        until(lambda: b"no screen here" in log.read_bytes(), 20, log.read_text())
        assert process.poll() is None
    finally:
        process.terminate()
        assert process.wait(PATIENCE) == 0
