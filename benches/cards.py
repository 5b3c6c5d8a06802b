"""Figures of the card recogniser: taught through the virtual camera, then seen in its market with dice on the cards."""

from __future__ import annotations

import time
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benches.figures import Row, row
from companion.games.skytopia.mat import market_mat
from vision import mat as mats
from vision.camera.frame import Image
from vision.cards.album import USUAL
from vision.cards.recognition import CardBook
from vision.commands import SLOT_PX_PER_MM, teach_from
from vision.terminal.cards import Teacher
from vision.terminal.glimpse import FRESH
from vision.terminal.lesson import Lesson, OwnEyes, places_for
from vision.virtual.scene import Light, Studio

COLOURS = ("sun", "leaf", "sky", "coral", "snow", "plum")
NAMES = USUAL
FPS = 15.0
PERSON = 6.0
"""Seconds a person is given for one card: take it, read its name, lay it, press Enter. Assumed, not timed."""
MAT = mats.of(market_mat(4))
SLOTS = MAT.in_reading_order


def taught_book(names: tuple[str, ...] = NAMES) -> CardBook:
    """Every card taught once, a mat of sixteen at a time, as a person would."""
    book, studio = CardBook(), Studio(MAT.declared)
    for first in range(0, len(names), len(SLOTS)):
        places = dict(zip(SLOTS, names[first : first + len(SLOTS)], strict=False))
        image = studio.sensor(studio.picture(_laid(places), None, Light()), Light(), first)
        matrix = mats.registered(mats.find(image), MAT)
        if matrix is None:
            continue
        for slot, card in places.items():
            teach_from(book, image, matrix, MAT, slot, card)
    return book


def _laid(places: dict[str, str], rng: np.random.Generator | None = None, most: int = 0) -> dict[str, Any]:
    laid: dict[str, Any] = {}
    for slot, card in places.items():
        count = int(rng.integers(0, most + 1)) if rng is not None else 0
        laid[slot] = {"card": card, "dice": [_die(rng) for _ in range(count)] if rng is not None else []}
    return laid


def _die(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "colour": COLOURS[int(rng.integers(0, len(COLOURS)))],
        "face": int(rng.integers(1, 7)),
        "x": float(rng.uniform(0.15, 0.85)),
        "y": float(rng.uniform(0.15, 0.85)),
        "angle": float(rng.uniform(0, 90)),
    }


def any_light(rng: np.random.Generator) -> Light:
    """Somewhere in the normal range."""
    return Light(
        level=float(rng.uniform(0.5, 1.15)),
        warmth=float(rng.uniform(-0.1, 0.25)),
        slope=float(rng.uniform(0, 0.35)),
        blur=float(rng.uniform(0.4, 1.2)),
        noise=float(rng.uniform(1, 4)),
    )


def rows(seconds: float = 12.0, most_dice: int = 2, seed: int = 1, taught: tuple[str, ...] = NAMES) -> list[Row]:
    """The lines of `tableside bench vision` about cards: right, wrong, never taught, and time for one card."""
    rng = np.random.default_rng(seed)
    book = taught_book(NAMES[::2])
    whole = taught_book()
    took: list[float] = []
    right = wrong = unknown = guessed = strangers = 0
    began = time.monotonic()
    number = 0
    while number < 3 or time.monotonic() - began < seconds:
        places = dict(zip(SLOTS, rng.permutation(NAMES)[: len(SLOTS)].tolist(), strict=True))
        studio, light = Studio(MAT.declared, seed=number), any_light(rng)
        image = studio.sensor(studio.picture(_laid(places, rng, most_dice), None, light), light, number)
        number += 1
        matrix = mats.registered(mats.find(image), MAT)
        if matrix is None:
            unknown += len(places)
            continue
        for slot, card in places.items():
            seen = mats.straight(image, matrix, MAT.slots[slot], SLOT_PX_PER_MM)
            start = time.thread_time()
            found = whole.recognise(seen, SLOT_PX_PER_MM).card
            took.append(1000 * (time.thread_time() - start))
            right += found == card
            unknown += found is None
            wrong += found not in (card, None)
            if card not in book.cards:
                strangers += 1
                guessed += book.recognise(seen, SLOT_PX_PER_MM).card is not None
    total = right + wrong + unknown
    share = 100 * right / total
    middle, slow = (float(np.percentile(took[1:], part)) for part in (50, 99))
    return [
        row("cards right", share, "%", 99.0, n=total, least=True),
        row("cards wrong", wrong, "cards", 0, n=total),
        row("cards never taught but named", guessed, "cards", 0, n=strangers),
        row("one card, median", middle, "ms", 40.0, n=len(took)),
        row("one card, p99", slow, "ms", 40.0, n=len(took)),
        *teaching_rows(taught),
    ]


class Person:
    """A person in front of the virtual camera: lays what is asked for, presses Enter, and takes `PERSON` for each card."""

    def __init__(self, names: tuple[str, ...], one: bool) -> None:
        self.lesson = Lesson(names, 1 if one else len(SLOTS))
        self.keys = self.frames = 0
        self.waits: list[float] = []
        """Seconds between Enter and the next request, a card."""
        self._studio, self._since = Studio(MAT.declared), 0.0

    def look(self) -> Image:
        """The mat as it was laid; drawing it is the bench's time, not the camera's."""
        began = time.perf_counter()
        light = Light()
        laid = _laid(places_for(self.lesson.now, MAT))
        image = self._studio.sensor(self._studio.picture(laid, None, light), light, self.frames)
        self.frames += FRESH
        self._since += time.perf_counter() - began
        return image

    def answer(self) -> str:
        """Press Enter: the wait since the last time was the machine's."""
        if self.keys:
            self._waited()
        self.keys += 1
        self._since = time.perf_counter()
        return "\n"

    def _waited(self) -> None:
        # the frames are those a camera takes at 15 per second to show the table as it is now
        wait = time.perf_counter() - self._since + FRESH / FPS
        self.waits += [wait / self.lesson.size] * self.lesson.size

    def learn(self, folder: Path) -> CardBook:
        """The whole lesson; what is known after it."""
        book = CardBook()
        with redirect_stderr(StringIO()):
            Teacher(OwnEyes(folder, MAT, self.look, None, book), MAT).ask(self.lesson, self.answer)
        self._waited()
        return book


def teaching_rows(names: tuple[str, ...] = NAMES) -> list[Row]:
    """Teaching cards one by one: the machine's waiting time measured, the person's computed."""
    with TemporaryDirectory() as folder:
        person = Person(names, one=True)
        book = person.learn(Path(folder))
    count = len(book)
    slow = float(np.percentile(person.waits, 95))
    minutes = len(NAMES) * (PERSON + float(np.mean(person.waits))) / 60
    return [
        row("teaching, machine's wait a card, p95", 1000 * slow, "ms", 1000.0, n=count),
        row("teaching 48 cards, 6 s a card of a person computed", minutes, "min", 6.0, n=count),
        row("teaching, keys pressed a card", person.keys / count, "keys", 1.0, n=count),
    ]
