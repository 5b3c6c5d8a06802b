"""`tableside cards teach|list|forget`: teach this copy's cards, a whole mat of them at a time."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from companion.config import Config, load
from vision import calibration, card_album
from vision import mat as mats
from vision.camera.frame import Image, Problem, Text, trouble
from vision.cards import CardBook
from vision.commands import CannotDo, teach_from
from vision.glimpse import complain, glimpse, options, tell


def main(argv: list[str]) -> int:
    """0 when all was taught."""
    ask = argparse.ArgumentParser(prog="tableside cards", description="Teach the camera the cards of this copy.")
    verbs = ask.add_subparsers(dest="verb", required=True)
    teach = verbs.add_parser("teach", help="lay the cards in the slots, confirm their names")
    options(teach)
    teach.add_argument("names", nargs="*", help="names of the cards, in the order they are laid")
    teach.add_argument("--file", type=Path, help="a text file with one name per line")
    teach.add_argument("--yes", action="store_true", help="the cards lie there already: do not ask")
    verbs.add_parser("list", help="the cards that are known")
    forget = verbs.add_parser("forget", help="forget cards")
    forget.add_argument("names", nargs="+")
    args = ask.parse_args(argv)
    config = load()
    folder = config.state_dir / card_album.FOLDER
    if args.verb == "list":
        book, damaged = card_album.read_book(folder)
        sys.stdout.write("".join(f"{card}\n" for card in book.cards))
        sys.stderr.write("".join(f"{card}: damaged\n" for card in damaged))
        return 0
    if args.verb == "forget":
        for name in args.names:
            card_album.drop(folder, name)
        return 0
    return _teach(config, args)


def _teach(config: Config, args: argparse.Namespace) -> int:
    language = config.table.language
    names = [*args.names, *_listed(args.file)] if args.file else list(args.names)
    wrong = [name for name in names if not card_album.CARD_NAME.match(name)]
    if wrong or not names:
        return complain(trouble("cards/name", card=wrong[0] if wrong else "''"), language)
    taught = calibration.load(config.state_dir / calibration.FILE)
    rows = args.rows or (taught.rows if taught else config.camera.rows)
    card_mm = taught.card_mm if taught else (63.0, 88.0)
    folder = config.state_dir / card_album.FOLDER
    book, _ = card_album.read_book(folder, card_mm)

    def confirm(places: dict[str, str]) -> bool:
        tell(Text("vision/teach/lay"), language)
        for slot, card in places.items():
            tell(Text("vision/teach/place", {"slot": slot, "card": card}), language)
        return args.yes or sys.stdin.readline() != ""

    status = 0
    for card, outcome in teach(names, rows, book, lambda: glimpse(config, args), confirm, taught):
        if isinstance(outcome, tuple):
            status = complain(outcome, language)
            continue
        card_album.keep(folder, book, card)
        if outcome:
            tell(Text("vision/teach/like", {"card": card, "other": outcome}), language)
    tell(Text("vision/teach/taught", {"n": len(book)}), language)
    return status


def _listed(file: Path) -> list[str]:
    try:
        return [line.strip() for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError):
        return []


def places_for(names: Sequence[str], rows: int) -> Iterator[dict[str, str]]:
    """Mat by mat which card goes where: slot -> card, row by row from the left."""
    slots = [f"{column}-{row}" for row in range(1, rows + 1) for column in mats.COLUMNS]
    for first in range(0, len(names), len(slots)):
        yield dict(zip(slots, names[first : first + len(slots)], strict=False))


def teach(
    names: Sequence[str],
    rows: int,
    book: CardBook,
    look: Callable[[], Image | Problem],
    confirm: Callable[[dict[str, str]], bool],
    taught: calibration.Calibration | None = None,
) -> Iterator[tuple[str, Problem | str]]:
    """Teach the cards a whole mat at a time; each with `""`, the card it looks just like, or what went wrong."""
    mat = mats.layout(rows)
    for places in places_for(names, rows):
        if not confirm(places):
            return
        image = look()
        if isinstance(image, tuple):
            yield from ((card, image) for card in places.values())
            continue
        matrix = mats.registered(mats.find(image), mat)
        if matrix is None and taught is not None:
            size = (image.shape[1], image.shape[0])
            matrix = mats.from_corners(calibration.scaled(taught, size), mat)
        for slot, card in places.items():
            if matrix is None:
                yield card, trouble("check/no-mat")
                continue
            try:
                yield card, teach_from(book, image, matrix, rows, slot, card) or ""
            except CannotDo as cannot:
                yield card, cannot.problem
