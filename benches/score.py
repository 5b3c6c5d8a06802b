"""Readings against labels: who was found, read right, read wrong, or left open, with 95 % intervals."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any

from companion.wire.files import read_text

Box = tuple[float, float, float, float]


def iou(a: Box, b: Box) -> float:
    """Shared area of the union of two boxes (x, y, w, h)."""
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0
    return w * h / (a[2] * a[3] + b[2] * b[3] - w * h)


def interval(right: int, total: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    if total == 0:
        return 0.0, 1.0
    z, p = 1.959964, right / total
    middle = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z * sqrt(p * (1 - p) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass
class Score:
    """Counts over many pictures."""

    pictures: int = 0
    dice: int = 0
    found: int = 0
    right: int = 0
    wrong: int = 0
    open: int = 0
    """Found, but no value was said."""
    false: int = 0
    per: dict[str, list[int]] = field(default_factory=dict)
    """For each word (a face, a colour, a source): dice, right, wrong."""

    def count(self, words: Sequence[str], value: int, read: int | None, found: bool = True) -> None:
        """One labelled die and what was read."""
        self.dice += 1
        self.found += found
        self.right += found and read == value
        self.wrong += found and read is not None and read != value
        self.open += found and read is None
        for word in words:
            row = self.per.setdefault(word, [0, 0, 0])
            row[0] += 1
            row[1] += found and read == value
            row[2] += found and read is not None and read != value

    @property
    def accuracy(self) -> float:
        """Dice found and read right, of all."""
        return self.right / max(1, self.dice)


Die = dict[str, Any]


def matched(labels: Sequence[Die], read: Sequence[Die]) -> tuple[list[tuple[Die, Die | None]], int]:
    """Each labelled die and what was read there, one to one and best overlap first; and how many readings were made up.

    Dice marked `ignore` count neither way.
    """
    real = [d for d in labels if not d.get("ignore")]
    pairs = sorted(
        ((iou(_box(r), _box(d)), i, j) for i, r in enumerate(read) for j, d in enumerate(real)), reverse=True
    )
    taken: dict[int, int] = {}
    for share, i, j in pairs:
        if share >= 0.5 and i not in taken and j not in taken.values():
            taken[i] = j
    where = {j: i for i, j in taken.items()}
    ignored = [_box(d) for d in labels if d.get("ignore")]
    spare = [_box(r) for i, r in enumerate(read) if i not in taken]
    false = sum(not any(_inside(r, box) >= 0.5 or iou(r, box) >= 0.5 for box in ignored) for r in spare)
    return [(die, read[where[j]] if j in where else None) for j, die in enumerate(real)], false


def add(score: Score, labels: Sequence[Die], read: Sequence[Die], words: Sequence[str] = ()) -> None:
    """Match one picture and count it."""
    score.pictures += 1
    pairs, false = matched(labels, read)
    for die, seen in pairs:
        tags = [f"face {die['value']}", *([f"colour {die['colour']}"] if die.get("colour") else []), *words]
        score.count(tags, int(die["value"]), seen["value"] if seen else None, seen is not None)
    score.false += false


def _box(d: dict[str, Any]) -> Box:
    return float(d["x"]), float(d["y"]), float(d["w"]), float(d["h"])


def _inside(a: Box, b: Box) -> float:
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return w * h / (a[2] * a[3]) if w > 0 and h > 0 else 0.0


def folder(photos: Path, read: Callable[[Path], list[dict[str, Any]]], only: Callable[[dict[str, Any]], bool]) -> Score:
    """Score every photo of a labelled folder that `only` lets pass."""
    score = Score()
    document = json.loads(read_text(photos / "labels.json", 20_000_000))
    for item in document["images"]:
        if only(item):
            add(score, item["dice"], read(photos / item["image"]), (f"source {item.get('source', '?')}",))
    return score
