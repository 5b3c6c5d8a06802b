"""`tableside evidence`: what the camera saw in a game, run through today's reader; and how to delete it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from companion import sensing
from companion.wire.config import Config, load
from companion.wire.messages import CardSeen, SlotSeen
from vision import calibration, evidence
from vision import mat as mats
from vision.camera.frame import Image, Text, trouble
from vision.cards import album as card_album
from vision.terminal.glimpse import complain, tell

YES = ("y", "t", "o")
"""Yes, tak, oui."""


def main(argv: list[str]) -> int:
    """0 when every reading is the same as then."""
    ask = argparse.ArgumentParser(prog="tableside evidence", description="Read the kept pictures again.")
    ask.add_argument("game", nargs="?", type=Path, help="a game's file, its id, or its folder; default: all kept here")
    ask.add_argument("--list", action="store_true", help="only list what is kept")
    ask.add_argument("--forget", action="store_true", help="delete it instead")
    ask.add_argument("--yes", action="store_true", help="with --forget: do not ask")
    args = ask.parse_args(argv)
    config = load()
    root = config.state_dir / evidence.FOLDER
    if args.forget:
        return forget(root, args.game, config.table.language, yes=args.yes)
    places = places_of(root, args.game)
    if not any(True for place in places for _ in evidence.records(place)):
        return complain(trouble("evidence/none"), config.table.language)
    if args.list:
        for place in places:
            for record in evidence.records(place):
                sys.stdout.write(f"{place / f'{record.number:06d}.jpg'}\t{record.seen.slot}\t{said(record.seen)}\n")
        return 0
    return replay(places, reader_of(config), config.table.language)


def places_of(root: Path, game: Path | None) -> list[Path]:
    """The folders of evidence a game's file, id or folder stands for."""
    if game is None:
        return evidence.places(root)
    if game.is_dir():
        return [game]
    return [root / game.stem] if (root / game.stem).is_dir() else []


def forget(root: Path, game: Path | None, language: str, *, yes: bool) -> int:
    """Delete this table's evidence, of one game or of all, when the person means it; no other folder, whatever was named."""
    places = evidence.places(root)
    if game is not None:
        named = {place.resolve() for place in (game, root / game.name, root / game.stem)}
        places = [place for place in places if place.resolve() in named]
        if not places:
            return complain(trouble("evidence/foreign", path=str(game)), language)
    count = sum(1 for place in places for _ in evidence.records(place))
    if count and not yes:
        tell(Text("vision/evidence/sure", {"n": count}), language)
        if not sys.stdin.isatty() or sys.stdin.readline().strip().lower()[:1] not in YES:
            return complain(trouble("evidence/kept"), language)
    for place in places:
        evidence.forget(place)
    return 0


def replay(places: list[Path], read: evidence.Read, language: str) -> int:
    """Say what differs; 1 when anything does."""
    total = same = 0
    for place in places:
        for compared in evidence.replay(place, read):
            total += 1
            same += compared.same
            if not compared.same:
                record = compared.record
                now = said(compared.now) if compared.now is not None else "-"
                line: dict[str, int | str] = {"number": record.number, "slot": record.seen.slot}
                tell(Text("vision/evidence/line", {**line, "then": said(record.seen), "now": now}), language)
    tell(Text("vision/evidence/sum", {"n": total, "same": same}), language)
    return 0 if same == total else 1


def said(seen: SlotSeen) -> str:
    """A reading in one word: `sun 5, sky 2 on G2a`."""
    dice, card = evidence.gist(seen)
    return f"{', '.join(f'{owner} {face}' for owner, face in dice) or '-'} / {'?' if card is None else card or '-'}"


def reader_of(config: Config) -> evidence.Read:
    """Today's reader with what this table was taught; it looks as often as it does at the table."""
    from vision.reader import market, vote
    from vision.reading import AT_LEAST, AT_MOST, as_seen, dice_of

    taught = calibration.load(config.state_dir / calibration.FILE)
    colours, die_mm = (taught.colours, taught.die_mm or calibration.DIE_MM) if taught else ({}, calibration.DIE_MM)
    book, _ = card_album.book_of(config)

    def read(image: Image, record: evidence.Record) -> SlotSeen:
        slot = record.seen.slot
        x, y, width, height = record.area
        held = sensing.Area(slot, 0.0, 0.0, width, height, ("cards", "player dice"))
        mat, y = mats.of(sensing.Mat(width, height, (held,))), mats.BAND
        x = 0.0
        scale, margin = record.px_per_mm, record.margin_mm
        matrix = np.array([[scale, 0, -scale * (x - margin)], [0, scale, -scale * (y - margin)], [0, 0, 1.0]])
        votes: list[tuple[market.MarketDie, ...]] = []
        while len(votes) < AT_MOST and not vote.settled(votes, AT_LEAST):
            votes.append(dice_of(image, matrix, mat, (slot,), colours, len(votes), die_mm)[slot])
        card = record.seen.card
        if len(book):
            left, top = round(margin * scale), round(margin * scale)
            tile = any(name in book.tiles.cards for name, _ in record.cards)
            cut = image if tile else image[top : top + round(height * scale), left : left + round(width * scale)]
            known = (book.tiles if tile else book).recognise(cut, scale)
            card = CardSeen(card=known.card, share=min(1.0, max(0.0, known.share)))
        return as_seen(slot, vote.together(votes), card)

    return read
