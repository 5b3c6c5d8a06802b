"""The room: hears what everybody hears, and says it in the table's language, as much of it as the owner wants."""

from __future__ import annotations

import time
import uuid
from typing import Any

from companion.game import Text, seat_name
from companion.wire.bus import Bus
from companion.wire.config import Config, load
from companion.wire.game_log import LogPage
from companion.wire.messages import Admin, Answer, Happened, Knob, MoveRequest, State
from companion.wire.room import Room
from companion.wire.words import Words
from speech import saying
from speech.browsing import Browser, Heard
from speech.voice import Voice

CLIENT = "speech"
PERIOD = 0.05
LOOK = 1.0
"""Seconds between looking whether the settings were changed on the screen."""


class Speaker:
    """What is said, and when: the newest prompt interrupts, what happened waits."""

    def __init__(self, bus: Bus, config: Config, voice: Voice) -> None:
        self.voice, self.config = voice, config
        self.words = Words(config.table.language)
        self.bus, self.browser = bus, Browser()
        self._asked: Any = None
        self._state: State | None = None
        self._pages: dict[int, LogPage] = {}
        self._nudged = ("", 0)
        self._noticed: frozenset[str] = frozenset()
        self._knob: Knob | None = None
        """What hands had done when we last heard of them."""
        self._looked = 0.0
        self._stamp = self._changed()
        bus.subscribe("state", self._on_state)
        bus.subscribe("event/+", self._on_event)
        bus.subscribe("answer/display", self._on_answer)
        bus.subscribe(f"answer/{CLIENT}", self._on_answer)
        bus.subscribe("log/+", self._on_log)
        bus.subscribe("sensor/knob", self._on_knob)

    @property
    def level(self) -> str:
        """How much is said; `off` says nothing. Hands that choose by ear hear what happens, whatever the screen was told."""
        level = self.config.display.speech
        return "usual" if self.config.dial.browse and level in ("off", "short") else level

    def step(self, now: float) -> None:
        """Go on with what waits; the screen may have changed language or level."""
        self.voice.go_on()
        self._nudge(time.time())
        if now >= self._looked + LOOK:
            self._looked, stamp = now, self._changed()
            if stamp != self._stamp:
                self._stamp, self.config = stamp, load()
                self.words = Words(self.config.table.language, self.words.names)
                if self.level == "off":
                    self.voice.hush()

    def _nudge(self, now: float) -> None:
        """A kind word to who has been deciding for longer than the table wished, once."""
        state, wait = self._state, self.config.display.nudge
        if not wait or self.level == "off" or state is None or state.clock is None or state.prompt is None:
            return
        here, seat = (state.game_id, state.seq), state.prompt.ask.seat
        late = now - state.clock.since >= 60 * wait and not state.clock.stopped and state.phase == "playing"
        if late and seat is not None and here != self._nudged:
            self._nudged = here
            self._say(self.words.say(Text("clock/nudge", {"name": seat_name(seat)})))

    def _changed(self) -> float:
        try:
            return (self.config.state_dir / "settings.toml").stat().st_mtime
        except OSError:
            return 0.0

    def _on_state(self, topic: str, state: State) -> None:
        self.words.names = {seat.seat: seat.name for seat in state.seats}
        asked = (state.game_id, state.phase, state.prompt and (state.prompt.question, state.prompt.ask))
        new, self._asked, self._state = asked != self._asked, asked, state
        (self.browser.asked if new else self.browser.stands)(state)
        if new:
            self._say_prompt()
        self._say_notices(state)

    def _wants(self, kind: bool) -> bool:
        """This kind is said at all: each can be switched off by itself, but not under hands that choose by ear."""
        return self.level != "off" and (kind or self.config.dial.browse)

    def _say_prompt(self, *more: Text) -> None:
        if not self._wants(self.config.display.say_prompts) or self._state is None:
            return
        said = [saying.prompt(self._state, self.words, self.level)]
        if self.config.dial.browse and self._state.lobby is not None:
            said = [self.words.say("speech/lobby")]
        self._say(". ".join(filter(None, (*said, saying.joined(self.words, list(more))))), newest=True)

    def _say_notices(self, state: State) -> None:
        """What the table should know, once each; a list of things to lay back is read from its beginning."""
        before, self._noticed = self._noticed, frozenset(notice.id for notice in state.notices if not notice.done)
        if self.level not in ("off", "short"):
            for notice in state.notices:
                if notice.id in self._noticed - before:
                    self._say(saying.joined(self.words, [notice.text, *([notice.do] if notice.do else [])]))

    def _on_log(self, topic: str, page: LogPage) -> None:
        self._pages = {n: p for n, p in self._pages.items() if p.game == page.game} | {page.page: page}
        self.browser.log = [line for n in sorted(self._pages) for line in self._pages[n].lines]

    def _on_knob(self, topic: str, knob: Knob) -> None:
        """Hands did something. What they did before we were there is not done again."""
        before, self._knob = self._knob, knob
        if before is None or not self.config.dial.browse:
            return
        if knob.turns != before.turns:
            self._do(self.browser.turn(knob.turns - before.turns))
        if knob.presses > before.presses:
            self._do(self.browser.press())
        if knob.holds > before.holds:
            self._do(self.browser.hold())

    def _do(self, heard: Heard) -> None:
        """Say what a hand brought about, and ask the table for what it wants."""
        if heard.again:
            self._say_prompt(*heard.said)
        elif heard.said:
            self._say(saying.joined(self.words, list(heard.said)), newest=True)
        wanted, state, name = heard.wanted, self._state, uuid.uuid4().hex
        if wanted is None or state is None:
            return
        if wanted.order:
            order: Any = wanted.order
            self.bus.publish("admin", Admin(id=name, client=CLIENT, command=order, args=wanted.args))
            return
        request = MoveRequest(
            id=name,
            move=wanted.move or {},
            undo=wanted.undo,
            consent=wanted.undo,  # whoever is at the dial speaks for the table, as at the screen, and was asked twice
            game=state.game_id,
            seq=state.seq,
            cause="touch",
        )
        self.bus.publish(f"move/{CLIENT}", request)

    def _on_event(self, topic: str, event: Happened) -> None:
        if self._wants(self.config.display.say_events):
            self._say(saying.happened(event, self.words, self.level))

    def _on_answer(self, topic: str, answer: Answer) -> None:
        if self._wants(self.config.display.say_refusals) and answer.refusal is not None:
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
