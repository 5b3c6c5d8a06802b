"""`tableside cards teach|list|forget`: teach this copy's cards, a whole mat of them at a time or one by one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from companion.wire.config import Config, load
from companion.wire.files import read_text
from vision import calibration
from vision import mat as mats
from vision.camera.frame import Problem, Text, trouble
from vision.cards import album as card_album
from vision.terminal.declared import chosen
from vision.terminal.glimpse import Viewfinder, complain, options, tell
from vision.terminal.lesson import Lesson, OwnEyes, Pupil, RunningEyes, places_for
from vision.terminal.running import running

SKIP, BACK, STOP = "s", "b", "q"


def main(argv: list[str]) -> int:
    """0 when all was taught, or left for another time by the person's own wish."""
    ask = argparse.ArgumentParser(prog="tableside cards", description="Teach the camera the cards of this copy.")
    verbs = ask.add_subparsers(dest="verb", required=True)
    lesson = verbs.add_parser("teach", help="lay cards in the slots and confirm their names")
    options(lesson)
    lesson.add_argument(
        "names", nargs="*", help="names of the cards, in the order they are laid; default: Skytopia's 48"
    )
    lesson.add_argument("--file", type=Path, help="a text file with one name per line")
    lesson.add_argument("--one", action="store_true", help="one card after the other in the first slot")
    lesson.add_argument("--again", action="store_true", help="also those that are known already")
    lesson.add_argument("--yes", action="store_true", help="the cards lie there already: do not ask")
    verbs.add_parser("list", help="list the cards that are known")
    forget = verbs.add_parser("forget", help="forget cards")
    forget.add_argument("names", nargs="+")
    args = ask.parse_args(argv)
    if args.verb == "teach":
        args.mat = chosen(ask, args)
    config = load()
    folder = config.state_dir / card_album.FOLDER
    if args.verb == "list":
        book, damaged = card_album.read_book(folder)
        sys.stdout.write("".join(f"{card}\n" for card in book.cards))
        sys.stderr.write("".join(f"{card}: damaged\n" for card in damaged))
        if not book.cards and not damaged:
            tell(Text("vision/teach/none"), config.table.language)
        return 0
    if args.verb == "forget":
        for name in args.names:
            card_album.drop(folder, name)
        return 0
    return _lesson(config, args)


def _lesson(config: Config, args: argparse.Namespace) -> int:
    language = config.table.language
    try:
        names = list(dict.fromkeys([*args.names, *(_listed(args.file) if args.file else ())]))
    except OSError:
        return complain(trouble("cards/no-list", path=str(args.file)), language)
    if not names and args.file is None:
        names = list(card_album.USUAL)
    wrong = [name for name in names if not card_album.CARD_NAME.match(name)]
    if wrong or not names:
        return complain(trouble("cards/name", card=wrong[0] if wrong else "''"), language)
    taught = calibration.load(config.state_dir / calibration.FILE)
    mat: mats.Mat = args.mat
    table = running(config) if args.photo is None else None
    if table is not None:
        try:
            return _taught(RunningEyes(table), names, mat, args, language)
        finally:
            table.close()
    with Viewfinder(config, args.photo) as finder:
        eyes = OwnEyes(config.state_dir / card_album.FOLDER, mat, finder.look, taught)
        return _taught(eyes, names, mat, args, language)


def _taught(pupil: Pupil, names: list[str], mat: mats.Mat, args: argparse.Namespace, language: str) -> int:
    known = set() if args.again else set(pupil.known).intersection(names)
    if known:
        tell(Text("vision/teach/known", {"n": len(known)}), language)
    lesson = Lesson([name for name in names if name not in known], 1 if args.one else len(mat.slots))
    teacher = Teacher(pupil, mat, language)
    status = teacher.all_at_once(lesson) if args.yes else teacher.ask(lesson, sys.stdin.readline)
    tell(Text("vision/teach/taught", {"n": len(pupil.known)}), language)
    left = {*lesson.left, *lesson.skipped} - set(pupil.known)
    if left:
        tell(Text("vision/teach/left", {"n": len(left)}), language)
    return status


class Teacher:
    """Talks a person through a lesson."""

    def __init__(self, pupil: Pupil, mat: mats.Mat, language: str = "en") -> None:
        self.pupil, self.mat, self.language = pupil, mat, language

    def ask(self, lesson: Lesson, answer: Callable[[], str]) -> int:
        """Card by card or mat by mat, until all are known or the person stops."""
        status = 0
        if lesson.now:
            tell(Text("vision/teach/keys"), self.language)
        while lesson.now:
            self._say(lesson)
            line = answer()
            word = line.strip()
            if line == "" or word == STOP:
                break
            if word == SKIP:
                lesson.skip()
            elif word == BACK:
                lesson.back()
            elif word == "":
                wrong = self._teach(lesson.now)
                lesson.learnt(wrong)
                status = 1 if wrong else 0
            elif len(lesson.now) == 1 and card_album.CARD_NAME.match(word):
                # another card than the one proposed lies there: its name was typed
                if not self._teach((word,)):
                    lesson.left = [card for card in lesson.left if card != word]
            else:
                tell(Text("vision/teach/keys"), self.language)
        return status

    def all_at_once(self, lesson: Lesson) -> int:
        """The cards lie there already."""
        status = 0
        while lesson.now:
            batch = lesson.now
            status |= int(bool(self._teach(batch)))
            lesson.learnt()
        return status

    def _say(self, lesson: Lesson) -> None:
        """What to lay now, and how far we are."""
        batch, total = lesson.now, len(lesson.names)
        places = places_for(batch, self.mat)
        if len(batch) == 1:
            slot, card = next(iter(places.items()))
            here: dict[str, int | str] = {"number": lesson.number, "total": total, "card": card, "slot": slot}
            tell(Text("vision/teach/one", {**here}), self.language)
            return
        last = lesson.number + len(batch) - 1
        tell(Text("vision/teach/lay", {"number": lesson.number, "last": last, "total": total}), self.language)
        # as they lie on the mat, row by row
        wide, across = max(map(len, batch)) + 3, _across(self.mat)
        for first in range(0, len(batch), across):
            row = "".join(card.ljust(wide) for card in batch[first : first + across])
            sys.stderr.write(f"   {row.rstrip()}\n")

    def _teach(self, batch: tuple[str, ...]) -> list[str]:
        """Learn what lies there, say what went wrong; the cards that come again."""
        wrong: list[str] = []
        said: set[str] = set()
        for card, outcome in self.pupil.learn(places_for(batch, self.mat)):
            if outcome == "":
                continue
            wrong.append(card)
            if isinstance(outcome, tuple):
                self._complain(outcome, said)
            else:
                tell(Text("vision/teach/like", {"card": card, "other": outcome}), self.language)
        return wrong

    def _complain(self, problem: Problem, said: set[str]) -> None:
        """Each sentence once: no camera is one trouble, not sixteen."""
        sentence = f"{problem[0].key} {problem[0].params}"
        if sentence not in said:
            said.add(sentence)
            complain(problem, self.language)


def _across(mat: mats.Mat) -> int:
    """How many slots there are in the first row."""
    first = mat.in_reading_order[0]
    return sum(rect[1] == mat.slots[first][1] for rect in mat.slots.values())


def _listed(file: Path) -> list[str]:
    return [line.strip() for line in read_text(file).splitlines() if line.strip()]
