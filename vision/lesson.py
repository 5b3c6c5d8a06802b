"""A lesson: which cards are to be laid next, what was learnt, and what comes again.

Cards are taught a mat at a time, or one by one in the same slot. A card that went wrong comes again with the next ones;
a person may skip, go back, stop, and go on another day.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from vision import calibration
from vision import mat as mats
from vision.camera.frame import Image, Problem, trouble
from vision.cards import CardBook
from vision.commands import CannotDo, teach_from

Look = Callable[[], Image | Problem]


@dataclass
class Lesson:
    """The cards still to be taught, `size` of them at a time."""

    names: Sequence[str]
    size: int
    left: list[str] = field(init=False)
    skipped: list[str] = field(init=False, default_factory=list)
    _before: list[tuple[str, ...]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.left = list(self.names)

    @property
    def now(self) -> tuple[str, ...]:
        """The cards to lay now; none when the lesson is over."""
        return tuple(self.left[: self.size])

    @property
    def number(self) -> int:
        """How many of all are behind us, and one."""
        return len(self.names) - len(self.left) + 1

    def learnt(self, wrong: Collection[str] = ()) -> None:
        """These are done; those that went wrong come again with the next."""
        batch = self.now
        self._before.append(batch)
        self.left = [card for card in batch if card in wrong] + self.left[len(batch) :]

    def skip(self) -> None:
        """Not these."""
        batch = self.now
        self._before.append(batch)
        self.skipped += batch
        self.left = self.left[len(batch) :]

    def back(self) -> bool:
        """The ones before once more; false at the beginning."""
        if not self._before:
            return False
        batch = self._before.pop()
        self.skipped = [card for card in self.skipped if card not in batch]
        self.left = [*batch, *(card for card in self.left if card not in batch)]
        return True


def places_for(names: Sequence[str], rows: int) -> dict[str, str]:
    """Which card goes where: slot -> card, row by row from the left."""
    slots = [f"{column}-{row}" for row in range(1, rows + 1) for column in mats.COLUMNS]
    return dict(zip(slots, names, strict=False))


def teach(
    places: dict[str, str], rows: int, book: CardBook, look: Look, taught: calibration.Calibration | None = None
) -> Iterator[tuple[str, Problem | str]]:
    """Teach the cards that lie there; each with `""`, the card it looks just like, or what went wrong."""
    mat = mats.layout(rows)
    image = look()
    if isinstance(image, tuple):
        yield from ((card, image) for card in places.values())
        return
    matrix = mats.registered(mats.find(image), mat)
    if matrix is None and taught is not None and taught.tapped:
        matrix = mats.from_corners(calibration.scaled(taught, (image.shape[1], image.shape[0])), mat)
    for slot, card in places.items():
        if matrix is None:
            yield card, trouble("check/no-mat")
            continue
        try:
            yield card, teach_from(book, image, matrix, rows, slot, card) or ""
        except CannotDo as cannot:
            yield card, cannot.problem
