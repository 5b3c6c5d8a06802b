"""Train both networks: `python -m vision.training.train --photos DIR --out DIR`.

First rendered dice alone, then rendered and real together. `--without SOURCE` leaves one source of photos out, so
that it can be scored by a model that never saw it. CPU only.
"""

from __future__ import annotations

import argparse
import copy
import pickle
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset

from vision.training import photos as real
from vision.training import pool, render, samples, scenes
from vision.training.nets import Face, Finder, finder_loss

Make = Callable[[np.random.Generator], scenes.Scene]


class Finds(IterableDataset):  # type: ignore[type-arg]
    """An endless stream of pictures with target planes."""

    def __init__(self, make: Make, seed: int) -> None:
        self.make, self.seed = make, seed

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        rng = np.random.default_rng(self.seed)
        while True:
            scene = self.make(rng)
            yield torch.from_numpy(scene.picture.transpose(2, 0, 1).copy()), torch.from_numpy(samples.planes(scene))


def face_loss(scores: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """Cross entropy, slightly smoothed."""
    return nn.functional.cross_entropy(scores, value, label_smoothing=0.02)


def train(
    net: nn.Module,
    stream: Iterable[tuple[torch.Tensor, torch.Tensor]],
    loss_of: Callable[..., torch.Tensor],
    steps: int,
    rate: float,
    say: str,
) -> nn.Module:
    """One cycle of AdamW; returns the running average of the weights."""
    net.train()
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps, pct_start=0.15)
    mean = copy.deepcopy(net)
    began, running = time.monotonic(), 0.0
    for step, (picture, target) in zip(range(steps), stream, strict=False):
        loss = loss_of(net(picture.float() / 255), target)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        plan.step()
        now = float(loss.detach())
        running = 0.97 * running + 0.03 * now if step else now
        keep = min(0.98, step / (step + 10))
        with torch.no_grad():
            for a, b in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
                if a.dtype.is_floating_point:
                    a.mul_(keep).add_(b, alpha=1 - keep)
        if step % 50 == 49:
            sys.stderr.write(f"{say} {step + 1}/{steps} loss {running:.3f} {time.monotonic() - began:.0f} s\n")
    return mean.eval()


def sprites(path: Path, count: int, seed: int) -> list[render.Sprite]:
    """Ray-traced dice, made once and kept."""
    if path.exists():
        kept: list[render.Sprite] = pickle.loads(path.read_bytes())
        return kept
    rng = np.random.default_rng(seed)
    made = [render.die(rng) for _ in range(count)]
    path.write_bytes(pickle.dumps(made))
    return made


def mixed(dice: list[render.Sprite], photos: list[real.Photo], share: float) -> Make:
    """A source of scenes, `share` of them pieces of real photos."""

    def make(rng: np.random.Generator) -> scenes.Scene:
        if photos and rng.random() < share:
            return real.scene(rng, photos, dice)
        return scenes.rendered(rng, dice)

    return make


def faces(
    args: argparse.Namespace, dice: list[render.Sprite], photos: list[real.Photo]
) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Batches for the face network, from kept pools."""
    crops, values, _ = pool.kept(args.out.parent / "rendered.npz", dice, [], args.crops, args.seed)
    pools, sizes = [(crops, values)], [64]
    if photos:
        crops, values, origins = pool.kept(args.out.parent / "real.npz", dice, photos, args.crops, args.seed + 1)
        left_out = [i for i, name in enumerate(real.MAY_TRAIN) if args.without and name.startswith(args.without)]
        keep = ~np.isin(origins, left_out)
        pools.append((crops[keep], values[keep]))
        real_size = round(64 * args.share)
        sizes = [64 - real_size, real_size]
    for hard in sorted(args.out.parent.glob("hard*.npz")):
        with np.load(hard) as store:
            pools.append((store["crops"], store["values"]))
            sizes.append(16)
    return pool.batches(pools, sizes, args.seed)


def main() -> None:
    """The command."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--photos", type=Path, help="folder with labels.json; without it rendered dice only")
    ask.add_argument("--out", type=Path, required=True)
    ask.add_argument("--without", default="", help="leave out the source that begins so")
    ask.add_argument("--net", choices=("both", "finder", "face"), default="both")
    ask.add_argument("--start", type=Path, help="folder with networks to go on from")
    ask.add_argument("--steps", type=int, default=1100)
    ask.add_argument("--rate", type=float, default=3e-3)
    ask.add_argument("--share", type=float, default=0.6, help="share of real photos")
    ask.add_argument("--sprites", type=int, default=2000)
    ask.add_argument("--crops", type=int, default=24000)
    ask.add_argument("--seed", type=int, default=7)
    args = ask.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    dice = sprites(args.out.parent / "sprites.pickle", args.sprites, args.seed)
    photos = real.allowed(real.load(args.photos)) if args.photos else []
    for name, net, loss in (("finder", Finder(), finder_loss), ("face", Face(), face_loss)):
        if args.net not in ("both", name):
            continue
        if args.start:
            net.load_state_dict(torch.load(args.start / f"{name}.pt", weights_only=True), strict=False)
        if name == "finder":
            make = mixed(dice, real.allowed(photos, args.without), args.share)
            stream = DataLoader(Finds(make, args.seed), batch_size=16, num_workers=1, prefetch_factor=4)
        else:
            stream = faces(args, dice, photos)
        done = train(net, stream, loss, args.steps, args.rate, f"{name} {args.without}")
        torch.save(done.state_dict(), args.out / f"{name}.pt")


if __name__ == "__main__":
    main()
