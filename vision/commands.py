"""What the screen may ask of the camera (`do/vision`): show, check, calibrate, teach and forget.

Every request gets one answer: what was done, or a refusal with a sentence and what to do about it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from companion.wire.config import Config
from companion.wire.messages import Answer, Do, Refusal
from companion.wire.replies import Checked, Sites
from vision import calibrate, calibration, check
from vision import mat as mats
from vision.calibration import Calibration
from vision.camera.frame import Frame, Image, Problem, trouble
from vision.cards import album as card_album
from vision.cards import tiles
from vision.cards.recognition import CardBook, KnowCard, Recognised
from vision.evidence import Evidence
from vision.show import LEASE, LIVE, LIVE_FPS, Show, question_name

if TYPE_CHECKING:
    from vision.reading import MarketReader

SLOT_PX_PER_MM = 3.0
TEACH_MARGIN = 3.0
"""Millimetres around the slot: a card laid by hand is never quite in it, and the next one is not far."""


class CameraDesk:
    """Answers the screen's requests about one camera."""

    def __init__(
        self,
        reader: MarketReader,
        frame: Callable[[], Frame | None],
        config: Config,
        now: Callable[[], float],
        show: Show,
        evidence: Evidence,
        book: CardBook | None = None,
    ) -> None:
        self.reader, self.frame, self.now, self.show, self.evidence = reader, frame, now, show, evidence
        self.state_dir = config.state_dir
        self.problem: Problem | None = None
        """Why there is no frame, when the camera knows."""
        self.taught = calibration.load(self._place)
        self._looked: tuple[Frame, mats.Matrix | None, Checked] | None = None
        self.book = book if book is not None else card_album.book_of(config)[0]

    @property
    def _place(self) -> Any:
        return self.state_dir / calibration.FILE

    def commands(self) -> dict[str, Callable[[Do], Answer]]:
        """By the name the screen sends."""
        verbs = {
            "live": self.live,
            "live start": self.live_start,
            "live stop": self.live_stop,
            "picture": self.picture,
            "check": self.check,
            "calibrate": self.calibrate,
            "sample colours": self.sample_colours,
            "sites": self.sites,
            "place sites": self.place_sites,
            "calibration": self.calibration,
            "look again": self.look_again,
            "teach card": self.teach,
            "forget card": self.forget,
            "cards": self.cards,
            "forget evidence": self.forget_evidence,
        }
        return {name: self._answered(verb) for name, verb in verbs.items()}

    def _answered(self, command: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[Do], Answer]:
        def answer(ask: Do) -> Answer:
            try:
                return Answer(id=ask.id, ok=True, result=command(ask.args))
            except calibration.CalibrationRefused as refused:
                return _refused(ask, f"calibration/{refused.code}", refused.problem)
            except CannotDo as cannot:
                return _refused(ask, cannot.code, cannot.problem)
            except OSError as wrong:
                reason = wrong.strerror or str(wrong)
                return _refused(ask, "command/disk", trouble("command/disk", reason=reason))
            except (KeyError, TypeError, ValueError):
                return _refused(ask, "command/unclear", trouble("command/unclear"))

        return answer

    # -- looking -----------------------------------------------------------------------------------------------------

    def live(self, args: dict[str, Any]) -> dict[str, Any]:
        """One live picture, and how well the table can be read in it."""
        frame = self._frame()
        width, height = self.show.live(frame)
        return {"picture": LIVE, "width": width, "height": height, **self.looked(frame).plain()}

    def live_start(self, args: dict[str, Any]) -> dict[str, Any]:
        """Live pictures until `live stop`, at most for `seconds`; asking again prolongs them."""
        self._frame()
        seconds = self.show.start(float(args.get("seconds", LEASE)), float(args.get("fps", LIVE_FPS)))
        return {"picture": LIVE, "seconds": seconds}

    def live_stop(self, args: dict[str, Any]) -> dict[str, Any]:
        """No more live pictures."""
        self.show.stop()
        return {}

    def picture(self, args: dict[str, Any]) -> dict[str, Any]:
        """The picture of one `slot`, as for a question."""
        slot = str(args["slot"])
        if slot not in self.reader.mat.slots:
            raise CannotDo("cards/no-slot", slot=slot)
        self._frame()
        self._matrix()
        if not self.show.ask(slot):
            raise CannotDo("command/not-read")
        return {"picture": question_name(slot)}

    def check(self, args: dict[str, Any]) -> dict[str, Any]:
        """How well this table can be read, and the one thing to change."""
        return self.looked(self._frame()).plain()

    def looked(self, frame: Frame) -> Checked:
        """The table check of a frame; asked twice, it is made once."""
        matrix = self.reader.matrix
        if self._looked is None or self._looked[0] is not frame or self._looked[1] is not matrix:
            die_mm = self.taught.die_mm if self.taught and self.taught.die_mm else self.reader.mat.die_mm
            self._looked = frame, matrix, check.look(frame.image, self.reader.mat, matrix, die_mm)
        return self._looked[2]

    def look_again(self, args: dict[str, Any]) -> dict[str, Any]:
        """Read everything anew at the next rest."""
        self._frame()
        self.reader.again()
        return {}

    # -- calibration -------------------------------------------------------------------------------------------------

    def calibrate(self, args: dict[str, Any]) -> dict[str, Any]:
        """Measure this table anew.

        `args`: corners (as shares of the picture), colours, card_mm, die_mm; `fresh` forgets colours known before.
        """
        frame = self._frame()
        height, width = frame.image.shape[:2]
        before = calibration.load(self._place)
        mat = self.reader.mat
        corners = args.get("corners")
        found = calibrate.measure(
            frame.image,
            mat=mat,
            colours=_places(args.get("colours", ()), mat),
            corners=_corners(corners, width, height) if corners else None,
            card_mm=_pair(args["card_mm"]) if "card_mm" in args else None,
            die_mm=float(args["die_mm"]) if "die_mm" in args else None,
            before=before,
            fresh=bool(args.get("fresh", False)),
            now=self.now(),
        )
        return self._adopted(found)

    def sample_colours(self, args: dict[str, Any]) -> dict[str, Any]:
        """Measure player colours where the mat is known to lie; `colours` as for `calibrate`, at least one."""
        frame, matrix = self._frame(), self._matrix()
        mat = self.reader.mat
        colours = _places(args["colours"], mat)
        if not colours:
            raise ValueError("no colours named")
        before = calibration.load(self._place)
        fresh = bool(args.get("fresh", False))
        found = calibrate.sampled(frame.image, matrix, mat, colours, before, now=self.now(), fresh=fresh)
        shown = {name: {"slot": slot, "rgb": calibrate.rgb(found.colours[name])} for name, slot in colours.items()}
        return {**self._adopted(found), "sampled": shown}

    def laid(self, mat: mats.Mat) -> mats.Mat:
        """A game's mat with the sites of this owner's board."""
        known = self.taught.sites.get(mats.name_of(mat), {}) if self.taught is not None and mat.spots else {}
        return mats.with_sites(mat, known)

    def sites(self, args: dict[str, Any]) -> dict[str, Any]:
        """Where every spot of the mat is looked for, as shares of the picture, island by island."""
        frame, matrix, mat = self._frame(), self._matrix(), self.reader.mat
        height, width = frame.image.shape[:2]
        found: dict[str, tuple[float, float]] = {}
        for spot in sorted(mat.spots, key=lambda name: _group(mat, name)):
            x, y, wide, high = mat.slots[spot]
            across, down = mats.in_picture(matrix, (x + wide / 2, y + high / 2))
            found[spot] = round(across / width, 4), round(down / height, 4)
        return Sites(found).plain()

    def place_sites(self, args: dict[str, Any]) -> dict[str, Any]:
        """Look for these spots where they were tapped: `sites` as `sites` gives them, none for where the game has them."""
        frame, matrix, mat = self._frame(), self._matrix(), self.reader.mat
        height, width = frame.image.shape[:2]
        placed: dict[str, mats.Point] = {}
        for spot, (x, y) in args["sites"].items():
            place = mats.on_paper(matrix, (float(x) * width, float(y) * height))
            if spot not in mat.spots or mats.outside(mat, place, spot):
                raise calibration.CalibrationRefused("site-outside")
            placed[str(spot)] = round(place[0], 1), round(place[1], 1)
        before = self.taught or calibrate.sampled(frame.image, matrix, mat, {}, None, now=self.now())
        plain = mats.of(mat.declared)
        found = msgspec.structs.replace(before, sites={**before.sites, mats.name_of(plain): placed})
        told = self._adopted(found)
        self.reader.lay(self.laid(plain))
        return told

    def calibration(self, args: dict[str, Any]) -> dict[str, Any]:
        """What this table was taught, and what is wrong with the file if anything is."""
        found, problem = calibration.load_with_problem(self._place)
        say, do = problem or (None, None)
        told = {"calibrated": found is not None, "say": msgspec.to_builtins(say), "do": msgspec.to_builtins(do)}
        return {**told, **_measured(found)} if found is not None else told

    def _adopted(self, found: Calibration) -> dict[str, Any]:
        """Keep it, and read by it from the next frame on."""
        calibration.save(self._place, found)
        self.taught = found
        self.book.card_mm = found.card_mm
        hand_set = found.corners if found.tapped else None
        self.reader.adopt(found.colours, hand_set, found.size, found.die_mm)
        return _measured(found)

    # -- cards -------------------------------------------------------------------------------------------------------

    def teach(self, args: dict[str, Any]) -> dict[str, Any]:
        """Learn the card in `slot` under the name `card`."""
        card, slot = str(args["card"]), str(args["slot"])
        if not card_album.CARD_NAME.match(card):
            raise CannotDo("cards/name", card=card)
        like = teach_from(self.book, self._frame().image, self._matrix(), self.reader.mat, slot, card)
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
        kept = (self.state_dir / card_album.FOLDER).glob("*.png")
        damaged = sorted(file.stem for file in kept if file.stem not in self.book.cards)
        return {"cards": list(self.book.cards), "damaged": damaged}

    def forget_evidence(self, args: dict[str, Any]) -> dict[str, Any]:
        """Delete every kept picture."""
        self.evidence.forget()
        return {}

    def _known(self) -> None:
        self.reader.know_card = knower(self.book)
        self.reader.again()

    # -- what is needed ----------------------------------------------------------------------------------------------

    def _frame(self) -> Frame:
        frame = self.frame()
        if frame is None:
            raise CannotDo("command/no-picture", self.problem)
        return frame

    def _matrix(self) -> mats.Matrix:
        if self.reader.matrix is None:
            raise CannotDo("check/no-mat")
        return self.reader.matrix


class CannotDo(Exception):  # noqa: N818 - said as it is
    """The command cannot be carried out now; `problem` says why and what to do."""

    def __init__(self, code: str, problem: Problem | None = None, **params: Any) -> None:
        super().__init__(code)
        self.code, self.problem = code, problem or trouble(code, **params)


def knower(book: CardBook) -> KnowCard | None:
    """How a reader asks this book; `None` while it is empty."""

    def know(picture: Image, *, tile: bool = False) -> Recognised:
        return (book.tiles if tile else book).recognise(picture, SLOT_PX_PER_MM)

    return know if len(book) else None


def teach_from(book: CardBook, image: Image, matrix: mats.Matrix, mat: mats.Mat, slot: str, card: str) -> str | None:
    """Teach the card or tile lying in a slot; the name of another with this very face, if there is one."""
    slots = mat.slots
    if slot not in slots:
        raise CannotDo("cards/no-slot", slot=slot)
    seen = mats.straight(image, matrix, slots[slot], SLOT_PX_PER_MM, TEACH_MARGIN)
    if CardBook(book.card_mm).recognise(seen, SLOT_PX_PER_MM).card == "":
        raise CannotDo("cards/empty", slot=slot)
    book.forget(card)
    if slot in mat.tiles:
        return book.tiles.learn(card, tiles.cut_out(seen, SLOT_PX_PER_MM))
    return book.learn(card, card_album.cut_out(seen, SLOT_PX_PER_MM, book.card_mm))


def _refused(ask: Do, code: str, problem: Problem) -> Answer:
    return Answer(id=ask.id, ok=False, refusal=Refusal(code=f"vision/{code}", say=problem[0], do=problem[1]))


def _measured(found: Calibration) -> dict[str, Any]:
    width, height = found.size
    return {
        "colours": sorted(found.colours),
        "lamp": msgspec.to_builtins(found.lamp),
        "corners": [[round(x / width, 4), round(y / height, 4)] for x, y in found.corners],
        "tapped": found.tapped,
        "card_mm": list(found.card_mm),
        "die_mm": found.die_mm,
        "created": found.created,
    }


def _group(mat: mats.Mat, spot: str) -> tuple[str, float, float]:
    """Spots of one island one after the other, row by row."""
    x, y, _, _ = mats.of(mat.declared).slots[spot]
    return spot.rpartition("-")[0], y, x


def _places(given: Any, mat: mats.Mat) -> dict[str, str]:
    """Player colour -> slot: named so, or a list of colours whose dice lie in reading order."""
    if isinstance(given, str):
        raise TypeError("a list of colours")
    named = {str(c): str(s) for c, s in given.items()} if isinstance(given, dict) else None
    colours = tuple(str(colour) for colour in given)
    if not set(colours) <= set(calibrate.PLAYERS):
        raise ValueError("not a player colour")
    return calibrate.dice_places(colours, mat) if named is None else named


def _pair(value: Any) -> tuple[float, float]:
    first, second = value
    return float(first), float(second)


def _corners(given: Any, width: int, height: int) -> calibration.Corners:
    a, b, c, d = ((float(x) * width, float(y) * height) for x, y in given)
    return a, b, c, d
