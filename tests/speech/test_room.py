"""The room: says what is asked, in the language and as much as the screen's settings say, and hears no secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.machine.broker import RIGHTS
from companion.wire.config import Config, DisplayConfig, TableConfig
from companion.wire.memory import MemoryBroker
from companion.wire.messages import Answer
from speech.room import Speaker
from speech.voice import Voice
from tests.companion.desk import Desk
from tests.conftest import Place, Run, until


class Ear(Voice):
    """Notes what would be said."""

    def __init__(self) -> None:
        super().__init__("/bin/true")
        self.loud: list[str] = []

    def _begin(self, text: str, language: str) -> None:
        self.loud.append(f"{language}: {text}")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path, MemoryBroker())


def listener(desk: Desk, level: str, language: str = "en") -> tuple[Ear, Speaker]:
    config = Config(
        table=TableConfig(id="table", language=language),
        display=DisplayConfig(speech=level),  # type: ignore[arg-type]
        state_dir=desk.directory,
    )
    bus, ear = desk.broker.bus("speech"), Ear()
    speaker = Speaker(bus, config, ear)
    bus.start()
    desk.pump()
    bus.pump()
    return ear, speaker


@pytest.mark.parametrize("silent", ["say_prompts", "say_events", "say_refusals"])
def test_each_kind_can_be_switched_off_by_itself(desk: Desk, silent: str) -> None:
    """What to do, what happened, what was refused: two are still said, the third is not."""
    desk.new("yacht", "Ada", "Ben")
    config = Config(
        table=TableConfig(id="table"),
        display=DisplayConfig(speech="usual", **{silent: False}),  # type: ignore[arg-type]
        state_dir=desk.directory,
    )
    bus, ear = desk.broker.bus("speech"), Ear()
    speaker = Speaker(bus, config, ear)
    bus.start()
    refusal = desk.move(kind="write", seat=0, category="ones").refusal
    assert refusal is not None
    assert desk.move(kind="throw", seat=0, dice=[1, 2, 3, 4, 6]).ok
    bus.pump()
    said = " | ".join(ear.loud)
    asked = speaker.words.say(desk.prompt.ask.text)
    why = speaker.words.say(refusal.say).rstrip(".")
    heard = {"say_refusals": why, "say_events": "1 2 3 4 6", "say_prompts": asked}
    assert {name: text in said for name, text in heard.items()} == {name: name != silent for name in heard}


def test_it_says_what_to_do_and_what_was_refused(desk: Desk) -> None:
    desk.new("skytopia", "Ada", "Ben", depth="full")
    ear, speaker = listener(desk, "usual", "pl")
    assert len(ear.loud) == 1
    assert ear.loud[0].startswith("pl: ")
    before = len(ear.loud)
    refusal = desk.move(kind="skip", seat=0)
    assert not refusal.ok
    assert isinstance(refusal, Answer)
    speaker._on_answer("answer/display", refusal)
    assert len(ear.loud) == before + 1


def test_the_same_prompt_is_said_once_and_silence_is_silence(desk: Desk) -> None:
    desk.new("skytopia", "Ada", "Ben", depth="full")
    ear, speaker = listener(desk, "usual")
    speaker._on_state("state", desk.state)
    assert len(ear.loud) == 1
    quiet, _ = listener(desk, "off")
    assert quiet.loud == []


def test_it_may_hear_only_what_everybody_hears() -> None:
    says, hears = RIGHTS["speech"]
    assert set(says) == {"health/speech", "move/speech", "admin"}, "a dial under somebody's hand acts for the table"
    assert set(hears) == {"state", "event/+", "log/+", "sensor/knob", "answer/display", "answer/speech"}


def test_switched_on_by_touch_it_starts_and_speaks(place: Place, tmp_path: Path) -> None:
    """Real processes: silent tables have no such room; a setting on the screen brings it, and its program is asked to talk."""
    heard = tmp_path / "heard"
    (tmp_path / "espeak-ng").write_text(f"#!/bin/sh\ncat >> {heard}\necho >> {heard}\n")
    (tmp_path / "espeak-ng").chmod(0o755)
    place.environment["PATH"] = f"{tmp_path}:{place.full_environment['PATH']}"
    run = Run(place, "--without", "vision,display,firmware_bridge").start()
    try:
        screen = run.client("host")
        screen.new_game("scorepad", rounds=3)
        assert "speech" not in run.children()
        (place.config().state_dir / "settings.toml").write_text('[display]\nspeech = "usual"\n')
        until(lambda: "speech" in run.children(), 40, "a room that speaks")
        until(lambda: heard.exists() and heard.read_text().strip(), 60, "the prompt said aloud")
    finally:
        assert run.stop() == 0
