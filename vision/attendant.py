"""Beside the reading: keeps evidence, checks the table during play, and answers the screen's requests.

The room hands every frame and what was read from it through `saw`, and publishes what comes back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec

from companion.config import Config
from companion.messages import Answer, Do, MarketSeen, Message, SlotSeen, State
from vision import check
from vision import mat as mats
from vision.camera.frame import Frame, Problem
from vision.commands import Desk, ReaderLike
from vision.evidence import FOLDER, Evidence

CHECK_EVERY = 5.0
"""Seconds of frames between checks of a table at rest: 20 ms each, so less than half a percent of one core."""
CROP_PX_PER_MM, CROP_MARGIN = 4.0, 5.0


class Hears(Protocol):
    """The part of a bus that is needed here."""

    def subscribe(self, pattern: str, handler: Callable[[str, Message | bytes], None]) -> None:
        """Be told."""

    def now(self) -> float:
        """Unix time."""


class Attendant:
    """One table's evidence, check and commands."""

    def __init__(self, config: Config, bus: Hears, reader: ReaderLike) -> None:
        self.reader = reader
        self.evidence = Evidence(config.state_dir / FOLDER, config.camera.evidence_mb)
        self.score = 1.0
        self.advice: Problem | None = None
        self._frame: Frame | None = None
        self._last: MarketSeen | None = None
        self._kept: dict[str, SlotSeen] = {}
        self._checked = float("-inf")
        self._desk = Desk(reader, lambda: self._frame, config.state_dir, bus.now)
        bus.subscribe("state", self._game)

    def commands(self) -> dict[str, Callable[[Do], Answer]]:
        """What the screen may ask, by name."""
        return self._desk.commands()

    def saw(self, frame: Frame, seen: MarketSeen | None) -> MarketSeen | None:
        """One frame and its reading; what is to be published, if anything is."""
        self._frame = frame
        if seen is not None:
            self._last = seen
            if seen.state == "ready":
                self._keep(frame, seen)
        resting = self._last is not None and self._last.state == "ready"
        changed = resting and self._check(frame)
        if self._last is None or (seen is None and not changed):
            return None
        return self._dressed(self._last)

    def _dressed(self, seen: MarketSeen) -> MarketSeen:
        """The reading with the table's score, and the advice where nothing more urgent is said."""
        say, do = self.advice if self.advice and seen.say is None else (seen.say, seen.do)
        return msgspec.structs.replace(seen, score=self.score, say=say, do=do)

    def _check(self, frame: Frame) -> bool:
        """Look at the table itself now and then; true when there is something new to say of it."""
        if frame.ts - self._checked < CHECK_EVERY or self.reader.matrix is None:
            return False
        self._checked = frame.ts
        found = check.look(frame.image, self.reader.rows, self.reader.matrix)
        before = self.advice[0].key if self.advice else ""
        self.score, self.advice = round(found.score, 2), found.advice
        return before != (self.advice[0].key if self.advice else "")

    def _keep(self, frame: Frame, seen: MarketSeen) -> None:
        """Evidence of every slot that reads otherwise than before."""
        if self.reader.matrix is None:
            return
        slots = mats.layout(self.reader.rows).slots
        for slot in seen.slots:
            if self._kept.get(slot.slot) == slot or slot.slot not in slots:
                continue
            self._kept[slot.slot] = slot
            picture = mats.straight(frame.image, self.reader.matrix, slots[slot.slot], CROP_PX_PER_MM, CROP_MARGIN)
            self.evidence.keep(
                slot,
                picture,
                ts=frame.ts,
                frame=frame.number,
                rows=self.reader.rows,
                px_per_mm=CROP_PX_PER_MM,
                margin_mm=CROP_MARGIN,
            )

    def _game(self, topic: str, message: Message | bytes) -> None:
        """Evidence belongs to one game and goes when the next begins."""
        if isinstance(message, State) and message.game_id and message.game_id != self.evidence.game:
            self.evidence.begin(message.game_id)
            self._kept = {}
