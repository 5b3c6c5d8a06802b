"""The monkey finds what can stop a table, says how to see it again, and finds nothing in the games of the house."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from companion import monkey
from companion.cli import app
from companion.core import registry
from companion.core.guard import Guarded
from companion.game import Ask, Outcome, Text
from companion.monkey.strangers import Fickle
from tests.companion.toy import State, Toy, ToyView

Play = Callable[[Toy], monkey.Report]


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Play:
    """Ten games of a pack that is not installed."""

    def play(toy: Toy) -> monkey.Report:
        pack = Guarded("toy", lambda: toy)
        monkeypatch.setattr(registry, "usable", lambda: {"toy": pack})
        monkeypatch.setattr(registry, "pack", lambda name: pack)
        monkeypatch.setattr("companion.core.session.find_pack", lambda name: pack)
        monkeypatch.setattr("companion.journal.recorded.find_pack", lambda name: pack)
        return monkey.run(["toy"], 10, 1)

    return play


def test_a_game_that_holds_is_played_without_a_fault(played: Play) -> None:
    """Ten games, some hundred moves asked for, nothing found."""
    figures = played(Toy()).figures()
    assert figures["games"] == 10
    assert figures["moves"] > 100
    assert (figures["exits"], figures["stuck"], figures["differs"]) == (0, 0, 0)


def test_a_robot_that_thinks_for_ever_leaves_everybody_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chairs of the monkey's tables have robots, and what is shown for them is looked at after each step."""
    monkeypatch.setattr(Fickle, "ask", lambda *question, **more: None)
    stuck = [fault for fault in monkey.run(["skytopia"], 6, 1).faults if fault.where == "robot"]
    assert stuck
    assert {fault.kind for fault in stuck} == {"stuck"}


def test_a_pack_that_fails_at_a_reading_is_found(played: Play) -> None:
    """Camera and dial of the monkey's tables see something now and then."""

    class Blinded(Toy):
        def expect(self, state: State) -> Any:
            raise KeyError("what lies there") if state.dial == 2 else None

    assert played(Blinded()).count("exits") == 10


def test_a_pack_that_raises_in_a_view_would_have_ended_the_core(played: Play) -> None:
    """The exception is named with its place, and with the shortest way there."""

    class Raises(Toy):
        def view(self, state: State, seat: int | None) -> ToyView:
            return {}[state.dial] if state.dial == 3 else super().view(state, seat)

    report = played(Raises())
    assert report.count("exits") == 10
    story = report.stories()[0]
    assert "KeyError" in story.what
    assert story.step == min(fault.step for fault in report.faults)
    assert story.command == f"tableside monkey toy --seed 1 --from {story.number} --games 1 --story"
    assert story.command in monkey.told(report)


def test_a_player_who_is_asked_and_has_no_answer_is_stuck(played: Play) -> None:
    """A prompt without a choice, while the game goes on."""

    class Silent(Toy):
        def ask(self, state: State) -> Ask:
            return super().ask(state) if state.dial != 2 else Ask(state.turn, Text("toy/place"))

        def moves(self, state: State) -> Any:
            return super().moves(state) if state.dial != 2 else ()

    report = played(Silent())
    assert report.count("stuck") == 10
    assert "seat 0 is asked toy/place and has no answer" in report.stories()[0].what


def test_a_game_without_end_is_stuck(played: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever only answers must come to the end."""

    class Endless(Toy):
        def play(self, state: State, move: Any) -> Outcome:
            outcome = super().play(state, move)
            return msgspec.structs.replace(outcome, state=msgspec.structs.replace(outcome.state, ended=False))

    monkeypatch.setattr("companion.monkey.evening.PLAYFUL", 5)
    monkeypatch.setattr("companion.monkey.evening.MOST_ANSWERS", 30)
    assert played(Endless()).count("stuck") == 10


def test_a_pack_that_plays_the_same_move_differently_differs(played: Play) -> None:
    """What the journal holds must lead to the same position, whoever tells it."""

    class Moody(Toy):
        asked = 0

        def play(self, state: State, move: Any) -> Outcome:
            self.asked += 1
            outcome = super().play(state, move)
            points = (outcome.state.points[0] + self.asked, *outcome.state.points[1:])
            return msgspec.structs.replace(outcome, state=msgspec.structs.replace(outcome.state, points=points))

    report = played(Moody())
    assert report.count("differs") == 10
    assert report.stories()[0].what == "the moves written down lead to another position"


@pytest.mark.parametrize("game", registry.names())
def test_the_games_of_the_house_hold(game: str) -> None:
    """A few whole games of each: nothing ends the core, nobody is stuck, the journal tells the same. More in `make soak`."""
    report = monkey.run([game], 2, seed=5)
    assert not report.faults, monkey.told(report)


def test_the_same_seed_plays_the_same_games_in_every_process() -> None:
    """Nothing hangs on the order of a set, on the clock or on the machine's own chance."""
    script = "from companion import monkey; monkey.play('skyrise', 2, 1, print)"
    told = {
        subprocess.run([sys.executable, "-c", script], env={"PYTHONHASHSEED": seed}, stdout=-1, check=True).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1
    assert len(told.pop().splitlines()) > 20


def test_the_command_answers_in_json_with_progress_beside_it() -> None:
    """`tableside monkey scorepad --games 3 --json`: five figures on stdout."""
    answer = CliRunner().invoke(app, ["monkey", "scorepad", "--games", "3", "--seed", "2", "--json"])
    assert answer.exit_code == 0
    figures = json.loads(answer.stdout)
    assert list(figures) == ["games", "moves", "exits", "stuck", "differs"]
    assert figures["games"] == 3


def test_an_unknown_game_is_one_clear_line() -> None:
    """The known ones are named."""
    answer = CliRunner().invoke(app, ["monkey", "chess"])
    assert answer.exit_code == 1
    assert "There is no game called 'chess'" in answer.stderr
