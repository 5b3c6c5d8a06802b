"""When to look: a quiet frame costs next to nothing, a moving hand is waited for, only what changed is read.

Time is the frames' own: a table that plays ten times as fast settles ten times as fast.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import relight

Image = NDArray[np.uint8]
State = Literal["starting", "too dark", "hand", "settling", "ready"]

MOVED = 14
"""Grey levels by which a pixel of the small picture must differ between frames to have moved."""
CHANGED = 16
"""The same against the settled picture, after evening out the light."""
DARK = 22.0
"""Brightest tenth of the picture below this: nothing can be read."""
HAND_SHARE = 0.02
"""Share of the mat that moves at once: more than dice and cards do by themselves."""
LAID = 1.0
"""Seconds a large change must lie still inside the mat to be cards and not a hand."""
LONG = 6.0
"""Seconds after which whatever hides less than a card and does not move is not a hand."""
SHARP, SHARP_SHARE = 9.0, 0.006
"""Grey levels a pixel that light never changes by, and the share of a card that must, on the edge, for it to be an arm."""
BOARD = 0.04
"""Share of a board that is judged like a card: larger than a tower with its shadow, smaller than a hand."""
REACH = 1.6
"""A changed patch larger than this many slots, or hanging over the mat's edge, is no die and no card."""


@dataclass(frozen=True)
class Moment:
    """What one frame means for the market."""

    state: State
    changed: tuple[str, ...] = ()
    """Slots that differ from their last reading and are still again; only with `ready`."""
    covered: tuple[str, ...] = ()
    """Slots something large lies over."""
    early: tuple[str, ...] = ()
    """Before `ready`: slots that seem changed and are still so far, so that looking at them may begin while it is waited."""


class Watch:
    """Follows the small pictures of one camera. `outlines` are the slots' shapes in the small picture."""

    def __init__(self, settle: float = 0.35) -> None:
        self.settle = settle
        self.state: State = "starting"
        self._masks: dict[str, tuple[slice, slice, NDArray[np.bool_]]] = {}
        self._mat: NDArray[np.bool_] | None = None
        self._edge: NDArray[np.bool_] | None = None
        self._size: tuple[int, ...] = ()
        self._board = False
        self._usual = 1.0
        """Pixels of a card, or of what a card would be on this board."""
        self._before: Image | None = None
        self._seen_at = 0.0
        self._settled: Image | None = None
        self._earlier: Image | None = None
        """The same under the lamp before this one."""
        self._unread: set[str] = set()
        self._still_since: float | None = None

    def place(
        self,
        outlines: Mapping[str, NDArray[np.float64]],
        size: tuple[int, int],
        board: NDArray[np.float64] | None = None,
    ) -> None:
        """The slots lie here in small pictures of this height and width; everything must be read again.

        `board`: they are spots of one board, and what is large is judged by it.
        """
        self._size = size
        self._masks, everything = {}, np.zeros(size, np.uint8)
        for slot, corners in outlines.items():
            shape = np.zeros(size, np.uint8)
            cv2.fillConvexPoly(shape, np.round(corners).astype(np.int32), 1)
            everything |= shape
            x, y, w, h = cv2.boundingRect(np.round(corners).astype(np.int32))
            box = slice(max(y, 0), max(y, 0) + h), slice(max(x, 0), max(x, 0) + w)
            self._masks[slot] = (*box, shape[box].astype(bool))
        if board is not None:
            cv2.fillConvexPoly(everything, np.round(board).astype(np.int32), 1)
        self._usual = float(np.mean([shape.sum() for _, _, shape in self._masks.values()]))
        self._board = board is not None
        if self._board:
            self._usual = max(self._usual, BOARD * float(everything.sum()))
        grown = cv2.morphologyEx(everything, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
        self._mat = grown.astype(bool)
        # a ring a finger's breadth outside: an arm crosses it, a card laid carelessly does not
        near, far = (cv2.dilate(grown, np.ones((n, n), np.uint8)) for n in (13, 25))
        self._edge = (far - near).astype(bool)
        self._unread = set(outlines)
        self._settled = self._earlier = None

    def again(self, slots: tuple[str, ...] | None = None) -> None:
        """Read these slots again at the next rest, changed or not; `None` is all."""
        self._unread |= set(self._masks if slots is None else slots)

    def look(self, small: Image, ts: float) -> Moment:
        """One frame further."""
        if self._mat is None or small.shape != self._size:
            return self._turn("starting")
        before, self._before = self._before, small
        earlier, self._seen_at = self._seen_at, ts
        if dark(small):
            self._still_since = None
            return self._turn("too dark")
        if before is None or before.shape != small.shape:
            self._still_since = ts
            return self._turn("settling")
        moving = self._moving(small, before)
        if moving > 0:
            self._still_since = None
            return self._turn("hand" if moving > HAND_SHARE else "settling")
        if self._still_since is None:
            self._still_since = earlier  # nothing moved between that frame and this one
        if ts - self._still_since < self.settle - 1e-6:
            return self._turn("hand" if self.state == "hand" else "settling", early=self._so_far(small))
        return self._rest(small, ts - self._still_since)

    def read(self, slots: tuple[str, ...], small: Image) -> None:
        """These slots have been read in this picture."""
        if self._settled is None:
            self._settled = small.copy()
        for slot in slots:
            rows, columns, _ = self._masks[slot]
            self._settled[rows, columns] = small[rows, columns]
            self._unread.discard(slot)

    def _moving(self, small: Image, before: Image) -> float:
        """Share of the mat that moved since the frame before; specks of noise do not count."""
        assert self._mat is not None
        moved = cv2.absdiff(small, before) > MOVED
        moved &= self._mat
        if not moved.any():
            return 0.0
        kept = cv2.erode(moved.astype(np.uint8), np.ones((2, 2), np.uint8))
        return float(kept.sum()) / float(self._mat.sum())

    def _rest(self, small: Image, rested: float) -> Moment:
        """Nothing moves: what is different from the last readings?"""
        if self._settled is None:
            return self._turn("ready", tuple(self._masks))
        assert self._mat is not None
        different = uneven(small, self._settled, ~self._mat)
        sharp = _sharp(small, self._settled) if self._board else None
        over = self._overlaid(different, rested, sharp) if different.any() else set()
        another_lamp = False
        if over and self._earlier is not None:
            # what lay still so long that it passed for light was a hand after all, and has gone
            back = uneven(small, self._earlier, ~self._mat)
            if not self._overlaid(back, rested):
                different, over, self._settled, self._earlier = back, set(), self._earlier, None
        if over and not self._arm(small, self._settled, rested):
            # a lamp switched on at one side changes as much as an arm does, but smoothly
            relit = relight.compared(small, self._settled)
            if relit is not None and not self._overlaid(relit.different, rested):
                different, over, another_lamp = relit.different, set(), True
                self.again(self._mostly(relit.clearer))
        changed = (self._unread | self._differing(different)) - over
        if another_lamp:
            self._unread |= changed
            self._earlier, self._settled = self._settled, small.copy()
        if over:
            return self._turn("hand", covered=self._in_order(over))
        return self._turn("ready", self._in_order(changed))

    def _so_far(self, small: Image) -> tuple[str, ...]:
        """The slots that will most likely have to be read; none while something large lies anywhere, or on a board."""
        if self._settled is None or self._board:
            return ()
        assert self._mat is not None
        different = uneven(small, self._settled, ~self._mat)
        if different.any() and self._overlaid(different, 0.0):
            return ()
        return self._in_order(self._unread | self._differing(different))

    def _differing(self, different: NDArray[np.bool_]) -> set[str]:
        """Slots in which more than specks differ."""
        return {
            slot
            for slot, (rows, columns, shape) in self._masks.items()
            if int((different[rows, columns] & shape).sum()) > max(4, 0.004 * shape.sum())
        }

    def _in_order(self, slots: set[str]) -> tuple[str, ...]:
        return tuple(slot for slot in self._masks if slot in slots)

    def _arm(self, small: Image, settled: Image, rested: float) -> bool:
        """Print is covered: by more than a card, or by something that has not lain there long.

        On a board pieces cover more than that in time; there an arm is what crosses the edge.
        """
        assert self._mat is not None
        if self._board:
            return rested < LAID
        covered = int((relight.hidden(small, settled) & self._mat).sum())
        slot_area = self._usual
        return covered > 1.3 * slot_area or (covered > 0.05 * slot_area and rested < LONG)

    def _mostly(self, mask: NDArray[np.bool_]) -> tuple[str, ...]:
        """Slots of which a good part lies under this mask."""
        return tuple(
            slot for slot, (rows, columns, shape) in self._masks.items() if mask[rows, columns][shape].mean() > 0.1
        )

    def _overlaid(
        self, different: NDArray[np.bool_], rested: float, sharp: NDArray[np.bool_] | None = None
    ) -> set[str]:
        """Slots under something that reaches in from outside, or is far larger than a card and has not lain long.

        An arm always crosses the edge; a market laid out at once is as large, but lies still inside it. Over a board, where
        `sharp` says what has an edge of its own, a lamp's mirror image that crosses it is no arm.
        """
        assert self._edge is not None
        blobs, labels, stats, _ = cv2.connectedComponentsWithStats(different.astype(np.uint8))
        slot_area = self._usual
        over: set[str] = set()
        if self._board and rested >= LONG:
            return over  # nobody holds an arm so still
        for blob in range(1, blobs):
            area = int(stats[blob, cv2.CC_STAT_AREA])
            if area < 0.25 * slot_area:
                continue
            mine = labels == blob
            crossing = mine & self._edge if sharp is None else mine & self._edge & sharp
            if int(crossing.sum()) > (0.02 if sharp is None else SHARP_SHARE) * slot_area or (
                area > REACH * slot_area and rested < LAID
            ):
                for slot, (rows, columns, shape) in self._masks.items():
                    if (mine[rows, columns] & shape).any():
                        over.add(slot)
        return over

    def _turn(
        self, state: State, changed: tuple[str, ...] = (), covered: tuple[str, ...] = (), early: tuple[str, ...] = ()
    ) -> Moment:
        self.state = state
        return Moment(state, changed, covered, early)


def _sharp(now: Image, then: Image) -> NDArray[np.bool_]:
    """Where the difference of two pictures has an edge: things have one, light and its mirror image fade."""
    away = cv2.subtract(now, then, dtype=cv2.CV_32F)
    slope = cv2.magnitude(cv2.Sobel(away, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(away, cv2.CV_32F, 0, 1) / 8)
    return np.asarray(slope > SHARP, np.bool_)


def dark(small: Image) -> bool:
    """Nothing can be read in so little light."""
    some = small[::4, ::4].ravel()
    return float(np.partition(some, len(some) * 9 // 10)[len(some) * 9 // 10]) < DARK


def uneven(now: Image, then: Image, around: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where two pictures differ in what they show, not in how brightly the lamp shines.

    The lamp is judged `around` the slots: cards laid out would look like another light.
    """
    frame = around[::4, ::4]
    gain = 1.0
    if frame.any():
        lit, before = (float(np.median(picture[::4, ::4][frame])) + 1 for picture in (now, then))
        gain = float(np.clip(lit / before, 0.5, 2.0))
    expected = cv2.convertScaleAbs(then, alpha=gain) if abs(gain - 1) > 0.03 else then
    mask = (cv2.absdiff(now, expected) > CHANGED).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8) > 0
