"""The album of taught cards: one picture each, kept on this device, found again at the next start."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np

from companion.wire.config import Config
from companion.wire.files import write_private
from vision import calibration
from vision.calibration import CARD_MM
from vision.camera.frame import Image
from vision.cards.prints import HEIGHT, WIDTH
from vision.cards.recognition import CardBook
from vision.cards.tiles import SIDE
from vision.reader.files import NoPicture, read_picture

FOLDER = "cards"
USUAL = tuple(f"{column}{place}{copy}" for column in "BGRV" for place in range(1, 5) for copy in "abc")
"""The names of Skytopia's 48 cards: colour, kind and copy."""
CARD_NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")


def keep(folder: Path, book: CardBook, card: str) -> None:
    """Keep a taught card on disk as a picture its owner can look at; in place at once or not at all."""
    if not CARD_NAME.match(card):
        raise ValueError(f"{card!r}: a card's name is letters, digits, dots and dashes")
    done, data = cv2.imencode(".png", book.picture(card))
    if not done:
        raise ValueError(f"{card}: the picture cannot be kept")
    write_private(folder / f"{card}.png", data.tobytes())


def drop(folder: Path, card: str) -> None:
    """Take a taught card off the disk."""
    if CARD_NAME.match(card):
        (folder / f"{card}.png").unlink(missing_ok=True)


def read_book(folder: Path, card_mm: tuple[float, float] = CARD_MM) -> tuple[CardBook, tuple[str, ...]]:
    """All cards kept in a folder, and the names of those whose picture is damaged or may not be read."""
    book, damaged = CardBook(card_mm), []
    for file in sorted(folder.glob("*.png")):
        try:
            picture = read_picture(file)
        except NoPicture:
            damaged.append(file.stem)
            continue
        if picture.shape == (HEIGHT, WIDTH, 3):
            book.teach(file.stem, picture)
        elif picture.shape == (SIDE, SIDE, 3):
            book.tiles.kept(file.stem, picture)
        else:
            damaged.append(file.stem)
    return book, tuple(damaged)


def book_of(config: Config) -> tuple[CardBook, tuple[str, ...]]:
    """The cards this table knows, in the size it was calibrated for; the virtual table's as if they had been taught."""
    if config.camera.source != "virtual":
        taught = calibration.load(config.state_dir / calibration.FILE)
        return read_book(config.state_dir / FOLDER, taught.card_mm if taught else CARD_MM)
    from vision.virtual.cardface import face

    book = CardBook()
    for card in USUAL:
        book.teach(card, face(card))
    return book, ()


def cut_out(picture: Image, px_per_mm: float, card_mm: tuple[float, float] = CARD_MM) -> Image:
    """The card in a slot's picture, laid straight; where its edges cannot be told from the mat, the slot itself.

    Which end is up does not matter: a card is recognised at any turn.
    """
    height, width = picture.shape[:2]
    wide, high = card_mm[0] * px_per_mm, card_mm[1] * px_per_mm
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float32)
    rim = np.concatenate([lab[:3].reshape(-1, 3), lab[-3:].reshape(-1, 3)])
    distance = np.clip(np.abs(lab - np.median(rim, axis=0)).sum(axis=2), 0, 255).astype(np.uint8)
    # the outline printed on the mat is nearer to the mat's colour than the card is: Otsu finds the gap
    _, away = cv2.threshold(distance, 0, 1, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    away = cv2.morphologyEx(away, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    away = cv2.morphologyEx(away, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    contours, _ = cv2.findContours(away, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for contour in sorted(contours, key=cv2.contourArea, reverse=True)[:1]:
        centre, sides, angle = cv2.minAreaRect(contour)
        if sides[0] > sides[1]:  # the short side across: which end is up stays open
            sides, angle = (sides[1], sides[0]), angle + 90
        if abs(sides[0] / wide - 1) < 0.05 and abs(sides[1] / high - 1) < 0.05:
            # its size is known better than it can be measured: only place and turn are taken from the picture
            corners = cv2.boxPoints((centre, (wide, high), angle))
            target = np.array([(0, HEIGHT), (0, 0), (WIDTH, 0), (WIDTH, HEIGHT)], np.float32)
            matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
            return cv2.warpPerspective(picture, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_AREA)  # type: ignore[return-value]
    left, top = max(0, round((width - wide) / 2)), max(0, round((height - high) / 2))
    middle = picture[top : top + round(high), left : left + round(wide)]
    return cv2.resize(middle, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)  # type: ignore[return-value]
