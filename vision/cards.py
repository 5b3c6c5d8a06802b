"""Cards: taught once per copy, then known again in any slot, at any quarter turn and with dice on them.

Two witnesses must agree. Features (ORB) say where a taught card would have to lie, a homography verifies that they mean
one flat card; then the straightened picture is compared, block by block, with every taught card in that place. Blocks
under dice, glare or shadow agree with no card and so accuse none; a card is named only when it leads all others clearly.
Everything else is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import Image

Floats = NDArray[np.float32]

WIDTH, HEIGHT = 192, 264
"""A taught card in pixels: about 3 a millimetre, what a 1920 pixel camera sees of a whole market."""
BLOCK = 12
COLUMNS, ROWS = WIDTH // BLOCK, HEIGHT // BLOCK
FEATURES_TAUGHT, FEATURES_SEEN = 500, 600
TRIED = 3
"""Candidates whose place is tried: the features are seldom wrong about the first, hardly ever about all three."""
MIN_MATCHES = 8
FAR = 64
"""Bits of 256 in which two features of the same print may differ."""
NEAR = 16.0
"""Pixels by which a card a little askew moves its features apart."""
TABLES, BITS, CROWD = 20, 20, 40
AGREES, SURELY = 0.55, 0.75
"""Correlation from which a block may be, and surely is, the same print."""
MIN_SHARE, FEW_SHARE = 0.30, 0.60
"""Of the blocks with print on them, this share must agree: dice may cover the rest."""
MIN_LEAD, MIN_BLOCKS, LEAD_SHARE = 10.0, 3.0, 0.25
"""The named card must surely explain this many blocks more than any other, counted where the two differ, and this
share of them.

Measured with two sets of 48 faces, half of them taught: cards that were taught lead by 13 blocks or more and a share of
0.27 or more; look-alikes that were never taught reach 0.25, and then with a third of the print at most.
"""
TOGETHER = 0.66
"""The less of the print agrees, the larger the lead must be: both shares together reach this."""
RANKED = 5
SLACK = 1
"""Half-size pixels two taught cards may lie apart and still show the same print."""
COLOUR_WEIGHT = np.array((1.0, 1.5, 1.5), np.float32)
PLAIN = 3.0
"""Spread of light and colour below which a block carries no print."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """What card lies there: `None` is unknown, `""` an empty place."""

    card: str | None
    share: float
    candidates: tuple[tuple[str, float], ...] = ()
    """Best first, with the share of print that agrees: kept as evidence."""
    corners: tuple[tuple[float, float], ...] = ()
    """Where the card's corners are in the picture, top left of the print first."""


@dataclass(frozen=True, slots=True)
class _Pose:
    card: int
    to_card: NDArray[np.float64]
    inliers: int


class CardBook:
    """The cards of one copy, as they were taught."""

    def __init__(self, card_mm: tuple[float, float] = (63.0, 88.0)) -> None:
        self.card_mm = card_mm
        self.pictures: dict[str, Image] = {}
        self._orb_taught = _orb(FEATURES_TAUGHT)
        self._orb_seen = _orb(FEATURES_SEEN)
        self._matcher = cv2.BFMatcher(cv2.NORM_HAMMING)
        self._ids: list[str] = []
        self._features: list[tuple[Floats, NDArray[np.uint8]]] = []
        self._calm: list[Floats] = []
        self._index: _Index | None = None

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards taught, in the order they were taught."""
        return tuple(self._ids)

    def teach(self, card: str, picture: Image) -> None:
        """Learn a card from its straightened picture; teaching it again replaces it."""
        self.forget(card)
        kept: Image = cv2.resize(picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
        grey = _grey(kept)
        points, descriptors = _features(self._orb_taught, grey)
        self._ids.append(card)
        self.pictures[card] = kept
        self._features.append((points, descriptors))
        self._calm.append(_calm(kept))
        self._index = None

    def forget(self, card: str) -> None:
        """Forget a card; one that was never taught is no error."""
        if card in self._ids:
            i = self._ids.index(card)
            for part in (self._ids, self._features, self._calm):
                del part[i]
            del self.pictures[card]
            self._index = None

    def like(self, picture: Image) -> str | None:
        """A card already taught that has this very face, so that two names for one face are noticed."""
        if not self._ids:
            return None
        kept: Image = cv2.resize(picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
        blocks, printed = _blocks_of(_calm(kept))
        by_block, _ = _both_ways(self._calm)
        agrees = ((_agreement(by_block, blocks) > AGREES) & printed).sum(axis=1) / max(1, int(printed.sum()))
        best = int(agrees.argmax())
        return self._ids[best % len(self)] if agrees[best] > 0.92 else None

    def _taught(self) -> _Index:
        if self._index is None:
            self._index = _Index.of(self._features, self._calm)
        return self._index

    def recognise(self, picture: Image, px_per_mm: float | None = None) -> Recognised:
        """Name the card in the straightened picture of a slot.

        `px_per_mm` is the scale of the picture; without it the slot is taken to be as high as a card.
        """
        if picture.size == 0 or min(picture.shape[:2]) < 24:
            return Recognised(None, 0.0)
        scale = HEIGHT / self.card_mm[1] / px_per_mm if px_per_mm else HEIGHT / picture.shape[0]
        # never enlarged by more than half: there is nothing to be seen that the camera did not see
        scale = min(scale, 1.5)
        sized = picture if picture.ndim == 3 else cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
        if abs(scale - 1) > 0.02:
            interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
            sized = cv2.resize(sized, None, fx=scale, fy=scale, interpolation=interpolation)
        grey = _grey(sized)  # type: ignore[arg-type]
        if plain(grey):
            return Recognised("", 1.0)
        if not self._ids:
            return Recognised(None, 0.0)
        points, descriptors = _features(self._orb_seen, grey)
        best = Recognised(None, 0.0)
        for pose in self._poses(points, descriptors):
            seen = self._compare(sized, pose, scale)  # type: ignore[arg-type]
            if seen.card is not None:
                return seen
            if seen.share > best.share:
                best = seen
        return best

    def _poses(self, points: Floats, descriptors: NDArray[np.uint8]) -> Iterable[_Pose]:
        """Where the likeliest cards would lie, best first, each verified by a homography."""
        if len(points) < MIN_MATCHES:
            return
        index = self._taught()
        votes = index.tables.votes(descriptors)
        for card in np.argsort(-votes)[:TRIED]:
            first, last = index.spans[card]
            matches = self._matcher.match(descriptors, index.descriptors[first:last])
            near = [(m.queryIdx, m.trainIdx) for m in matches if m.distance < FAR]
            if len(near) < MIN_MATCHES:
                continue
            query, train = np.array(near).T
            seen, taught = points[query], index.points[first:last][train]
            agreed = _agreed(seen, taught)
            pose = _verified(int(card), seen[agreed, :2], taught[agreed, :2])
            if pose is not None:
                yield pose

    def _compare(self, picture: Image, pose: _Pose, scale: float) -> Recognised:
        """The straightened picture against every taught card in this place."""
        index = self._taught()
        straight = cv2.warpPerspective(picture, pose.to_card, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR)
        blocks, seen = _blocks_of(_calm(straight))  # type: ignore[arg-type]
        agreement = _agreement(index.blocks, blocks)
        agrees = (agreement > AGREES) & seen
        share = (agrees & index.printed).sum(axis=1) / np.maximum(1, (index.printed | seen).sum(axis=1))
        order = [int(i) for i in np.argsort(-share)[:RANKED]]
        leads = [
            _lead(agrees, (agreement[i] > SURELY) & seen, index.differ[i] & seen, i, TOGETHER - float(share[i]))
            for i in order
        ]
        first = order[int(np.argmax(leads))]
        order.remove(first)
        ranked = tuple((self._ids[i % len(self)], round(float(share[i]), 3)) for i in (first, *order))
        # the fewer cards are taught, the less a lead says: then the print itself must agree
        enough = MIN_SHARE if len(self._ids) > RANKED else FEW_SHARE
        named = share[first] >= enough and max(leads) >= 1.0
        corners = cv2.perspectiveTransform(
            np.array([[(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)]], np.float32), np.linalg.inv(pose.to_card)
        )[0]
        return Recognised(
            self._ids[first % len(self)] if named else None,
            float(min(1.0, share[first])) if named else float(min(0.5, share[first])),
            ranked,
            tuple((float(x / scale), float(y / scale)) for x, y in corners),
        )


class _Tables:
    """Which cards share features with a picture, by hashing some bits of each: 30 times faster than comparing all."""

    def __init__(self, descriptors: NDArray[np.uint8], owner: NDArray[np.intp], cards: int) -> None:
        rng = np.random.default_rng(0)  # always the same bits: the same picture is always read the same way
        self._picked = np.stack([rng.choice(256, BITS, replace=False) for _ in range(TABLES)])
        self._cards = cards
        self._tables = []
        for key in self._keys(descriptors):
            order = np.argsort(key, kind="stable")
            self._tables.append((key[order], owner[order]))

    def _keys(self, descriptors: NDArray[np.uint8]) -> Iterable[NDArray[np.int64]]:
        bits = np.unpackbits(descriptors, axis=1)
        weights = (1 << np.arange(BITS)).astype(np.float64)
        for picked in self._picked:
            yield (bits[:, picked] @ weights).astype(np.int64)

    def votes(self, descriptors: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Per card how many features fall together; what many cards share counts little."""
        votes = np.zeros(self._cards)
        for key, (keys, owner) in zip(self._keys(descriptors), self._tables, strict=True):
            first, last = np.searchsorted(keys, key, "left"), np.searchsorted(keys, key, "right")
            hit = (last > first) & (last - first <= CROWD)
            count, start = (last - first)[hit], first[hit]
            places = np.repeat(start - np.cumsum(count) + count, count) + np.arange(count.sum())
            votes += np.bincount(owner[places], np.repeat(1.0 / count, count), self._cards)
        return votes


@dataclass(frozen=True, slots=True)
class _Index:
    """All taught cards laid out for fast comparison."""

    points: Floats
    descriptors: NDArray[np.uint8]
    spans: NDArray[np.intp]
    """First and last feature of each card."""
    tables: _Tables
    blocks: Floats
    """Block by block every card's print, first all upright, then all upside down."""
    printed: NDArray[np.bool_]
    differ: NDArray[np.bool_]
    """For every pair of cards the blocks in which their prints are not the same."""

    @classmethod
    def of(cls, features: Sequence[tuple[Floats, NDArray[np.uint8]]], calm: Sequence[Floats]) -> _Index:
        by_block, printed = _both_ways(calm)
        counts = [len(points) for points, _ in features]
        ends = np.cumsum(counts)
        descriptors = np.concatenate([part for _, part in features])
        return cls(
            np.concatenate([points for points, _ in features]),
            descriptors,
            np.stack([ends - counts, ends], axis=1),
            _Tables(descriptors, np.repeat(np.arange(len(features)), counts), len(features)),
            by_block,
            printed,
            _differing(calm, by_block, printed),
        )


def _lead(
    agrees: NDArray[np.bool_], surely: NDArray[np.bool_], differ: NDArray[np.bool_], card: int, share: float
) -> float:
    """How clearly a card leads the nearest other, counted where their prints differ; from 1.0 on it is clear.

    `share` is the part of the differing blocks that must speak for it. Cards that differ in few places need fewer
    blocks, but at least three, and half of what could be seen.
    """
    mine = (differ & surely).sum(axis=1)
    theirs = (differ & agrees).sum(axis=1)
    count = differ.sum(axis=1)
    needed = np.maximum(max(LEAD_SHARE, share) * count, np.clip(0.5 * count, MIN_BLOCKS, MIN_LEAD))
    clear: NDArray[np.float64] = (mine - theirs) / needed
    clear[card % (len(clear) // 2) :: len(clear) // 2] = np.inf
    return float(clear.min())


def _orb(count: int) -> cv2.ORB:
    return cv2.ORB.create(nfeatures=count, scaleFactor=1.25, nlevels=5, edgeThreshold=12, patchSize=25, fastThreshold=6)


def _grey(picture: Image) -> Image:
    return picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)  # type: ignore[return-value]


def _features(orb: cv2.ORB, grey: Image) -> tuple[Floats, NDArray[np.uint8]]:
    keypoints, descriptors = orb.detectAndCompute(grey, None)
    if descriptors is None or not keypoints:
        return np.zeros((0, 3), np.float32), np.zeros((0, 32), np.uint8)
    return np.array([(*point.pt, point.angle) for point in keypoints], np.float32), descriptors  # type: ignore[return-value]


def plain(grey: Image) -> bool:
    """Nothing lies here: the middle of the slot has no print on it."""
    rows, columns = grey.shape
    middle = grey[rows // 5 : rows - rows // 5, columns // 5 : columns - columns // 5]
    calm = cv2.GaussianBlur(middle, (0, 0), 2).astype(np.float32)
    slope = np.abs(np.diff(calm, axis=0))[:, :-1] + np.abs(np.diff(calm, axis=1))[:-1]
    return float((slope > 6).mean()) < 0.004


def _agreed(seen: Floats, taught: Floats) -> NDArray[np.bool_]:
    """The matches that tell of one turn and one shift of the card, most of the false ones left out."""
    turn = np.deg2rad(taught[:, 2] - seen[:, 2])
    around = np.exp(1j * turn)
    bins = np.bincount(np.floor(turn / (2 * np.pi) * 36).astype(int) % 36, minlength=36)
    peak = int((bins + np.roll(bins, 1) + np.roll(bins, -1)).argmax())
    likely = np.exp(2j * np.pi * (peak + 0.5) / 36)
    close = np.abs(np.angle(around / likely)) < np.deg2rad(20)
    likely = around[close].sum()
    likely /= max(abs(likely), 1e-9)
    shift = (taught[:, 0] + 1j * taught[:, 1]) - likely * (seen[:, 0] + 1j * seen[:, 1])
    place = shift[close]
    # the place where most shifts fall together: each is asked how many others are near it
    crowd = (np.abs(place[:, None] - place[None, :]) < NEAR).sum(axis=1)
    middle = place[int(crowd.argmax())] if len(place) else 0j
    result: NDArray[np.bool_] = close & (np.abs(shift - middle) < 1.5 * NEAR)
    return result


def _verified(card: int, seen: Floats, taught: Floats) -> _Pose | None:
    """A homography that most matches follow and that a card on a table can have."""
    if len(seen) < MIN_MATCHES:
        return None
    matrix, mask = cv2.findHomography(seen, taught, cv2.USAC_MAGSAC, 4.0, maxIters=400, confidence=0.995)
    if matrix is None or mask is None or int(mask.sum()) < MIN_MATCHES:
        return None
    try:
        back = np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        return None
    corners = cv2.perspectiveTransform(
        np.array([[(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)]], np.float32), back
    )[0]
    if not np.isfinite(corners).all() or not cv2.isContourConvex(corners.reshape(-1, 1, 2)):
        return None
    area = float(cv2.contourArea(corners, oriented=True)) / (WIDTH * HEIGHT)
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1) / (WIDTH, HEIGHT, WIDTH, HEIGHT)
    if not 0.4 < area < 2.2 or sides.min() < 0.6 or sides.max() > 1.6:
        return None
    return _Pose(card, np.asarray(matrix, np.float64), int(mask.sum()))


def _calm(picture: Image) -> Floats:
    """A card at half its size: a pixel of misplacement matters less, and four times less is to be compared.

    Lightness and two colours: a lamp's tint shifts whole blocks and drops out of the comparison, print does not.
    """
    soft = cv2.resize(cv2.GaussianBlur(picture, (0, 0), 1.0), (WIDTH // 2, HEIGHT // 2), interpolation=cv2.INTER_AREA)
    return cv2.cvtColor(soft, cv2.COLOR_BGR2LAB).astype(np.float32) * COLOUR_WEIGHT


def _blocks_of(calm: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """The picture as blocks, each freed of its own brightness and contrast, and which of them carry print."""
    half = BLOCK // 2
    tiles = calm.reshape(ROWS, half, COLUMNS, half, 3).transpose(0, 2, 1, 3, 4).reshape(ROWS * COLUMNS, -1, 3)
    blocks = (tiles - tiles.mean(axis=1, keepdims=True)).reshape(ROWS * COLUMNS, -1)
    norm = np.linalg.norm(blocks, axis=1)
    printed = (norm / half > PLAIN).reshape(ROWS, COLUMNS)
    # the rim says how a card was cut and laid, not which it is
    printed[[0, -1]] = False
    printed[:, [0, -1]] = False
    return (blocks / np.maximum(norm, 1e-3)[:, None]).astype(np.float32), printed.ravel()


def _both_ways(calm: Sequence[Floats]) -> tuple[Floats, NDArray[np.bool_]]:
    """Blocks of all cards, upright and then upside down: nobody says which end was up when a card was taught."""
    parts = [_blocks_of(picture) for picture in (*calm, *(picture[::-1, ::-1] for picture in calm))]
    by_block = np.stack([blocks for blocks, _ in parts], axis=1)
    return by_block, np.stack([printed for _, printed in parts])


def _differing(calm: Sequence[Floats], by_block: Floats, printed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where the prints of two cards truly differ: not even moved a little do they look the same.

    Two cards are never taught at quite the same place; without this, twins would be told apart by how they were laid.
    """
    cards = len(calm)
    same = np.full((ROWS * COLUMNS, cards, 2 * cards), -1.0, np.float32)
    for dy in range(-SLACK, SLACK + 1):
        for dx in range(-SLACK, SLACK + 1):
            moved = np.stack([_blocks_of(np.roll(picture, (dy, dx), (0, 1)))[0] for picture in calm], axis=1)
            np.maximum(same, np.matmul(moved, by_block.transpose(0, 2, 1)), out=same)
    upright = (same.transpose(1, 2, 0) < AGREES) & (printed[:cards, None] | printed[None])
    # the same pairs seen from the other end: both cards turned, blocks in reverse
    turned = np.roll(upright, cards, axis=1)[:, :, ::-1]
    return np.concatenate([upright, turned])


def _agreement(by_block: Floats, blocks: Floats) -> Floats:
    """Correlation of every block with the same block of every taught card."""
    result: Floats = np.matmul(by_block, blocks[:, :, None])[:, :, 0].T
    return result
