"""What the screen may ask of the camera (`do/vision`): calibrate, check the table, teach and forget cards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import msgspec

from companion.messages import Answer, CardSeen, Do, Refusal
from vision import calibrate, calibration, card_album, check
from vision import mat as mats
from vision.camera.frame import Frame, Image, Problem, trouble
from vision.cards import CardBook

SLOT_PX_PER_MM = 3.0
TEACH_MARGIN = 3.0
"""Millimetres around the slot: a card laid by hand is never quite in it, and the next one is not far."""


class ReaderLike(Protocol):
    """The part of the market reader that learns."""

    rows: int
    matrix: mats.Matrix | None
    taught: Any
    corners: mats.Corners | None
    corners_size: tuple[int, int]
    know_card: Callable[[Image], CardSeen] | None

    def again(self) -> None:
        """Read everything anew."""


class Desk:
    """Answers the screen's requests about one camera."""

    def __init__(
        self, reader: ReaderLike, frame: Callable[[], Frame | None], state_dir: Path, now: Callable[[], float]
    ) -> None:
        self.reader, self.frame, self.state_dir, self.now = reader, frame, state_dir, now
        self.book, self.damaged = card_album.read_book(state_dir / card_album.FOLDER)

    def commands(self) -> dict[str, Callable[[Do], Answer]]:
        """By the name the screen sends."""
        return {
            "calibrate": self._answered(self.calibrate),
            "check": self._answered(self.check),
            "teach card": self._answered(self.teach),
            "forget card": self._answered(self.forget),
            "cards": self._answered(self.cards),
            "forget evidence": self._answered(self.forget_evidence),
        }

    def _answered(self, command: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[Do], Answer]:
        def answer(ask: Do) -> Answer:
            try:
                return Answer(id=ask.id, ok=True, result=command(ask.args))
            except calibration.CalibrationRefused as refused:
                return _refused(ask, f"calibration/{refused.code}", refused.problem)
            except CannotDo as cannot:
                return _refused(ask, cannot.code, cannot.problem)
            except (KeyError, TypeError, ValueError):
                return _refused(ask, "command/unclear", trouble("command/unclear"))

        return answer

    def calibrate(self, args: dict[str, Any]) -> dict[str, Any]:
        """Measure this table anew; `args`: colours, corners (as shares of the picture), card_mm, rows."""
        frame = self._frame()
        height, width = frame.image.shape[:2]
        rows = int(args.get("rows", self.reader.rows))
        place = self.state_dir / calibration.FILE
        corners = args.get("corners")
        found = calibrate.measure(
            frame.image,
            rows=rows,
            colours=calibrate.dice_places(tuple(args.get("colours", ())), rows),
            corners=_corners(corners, width, height) if corners else None,
            card_mm=_pair(args.get("card_mm", (63.0, 88.0))),
            before=calibration.load(place),
            now=self.now(),
        )
        calibration.save(place, found)
        self.reader.taught, self.reader.corners, self.reader.corners_size = found.colours, found.corners, found.size
        self.reader.matrix = None
        self.reader.again()
        lamp = msgspec.to_builtins(found.lamp)
        return {"rows": found.rows, "colours": sorted(found.colours), "lamp": lamp, "corners": list(found.corners)}

    def check(self, args: dict[str, Any]) -> dict[str, Any]:
        """How well this table can be read, and the one thing to change."""
        found = check.look(self._frame().image, self.reader.rows, self.reader.matrix)
        say, do = found.advice or (None, None)
        told = {"say": msgspec.to_builtins(say), "do": msgspec.to_builtins(do)}
        return {"score": found.score, "parts": found.parts, "figures": found.figures, **told}

    def teach(self, args: dict[str, Any]) -> dict[str, Any]:
        """Learn the card in `slot` under the name `card`."""
        card, slot = str(args["card"]), str(args["slot"])
        if not card_album.CARD_NAME.match(card):
            raise CannotDo("cards/name", card=card)
        like = teach_from(self.book, self._frame().image, self._matrix(), self.reader.rows, slot, card)
        card_album.keep(self.state_dir / card_album.FOLDER, self.book, card)
        self._known()
        return {"card": card, "cards": len(self.book), "like": like}

    def forget(self, args: dict[str, Any]) -> dict[str, Any]:
        """Forget one card."""
        card = str(args["card"])
        self.book.forget(card)
        card_album.drop(self.state_dir / card_album.FOLDER, card)
        self._known()
        return {"cards": len(self.book)}

    def cards(self, args: dict[str, Any]) -> dict[str, Any]:
        """The cards that are known, and those whose picture is damaged."""
        return {"cards": list(self.book.cards), "damaged": list(self.damaged)}

    def forget_evidence(self, args: dict[str, Any]) -> dict[str, Any]:
        """Delete every kept picture."""
        from vision.evidence import FOLDER, Evidence

        Evidence(self.state_dir / FOLDER).forget()
        return {}

    def _known(self) -> None:
        book = self.book

        def know(picture: Image) -> CardSeen:
            found = book.recognise(picture, SLOT_PX_PER_MM)
            return CardSeen(card=found.card, share=min(1.0, max(0.0, found.share)))

        self.reader.know_card = know if len(book) else None
        self.reader.again()

    def _frame(self) -> Frame:
        frame = self.frame()
        if frame is None:
            raise CannotDo("camera/none")
        return frame

    def _matrix(self) -> mats.Matrix:
        if self.reader.matrix is None:
            raise CannotDo("check/no-mat")
        return self.reader.matrix


class CannotDo(Exception):  # noqa: N818 - said as it is
    """The command cannot be carried out now; `problem` says why and what to do."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code, self.problem = code, trouble(code, **params)


def teach_from(book: CardBook, image: Image, matrix: mats.Matrix, rows: int, slot: str, card: str) -> str | None:
    """Teach the card lying in a slot; the name of another card with this very face, if there is one."""
    slots = mats.layout(rows).slots
    if slot not in slots:
        raise CannotDo("cards/no-slot", slot=slot)
    seen = mats.straight(image, matrix, slots[slot], SLOT_PX_PER_MM, TEACH_MARGIN)
    if CardBook(book.card_mm).recognise(seen, SLOT_PX_PER_MM).card == "":
        raise CannotDo("cards/empty", slot=slot)
    picture = card_album.cut_out(seen, SLOT_PX_PER_MM, book.card_mm)
    like = book.like(picture)
    book.teach(card, picture)
    return like if like != card else None


def _refused(ask: Do, code: str, problem: Problem) -> Answer:
    return Answer(id=ask.id, ok=False, refusal=Refusal(code=f"vision/{code}", say=problem[0], do=problem[1]))


def _pair(value: Any) -> tuple[float, float]:
    first, second = value
    return float(first), float(second)


def _corners(given: Any, width: int, height: int) -> calibration.Corners:
    a, b, c, d = ((float(x) * width, float(y) * height) for x, y in given)
    return a, b, c, d
