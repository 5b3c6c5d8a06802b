"""The camera's process: frames in, `sensor/market` out."""

from __future__ import annotations

import time
from collections.abc import Callable

import cv2
import numpy as np

from companion.messages import Answer, CardSeen, Do, MarketSeen, Message
from companion.room import Room
from vision import calibration
from vision.attendant import Attendant
from vision.camera.frame import Frame, FrameSource, Image, hold
from vision.card_album import FOLDER, read_book
from vision.cards import HEIGHT, WIDTH, CardBook
from vision.reading import MarketReader

PERIOD = 1 / 30
REST_AFTER, REST = 60, 0.2
"""After so many quiet frames the camera is asked only five times a second: idle costs next to nothing."""
QUESTION = 90
"""JPEG quality of the picture that goes with a question: small, but pips must be countable."""


class Eye:
    """Joins one camera and one reader to the bus."""

    def __init__(self, room: Room, source: FrameSource, reader: MarketReader) -> None:
        self.room, self.source, self.reader = room, source, reader
        self.said: MarketSeen | None = None
        self.frames = self.misses = 0
        self.busy = 0.0
        self.frame: Frame | None = None
        self._quiet = 0
        self._next = 0.0
        self.commands: dict[str, Callable[[Do], Answer]] = {"look again": self._look_again, "live": self._live}
        self.helper = Attendant(room.config, room.bus, reader)
        self.commands.update(self.helper.commands())
        source.open()
        room.bus.publish("sensor/market", MarketSeen(state="starting", ts=0.0))

    def step(self, now: float) -> None:
        """One frame, if there is one."""
        if now < self._next:
            return
        began = time.thread_time()
        frame = self.source.read()
        if frame is None:
            self._away()
            return
        self.frames += 1
        self.frame = frame
        seen = self.helper.saw(frame, self.reader.see(frame))
        if seen is not None:
            self._publish(seen, frame)
        self._quiet = self._quiet + 1 if self.reader.state == "ready" and seen is None else 0
        self._next = now + REST if self._quiet > REST_AFTER else 0.0
        hold(self.source, self.reader.state in ("hand", "settling"))
        self.busy += time.thread_time() - began
        self.room.health(
            say=self.said.say if self.said else None,
            do=self.said.do if self.said else None,
            frames=self.frames,
            reads=self.reader.reads,
            state=self.reader.state,
            cpu_ms_per_frame=round(1000 * self.busy / self.frames, 2),
        )

    def _publish(self, seen: MarketSeen, frame: Frame) -> None:
        self.said = seen
        self.room.bus.publish("sensor/market", seen)
        for slot in seen.slots:
            if slot.sure or seen.state != "ready":
                continue
            picture = self.reader.slot_picture(frame, slot.slot)
            if picture is None:
                continue
            ok, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUESTION])
            if ok:
                self.room.bus.publish(f"picture/{slot.slot}", data.tobytes())

    def asked(self, topic: str, message: Message | bytes) -> None:
        """A command from the screen; those nobody here knows are somebody else's."""
        if isinstance(message, Do) and message.command in self.commands:
            self.room.bus.publish(f"answer/{message.client}", self.commands[message.command](message))

    def _look_again(self, ask: Do) -> Answer:
        self.reader.again()
        return Answer(id=ask.id, ok=True)

    def _live(self, ask: Do) -> Answer:
        """Show what the camera sees, small."""
        if self.frame is not None:
            height, width = self.frame.image.shape[:2]
            size = (min(width, 960), max(1, height * min(width, 960) // width))
            ok, data = cv2.imencode(".jpg", cv2.resize(self.frame.image, size), [cv2.IMWRITE_JPEG_QUALITY, 75])
            if ok:
                self.room.bus.publish("picture/live", data.tobytes())
        return Answer(id=ask.id, ok=self.frame is not None)

    def _away(self) -> None:
        """No frame: say so once when the camera is gone."""
        self.misses += 1
        if self.source.state != "no camera" or (self.said is not None and self.said.state == "no camera"):
            return
        say, do = self.source.problem or (None, None)
        self.said = MarketSeen(state="no camera", ts=self.said.ts if self.said else 0.0, say=say, do=do)
        self.room.bus.publish("sensor/market", self.said)
        self.room.health(say=say, do=do, frames=self.frames)


def camera_of(room: Room) -> FrameSource:
    """The camera the settings name."""
    camera = room.config.camera
    if camera.source == "virtual":
        from vision.virtual.camera import VirtualCamera

        return VirtualCamera(room.bus, rows=camera.rows, size=(camera.width, camera.height), fps=camera.fps)
    from vision.camera.sources import make

    return make(camera)


def reader_of(room: Room) -> MarketReader:
    """A reader with what this table was taught: corners, player colours, cards."""
    camera, folder = room.config.camera, room.config.state_dir
    taught, problem = calibration.load_with_problem(folder / calibration.FILE)
    if problem is not None:
        room.log.warning("calibration: %s", problem[0].key)
    book = _cards(room)
    reader = MarketReader(
        rows=taught.rows if taught else camera.rows,
        taught=taught.colours if taught else {},
        corners=taught.corners if taught else None,
        corners_size=taught.size if taught else (camera.width, camera.height),
        settle=camera.settle_ms / 1000,
    )
    if len(book):

        def know(picture: Image) -> CardSeen:
            found = book.recognise(picture, 3.0)
            return CardSeen(card=found.card, share=min(1.0, max(0.0, found.share)))

        reader.know_card = know
    return reader


def _cards(room: Room) -> CardBook:
    """The album of this table; the virtual table's cards are known as if they had been taught."""
    if room.config.camera.source == "virtual":
        from vision.virtual.cardface import face

        book = CardBook()
        for column in "BGRV":
            for effect in range(1, 5):
                for copy in "abc":
                    card = f"{column}{effect}{copy}"
                    book.teach(card, np.asarray(cv2.resize(face(card), (WIDTH, HEIGHT)), np.uint8))
        return book
    book, damaged = read_book(room.config.state_dir / FOLDER)
    for name in damaged:
        room.log.warning("card %s: its picture is damaged, teach it again", name)
    return book


def run() -> int:
    """The process, until it is told to stop."""
    cv2.setNumThreads(1)
    with Room("vision") as room:
        eye = Eye(room, camera_of(room), reader_of(room))
        room.bus.subscribe("do/vision", eye.asked)
        try:
            room.run(eye.step, PERIOD)
        finally:
            eye.source.close()
    return 0
