"""Honest shares: the temperature at which the face network is as often right as it says.

`python -m tools.training.temperature WORK MODELS` draws scenes no training saw, reads them with the networks in MODELS
and prints the value for `vision/reader/settings.py`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.training import crops, samples, store
from vision.reader import nets


def fit(scores: NDArray[np.float32], classes: NDArray[np.int64]) -> float:
    """The temperature with the least surprise, by trying."""

    def surprise(temperature: float) -> float:
        shares = nets.softmax(scores / np.float32(temperature))
        return float(-np.log(shares[np.arange(len(classes)), classes] + 1e-9).mean())

    return float(min(np.geomspace(0.3, 3.0, 60), key=surprise))


def measured(work: Path, models: Path, scenes: int = 300) -> tuple[float, float, int]:
    """Temperature, share of crops told right, and how many crops."""
    fresh = store.all_of(work / "fresh", None, scenes, 90_000)
    nets.use(models)
    pictures, classes = crops.found([fresh["tables"], fresh["rendered"]], 4 * scenes, 5)
    scores = nets.face_scores(list(samples.seen(pictures)))
    nets.use()
    return fit(scores, classes), float((scores.argmax(axis=1) == classes).mean()), len(classes)


def main() -> None:
    """The command."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("work", type=Path)
    ask.add_argument("models", type=Path)
    args = ask.parse_args()
    temperature, right, count = measured(args.work, args.models)
    sys.stdout.write(f"temperature {temperature:.2f}, {100 * right:.2f} % of {count} crops right\n")


if __name__ == "__main__":
    main()
