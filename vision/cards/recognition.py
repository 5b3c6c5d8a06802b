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
from vision.cards.features import (
    FAR,
    FEATURES_SEEN,
    FEATURES_TAUGHT,
    MIN_MATCHES,
    Pose,
    Tables,
    agreed_on,
    corners_of,
    features_of,
    grey_of,
    orb,
    verified,
)
from vision.cards.prints import (
    AGREES,
    HEIGHT,
    SURELY,
    WIDTH,
    Floats,
    agreement_of,
    blocks_of,
    both_ways,
    calm_of,
    differing,
    lead,
    plain,
)

TRIED = 3
"""Candidates whose place is tried: the features are seldom wrong about the first, hardly ever about all three."""
MIN_SHARE, FEW_SHARE = 0.30, 0.60
"""Of the blocks with print on them, this share must agree: dice may cover the rest."""
TOGETHER = 0.66
"""The less of the print agrees, the larger the lead must be: both shares together reach this."""
RANKED = 5


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
class Index:
    """All taught cards laid out for fast comparison."""

    points: Floats
    descriptors: NDArray[np.uint8]
    spans: NDArray[np.intp]
    """First and last feature of each card."""
    tables: Tables
    blocks: Floats
    """Block by block every card's print, first all upright, then all upside down."""
    printed: NDArray[np.bool_]
    differ: NDArray[np.bool_]
    """For every pair of cards the blocks in which their prints are not the same."""

    @classmethod
    def of(cls, features: Sequence[tuple[Floats, NDArray[np.uint8]]], calm: Sequence[Floats]) -> Index:
        """Built when a card is first looked for after one was taught."""
        by_block, printed = both_ways(calm)
        counts = [len(points) for points, _ in features]
        ends = np.cumsum(counts)
        descriptors = np.concatenate([part for _, part in features])
        return cls(
            np.concatenate([points for points, _ in features]),
            descriptors,
            np.stack([ends - counts, ends], axis=1),
            Tables(descriptors, np.repeat(np.arange(len(features)), counts), len(features)),
            by_block,
            printed,
            differing(calm, by_block, printed),
        )


class CardBook:
    """The cards of one copy, as they were taught."""

    def __init__(self, card_mm: tuple[float, float] = (63.0, 88.0)) -> None:
        self.card_mm = card_mm
        self.pictures: dict[str, Image] = {}
        self._orb_taught = orb(FEATURES_TAUGHT)
        self._orb_seen = orb(FEATURES_SEEN)
        self._matcher = cv2.BFMatcher(cv2.NORM_HAMMING)
        self._ids: list[str] = []
        self._features: list[tuple[Floats, NDArray[np.uint8]]] = []
        self._calm: list[Floats] = []
        self._index: Index | None = None

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
        self._ids.append(card)
        self.pictures[card] = kept
        self._features.append(features_of(self._orb_taught, grey_of(kept)))
        self._calm.append(calm_of(kept))
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
        blocks, printed = blocks_of(calm_of(kept))
        by_block, _ = both_ways(self._calm)
        agrees = ((agreement_of(by_block, blocks) > AGREES) & printed).sum(axis=1) / max(1, int(printed.sum()))
        best = int(agrees.argmax())
        return self._ids[best % len(self)] if agrees[best] > 0.92 else None

    def _taught(self) -> Index:
        if self._index is None:
            self._index = Index.of(self._features, self._calm)
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
        grey = grey_of(sized)  # type: ignore[arg-type]
        if plain(grey):
            return Recognised("", 1.0)
        if not self._ids:
            return Recognised(None, 0.0)
        points, descriptors = features_of(self._orb_seen, grey)
        best = Recognised(None, 0.0)
        for pose in self._poses(points, descriptors):
            seen = self._compare(sized, pose, scale)  # type: ignore[arg-type]
            if seen.card is not None:
                return seen
            if seen.share > best.share:
                best = seen
        return best

    def _poses(self, points: Floats, descriptors: NDArray[np.uint8]) -> Iterable[Pose]:
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
            agreed = agreed_on(seen, taught)
            pose = verified(int(card), seen[agreed, :2], taught[agreed, :2])
            if pose is not None:
                yield pose

    def _compare(self, picture: Image, pose: Pose, scale: float) -> Recognised:
        """The straightened picture against every taught card in this place."""
        index = self._taught()
        straight = cv2.warpPerspective(picture, pose.to_card, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR)
        blocks, seen = blocks_of(calm_of(straight))  # type: ignore[arg-type]
        agreement = agreement_of(index.blocks, blocks)
        agrees = (agreement > AGREES) & seen
        share = (agrees & index.printed).sum(axis=1) / np.maximum(1, (index.printed | seen).sum(axis=1))
        order = [int(i) for i in np.argsort(-share)[:RANKED]]
        leads = [
            lead(agrees, (agreement[i] > SURELY) & seen, index.differ[i] & seen, i, TOGETHER - float(share[i]))
            for i in order
        ]
        first = order[int(np.argmax(leads))]
        order.remove(first)
        ranked = tuple((self._ids[i % len(self)], round(float(share[i]), 3)) for i in (first, *order))
        # the fewer cards are taught, the less a lead says: then the print itself must agree
        enough = MIN_SHARE if len(self._ids) > RANKED else FEW_SHARE
        named = share[first] >= enough and max(leads) >= 1.0
        return Recognised(
            self._ids[first % len(self)] if named else None,
            float(min(1.0, share[first])) if named else float(min(0.5, share[first])),
            ranked,
            tuple((float(x / scale), float(y / scale)) for x, y in corners_of(pose.to_card)),
        )
