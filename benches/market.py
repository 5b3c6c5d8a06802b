"""One rendered market read and compared with its truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benches.random_markets import Market, market
from companion.games.skytopia.mat import market_mat
from vision import calibrate, calibration, mat
from vision.camera.frame import Image
from vision.reader import market as reader
from vision.reader import nets, vote
from vision.reading import AT_LEAST

Lab = tuple[float, float, float]
FRAMES = 5
"""At most, as in play: frames are asked until the slots are settled."""


@dataclass
class Rendered:
    """Counts over many rendered markets."""

    frames: int = 0
    right: int = 0
    wrong: int = 0
    unsure: int = 0
    made_up: int = 0
    """Finds where nothing lies, sure or not; they are counted in `wrong` and `unsure` too."""
    mistakes: list[str] = field(default_factory=list)
    per: dict[str, list[int]] = field(default_factory=dict)

    def count(self, words: tuple[str, ...], right: bool | None, what: str = "") -> None:
        """One die: right, wrong, or (`None`) left open."""
        self.right += right is True
        self.wrong += right is False
        self.unsure += right is None
        if right is False:
            self.mistakes.append(what)
        for word in words:
            row = self.per.setdefault(word, [0, 0, 0])
            row[0] += 1
            row[1] += right is True
            row[2] += right is False


def taught_of(scene: Market) -> dict[str, tuple[Lab, ...]]:
    """The player colours, taught as at set-up: one die of each on the empty mat, under the same lamp.

    Where the lamp is mirrored in a slot a colour is refused, and laid elsewhere.
    """
    colours = sorted({d["colour"] for s in scene.slots.values() for d in s["dice"]})
    rows = mat.of(scene.studio.mat)
    names = [name for name in rows.slots if name.endswith(("-2", "-3"))]
    image = _laid(scene, dict(zip(names, colours, strict=False)))
    matrix = mat.registered(mat.find(image), rows)
    if matrix is None:
        return {}
    good = [name for name in names if not calibrate.mirrored(image, matrix, rows, name)]
    if len(colours) <= len(good) and good[: len(colours)] != names[: len(colours)]:
        image, names = _laid(scene, dict(zip(good, colours, strict=False))), good
    taught = {}
    for name, colour in zip(names, colours, strict=False):
        x, y, w, h = rows.slots[name]
        straight = mat.straight(image, matrix, (x + w / 2 - 16, y + h / 2 - 16, 32, 32), 4.0)
        found = nets.find(straight[::2, ::2].copy(), 0.1)
        at = found[0].middle if found else (32.0, 32.0)
        taught[colour] = calibration.lab_samples(straight, (2 * at[0], 2 * at[1]), 24.0)
    return taught


def _laid(scene: Market, dice: dict[str, str]) -> Image:
    """The empty mat with a die of a colour in each of these slots."""
    slots = {
        name: {"card": "", "dice": [{"colour": colour, "face": 1, "x": 0.5, "y": 0.5, "angle": 10.0}]}
        for name, colour in dice.items()
    }
    return scene.studio.sensor(scene.studio.picture(slots, None, scene.light), scene.light, 7)


def rendered(seed: int, result: Rendered, change: Callable[[Market], Market] = lambda scene: scene) -> None:
    """Render, register, read exposures until they agree, vote, compare."""
    scene = change(market(market_mat(4), seed))
    clean = scene.studio.picture(scene.slots, None, scene.light)
    images = (scene.studio.sensor(clean, scene.light, k) for k in range(FRAMES))
    read = read_market(images, mat.of(scene.studio.mat), taught_of(scene))
    result.frames += 1
    if not read:  # the mat is not in view: that is said, and nothing is committed
        for die in (die for what in scene.slots.values() for die in what["dice"]):
            result.count((f"face {die['face']}", f"colour {die['colour']}"), None)
        return
    for slot, what in scene.slots.items():
        compare(what["dice"], read.get(slot, ()), result, f"seed {seed} {slot}")


def read_market(
    images: Iterable[Image], plan: mat.Mat, taught: dict[str, tuple[Lab, ...]]
) -> dict[str, tuple[reader.MarketDie, ...]]:
    """Every slot, voted over these exposures until it is settled; nothing when the mat is not found."""
    matrix: mat.Matrix | None = None
    frames: dict[str, list[tuple[reader.MarketDie, ...]]] = {slot: [] for slot in plan.slots}
    for look, image in enumerate(images):
        if matrix is None:
            matrix = mat.registered(mat.find(image), plan)
        if matrix is None:
            return {}
        open_slots = [slot for slot, seen in frames.items() if not vote.settled(seen, AT_LEAST)]
        if not open_slots:
            break
        others = {slot: vote.together(seen) for slot, seen in frames.items() if slot not in open_slots}
        for slot, dice in reader.read(image, matrix, plan, open_slots, taught, look, others).items():
            frames[slot].append(dice)
    return {slot: vote.together(seen) for slot, seen in frames.items()}


def compare(truth: list[dict[str, Any]], read: tuple[reader.MarketDie, ...], result: Rendered, where: str) -> None:
    """Match by place; a die overlooked or made up counts as wrong."""
    left = list(read)
    for die in truth:
        words = (f"face {die['face']}", f"colour {die['colour']}")
        near = min(left, key=lambda r: np.hypot(r.x - die["x"], r.y - die["y"]), default=None)
        if near is None or np.hypot(near.x - die["x"], near.y - die["y"]) > 0.2:
            result.count(words, False, f"{where}: {die['colour']} {die['face']} overlooked")
            continue
        left.remove(near)
        if not near.sure:
            result.count(words, None)
            continue
        right = near.face == die["face"] and near.owner == die["colour"]
        result.count(words, right, f"{where}: {die['colour']} {die['face']} read as {near.owner} {near.face}")
    for extra in left:  # print taken for a die: wrong when it is committed, a needless question when it is not
        result.count((), False if extra.sure else None, f"{where}: {extra.owner} {extra.face} made up")
        result.made_up += 1
