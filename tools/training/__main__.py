"""Make the networks: `python -m tools.training --photos DIR --out DIR`. CPU only, two processes.

Everything on the way is kept in `--work` and not made twice:
1. dice are ray-traced and thrown on tables and cards; photos are cut to pieces;
2. `base`: both networks learn from rendered dice alone;
3. the base finder hands over crops, its false finds included;
4. both networks go on with photos, rendered dice and those crops, are exported, and their temperature is measured.

`--without SOURCE` leaves one source of photos out of step 4, so that it can be scored by networks that never saw it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from tools.training import crops, store, stream
from tools.training.export import export
from tools.training.photos import MAY_TRAIN
from tools.training.temperature import measured
from tools.training.train import learn
from vision.reader import nets


def base(args: argparse.Namespace, stores: dict[str, store.Store], kind: str) -> None:
    """Rendered dice alone."""
    out = args.work / "base"
    if (out / f"{kind}.pt").exists():
        return
    drawn = [stores["tables"], stores["rendered"]]
    if kind == "finder":
        learn(kind, stream.scenes(drawn, (0.45, 0.55), 16, args.seed), out, args.start, args.steps, 3e-3, args.seed)
    else:
        pools = [crops.cut(part, 3 * args.scenes, args.seed + k) for k, part in enumerate(drawn)]
        shown = stream.crops(pools, (40, 56), args.seed)
        learn(kind, shown, out, args.start, args.steps, 3e-3, args.seed)


def hard(args: argparse.Namespace, stores: dict[str, store.Store], name: str) -> stream.Crops:
    """What the base finder hands over from one store."""
    return _kept(args, f"found-{name}", lambda: crops.found([stores[name]], args.scenes, args.seed + 11))


def print_only(args: argparse.Namespace, stores: dict[str, store.Store], name: str) -> stream.Crops:
    """What the base face network takes for dice where none lie."""
    return _kept(args, f"beside-{name}", lambda: crops.beside(stores[name], args.scenes, args.seed + 13))


def _kept(args: argparse.Namespace, name: str, make: Callable[[], stream.Crops]) -> stream.Crops:
    path = args.work / f"{name}.npz"
    if not path.exists():
        nets.use(args.work / "base")
        pictures, classes = make()
        np.savez(path, pictures=pictures, classes=classes)
    with np.load(path) as kept:
        return kept["pictures"], kept["classes"]


def tuned(args: argparse.Namespace, stores: dict[str, store.Store], kind: str) -> None:
    """Photos, rendered dice and hard crops; the face network goes round a second time, with other crops."""
    sources = [name for name in MAY_TRAIN if name in stores and not (args.without and name.startswith(args.without))]
    if kind == "finder":
        parts = [stores["tables"], stores["rendered"], *(stores[name] for name in sources)]
        shares = [0.25, 0.2, *(0.55 / len(sources) for _ in sources)]
        shown = stream.scenes(parts, shares, 16, args.seed + 5)
        learn(kind, shown, args.out, args.work / "base", args.tune, 2e-3, args.seed + 1)
        return
    for number, start in enumerate((args.work / "base", args.out)):
        shown = faces(args, stores, sources, args.seed + 20 * number)
        learn(kind, shown, args.out, start, args.tune, 2e-3, args.seed + 1 + number)


def faces(
    args: argparse.Namespace, stores: dict[str, store.Store], sources: list[str], seed: int
) -> Iterator[stream.Batch]:
    """Crops by labels, as the base finder hands them over, and what is no die."""
    drawn = [crops.cut(stores[name], 2 * args.scenes, seed + 7) for name in ("tables", "rendered")]
    real = [crops.cut(stores[name], args.scenes, seed + 9) for name in sources]
    pools = [*drawn, *real, *(hard(args, stores, name) for name in ("tables", "rendered", *sources))]
    sizes = [10, 12, *(30 // len(sources) for _ in sources), 14, 10, *(12 // len(sources) for _ in sources)]
    pools += [print_only(args, stores, name) for name in ("tables", "rendered", *sources)]
    pools.append(crops.fronts(args.scenes, args.seed + 17))
    sizes += [12, 6, *(9 // len(sources) for _ in sources), 12]
    return stream.crops(pools, sizes, seed + 5)


def _at_once(*jobs: tuple[object, ...]) -> None:
    """Each job in a process of its own; a failed one fails all."""
    running = [get_context("fork").Process(target=job[0], args=job[1:]) for job in jobs]  # type: ignore[arg-type]
    for process in running:
        process.start()
    for process in running:
        process.join()
    if any(process.exitcode for process in running):
        sys.exit("training: a part of it failed, see above")


def main() -> None:
    """The command."""
    ask = argparse.ArgumentParser(prog="python -m tools.training", description=__doc__)
    ask.add_argument("--photos", type=Path, required=True, help="folder with labels.json")
    ask.add_argument("--out", type=Path, required=True, help="where the networks go")
    ask.add_argument("--work", type=Path, help="what is kept on the way; default: beside --out")
    ask.add_argument("--without", default="", help="leave out the source that begins so")
    ask.add_argument("--start", type=Path, help="networks the base goes on from, instead of from nothing")
    ask.add_argument("--steps", type=int, default=2000, help="of the base")
    ask.add_argument("--tune", type=int, default=2000, help="steps with photos")
    ask.add_argument("--scenes", type=int, default=3000, help="drawn of each kind")
    ask.add_argument("--seed", type=int, default=7)
    ask.add_argument("--kind", choices=("finder", "face"), action="append", help="only this network")
    ask.add_argument("--stage", choices=("scenes", "base", "tuned"), default="tuned", help="stop after it")
    args = ask.parse_args()
    args.work = args.work or args.out.parent / "work"
    began = time.monotonic()
    stores = store.all_of(args.work, args.photos, args.scenes, args.seed)
    kinds = args.kind or ["finder", "face"]
    if args.stage != "scenes":
        _at_once(*((base, args, stores, kind) for kind in kinds))
    if args.stage == "tuned":
        if not (args.work / "base" / "SHA256SUMS").exists():
            export(args.work / "base", args.work / "base")
        _at_once(*((tuned, args, stores, kind) for kind in kinds))
    if args.stage == "tuned" and all((args.out / f"{kind}.pt").exists() for kind in ("finder", "face")):
        export(args.out, args.out)
        temperature, right, count = measured(args.work, args.out)
        sys.stderr.write(f"FACE_TEMPERATURE {temperature:.2f}; {100 * right:.2f} % of {count} fresh crops right\n")
    sys.stderr.write(f"{args.stage}: {(time.monotonic() - began) / 60:.1f} minutes\n")


if __name__ == "__main__":
    main()
