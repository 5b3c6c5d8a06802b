"""The market: for every slot of the mat the dice lying there, whose they are, and how sure their faces are."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import mat as mats
from vision.reader import blobs, lamp, nets, owner, pips, settings

Image = NDArray[np.uint8]
Lab = tuple[float, float, float]
Tone = owner.Tone

SCALE = 2.3
"""Pixels per millimetre at which a slot is searched: a die of 12 to 18 mm has the size the finder knows best."""
COARSE, MANY = 1.68, 6
"""The same for the whole mat at once, when more than this many slots are to be read; further frames look closer."""
OTHERWISE, MARGINS = 1.08, (4.0, 5.5)
"""Every second frame is searched a little larger and shifted: a die one search overlooks is met by the other."""
LOOKS = ((1.0, 0), (0.86, 1), (0.93, 2), (0.8, 3), (1.0, 1))
"""Width of the close-up against the box, and quarter turns, for each frame that votes."""
WIDEST = 22.0
"""A box never counts as larger: the finder takes a die's shadow for the die now and then."""
DIE_MM = 15.0
"""Edge of a golem die; its box is larger, because sides show and dice lie askew."""
BARE = 60
"""Grey levels between the darkest and the lightest spot of bare paper at most, noise included."""
SMALLEST, LARGEST = 0.8, 2.4
"""Least and greatest side of a die's box, in edges."""


@dataclass(frozen=True, slots=True)
class MarketDie:
    """A die in a slot: place as share of the slot, size in millimetres, six face shares."""

    owner: str
    owner_share: float
    faces: tuple[float, ...]
    x: float
    y: float
    size: float
    score: float = 1.0
    """How much it looks like a die from afar."""
    die: float = 1.0
    """How much it is a die from near."""
    tint: float = 0.0
    """How much its colour speaks for a die: log odds."""
    pips: int | None = None
    """What counting pips says, when it says anything."""
    tone: Tone = (0.0, 0.0, 0.0, 0.0)
    """Its colour."""

    @property
    def face(self) -> int:
        """The likeliest face."""
        return 1 + int(np.argmax(self.faces))

    @property
    def sure(self) -> bool:
        """Face and owner both stand above the threshold, and it is a die."""
        certain = max(self.faces) >= settings.MARKET_SURE and self.owner_share >= settings.OWNER_SURE
        return certain and self.odds >= settings.MARKET_TRUST

    @property
    def odds(self) -> float:
        """Log odds that it is a die at all."""
        return nets.evidence(self.die, self.score) + self.tint


Placed = tuple[str, float, float, MarketDie]
"""A die with its slot and its place in millimetres."""


class Lying(Protocol):
    """A die known to lie in a slot: its place as share of the slot."""

    @property
    def x(self) -> float:
        """From the left."""

    @property
    def y(self) -> float:
        """From the top."""


def read(
    image: Image,
    matrix: mats.Matrix,
    mat: mats.Mat,
    slots: Iterable[str],
    taught: Mapping[str, Sequence[Lab]],
    look: int = 0,
    others: Mapping[str, Sequence[Lying]] = MappingProxyType({}),
) -> dict[str, tuple[MarketDie, ...]]:
    """The dice in these slots; `matrix` leads from millimetres on the mat to pixels.

    Every `look` turns the close-ups another way and cuts them a little tighter or wider: frames that vote should not
    all make the same mistake. `others` are dice known to lie elsewhere: they lie under the same lamp.
    """
    wanted = tuple(slots)
    dice: dict[str, list[MarketDie]] = {slot: [] for slot in wanted}
    if len(wanted) > MANY and look == 0:  # one search over the whole mat costs half as much as one in every slot
        whole = (0.0, mats.BAND, mat.width, mat.height - 2 * mats.BAND)
        places = _search(image, matrix, whole, COARSE, {}, look)  # patches of colour are left to the closer looks
    else:
        places = [place for slot in wanted for place in _search(image, matrix, mat.slots[slot], SCALE, taught, look)]
    here: list[tuple[str, float, float, nets.Found]] = []
    for x, y, die in places:
        slot = _slot_of(mat, wanted, x, y)
        if slot is not None and all(math.hypot(x - a, y - b) > DIE_MM * 0.15 for _, a, b, _ in here):
            here.append((slot, x, y, die))
    close: list[Placed] = []
    crops = [_close_up(image, matrix, (x, y), die, look) for _, x, y, die in here]
    known = owner.shades(taught)
    tones = [owner.tone(crop) for crop in crops]
    owners = owner.owners(tones, known)
    worth = [k for k, (place, who) in enumerate(zip(here, owners, strict=True)) if look or _worth(place[3], who[2])]
    for k, first in zip(worth, nets.face_scores([crops[k] for k in worth]), strict=True):
        slot, x, y, die = here[k]
        scores = first
        if _doubtful(first, die, owners[k][2]):
            further = [_close_up(image, matrix, (x, y), die, look + j) for j in (1, 2)]
            scores = np.asarray(np.vstack([first[None], nets.face_scores(further)]).mean(axis=0), np.float32)
        judged = _judge(crops[k], scores, die, owners[k])
        if judged is not None:
            close.append((slot, x, y, replace(judged, tone=tones[k])))
    taken: list[Placed] = []
    for slot, x, y, judged in sorted(close, key=lambda found: -found[3].odds):
        if all(math.hypot(x - a, y - b) >= DIE_MM * 0.6 for _, a, b, _ in taken):
            taken.append((slot, x, y, judged))  # no two dice lie closer: the likelier find stands
    if known.taught:
        taken = _under_one_lamp(taken, _seen_there(image, matrix, mat, others, dice), known)
    for slot, x, y, judged in taken:
        left, top, w, h = mat.slots[slot]
        place = float(np.clip((x - left) / w, 0, 1)), float(np.clip((y - top) / h, 0, 1))
        dice[slot].append(replace(judged, x=place[0], y=place[1]))
    return {slot: tuple(sorted(found, key=lambda d: (d.y, d.x))) for slot, found in dice.items()}


def _seen_there(
    image: Image, matrix: mats.Matrix, mat: mats.Mat, others: Mapping[str, Sequence[Lying]], read: Container[str]
) -> list[tuple[float, float, Tone]]:
    """Place and colour of the dice that lie in other slots."""
    found = []
    for slot, die in ((slot, die) for slot, dice in others.items() if slot not in read for die in dice):
        left, top, w, h = mat.slots[slot]
        x, y = left + die.x * w, top + die.y * h
        found.append((x, y, owner.tone(_crop(image, matrix, (x, y), DIE_MM * settings.AROUND))))
    return found


def _under_one_lamp(
    dice: Sequence[Placed], others: Sequence[tuple[float, float, Tone]], known: owner.Shades
) -> list[Placed]:
    """These dice with the owners they have when all lie in one lamp's light."""
    if len(dice) + len(others) < 2 or not dice:
        return list(dice)
    tones = np.array([*(die.tone for *_, die in dice), *(tone for *_, tone in others)], np.float64)
    places = np.array([*((x, y) for _, x, y, _ in dice), *((x, y) for x, y, _ in others)], np.float64)
    trusted = np.array([*(die.odds >= settings.MARKET_TRUST for *_, die in dice), *(True for _ in others)])
    judged = lamp.owners(tones, places, trusted, known)
    return [
        (slot, x, y, replace(die, owner=name, owner_share=share))
        for (slot, x, y, die), (name, share) in zip(dice, judged, strict=False)
    ]


def _search(
    image: Image, matrix: mats.Matrix, rect: mats.Rect, scale: float, taught: Mapping[str, Sequence[Lab]], look: int
) -> list[tuple[float, float, nets.Found]]:
    """Possible dice in a piece of the mat: place in millimetres, box in millimetres."""
    scale, margin = (scale * OTHERWISE, MARGINS[1]) if look % 2 else (scale, MARGINS[0])
    image, matrix = _halved(image, matrix, rect, scale)
    picture = mats.straight(image, matrix, rect, scale, margin)
    if float(picture[::4, ::4].std()) < 2.0 and int(picture.max()) - int(picture.min()) < BARE:
        return []  # paper and nothing else; a white die on it would have its pips
    hints = nets.find(picture, settings.MARKET_HINT)
    dice = [die for die in hints if _fits(die, scale)]  # a box far too large may hide a die and its shadow
    found = [die for die in dice if die.score >= settings.MARKET_FIND]
    found += [die for die in blobs.missed(picture, dice, hints, taught, scale) if _fits(die, scale)]
    left, top = rect[0] - margin, rect[1] - margin
    return [
        (left + d.middle[0] / scale, top + d.middle[1] / scale, replace(d, w=d.w / scale, h=d.h / scale)) for d in found
    ]


def _halved(image: Image, matrix: mats.Matrix, rect: mats.Rect, scale: float) -> tuple[Image, mats.Matrix]:
    """Half the picture when twice as many pixels as wanted are there: thin print must fade, not flicker."""
    middle = np.array([rect[0] + rect[2] / 2, rect[1] + rect[3] / 2, 1.0])
    ends = (matrix @ (middle + np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)])).T).T
    ends = ends[:, :2] / ends[:, 2:]
    per_mm = float(np.sqrt(abs(np.linalg.det(ends[1:] - ends[0]))))
    if per_mm < 1.6 * scale or min(image.shape[:2]) < 4:
        return image, matrix
    small = cv2.resize(image, (image.shape[1] // 2, image.shape[0] // 2))
    half = np.diag([small.shape[1] / image.shape[1], small.shape[0] / image.shape[0], 1.0])
    return np.asarray(small, np.uint8), half @ matrix


def _slot_of(mat: mats.Mat, slots: Iterable[str], x: float, y: float) -> str | None:
    """The slot a point belongs to: half the gap between areas belongs to each neighbour."""
    gap = mat.gap
    for slot in slots:
        left, top, w, h = mat.slots[slot]
        if left - gap[0] <= x < left + w + gap[0] and top - gap[1] <= y < top + h + gap[1]:
            return slot
    return None


def _fits(die: nets.Found, scale: float) -> bool:
    return min(die.w, die.h) >= SMALLEST * DIE_MM * scale and max(die.w, die.h) <= LARGEST * DIE_MM * scale


def _close_up(image: Image, matrix: mats.Matrix, at: tuple[float, float], die: nets.Found, look: int) -> Image:
    """The die as the face network wants it, cut from the full picture; every `look` is another one."""
    wide, turns = LOOKS[look % len(LOOKS)]
    crop = _crop(image, matrix, at, min(max(die.w, die.h), WIDEST) * settings.AROUND * wide)
    return np.ascontiguousarray(np.rot90(crop, turns))


def _crop(image: Image, matrix: mats.Matrix, at: tuple[float, float], side: float) -> Image:
    crop = mats.straight(image, matrix, (at[0] - side / 2, at[1] - side / 2, side, side), settings.CROP / side)
    return crop[: settings.CROP, : settings.CROP]


def _worth(die: nets.Found, tint: float) -> bool:
    """At first sight a weak find in a colour nobody was taught to have is print: the face network need not be asked."""
    return nets.evidence(0.5, die.score) + tint >= settings.MARKET_WORTH


def _doubtful(scores: nets.Floats, die: nets.Found, tint: float) -> bool:
    """Neither plainly print nor plainly a die with a plain face: worth further close-ups."""
    faces, is_die = nets.pooled(scores, die.faces)
    odds = nets.evidence(is_die, die.score) + tint
    if odds < settings.MARKET_HOPE:
        return False
    return odds < settings.MARKET_TRUST + 1 or float(faces.max()) < settings.MARKET_SURE


def _judge(crop: Image, scores: nets.Floats, die: nets.Found, who: tuple[str, float, float]) -> MarketDie | None:
    """What a close-up shows: which face, or no die at all."""
    faces, is_die = nets.pooled(scores, die.faces)
    whose, share, tint = who
    odds = nets.evidence(is_die, die.score) + tint
    if odds < settings.MARKET_LOOK:
        return None
    counted = None
    if faces.max() < settings.MARKET_SETTLED:  # a second opinion is asked only when the first is unsure
        counted = pips.count(crop)
        if counted is not None:
            weight = np.full(6, 1.0, np.float32)
            weight[counted - 1] = settings.PIP_WEIGHT
            faces = faces * weight / float((faces * weight).sum())
    real = 1 / (1 + math.exp(-odds))
    faces = faces * real + (1 - real) / 6
    shares = tuple(float(f) for f in faces)
    return MarketDie(whose, share, shares, 0.0, 0.0, max(die.w, die.h), die.score, is_die, tint, counted)
