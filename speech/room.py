"""The room: hears what everybody hears, and says it in the table's language, as much of it as the owner wants."""

from __future__ import annotations

from typing import Any

from companion.game import Text
from companion.wire.bus import Bus
from companion.wire.config import Config, load
from companion.wire.messages import Answer, Happened, State
from companion.wire.room import Room
from companion.wire.words import Words
from speech import saying
from speech.voice import Voice

PERIOD = 0.05
LOOK = 1.0
"""Seconds between looking whether the settings were changed on the screen."""


class Speaker:
    """What is said, and when: the newest prompt interrupts, what happened waits."""

    def __init__(self, bus: Bus, config: Config, voice: Voice) -> None:
        self.voice, self.config = voice, config
        self.words = Words(config.table.language)
        self._asked: Any = None
        self._looked = 0.0
        self._stamp = self._changed()
        bus.subscribe("state", self._on_state)
        bus.subscribe("event/+", self._on_event)
        bus.subscribe("answer/display", self._on_answer)

    @property
    def level(self) -> str:
        """How much is said; `off` says nothing."""
        return self.config.display.speech

    def step(self, now: float) -> None:
        """Go on with what waits; the screen may have changed language or level."""
        self.voice.go_on()
        if now >= self._looked + LOOK:
            self._looked, stamp = now, self._changed()
            if stamp != self._stamp:
                self._stamp, self.config = stamp, load()
                self.words = Words(self.config.table.language, self.words.names)
                if self.level == "off":
                    self.voice.hush()

    def _changed(self) -> float:
        try:
            return (self.config.state_dir / "settings.toml").stat().st_mtime
        except OSError:
            return 0.0

    def _on_state(self, topic: str, state: State) -> None:
        self.words.names = {seat.seat: seat.name for seat in state.seats}
        asked = (state.game_id, state.prompt and (state.prompt.question, state.prompt.ask))
        if asked == self._asked:
            return
        self._asked = asked
        if self.level != "off":
            self._say(saying.prompt(state, self.words, self.level), newest=True)

    def _on_event(self, topic: str, event: Happened) -> None:
        if self.level != "off":
            self._say(saying.happened(event, self.words, self.level))

    def _on_answer(self, topic: str, answer: Answer) -> None:
        if self.level != "off" and answer.refusal is not None:
            self._say(saying.refused(answer.refusal, self.words, self.level), newest=True)

    def _say(self, text: str, *, newest: bool = False) -> None:
        own = self.config.state_dir / "pronounce.toml"
        spoken = saying.pronounced(text, self.words.language, own) if text else ""
        if not spoken:
            return
        (self.voice.interrupt if newest else self.voice.queue)(spoken, self.words.language)


def run() -> int:
    """Until SIGTERM or Ctrl-C; without espeak-ng the room stays and says what is missing."""
    with Room("speech", load()) as room:
        voice = Voice()
        speaker = Speaker(room.bus, room.config, voice)
        missing = not voice.there and speaker.level != "off"
        room.health(
            say=Text("speech/no-voice") if missing else None,
            do=Text("speech/no-voice/do") if missing else None,
            speaks=voice.there,
        )
        room.run(speaker.step, PERIOD)
        voice.hush()
    return 0
