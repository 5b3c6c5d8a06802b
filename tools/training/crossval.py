"""Score each source of photos with a model that never saw it: `python -m tools.training.crossval PHOTOS SOURCE=MODELS…`.

`=MODELS` without a source scores everything not named; that is how sources that may not train are measured.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from vision.reader import files, nets, photo


def main() -> None:
    """Predictions of all folds on stdout, in the form `eval_dice.py` and `vision bench` know."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("photos", type=Path)
    ask.add_argument("folds", nargs="+", metavar="SOURCE=MODELS")
    args = ask.parse_args()
    folds = dict(fold.split("=", 1) for fold in args.folds)
    images = json.loads((args.photos / "labels.json").read_text(encoding="utf-8"))["images"]
    read: dict[str, list[dict[str, object]]] = {}
    for item in images:
        source = next((name for name in folds if name and str(item["source"]).startswith(name)), "")
        if source in folds:
            nets.use(Path(folds[source]))
            dice = photo.read(files.read_picture(args.photos / item["image"]))
            read[item["image"]] = [
                {**d.document(), "faces": d.faces, "unsaid": 1 + max(range(6), key=d.faces.__getitem__)} for d in dice
            ]
    json.dump(read, sys.stdout)


if __name__ == "__main__":
    main()
