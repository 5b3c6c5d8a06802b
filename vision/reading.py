"""From frames to market readings: registration, change, reading, voting; one message per settled change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.wire.messages import CardSeen, DieSeen, MarketSeen, SlotSeen
from vision import mat as mats
from vision.camera.frame import Frame, Image, Problem, trouble
from vision.cards.recognition import KnowCard
from vision.drift import AT_ONCE, AT_REST, EVERY, Drift
from vision.reader import market, vote
from vision.spots import Spots
from vision.steady import Moment, Watch, dark

Lab = tuple[float, float, float]

AT_LEAST, AT_MOST = 2, 5
"""Frames that vote on a reading: two that agree are enough, more are asked while it is unsure."""
TILE_OVER = 4.0
"""Millimetres around an area in which its tile is looked at too."""
SEARCH = 0.5
"""Seconds between searches for a mat that is not in view."""


@dataclass
class MarketReader:
    """One camera above one mat. Give it frames, it gives messages when there is something to say."""

    mat: mats.Mat = mats.PLAIN
    taught: Mapping[str, Sequence[Lab]] = field(default_factory=dict)
    corners: mats.Corners | None = None
    """Marker centres known beforehand (calibrated, or tapped by hand) in pixels of `corners_size`."""
    corners_size: tuple[int, int] = (1920, 1080)
    settle: float = 0.35
    know_card: KnowCard | None = None
    die_mm: float = 0.0
    """Edge of this table's dice, where they are not as the game declares them."""

    def __post_init__(self) -> None:
        self.watch = Watch(self.settle)
        self.matrix: mats.Matrix | None = None
        self.slots: dict[str, SlotSeen] = {}
        self.candidates: dict[str, tuple[tuple[str, float], ...]] = {}
        """The likeliest cards of each slot when it was last read, best first: kept as evidence."""
        self.state = "starting"
        self._wrong = ""
        self.reads = 0
        self._size: tuple[int, int] = (0, 0)
        self._votes: dict[str, list[tuple[market.MarketDie, ...]]] = {}
        self._looks = 0
        self._voting: tuple[str, ...] = ()
        self._searched = float("-inf")
        self._drift: Drift | None = None
        self.spots = Spots()
        self._stirred = True
        """Something moved since the spots were last read."""

    def see(self, frame: Frame) -> MarketSeen | None:
        """One frame further; a message only when something changed."""
        if not self._registered(frame):
            return self._say(frame, "too dark" if dark(frame.small) else "drifted", "mat-missing")
        moved = self._follow(frame, AT_REST if self.state == self.watch.state == "ready" else EVERY)
        if moved is not None:
            return moved
        moment = self.watch.look(frame.small, frame.ts)
        if moment.state == "ready":
            return self._ready(frame, moment)
        self._stirred = True
        self.spots.again()
        moved = self._meanwhile(frame, moment.early)
        return moved or self._say(frame, moment.state, "too-dark" if moment.state == "too dark" else "")

    def _meanwhile(self, frame: Frame, early: tuple[str, ...]) -> MarketSeen | None:
        """While it is waited whether a hand comes back, what lies still is looked at: then the answer is there when it counts."""
        if not early:
            self._votes, self._voting = {}, ()
            return None
        if not self._voting:
            moved = self._follow(frame, AT_ONCE)
            if moved is not None:
                return moved
        if early != self._voting:
            self._begin(early)
        if self._looks < AT_MOST:
            self._vote(frame)
        return None

    def lay(self, mat: mats.Mat) -> None:
        """Another mat lies on the table: it is searched, and nothing is known of it yet."""
        if mat == self.mat:
            return
        self.mat, self.slots, self.candidates = mat, {}, {}
        self.spots.forget()
        self.matrix, self._searched = None, float("-inf")
        self._votes, self._voting = {}, ()
        self.again()

    def adopt(
        self,
        taught: Mapping[str, Sequence[Lab]],
        corners: mats.Corners | None,
        corners_size: tuple[int, int],
        die_mm: float,
    ) -> None:
        """The table was calibrated anew: everything is read again, and the mat is searched where it lies now."""
        if corners != self.corners:
            self.matrix, self._searched = None, float("-inf")
        self.taught, self.corners, self.corners_size, self.die_mm = taught, corners, corners_size, die_mm
        self._votes, self._voting = {}, ()
        self.again()

    def stands(self, game: str, pieces: Mapping[str, str] | None) -> None:
        """What the game knows of the spots; when it begins to watch them, the board without pieces is learnt."""
        if self.spots.told(game, pieces) and self.mat.spots:
            self.again()

    def again(self) -> None:
        """Read everything anew at the next rest, and say how it looks even if it looks as before: others may have been told
        something else meanwhile, that the camera is gone for one."""
        self.watch.again()
        self._stirred = True
        self.state, self._wrong = "starting", ""

    def _registered(self, frame: Frame) -> bool:
        width, height = frame.size
        if self.matrix is not None and self._size == (width, height):
            return True
        self.matrix = None
        if frame.ts - self._searched < SEARCH:
            return False
        self._searched = frame.ts
        if self.corners is not None:
            fx, fy = width / self.corners_size[0], height / self.corners_size[1]
            a, b, c, d = ((x * fx, y * fy) for x, y in self.corners)
            self._place(frame, mats.from_corners((a, b, c, d), self.mat))
            return True
        matrix = mats.registered(mats.find(frame.image), self.mat)
        if matrix is not None:
            self._place(frame, matrix)
        return matrix is not None

    def _place(self, frame: Frame, matrix: mats.Matrix) -> None:
        width, height = frame.size
        self.matrix, self._size = matrix, (width, height)
        scale = frame.small.shape[1] / width
        outlines: dict[str, NDArray[np.float64]] = {}
        for slot, (x, y, w, h) in self.mat.slots.items():
            edge = np.array(
                [[(x - 2, y - 1), (x + w + 2, y - 1), (x + w + 2, y + h + 1), (x - 2, y + h + 1)]], np.float64
            )
            outlines[slot] = cv2.perspectiveTransform(edge, matrix)[0] * scale
        size = frame.small.shape[0], frame.small.shape[1]
        if self.mat.spots:  # a hand, a tower and its shadow are told apart over the whole board, not spot by spot
            across, down = self.mat.width, self.mat.height - mats.BAND
            edge = np.array([[(0, mats.BAND), (across, mats.BAND), (across, down), (0, down)]], np.float64)
            self.watch.place(outlines, size, cv2.perspectiveTransform(edge, matrix)[0] * scale)
        else:
            self.watch.place(outlines, size)
        # corners set by hand are those of a table without a printed mat: there is nothing to follow
        self._drift = Drift(self.mat, matrix, frame.ts) if self.corners is None else None

    def _follow(self, frame: Frame, every: float) -> MarketSeen | None:
        """Look at the markers now and then; what is to be said when mat or camera has moved."""
        if self._drift is None or not self._drift.due(frame.ts, every) or dark(frame.small):
            return None
        moved = self._drift.look(frame.image, frame.ts, every)
        if moved is None:
            return None
        self._votes, self._voting = {}, ()
        if moved.matrix is None:
            self.matrix = None
        else:
            self._place(frame, moved.matrix)
        wrong = "mat-missing" if moved.matrix is None else "mat-moved"
        return self._say(frame, "drifted", wrong, moved.problem, new=True)

    def _ready(self, frame: Frame, moment: Moment) -> MarketSeen | None:
        assert self.matrix is not None
        spots = tuple(self.mat.spots) if self._stirred else ()
        if not moment.changed and not self._voting and not spots:
            return self._say(frame, "ready", "")
        wanted = tuple(dict.fromkeys((*self._voting, *moment.changed, *spots)))
        if not self._voting:
            moved = self._follow(frame, AT_ONCE)
            if moved is not None:
                return moved  # never read by a view that no longer holds
        if wanted != self._voting:
            self._begin(wanted)
        looking = any(slot in self.mat.spots for slot in wanted)
        if self._looks < AT_MOST and not self._settled(looking):
            self._vote(frame)
            if looking and not self.spots.settled(AT_LEAST):
                self.spots.look(frame.image, self.matrix, self.mat, self.taught)
        if self._looks < AT_MOST and not self._settled(looking):
            return None
        for slot, votes in self._votes.items():
            self.slots[slot] = self._seen(frame, slot, vote.together(votes))
        if looking:
            self.slots |= self.spots.end(self.mat)
            self._stirred = False
        self.watch.read(wanted, frame.small)
        self._votes, self._voting = {}, ()
        return self._say(frame, "ready", "", new=True)

    def _begin(self, wanted: tuple[str, ...]) -> None:
        """These slots are voted on from now on."""
        areas = [slot for slot in wanted if slot not in self.mat.spots]
        self._voting, self._votes, self._looks = wanted, {slot: [] for slot in areas}, 0
        self.spots.again()

    def _vote(self, frame: Frame) -> None:
        """One frame's word on the slots that are still open."""
        unsettled = tuple(slot for slot, votes in self._votes.items() if not vote.settled(votes, AT_LEAST))
        for slot, dice in self.read_slots(frame.image, unsettled, self._looks).items():
            self._votes[slot].append(tuple(map(nobodys, dice)) if slot in self.mat.loose else dice)
        self._looks += 1

    def _settled(self, looking: bool) -> bool:
        areas = all(vote.settled(votes, AT_LEAST) for votes in self._votes.values())
        return areas and (not looking or self.spots.settled(AT_LEAST))

    def read_slots(
        self, image: Image, slots: tuple[str, ...], look: int = 0
    ) -> dict[str, tuple[market.MarketDie, ...]]:
        """One look at these slots."""
        assert self.matrix is not None
        self.reads += len(slots)
        bare: dict[str, tuple[market.MarketDie, ...]] = {slot: () for slot in slots if slot in self.mat.undiced}
        slots = tuple(slot for slot in slots if slot not in bare)
        die_mm = self.die_mm or self.mat.die_mm
        owned = _owned(self.mat, slots)
        found = dice_of(image, self.matrix, self.mat, owned, self.taught, look, die_mm, self._lying(owned))
        loose = tuple(slot for slot in slots if slot in self.mat.loose)
        thrown = dice_of(image, self.matrix, self.mat, loose, {}, look, die_mm) if loose else {}
        return {**bare, **found, **thrown}

    def _lying(self, read: tuple[str, ...]) -> dict[str, Sequence[market.Lying]]:
        """The dice of players that lie in other areas, as they were read last."""
        lying: dict[str, Sequence[market.Lying]] = {slot: seen.dice for slot, seen in self.slots.items() if seen.sure}
        lying |= {slot: vote.together(votes) for slot, votes in self._votes.items() if votes}
        return {slot: dice for slot, dice in lying.items() if slot not in read and slot not in self.mat.loose}

    def _seen(self, frame: Frame, slot: str, dice: tuple[market.MarketDie, ...]) -> SlotSeen:
        card = CardSeen()
        if self.know_card is not None and slot not in self.mat.loose:
            assert self.matrix is not None
            tile = slot in self.mat.tiles
            # a square turned by an eighth hangs over the area it fills
            margin = TILE_OVER if tile else 0.0
            known = self.know_card(
                mats.straight(frame.image, self.matrix, self.mat.slots[slot], 3.0, margin), tile=tile
            )
            self.candidates[slot] = known.candidates
            card = CardSeen(card=known.card, share=_share(known.share))
        return as_seen(slot, dice, card, loose=slot in self.mat.loose)

    def _say(
        self, frame: Frame, state: str, wrong: str, problem: Problem | None = None, new: bool = False
    ) -> MarketSeen | None:
        if not new and (state, wrong) == (self.state, self._wrong):
            return None
        self.state, self._wrong = state, wrong
        if wrong and problem is None:
            problem = trouble(f"market/{wrong}")
        say, do = problem or (None, None)
        listed = tuple(self.slots[slot] for slot in self.mat.slots if slot in self.slots)
        return MarketSeen(state=state, ts=frame.ts, frame=frame.number, slots=listed, say=say, do=do)  # type: ignore[arg-type]


def _owned(mat: mats.Mat, slots: tuple[str, ...]) -> tuple[str, ...]:
    """The areas whose dice are in players' colours."""
    return tuple(slot for slot in slots if slot not in mat.loose)


def dice_of(
    image: Image,
    matrix: mats.Matrix,
    mat: mats.Mat,
    slots: tuple[str, ...],
    taught: Mapping[str, Sequence[Lab]],
    look: int = 0,
    die_mm: float = market.DIE_MM,
    others: Mapping[str, Sequence[market.Lying]] = MappingProxyType({}),
) -> dict[str, tuple[market.MarketDie, ...]]:
    """The dice in these slots. Dice of another size are shown to the reader as large as those it knows."""
    zoom = market.DIE_MM / die_mm
    if abs(zoom - 1) < 0.01:
        return market.read(image, matrix, mat, slots, taught, look, others)
    back = np.diag((1 / zoom, 1 / zoom, 1.0))
    found = market.read(image, matrix @ back, mats.zoomed(mat, zoom), slots, taught, look, others)
    return {slot: tuple(replace(die, size=die.size / zoom) for die in dice) for slot, dice in found.items()}


def as_seen(slot: str, dice: Iterable[market.MarketDie], card: CardSeen, *, loose: bool = False) -> SlotSeen:
    """What was read, in the words of the wire; a loose die is nobody's, whatever its colour."""
    dice = tuple(nobodys(die) for die in dice) if loose else tuple(dice)
    told = tuple(
        DieSeen(
            owner=d.owner,
            owner_share=_share(d.owner_share),
            faces=tuple(_share(f) for f in d.faces),  # type: ignore[arg-type]
            x=round(d.x, 4),
            y=round(d.y, 4),
            size=round(d.size, 2),
        )
        for d in dice
    )
    return SlotSeen(slot=slot, dice=told, card=card, sure=all(d.sure for d in dice))


def nobodys(die: market.MarketDie) -> market.MarketDie:
    """A die without an owner, and no less sure for that."""
    return replace(die, owner="", owner_share=1.0)


def _share(value: float) -> float:
    return round(min(1.0, max(0.0, value)), 5)
