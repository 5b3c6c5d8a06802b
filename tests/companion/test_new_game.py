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
from companion.wire.messages import Answer, JoinInfo, State
from tests.conftest import DEALT, ROOT, Client, Place, Run
from tests.distributions import install
from tests.views import view_of

GUIDE = ROOT / "docs" / "new-game.md"


def pages_files() -> dict[str, str]:
    """The files the page tells one to save, as it names them."""
    return dict(re.findall(r"[Ss]ave this as `([^`]+)`.*?```\w+\n(.*?)```", GUIDE.read_text(), flags=re.DOTALL))


@pytest.fixture
def pig(tmp_path: Path, place: Place) -> Iterator[Run]:
    """Somebody has followed the page to the letter and started the table."""
    for name, text in pages_files().items():
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


def test_the_game_of_the_guide_is_played_to_its_end_by_phones(pig: Run) -> None:
    """Installed as the page says, on the set-up screen, two phones take their seats, and the tally stands on every screen."""
    screen, chance = pig.client(), random.Random(1)
    core = pig.children()["companion"]
    screen.until(lambda: screen.last(State), 20, "a core that listens")
    assert "pig" in screen.last(State).games
    assert screen.last(State).notices == ()
    with urllib.request.urlopen(f"http://127.0.0.1:{pig.place.config().web.port}/words/fr.json", timeout=10) as page:
        assert json.loads(page.read())["pig/roll"] == ["{name} rolls the die"]
    screen.new_game("pig")
    phones = [Phone(screen, pig, seat) for seat in (0, 1)]
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
    assert set(pages_files()) == {"pig/__init__.py", "pig/words/en.po", "pyproject.toml"}
    assert pages_files()["pig/__init__.py"].count("\n") <= 80
