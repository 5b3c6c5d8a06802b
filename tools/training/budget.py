"""What the reader gets wrong, by sources it never saw: `python -m tools.training.budget PHOTOS SOURCE=MODELS… =MODELS`.

`=MODELS` reads the sources not named: those that may not train. Every source is scored with networks that did not learn from
it and with thresholds chosen on the others; one source, `APART`, has no part in the thresholds that are shipped either.
`--write README.md` puts the tables between the two marks in that file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from benches.score import Score, add, interval, matched
from vision.reader import files, nets, photo, settings

APART = "KingJacker"
"""Never trained on, and no threshold is chosen by looking at it."""
STEPS = {
    "sure": (0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
    "joint": (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
    "evidence": (0.0, 1.0, 2.0, 3.0),
    "odd": (0.0, 3.0, 6.0),
}
ROUNDS = 3
WRONG, FALSE = 3.0, 1.0
"""A wrong value is as bad as three dice left open, a made-up die as one."""
SHARES = (0.90, 0.95, 0.98, 0.99)
TEMPERATURES = (0.8, 0.9, 1.0, 1.1, 1.2, 1.35, 1.5, 1.75, 2.0, 2.5)
BINS = (0.0, 0.5, 0.8, 0.95, 0.99, 1.01)
MARKS = "<!-- budget -->", "<!-- /budget -->"

Answer = tuple[float, bool]
"""How sure, and whether it is right."""


@dataclass(frozen=True)
class Seen:
    """One labelled photo and what its networks see in it, at any threshold."""

    source: str
    above: bool
    dice: Sequence[dict[str, Any]]
    read: Callable[[settings.Photo], list[photo.DieRead]]


def seen(folder: Path, folds: dict[str, str]) -> list[Seen]:
    """Every photo of which a fold speaks; the networks are asked once for each size."""
    out = []
    for item in json.loads((folder / "labels.json").read_text(encoding="utf-8"))["images"]:
        source = next((name for name in folds if name and str(item["source"]).startswith(name)), "")
        if source in folds:
            nets.use(Path(folds[source]))
            picture = files.read_picture(folder / item["image"])
            look = cache(partial(photo.looked, picture))
            look(photo.LONG), look(photo.OTHER[0]), look(photo.OTHER[1])
            name = str(item["source"]).split("/")[0]
            read = partial(photo.made_out, max(picture.shape[:2]), look)
            out.append(Seen(name, item.get("view") == "above", item["dice"], read))
    nets.use()
    return out


def scored(photos: Iterable[Seen], limits: settings.Photo) -> Score:
    """All of them at these thresholds."""
    score = Score()
    for one in photos:
        add(score, one.dice, [die.document() for die in one.read(limits)])
    return score


def worth(photos: Sequence[Seen], limits: settings.Photo) -> float:
    """What these thresholds are worth, every die counting alike."""
    score = scored(photos, limits)
    return score.right - WRONG * score.wrong - FALSE * score.false


def honest(photos: Sequence[Seen]) -> float:
    """The temperature at which the shares of these dice surprise least."""
    told = [
        (np.array(die["faces"]), int(label["value"]) - 1)
        for one in photos
        for label, die in _pairs(one, replace(settings.PHOTO, temperature=1.0))
        if die is not None
    ]

    def surprise(temperature: float) -> float:
        shares = nets.softmax((np.log(np.stack([faces for faces, _ in told]) + 1e-9) / temperature).astype(np.float32))
        return float(-np.log(shares[np.arange(len(told)), [value for _, value in told]] + 1e-9).mean())

    return min(TEMPERATURES, key=surprise) if told else 1.0


def chosen(photos: Sequence[Seen]) -> settings.Photo:
    """The honest temperature, and thresholds that are best for it, one after the other until none gets better."""
    best = replace(settings.PHOTO, temperature=honest(photos))
    most = worth(photos, best)
    for _ in range(ROUNDS):
        before = best
        for name, steps in STEPS.items():
            for step in steps:
                other = replace(best, **{name: step})
                if (gain := worth(photos, other)) > most:
                    best, most = other, gain
        if best == before:
            break
    return best


def answers(photos: Iterable[Seen], limits: settings.Photo) -> tuple[list[Answer], int]:
    """Every labelled die that was found, surest first, with the likeliest face said for all; and how many dice there are."""
    found, dice = [], 0
    for one in photos:
        pairs = _pairs(one, limits)
        dice += len(pairs)
        for label, die in pairs:
            if die is not None:
                best = max(range(6), key=die["faces"].__getitem__)
                found.append((float(die["faces"][best]), best + 1 == int(label["value"])))
    return sorted(found, reverse=True), dice


def _pairs(one: Seen, limits: settings.Photo) -> list[tuple[dict[str, Any], dict[str, Any] | None]]:
    """Each labelled die of a photo and what was read there, its face shares included."""
    return matched(one.dice, [{**die.document(), "faces": die.faces} for die in one.read(limits)])[0]


def at_share(found: Sequence[Answer], dice: int, share: float) -> tuple[int, int] | None:
    """Answered and wrong when the surest answers are given until this share of all dice has one; `None` when fewer were found."""
    count = -(-round(share * dice * 1000) // 1000)
    return (count, sum(not right for _, right in found[:count])) if len(found) >= count else None


def per_mille(wrong: int, answered: int) -> str:
    """Wrong of a thousand, with its 95 % interval."""
    low, high = interval(wrong, answered)
    return f"{1000 * wrong / max(1, answered):.1f} ({1000 * low:.1f} to {1000 * high:.1f})"


def tables(photos: Sequence[Seen], say: dict[str, str]) -> str:
    """A line for each source held out of networks and thresholds; and, over all of them, how honest the shares are."""
    first = [
        "| held out | networks | photos | dice | right | 95 % interval | wrong of answered | not found | false dice a photo |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    second = ["| wrong per 1,000 at | 90 % | 95 % | 98 % | 99 % answered |", "|---|---|---|---|---|"]
    said: list[Answer] = []
    groups: list[tuple[str, list[Seen]]] = [(name, [p for p in photos if p.source == name]) for name in _names(photos)]
    for name, mine in groups:
        limits = chosen([p for p in photos if p.source not in (name, APART)])
        score = scored(mine, limits)
        low, high = interval(score.right, score.dice)
        view = "from above" if mine[0].above else "slanted"
        first.append(
            f"| {name} ({view}) | {say.get(name, say.get('', ''))} | {score.pictures} | {score.dice} | "
            f"{100 * score.accuracy:.1f} % | {100 * low:.1f} to {100 * high:.1f} | "
            f"{score.wrong} of {score.right + score.wrong} | {score.dice - score.found} | "
            f"{score.false / max(1, score.pictures):.2f} |"
        )
        found, dice = answers(mine, limits)
        said += found
        cells = (at_share(found, dice, share) for share in SHARES)
        told = (
            per_mille(cell[1], cell[0]) if cell else f"only {100 * len(found) / dice:.1f} % found" for cell in cells
        )
        second.append(f"| {name} | {' | '.join(told)} |")
        sys.stderr.write(f"{name}: {_said(limits)}\n")
    third = [
        "| how sure | " + " | ".join(f"{100 * a:.0f} to {min(100, 100 * b):.0f} %" for a, b in pairwise(BINS)) + " |"
    ]
    third.append("|---" * len(BINS) + "|")
    third.append(
        "| right | " + " | ".join(_held([a for a in said if low <= a[0] < high]) for low, high in pairwise(BINS)) + " |"
    )
    return "\n".join([*first, "", *second, "", *third])


def _held(said: Sequence[Answer]) -> str:
    return f"{sum(right for _, right in said)} of {len(said)}"


def _said(limits: settings.Photo) -> str:
    return ", ".join(f"{name} {getattr(limits, name)}" for name in ("temperature", "evidence", "odd", "joint", "sure"))


def _names(photos: Sequence[Seen]) -> list[str]:
    """Sources, those from above first."""
    return sorted(
        {p.source for p in photos}, key=lambda name: (not any(p.above for p in photos if p.source == name), name)
    )


def main() -> None:
    """The command."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("photos", type=Path)
    ask.add_argument("folds", nargs="+", metavar="SOURCE=MODELS")
    ask.add_argument("--write", type=Path, help="put the tables into this file")
    ask.add_argument(
        "--say", nargs="*", default=[], metavar="SOURCE=WORDS", help="how the networks of a source were made"
    )
    args = ask.parse_args()
    photos = seen(args.photos, dict(fold.split("=", 1) for fold in args.folds))
    shipped = chosen([p for p in photos if p.source != APART])
    sys.stderr.write(f"for settings.py: {_said(shipped)}\n")
    made = tables(photos, dict(word.split("=", 1) for word in args.say))
    if args.write is None:
        sys.stdout.write(made + "\n")
        return
    before, rest = args.write.read_text(encoding="utf-8").split(MARKS[0])
    _, after = rest.split(MARKS[1])
    args.write.write_text(f"{before}{MARKS[0]}\n{made}\n{MARKS[1]}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
