"""Evidence: what the camera saw when a reading was given, kept for the length of the game and never leaving the device.

One small picture and one JSON file per slot and reading, in one folder per game. The folder is bounded: the oldest
go first. A dispute is settled by looking; and every picture can be read again by the reader of today.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.wire.files import read_file
from companion.wire.messages import SlotSeen
from vision.camera.frame import Image
from vision.reader.files import NoPicture, read_picture

FOLDER = "evidence"
QUALITY = 92
"""JPEG quality at which pips, sheen and print survive; a slot takes about 20 kB."""
CLEAR = 0.9
"""Share from which a face was not merely suspected."""
ITS_OWNER = 0.75
"""The same of an owner: what has nobody's colour may well be print."""
GAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$")


OWN = re.compile(r"^[0-9]{6,9}\.(json|jpg)$")
"""What a reading's files are called; nothing else is ever deleted."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One reading of one slot."""

    number: int
    game: str
    ts: float
    """Seconds on the clock of the frames."""
    frame: int
    seen: SlotSeen
    """What was reported: dice with all six shares, the card."""
    cards: tuple[tuple[str, float], ...] = ()
    """The likeliest cards, best first."""
    area: tuple[float, float, float, float] = (0.0, 0.0, 63.0, 88.0)
    """x, y, width and height of the slot on its mat, in millimetres."""
    px_per_mm: float = 3.0
    margin_mm: float = 0.0
    """How much more than the slot the picture shows, on each side."""
    v: int = 1


class Evidence:
    """The evidence of the game that is being played."""

    def __init__(self, folder: Path, limit_mb: int = 50) -> None:
        self.folder, self.limit = folder, limit_mb * 1_000_000
        self.game = ""
        self.failed = 0
        """Readings that could not be kept: a full disk must not stop the game."""
        self._number = 0
        self._sizes: dict[int, int] = {}

    def begin(self, game: str) -> None:
        """A game starts or goes on; what other games left is deleted."""
        if game == self.game:
            return
        self.game = game if GAME.match(game) else ""
        self._sizes = {}
        if self.folder.is_symlink():
            self.limit = 0  # what it leads to is not ours to fill and to empty
            return
        if self.folder.is_dir():
            for other in self.folder.iterdir():
                if other.name != self.game:
                    forget(other)
        for record in records(self.place):
            self._sizes[record.number] = self._size(record.number)
        self._number = max(self._sizes, default=-1) + 1

    @property
    def place(self) -> Path:
        """The folder of this game."""
        return self.folder / (self.game or "table")

    @property
    def bytes(self) -> int:
        """What the evidence takes on disk."""
        return sum(self._sizes.values())

    def keep(
        self,
        seen: SlotSeen,
        picture: Image,
        *,
        ts: float = 0.0,
        frame: int = 0,
        cards: tuple[tuple[str, float], ...] = (),
        area: tuple[float, float, float, float] = (0.0, 0.0, 63.0, 88.0),
        px_per_mm: float = 3.0,
        margin_mm: float = 0.0,
    ) -> Record | None:
        """Keep one reading; `None` when evidence is switched off or the disk refuses."""
        if self.limit <= 0 or picture.size == 0:
            return None
        done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        record = Record(
            number=self._number,
            game=self.game,
            ts=ts,
            frame=frame,
            seen=seen,
            cards=cards,
            area=area,
            px_per_mm=px_per_mm,
            margin_mm=margin_mm,
        )
        if not done:
            return None
        try:
            self.place.mkdir(parents=True, exist_ok=True)
            os.chmod(self.folder, 0o700)  # noqa: PTH101 - pictures of a home are for its owner only
            _picture(self.place, record.number).write_bytes(data.tobytes())
            # the text last: a reading without its picture would prove nothing
            _text(self.place, record.number).write_bytes(msgspec.json.encode(record))
        except OSError:
            self.failed += 1
            self.forget(record.number)
            return None
        self._sizes[record.number] = self._size(record.number)
        self._number += 1
        while self.bytes > self.limit and len(self._sizes) > 1:
            self.forget(min(self._sizes))
        return record

    def forget(self, number: int | None = None) -> None:
        """Delete one reading, or all there are."""
        if number is None:
            for place in places(self.folder):
                forget(place)
            with suppress(OSError):
                self.folder.rmdir()
            self._sizes = {}
            return
        for file in (_text(self.place, number), _picture(self.place, number)):
            file.unlink(missing_ok=True)
        self._sizes.pop(number, None)

    def _size(self, number: int) -> int:
        files = (_text(self.place, number), _picture(self.place, number))
        return sum(file.stat().st_size for file in files if file.is_file())


def places(folder: Path) -> list[Path]:
    """The folders of the games that have evidence, as they lie in the table's own; links lead elsewhere."""
    if folder.is_symlink() or not folder.is_dir():
        return []
    return sorted(place for place in folder.iterdir() if place.is_dir() and not place.is_symlink())


def forget(place: Path) -> None:
    """Delete the readings in one game's folder, and the folder with them unless something else lies there, which stays."""
    if place.is_symlink() or not place.is_dir():
        return
    with suppress(OSError):
        for file in place.iterdir():
            if OWN.match(file.name) and not file.is_dir():
                file.unlink()
        place.rmdir()


def _text(place: Path, number: int) -> Path:
    return place / f"{number:06d}.json"


def _picture(place: Path, number: int) -> Path:
    return place / f"{number:06d}.jpg"


def records(place: Path) -> Iterator[Record]:
    """The readings kept in one game's folder, oldest first; damaged ones are passed over."""
    for file in sorted(place.glob("*.json")):
        try:
            yield msgspec.json.decode(read_file(file), type=Record)
        except (OSError, msgspec.DecodeError):
            continue


def picture(place: Path, record: Record) -> Image | None:
    """What the camera saw."""
    try:
        return read_picture(_picture(place, record.number))
    except NoPicture:
        return None


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """A reading then and now."""

    record: Record
    now: SlotSeen | None
    """`None`: the picture is gone or damaged."""

    @property
    def same(self) -> bool:
        """The same dice and the same card are seen."""
        return self.now is not None and gist(self.now) == gist(self.record.seen)


def gist(seen: SlotSeen) -> tuple[tuple[tuple[str, int], ...], str | None]:
    """What a reading says, without its shares: owners and faces of the dice it is clear about, and the card.

    A doubtful find may well be print; whether it is found at all depends on how many slots were read together.
    """
    clear = [die for die in seen.dice if max(die.faces) >= CLEAR and die.owner_share >= ITS_OWNER]
    dice = sorted((die.owner, 1 + int(np.argmax(die.faces))) for die in clear)
    return tuple(dice), seen.card.card


Read = Callable[[Image, Record], SlotSeen]


def replay(place: Path, read: Read) -> Iterator[Compared]:
    """Run every kept picture through a reader again."""
    for record in records(place):
        image = picture(place, record)
        yield Compared(record=record, now=read(image, record) if image is not None else None)
