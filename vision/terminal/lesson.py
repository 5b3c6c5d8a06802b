"""A lesson: which cards are to be laid next, what was learnt, and what comes again.

Cards are taught a mat at a time, or one by one in the same slot. A card that went wrong comes again with the next ones;
a person may skip, go back, stop, and go on another day.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from vision import calibration
from vision import mat as mats
from vision.camera.frame import Image, Problem, trouble
from vision.cards import album as card_album
from vision.cards.recognition import CardBook
from vision.commands import CannotDo, teach_from
from vision.terminal.running import RunningTable

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


class Pupil(Protocol):
    """Whoever learns the cards: a camera opened for it, or that of a running table."""

    @property
    def known(self) -> Collection[str]:
        """The cards known by now."""

    def learn(self, places: Mapping[str, str]) -> Iterator[tuple[str, Problem | str]]:
        """Learn the cards lying in these slots and keep them.

        Each comes with `""`, what went wrong, or the card it looks just like: that one is not kept.
        """


class OwnEyes:
    """Learns through a camera opened for the lesson, or from a photo."""

    def __init__(
        self,
        folder: Path,
        mat: mats.Mat,
        look: Look,
        taught: calibration.Calibration | None,
        book: CardBook | None = None,
    ) -> None:
        self.folder, self.mat, self.look, self.taught = folder, mat, look, taught
        card_mm = taught.card_mm if taught else calibration.CARD_MM
        self.book = book if book is not None else card_album.read_book(folder, card_mm)[0]

    @property
    def known(self) -> Collection[str]:
        """The cards in the album."""
        return self.book.cards

    def learn(self, places: Mapping[str, str]) -> Iterator[tuple[str, Problem | str]]:
        """One look at the table, then card by card."""
        for card, outcome in teach(places, self.mat, self.book, self.look, self.taught):
            if outcome == "":
                card_album.keep(self.folder, self.book, card)
            elif isinstance(outcome, str):
                # most likely the card before still lies there; two names for one face would make both unknown
                self.book.forget(card)
            yield card, outcome


class RunningEyes:
    """Learns through the camera of the running table, which keeps the cards itself."""

    def __init__(self, table: RunningTable) -> None:
        self.table = table

    @property
    def known(self) -> Collection[str]:
        """The cards the table knows."""
        told = self.table.ask("cards")
        return () if isinstance(told, tuple) else tuple(told["cards"])

    def learn(self, places: Mapping[str, str]) -> Iterator[tuple[str, Problem | str]]:
        """Card by card, over the corridor."""
        for slot, card in places.items():
            told = self.table.ask("teach card", card=card, slot=slot)
            if isinstance(told, tuple):
                yield card, told
                continue
            like = str(told.get("like") or "")
            if like:
                self.table.ask("forget card", card=card)
            yield card, like


def places_for(names: Sequence[str], mat: mats.Mat) -> dict[str, str]:
    """Which card goes where: slot -> card, row by row from the left."""
    return dict(zip(mat.in_reading_order, names, strict=False))


def teach(
    places: Mapping[str, str], mat: mats.Mat, book: CardBook, look: Look, taught: calibration.Calibration | None = None
) -> Iterator[tuple[str, Problem | str]]:
    """Teach the cards that lie there; each with `""`, the card it looks just like, or what went wrong."""
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
            yield card, teach_from(book, image, matrix, mat, slot, card) or ""
        except CannotDo as cannot:
            yield card, cannot.problem
