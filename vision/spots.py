"""The spots of a board over the time of a game: how each looks without a piece, and several frames' word on what stands there."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from companion.wire.messages import SlotSeen
from vision import mat as mats
from vision.reader import pieces
from vision.reader.pieces import Floats, Look

Lab = tuple[float, float, float]

CERTAIN = 0.95
"""Share from which a spot holds a piece or none: below it is a question."""
NEAR = 12.0
"""A spot this near a taught colour may hold its piece or may not, when nobody knows how it looks without."""
UNKNOWN = 0.9
"""The most that is said of such a spot."""
VEIL = 55.0
"""Grey levels of a lamp's mirror image under which the look of a bare spot is not learnt."""
FADED = 15.0
"""By so much more than when its look was learnt, and print has only faded under the lamp's mirror image: it is no other look."""


class Spots:
    """What one camera knows of the spots of one mat."""

    def __init__(self) -> None:
        self.bare: Floats | None = None
        """The board without pieces, a pixel a millimetre; only where `learnt`."""
        self.learnt: set[str] = set()
        self.game = ""
        self.stands: Mapping[str, str] | None = None
        """What the game says stands there; `None`: it does not watch the spots now."""
        self._votes: list[dict[str, Look]] = []
        self._now: Floats | None = None

    def told(self, game: str, stands: Mapping[str, str] | None) -> bool:
        """What the game knows; true when the bare board is to be learnt anew, because a game begins to watch it."""
        begins = stands is not None and (self.stands is None or game != self.game)
        self.game, self.stands = game, stands
        if begins:
            self.forget()
        return begins

    def forget(self) -> None:
        """Another board lies there, or another game begins on it."""
        self.bare, self._votes = None, []
        self.learnt.clear()

    def again(self) -> None:
        """The hand came back: what was seen until then is no vote."""
        self._votes = []

    def look(self, image: mats.Image, matrix: mats.Matrix, mat: mats.Mat, taught: Mapping[str, Sequence[Lab]]) -> None:
        """One more frame of a board at rest."""
        self._now = pieces.field(image, matrix, mat)
        first = self.bare is None
        if self.bare is None:
            self.bare = self._now.copy()
        unknown = [spot for spot in sorted(mat.spots - self.learnt) if self._bare(spot)]
        veil = pieces.veils(self._now, mat) if unknown else {}
        seen = pieces.looks(self._now, self.bare, mat, sorted(mat.spots), taught)
        # a game begins with what it says; later, something in a taught colour may have come under the veil
        clear = [spot for spot in unknown if veil[spot] < VEIL and (first or min(seen[spot].far) >= NEAR)]
        self._learn(clear, mat)
        self._votes.append(seen)

    def _bare(self, spot: str) -> bool:
        """The game says that nothing stands there."""
        return self.stands is not None and not self.stands.get(spot)

    def _learn(self, spots: Sequence[str], mat: mats.Mat) -> None:
        """These look so without a piece, as they would have looked in the light of the first look."""
        if not spots or self.bare is None or self._now is None:
            return
        then = (self._now + 4) / pieces.lamp(self._now, self.bare) - 4
        for spot in spots:
            rows, columns, _ = pieces.disc(mat, spot, 1.0)
            self.bare[rows, columns] = then[rows, columns]
        self.learnt.update(spots)

    def settled(self, enough: int) -> bool:
        """So many frames are there, and every spot is sure."""
        return len(self._votes) >= enough and all(seen.sure for seen in self.seen().values())

    def seen(self) -> dict[str, SlotSeen]:
        """What stands at each spot, by all frames together."""
        if not self._votes:
            return {}
        return {spot: _told(spot, [vote[spot] for vote in self._votes], spot in self.learnt) for spot in self._votes[0]}

    def end(self, mat: mats.Mat) -> dict[str, SlotSeen]:
        """The reading stands; a spot that is bare and looks different from before is known by its new look."""
        found = self.seen()
        gone = [spot for spot in found if self._votes[-1][spot].changed > 0.5 and found[spot].pieces[""] >= CERTAIN]
        if gone and self._now is not None and self.bare is not None:
            veil, before = pieces.veils(self._now, mat), pieces.veils(self.bare, mat)
            self._learn([spot for spot in gone if self._bare(spot) and veil[spot] < before[spot] + FADED], mat)
        self._votes = []
        return found


def _told(spot: str, looks: Sequence[Look], learnt: bool) -> SlotSeen:
    far = np.mean([look.far for look in looks], axis=0)
    weights = np.exp((far.min() - far) / 2)
    if learnt:
        here = 1 / (1 + math.exp(-float(np.clip(np.mean([look.odds for look in looks]), -30, 30))))
    else:
        here = 0.5 if float(far.min()) < NEAR else 1 - UNKNOWN
    shares = {name: here * float(w) for name, w in zip(looks[0].names, weights / weights.sum(), strict=True)}
    shares = {name: share for name, share in shares.items() if share >= 0.001} | {"": 1 - here}
    sure = not learnt or max(shares.values()) >= CERTAIN
    return SlotSeen(slot=spot, pieces={name: round(share, 4) for name, share in shares.items()}, sure=sure)
