"""Printed things taught once per copy, then known again in any slot, turned by any angle and with dice on them.

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
    FEW_MATCHES,
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
    BLOCK,
    HEIGHT,
    SAME_FACE,
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

    tables: Tables
    blocks: Floats
    """Block by block every card's print, first all upright, then all upside down."""
    printed: NDArray[np.bool_]
    inside: Sequence[NDArray[np.bool_]]
    """Which blocks lie within each card's outline."""
    differ: NDArray[np.bool_]
    """For every pair of cards the blocks in which their prints are not the same."""

    @classmethod
    def of(
        cls,
        features: Sequence[tuple[Floats, NDArray[np.uint8]]],
        calm: Sequence[Floats],
        inside: Sequence[NDArray[np.bool_]],
    ) -> Index:
        """Built when a card is first looked for after one was taught; only what lies `inside` is its print."""
        by_block, printed = both_ways(calm)
        printed &= np.stack([*inside, *(blocks[::-1] for blocks in inside)])
        counts = [len(points) for points, _ in features]
        descriptors = np.concatenate([part for _, part in features])
        return cls(
            Tables(descriptors, np.repeat(np.arange(len(features)), counts), len(features)),
            by_block,
            printed,
            inside,
            differing(calm, by_block, printed),
        )


class Book:
    """Printed things of one kind, as they were taught: what cards and tiles have in common."""

    size = WIDTH, HEIGHT
    """A taught picture in pixels."""
    tried = TRIED
    least = MIN_SHARE

    def __init__(self) -> None:
        self.pictures: dict[str, Image] = {}
        self._orb_taught = orb(FEATURES_TAUGHT)
        self._orb_seen = orb(FEATURES_SEEN)
        self._matcher = cv2.BFMatcher(cv2.NORM_HAMMING)
        self._ids: list[str] = []
        self._features: list[tuple[Floats, NDArray[np.uint8]]] = []
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
        kept = self._kept(picture)
        self._ids.append(card)
        self.pictures[card] = kept
        self._features.append(self._described(kept))
        self._index = None

    def learn(self, card: str, picture: Image) -> str | None:
        """Learn it; the name of another that has this very face, if there is one."""
        like = self.like(picture)
        self.teach(card, picture)
        return like

    def forget(self, card: str) -> None:
        """Forget a card; one that was never taught is not an error."""
        if card in self._ids:
            i = self._ids.index(card)
            for part in (self._ids, self._features):
                del part[i]
            del self.pictures[card]
            self._index = None

    def like(self, picture: Image) -> str | None:
        """A card already taught that has this very face, so that two names for one face are noticed."""
        if not self._ids:
            return None
        blocks, printed = blocks_of(self._calmed(self._kept(picture)))
        by_block, _ = both_ways(self._calm())
        agrees = ((agreement_of(by_block, blocks) > AGREES) & printed).sum(axis=1) / max(1, int(printed.sum()))
        best = int(agrees.argmax())
        return self._ids[best % len(self._ids)] if agrees[best] > SAME_FACE else None

    def recognise(self, picture: Image, px_per_mm: float | None = None) -> Recognised:
        """Name what lies in the straightened picture of a slot, which has this scale."""
        if picture.size == 0 or min(picture.shape[:2]) < 24:
            return Recognised(None, 0.0)
        # never enlarged by more than half: there is nothing to be seen that the camera did not see
        scale = min(self._scale(picture, px_per_mm), 1.5)
        sized = picture if picture.ndim == 3 else cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
        if abs(scale - 1) > 0.02:
            interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
            sized = cv2.resize(sized, None, fx=scale, fy=scale, interpolation=interpolation)
        grey = grey_of(sized)  # type: ignore[arg-type]
        if plain(grey):
            return Recognised("", 1.0)
        if not self._ids:
            return Recognised(None, 0.0)
        return self._best(self._compare(sized, pose, scale) for pose in self._poses(*features_of(self._orb_seen, grey)))  # type: ignore[arg-type]

    # -- what is not the same for cards and tiles --------------------------------------------------------------------

    def _kept(self, picture: Image) -> Image:
        """The picture as it is kept."""
        return cv2.resize(picture, self.size, interpolation=cv2.INTER_AREA)  # type: ignore[return-value]

    def _described(self, kept: Image) -> tuple[Floats, NDArray[np.uint8]]:
        return features_of(self._orb_taught, grey_of(kept))

    def _calmed(self, kept: Image) -> Floats:
        return calm_of(kept)

    def _calm(self) -> list[Floats]:
        """All taught prints for comparison; made when they are needed, for they are larger than the pictures."""
        return [self._calmed(self.pictures[card]) for card in self._ids]

    def _inside(self, kept: Image) -> NDArray[np.bool_]:
        """The blocks that belong to it."""
        return np.ones((self.size[0] // BLOCK) * (self.size[1] // BLOCK), bool)

    def _scale(self, picture: Image, px_per_mm: float | None) -> float:
        """How much larger the picture must be to have the size of the taught ones."""
        return self.size[1] / int(picture.shape[0])

    def _posed(self, card: int, seen: Floats, taught: Floats) -> Pose | None:
        """Where a card lies by these matches."""
        return verified(card, seen, taught, self.size)

    def _best(self, found: Iterable[Recognised]) -> Recognised:
        """The first that is named, or the nearest."""
        best = Recognised(None, 0.0)
        for seen in found:
            if seen.card is not None:
                return seen
            if seen.share > best.share:
                best = seen
        return best

    # ----------------------------------------------------------------------------------------------------------------

    def _taught(self) -> Index:
        if self._index is None:
            inside = [self._inside(self.pictures[card]) for card in self._ids]
            self._index = Index.of(self._features, self._calm(), inside)
        return self._index

    def _poses(self, points: Floats, descriptors: NDArray[np.uint8]) -> Iterable[Pose]:
        """Where the likeliest cards would lie, best first, each verified."""
        if len(points) < MIN_MATCHES:
            return
        votes = self._taught().tables.votes(descriptors)
        for card in np.argsort(-votes)[: self.tried]:
            pose = self._pose(int(card), points, descriptors)
            if pose is not None:
                yield pose

    def _pose(self, card: int, points: Floats, descriptors: NDArray[np.uint8]) -> Pose | None:
        """Where this card would lie by the features it shares with the picture."""
        places, known = self._features[card]
        matches = self._matcher.match(descriptors, known)
        near = [(m.queryIdx, m.trainIdx) for m in matches if m.distance < FAR]
        if len(near) < FEW_MATCHES:
            return None
        query, train = np.array(near).T
        seen, taught = points[query], places[train]
        agreed = agreed_on(seen, taught)
        return self._posed(card, seen[agreed, :2], taught[agreed, :2])

    def _compare(self, picture: Image, pose: Pose, scale: float) -> Recognised:
        """The straightened picture against every taught card in this place."""
        index = self._taught()
        straight = cv2.warpPerspective(picture, pose.to_card, self.size, flags=cv2.INTER_LINEAR)
        blocks, seen = blocks_of(calm_of(straight))  # type: ignore[arg-type]
        seen &= index.inside[pose.card]
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
        ranked = tuple((self._ids[i % len(self._ids)], round(float(share[i]), 3)) for i in (first, *order))
        # the fewer cards are taught, the less a lead says: then the print itself must agree
        enough = self.least if len(self._ids) > RANKED else FEW_SHARE
        named = share[first] >= enough and max(leads) >= 1.0
        return Recognised(
            self._ids[first % len(self._ids)] if named else None,
            float(min(1.0, share[first])) if named else float(min(0.5, share[first])),
            ranked,
            tuple((float(x / scale), float(y / scale)) for x, y in corners_of(pose.to_card, self.size)),
        )
