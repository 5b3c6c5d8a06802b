"""Beside the reading: keeps evidence, checks the table, shows pictures, and answers the screen's requests.

The room hands every frame and what was read from it through `saw`, and publishes what comes back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from companion.wire.config import Config
from companion.wire.messages import Answer, Do, MarketSeen, Message, SlotSeen, State
from companion.wire.replies import Checked
from vision import mat as mats
from vision.camera.frame import Frame, Problem
from vision.cards.recognition import CardBook
from vision.commands import CameraDesk
from vision.evidence import FOLDER, Evidence
from vision.show import Show

if TYPE_CHECKING:
    from companion.wire.bus import Bus
    from vision.reading import MarketReader

CHECK_EVERY = 5.0
"""Seconds of frames between checks of a table at rest: 20 ms each, so less than half a percent of one core."""
SLEEPY, SLEEPY_EVERY = 6, 20.0
"""After this many checks of a table where nothing happened, light included, it is checked less often."""
LIVE_CHECK = 0.9
"""The same while somebody sets the table up: then every second has its score and its instruction."""
CROP_PX_PER_MM, CROP_MARGIN = 4.0, 5.0
NOTICE = 8.0
"""Seconds of frames a nudge goes on being said: the view is followed at once, and people read slower than that."""
NUDGED = "vision/drift/nudged/say"
PRECISE = ("vision/market/mat-missing/say", "vision/market/too-dark/say", "vision/drift/lost/say")
"""What the reader says of a table it cannot see; the check of a live view knows more precisely what to do."""


class Attendant:
    """One table's evidence, check, pictures and commands."""

    def __init__(self, config: Config, bus: Bus, reader: MarketReader, book: CardBook | None = None) -> None:
        self.reader = reader
        self.evidence = Evidence(config.state_dir / FOLDER, config.camera.evidence_mb)
        self.found = Checked(1.0)
        self.show = Show(bus, reader)
        self._frame: Frame | None = None
        self._last: MarketSeen | None = None
        self._kept: dict[str, SlotSeen] = {}
        self._checked = float("-inf")
        self._unchanged = 0
        self._nudged: Problem | None = None
        self._nudged_until = 0.0
        self._desk = CameraDesk(reader, lambda: self._frame, config, bus.now, self.show, self.evidence, book)
        bus.subscribe("state", self._game)
        bus.subscribe("state", self.show.prompted)

    @property
    def advice(self) -> Problem | None:
        """The one thing to change about the table, as last checked."""
        return self.found.advice

    def commands(self) -> dict[str, Callable[[Do], Answer]]:
        """What the screen may ask, by name."""
        return self._desk.commands()

    def saw(self, frame: Frame, seen: MarketSeen | None, now: float = 0.0) -> MarketSeen | None:
        """One frame and its reading; what is to be published, if anything is."""
        self._frame = frame
        if seen is not None:
            self._last = seen
            self._unchanged = 0
            if seen.state == "ready":
                self.show.read(frame)
        self.show.saw(frame, now)
        changed = self._check(frame) | self._notice(frame, seen)
        if self._last is None or (seen is None and not changed):
            return None
        return self._dressed(self._last)

    def gone(self, problem: Problem | None) -> None:
        """The camera is away: nothing that was seen may be shown or measured any more."""
        self._frame = None
        self._desk.problem = problem

    def _dressed(self, seen: MarketSeen) -> MarketSeen:
        """The reading with the table's score, and the advice where nothing more urgent is said."""
        say, do = seen.say, seen.do
        if say is None and self._nudged is not None:
            say, do = self._nudged
        if self.advice and (say is None or (self.show.streaming and say.key in PRECISE)):
            say, do = self.advice
        return msgspec.structs.replace(seen, score=round(self.found.score, 2), say=say, do=do)

    def _notice(self, frame: Frame, seen: MarketSeen | None) -> bool:
        """Remember a nudge for as long as it is worth saying; true when that time is over."""
        if seen is not None and seen.say is not None and seen.do is not None and seen.say.key == NUDGED:
            self._nudged, self._nudged_until = (seen.say, seen.do), frame.ts + NOTICE
        elif self._nudged is not None and frame.ts >= self._nudged_until:
            self._nudged = None
            return True
        return False

    def _check(self, frame: Frame) -> bool:
        """Look at the table itself now and then; true when there is something new to say of it.

        During play only a table at rest is judged; while somebody sets it up, every table, whatever is wrong with it.
        """
        live = self.show.streaming
        resting = self._last is not None and self._last.state == "ready" and self.reader.matrix is not None
        if not live and not resting:
            return False
        every = LIVE_CHECK if live else SLEEPY_EVERY if self._unchanged >= SLEEPY else CHECK_EVERY
        if frame.ts - self._checked < every:
            return False
        self._checked = frame.ts
        self._unchanged += 1
        before, self.found = self.found, self._desk.looked(frame)
        said = [found.advice[0].key if found.advice else "" for found in (before, self.found)]
        return said[0] != said[1] or (live and round(before.score, 2) != round(self.found.score, 2))

    def keep(self, frame: Frame, seen: MarketSeen | None) -> None:
        """Evidence of every slot that reads differently from before; nobody waits for it, so it comes after what was told."""
        if seen is None or seen.state != "ready" or self.reader.matrix is None:
            return
        slots = self.reader.mat.slots
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
                cards=self.reader.candidates.get(slot.slot, ()),
                area=slots[slot.slot],
                px_per_mm=CROP_PX_PER_MM,
                margin_mm=CROP_MARGIN,
            )

    def _game(self, topic: str, message: Message | bytes) -> None:
        """Another game may have another mat. Evidence belongs to one game and goes when the next begins."""
        if isinstance(message, State) and message.mat is not None:
            self.reader.lay(self._desk.laid(mats.of(message.mat)))
        if isinstance(message, State):
            self.reader.stands(message.game_id, message.standing)
        if isinstance(message, State) and message.game_id and message.game_id != self.evidence.game:
            self.evidence.begin(message.game_id)
            self._kept = {}
