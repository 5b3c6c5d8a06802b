"""Rendered boards with pieces at spots, read frame by frame as at a table: hands, lamps that change, glare."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benches.random_boards import Board, board, filled, grid, handled, later, piece, praga
from companion.games.skyrise.mat import islands_mat
from companion.sensing import Mat
from companion.wire.messages import MarketSeen, SlotSeen
from vision import calibrate
from vision import mat as mats
from vision.camera.frame import Frame, small_of
from vision.reading import MarketReader
from vision.virtual.scene import Light

STEP = 1 / 15
SURE = 0.95
"""What the core calls confident."""
FOUR = ("coral", "leaf", "sun", "snow")
MANY = ("sun", "leaf", "sky", "coral", "plum")


@dataclass
class SpotCount:
    """Counts over many boards."""

    boards: int = 0
    right: int = 0
    wrong: int = 0
    unsure: int = 0
    mistakes: list[str] = field(default_factory=list)
    per: dict[str, list[int]] = field(default_factory=dict)
    """By kind of board: spots, right, wrong."""

    def compare(self, truth: dict[str, dict[str, Any]], seen: MarketSeen | None, where: str) -> None:
        """Every spot of one reading; `where` begins with the kind of board."""
        row = self.per.setdefault(where.partition(" ")[0], [0, 0, 0])
        before = self.right, self.wrong
        self._count(truth, seen, where)
        for place, more in enumerate((len(truth), self.right - before[0], self.wrong - before[1])):
            row[place] += more

    def _count(self, truth: dict[str, dict[str, Any]], seen: MarketSeen | None, where: str) -> None:
        slots = {slot.slot: slot for slot in seen.slots} if seen is not None else {}
        for spot, lies in truth.items():
            stands = str(lies.get("piece", {}).get("colour", ""))
            read = slots.get(spot, SlotSeen(slot=spot))
            best = max(read.pieces, key=lambda colour: read.pieces[colour], default="")
            if read.pieces.get(best, 0.0) < SURE:
                self.unsure += 1
            elif best == stands:
                self.right += 1
            else:
                self.wrong += 1
                self.mistakes.append(f"{where} {spot}: {stands or 'empty'} read as {best or 'empty'}")


class Watched:
    """A board under a camera that sees it frame by frame."""

    def __init__(self, scene: Board) -> None:
        self.scene = scene
        self.reader = MarketReader(mats.of(scene.studio.mat))
        self.ts, self.number = 0.0, 0

    def show(
        self, slots: dict[str, Any], hand: dict[str, float] | None, light: Light, frames: int
    ) -> MarketSeen | None:
        """So many frames of this; what was said last while they were seen."""
        clean = self.scene.studio.picture(slots, hand, light)
        said: MarketSeen | None = None
        for _ in range(frames):
            image = self.scene.studio.sensor(clean, light, self.number)
            said = self.reader.see(Frame(image, small_of(image), self.ts, self.number)) or said
            self.ts, self.number = self.ts + STEP, self.number + 1
            if said is not None and said.state == "ready" and hand is None:
                return said
        return None

    def teach(self, rng: np.random.Generator) -> None:
        """As at set-up: a piece of each colour on the first spots, before the tokens are laid."""
        mat = self.reader.mat
        slots: dict[str, Any] = {spot: {} for spot in mat.slots}
        places = calibrate.dice_places(self.scene.colours, mat)
        for colour, spot in places.items():
            slots[spot] = {"piece": piece(rng, colour, self.scene.shapes[0])}
        light = self.scene.light
        image = self.scene.studio.sensor(self.scene.studio.picture(slots, None, light), light, 7)
        found = calibrate.measure(image, mat=mat, colours=places)
        self.reader.adopt(found.colours, None, found.size, found.die_mm)


@dataclass(frozen=True)
class Kind:
    """A board and what stands on it."""

    mat: Mat
    shapes: tuple[str, ...]
    tokens: bool = False


def kinds() -> dict[str, Kind]:
    """Skyrise's islands with towers on their tokens, Praga's two grids with cubes, and squares with anything."""
    return {
        "islands": Kind(islands_mat(), ("tower",), tokens=True),
        "praga": Kind(praga(), ("cube",)),
        "squares": Kind(grid(), ("cube", "disc", "house")),
    }


def one_board(kind: str, seed: int, result: SpotCount, changes: int = 4) -> None:
    """A board set up, then a game some time later, and hands that come and go; the lamp changes every time."""
    this = kinds()[kind]
    colours = FOUR if this.tokens else MANY[: 4 + seed % 2]
    scene = board(this.mat, seed, colours=colours, shapes=this.shapes, tokens=this.tokens)
    rng = np.random.default_rng(seed + 1)
    table = Watched(scene)
    table.teach(rng)
    table.reader.stands("bench", {})
    table.show(scene.bare, None, scene.light, 20)
    slots, light = scene.bare, scene.light
    for change in range(changes):
        hand = {"x": float(rng.uniform(0.2, 0.8)), "y": float(rng.uniform(0.2, 0.9))}
        table.show(slots, hand, light, 4)
        slots = filled(scene, rng, float(rng.uniform(0.1, 0.7))) if change == 0 else handled(scene, slots, rng)
        light = later(scene, rng)
        result.compare(slots, table.show(slots, None, light, 120), f"{kind} {seed} change {change}")
    result.boards += 1


def counted(first: int, boards: int, seconds: float) -> SpotCount:
    """So many boards of every kind, in the time there is."""
    result, began = SpotCount(), time.monotonic()
    for seed in range(first, first + boards):
        for kind in kinds():
            one_board(kind, seed, result)
        if time.monotonic() - began > seconds:
            break
    return result
