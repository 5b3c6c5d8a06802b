"""Pictures for the screen: the live view while somebody sets the table up, and the die a question is about.

They go out once, as JPEG, to the screen of this table only; nothing is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.wire.messages import Message, State
from vision import mat as mats
from vision.camera.frame import Frame, Image

if TYPE_CHECKING:
    from companion.wire.bus import Bus
    from vision.reading import MarketReader

LIVE = "live"
LIVE_WIDTH, LIVE_QUALITY = 960, 75
LEASE, LONGEST = 30.0, 300.0
"""Seconds a live view goes on without being asked for again: a screen that died must not be served for ever."""
LIVE_FPS = 5.0
QUESTION_PX, QUESTION_QUALITY = 420, 90
"""Side of the picture that goes with a question: small, but pips must be countable."""
CLOSE, AROUND = 36.0, 2.0
"""Least millimetres across such a picture, and how many dice wider than the place of its dice it is."""


def jpeg(image: Image, quality: int) -> bytes:
    """The picture as bytes."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("this picture cannot be made a JPEG")
    return data.tobytes()


def question_name(slot: str) -> str:
    """What the core calls the picture of a slot."""
    return f"slot-{slot}"


def close_up(frame: Frame, reader: MarketReader, slot: str) -> Image | None:
    """A square around the dice of a slot, or the whole slot when none was seen there."""
    if reader.matrix is None or slot not in reader.mat.slots:
        return None
    left, top, width, height = reader.mat.slots[slot]
    seen = reader.slots.get(slot)
    dice = seen.dice if seen is not None else ()
    if dice:
        xs, ys = [left + die.x * width for die in dice], [top + die.y * height for die in dice]
        edge = max(15.0, *(die.size for die in dice))
        side = max(CLOSE, AROUND * edge + max(max(xs) - min(xs), max(ys) - min(ys)))
        middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    else:
        side, middle = max(width, height), (left + width / 2, top + height / 2)
    rect = (middle[0] - side / 2, middle[1] - side / 2, side, side)
    return mats.straight(frame.image, reader.matrix, rect, QUESTION_PX / side)


class Show:
    """Sends pictures over the bus: the live view as long as it is wanted, and one picture a question."""

    def __init__(self, bus: Bus, reader: MarketReader) -> None:
        self.bus, self.reader = bus, reader
        self._now = 0.0
        self._until = self._due = float("-inf")
        self._step = 1.0 / LIVE_FPS
        self._read: Frame | None = None
        """The frame of the last reading: a question shows what was read, not the hand that came after."""
        self._question = ""
        self._waits = ""
        """The slot of a question that came before anything could be shown."""

    def prompted(self, topic: str, message: Message | bytes) -> None:
        """A question of the table's: send its picture, once."""
        if not isinstance(message, State):
            return
        question = message.prompt.question if message.prompt is not None else None
        slot = question.slot if question is not None and question.picture == question_name(question.slot) else ""
        if question is None or not slot:
            self._question = self._waits = ""
        elif question.id != self._question:
            self._question = question.id
            self._waits = "" if self.ask(slot) else slot

    def ask(self, slot: str) -> bool:
        """Send the picture of a slot as it was read last; false when there is none."""
        picture = close_up(self._read, self.reader, slot) if self._read is not None else None
        if picture is None:
            return False
        self.bus.publish(f"picture/{question_name(slot)}", jpeg(picture, QUESTION_QUALITY))
        return True

    def read(self, frame: Frame) -> None:
        """The market was read in this frame."""
        self._read = frame
        if self._waits and self.ask(self._waits):
            self._waits = ""

    def live(self, frame: Frame) -> tuple[int, int]:
        """One live picture now; its width and height."""
        height, width = frame.image.shape[:2]
        size = (min(width, LIVE_WIDTH), max(1, height * min(width, LIVE_WIDTH) // width))
        small = np.asarray(cv2.resize(frame.image, size, interpolation=cv2.INTER_AREA), np.uint8)
        self.bus.publish(f"picture/{LIVE}", jpeg(small, LIVE_QUALITY))
        return size

    @property
    def streaming(self) -> bool:
        """Somebody is looking."""
        return self._until > float("-inf")

    def start(self, seconds: float = LEASE, fps: float = LIVE_FPS) -> float:
        """Live pictures from now on; asked again, they go on. How long they will."""
        lease = float(np.clip(seconds, 1.0, LONGEST))
        self._step = 1.0 / float(np.clip(fps, 0.2, LIVE_FPS))
        self._until, self._due = self._now + lease, self._now
        return lease

    def stop(self) -> None:
        """Nobody is looking any more."""
        self._until = float("-inf")

    def saw(self, frame: Frame, now: float) -> None:
        """One frame, at `now` on a clock that is never set: shown when it is due."""
        self._now = now
        if now > self._until:
            self.stop()
        elif now >= self._due:
            self._due = now + self._step
            self.live(frame)
