"""docs/new-game.md is true: its game is built as a distribution of its own and played to its end by phones on a running table."""

from __future__ import annotations

import json
import os
import random
import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.game import Ask, Game
from companion.virtual.seat import join
from companion.wire.messages import Answer, DieSeen, JoinInfo, MarketSeen, SlotSeen, State
from companion.wire.room import connection
from tests.conftest import DEALT, PATIENCE, ROOT, Client, Place, Run
from tests.distributions import install
from tests.views import view_of

GUIDE = ROOT / "docs" / "new-game.md"


STEPS = {"1": 30, "2": 60, "3": 100}
"""The steps of the page, and the most lines the game has in each."""


def pages_files(step: str) -> dict[str, str]:
    """The files the page tells one to save, as it names them, for whoever has come to this step."""
    until = GUIDE.read_text().partition(f"## {int(step) + 1}. ")[0]
    return dict(re.findall(r"[Ss]ave\s+this as `([^`]+)`.*?```\w+\n(.*?)```", until, flags=re.DOTALL))


@pytest.fixture(params=STEPS)
def pig(request: pytest.FixtureRequest, tmp_path: Path, place: Place) -> Iterator[Run]:
    """Somebody has followed the page to the letter up to a step, and started the table."""
    for name, text in pages_files(request.param).items():
        path = tmp_path / "source" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    install(tmp_path / "source", tmp_path / "installed")
    place.environment["PYTHONPATH"] = os.pathsep.join(map(str, (tmp_path / "installed", DEALT)))
    run = Run(place, "--without", "vision,display,firmware_bridge").start()
    try:
        yield run
    finally:
        run.stop()


class Phone:
    """A phone at the table, which taps one of the choices it is offered."""

    def __init__(self, screen: Client, run: Run, seat: int) -> None:
        shown: JoinInfo = screen.until(lambda: screen.last(JoinInfo), what="a code to join with")
        self.screen, self.voice = screen, join(run.place.config(), shown.code, seat, f"Player {seat}")
        screen.until(lambda: screen.last(JoinInfo).code != shown.code, what="the next code")

    def tap(self, ask: Ask, seq: int, chance: random.Random) -> None:
        name = self.voice.move(chance.choice(ask.choices).move, seq=seq)

        def answered() -> Answer | None:
            self.voice.bus.pump(0.01)
            return self.voice.answers.get(name)

        answer = self.screen.until(answered, what="an answer to the tap")
        assert answer.ok, answer


def a_die_is_seen(pig: Run, screen: Client) -> None:
    """The camera's room says that the tray is empty, then that a four lies in it: that is the first roll."""
    eye = connection(pig.place.config(), "vision")
    eye.start()
    screen.until(lambda: eye.connected, what="the camera's line")
    four = DieSeen(owner="", owner_share=1.0, faces=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0), x=0.5, y=0.5)
    for ts, dice in ((1.0, ()), (2.0, (four,))):
        eye.publish("sensor/market", MarketSeen(state="ready", ts=ts, slots=(SlotSeen(slot="tray", dice=dice),)))
    screen.until(lambda: view_of(screen.last(State))["players"][0]["points"] == 4, what="the roll that was seen")
    eye.publish("sensor/market", MarketSeen(state="no camera", ts=3.0))
    eye.stop()


def test_the_game_of_the_guide_is_played_to_its_end_by_phones(pig: Run) -> None:
    """Installed as the page says, on the set-up screen, two phones take their seats, and the tally stands on every screen."""
    screen, chance = pig.client(), random.Random(1)
    core = pig.children()["companion"]
    screen.until(lambda: screen.last(State), 20, "a core that listens")
    assert "pig" in screen.last(State).games
    assert screen.last(State).notices == ()
    with urllib.request.urlopen(
        f"http://127.0.0.1:{pig.place.config().web.port}/words/fr.json", timeout=PATIENCE
    ) as page:
        assert json.loads(page.read())["pig/ask"] == ["{name} rolls the die"]
    screen.new_game("pig")
    phones = [Phone(screen, pig, seat) for seat in (0, 1)]
    if screen.last(State).mat is not None:
        a_die_is_seen(pig, screen)
    try:
        for _ in range(80):
            state: State = screen.last(State)
            if state.phase == "over":
                break
            assert state.prompt is not None
            ask = state.prompt.ask
            assert ask is not None
            assert ask.seat is not None
            phones[ask.seat].tap(ask, state.seq, chance)
            screen.until(lambda before=state.seq: screen.last(State).seq > before, what="the point on the screen")
        state = screen.last(State)
        assert state.phase == "over"
        assert state.tally is not None
        assert max(player.total for player in state.tally.players) >= 20
        assert [player["points"] for player in view_of(state)["players"]] == [one.total for one in state.tally.players]
        assert pig.children()["companion"] == core
    finally:
        for phone in phones:
            phone.voice.bus.stop()


def test_the_guide_tells_of_every_hook_and_its_game_is_short() -> None:
    """Whoever reads the page has read all that can be asked of a game."""
    guide = GUIDE.read_text()
    hooks = {name for name in (*Game.__annotations__, *vars(Game)) if not name.startswith("_")}
    assert [name for name in sorted(hooks) if not re.search(rf"`{name}[`(]", guide)] == []
    for step, lines in STEPS.items():
        files = pages_files(step)
        assert set(files) == {"pig/__init__.py", "pig/words/en.po", "pyproject.toml"}
        assert files["pig/__init__.py"].count("\n") <= lines
        assert ("def panels" in files["pig/__init__.py"]) == (step > "1")
        assert ("def seen" in files["pig/__init__.py"]) == (step > "2")
