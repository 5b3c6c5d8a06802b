"""The camera's process: frames in, `sensor/market` out."""

from __future__ import annotations

import time
from collections.abc import Callable

import cv2

from companion.wire.messages import Answer, Do, MarketSeen, Message, Refusal
from companion.wire.replies import Cameras
from companion.wire.room import Room
from vision import calibration
from vision.attendant import Attendant
from vision.camera.attached import cameras
from vision.camera.frame import FrameSource, Problem, hold, trouble
from vision.cards.album import book_of
from vision.cards.recognition import CardBook
from vision.commands import knower
from vision.reader.nets import ModelDamaged, checked
from vision.reading import MarketReader

NETWORKS = ("finder.onnx", "face.onnx")
PERIOD = 1 / 30
REST_AFTER, REST = 60, 0.25
"""After this many quiet frames the camera is asked only four times per second: idle costs next to nothing."""


class Eye:
    """Joins one camera and one reader to the bus."""

    def __init__(self, room: Room, source: FrameSource, reader: MarketReader, book: CardBook | None = None) -> None:
        self.room, self.source, self.reader = room, source, reader
        self.said: MarketSeen | None = None
        self.frames = 0
        self.busy = 0.0
        self.remark: Problem | None = None
        """What is wrong with the files of this table while the camera itself works."""
        self._gone = False
        self._quiet = 0
        self._next = 0.0
        self.helper = Attendant(room.config, room.bus, reader, book)
        self.commands: dict[str, Callable[[Do], Answer]] = {
            **self.helper.commands(),
            "cameras": lambda ask: Answer(id=ask.id, ok=True, result=Cameras(tuple(cameras())).plain()),
            "restart": self._restart,
        }
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
        if self._gone:
            self._gone = False
            self.reader.again()  # whatever happened while nobody looked
        read = self.reader.see(frame)
        seen = self.helper.saw(frame, read, now)
        if seen is not None:
            self.said = seen
            self.room.bus.publish("sensor/market", seen)
            self.helper.keep(frame, read)
        self._quiet = self._quiet + 1 if self.reader.state == "ready" and seen is None else 0
        self._next = now + REST if self._quiet > REST_AFTER else 0.0
        hold(self.source, self.reader.state in ("hand", "settling"))
        self.busy += time.thread_time() - began
        say, do = (self.said.say, self.said.do) if self.said and self.said.say else self.remark or (None, None)
        self.room.health(
            say=say,
            do=do,
            frames=self.frames,
            reads=self.reader.reads,
            state=self.reader.state,
            score=round(self.helper.found.score, 2),
            cpu_ms_per_frame=round(1000 * self.busy / self.frames, 2),
        )

    def asked(self, topic: str, message: Message | bytes) -> None:
        """A command from the screen; one nobody here knows is refused, so that the screen need not wait for it."""
        if not isinstance(message, Do):
            return
        command = self.commands.get(message.command)
        if command is not None:
            answer = command(message)
        else:
            say, do = trouble("command/unclear")
            answer = Answer(id=message.id, ok=False, refusal=Refusal(code="vision/command/unknown", say=say, do=do))
        self.room.bus.publish(f"answer/{message.client}", answer)

    def _restart(self, ask: Do) -> Answer:
        """Another camera was chosen: whoever keeps this room alive starts it again, with the settings as they are then."""
        self.room.stopping = True
        return Answer(id=ask.id, ok=True)

    def _away(self) -> None:
        """No frame: say so once when the camera is gone."""
        if self.source.state != "no camera":
            return
        self._gone = True
        self.helper.gone(self.source.problem)
        say, do = self.source.problem or (None, None)
        if self.said is not None and self.said.state == "no camera" and self.said.say == say:
            return
        self.said = MarketSeen(state="no camera", ts=self.said.ts if self.said else 0.0, say=say, do=do)
        self.room.bus.publish("sensor/market", self.said)
        self.room.health(say=say, do=do, frames=self.frames)


def camera_of(room: Room) -> FrameSource:
    """The camera the settings name."""
    camera = room.config.camera
    if camera.source == "virtual":
        from vision.virtual.camera import VirtualCamera

        return VirtualCamera(room.bus, size=(camera.width, camera.height), fps=camera.fps)
    from vision.camera.sources import make

    return make(camera)


def reader_of(room: Room, book: CardBook | None = None) -> MarketReader:
    """A reader with what this table was taught: corners, player colours, cards."""
    camera, folder = room.config.camera, room.config.state_dir
    taught, problem = calibration.load_with_problem(folder / calibration.FILE)
    if problem is not None:
        room.log.warning("calibration: %s", problem[0].key)
    if book is None:
        book, _ = cards_of(room)
    if taught is None:
        return MarketReader(settle=camera.settle_ms / 1000, know_card=knower(book))
    return MarketReader(
        taught=taught.colours,
        # a printed mat is found by its markers, wherever it lies today
        corners=taught.corners if taught.tapped else None,
        corners_size=taught.size,
        settle=camera.settle_ms / 1000,
        know_card=knower(book),
        die_mm=taught.die_mm,
    )


def cards_of(room: Room) -> tuple[CardBook, tuple[str, ...]]:
    """The album of this table, and the cards whose picture is damaged."""
    book, damaged = book_of(room.config)
    for name in damaged:
        room.log.warning("card %s: its picture is damaged, teach it again", name)
    return book, damaged


def files_problem(room: Room, damaged: tuple[str, ...] = ()) -> Problem | None:
    """What this table was taught and cannot be read any more; `damaged` are cards without a picture."""
    _, problem = calibration.load_with_problem(room.config.state_dir / calibration.FILE)
    if problem is None and damaged:
        return trouble("cards/damaged", cards=", ".join(damaged[:5]))
    return problem


def models_problem() -> Problem | None:
    """A shipped network that is not the one this version was measured with reads nothing, rather than wrongly."""
    try:
        for name in NETWORKS:
            checked(name)
    except ModelDamaged:
        return trouble("model/damaged")
    return None


def stay_blind(room: Room, problem: Problem) -> None:
    """The table is played by touch; the screen says why and what to do, until the room is told to stop."""
    say, do = problem
    room.bus.publish("sensor/market", MarketSeen(state="no camera", ts=0.0, say=say, do=do))
    room.run(lambda now: room.health(say=say, do=do), period=1.0)


def run() -> int:
    """The process, until it is told to stop."""
    cv2.setNumThreads(1)
    with Room("vision") as room:
        blind = models_problem()
        if blind is not None:
            stay_blind(room, blind)
            return 0
        book, damaged = cards_of(room)
        eye = Eye(room, camera_of(room), reader_of(room, book), book)
        eye.remark = files_problem(room, damaged)
        room.bus.subscribe("do/vision", eye.asked)
        try:
            fast = room.config.camera.virtual_speed if room.config.camera.source == "virtual" else 1.0
            room.run(eye.step, PERIOD / fast)
        finally:
            eye.source.close()
    return 0
