"""One network trained: a cycle of AdamW over an endless stream, and the running average of its weights."""

from __future__ import annotations

import copy
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import torch
from torch import nn

from tools.training.nets import Face, Finder, finder_loss
from tools.training.stream import Batch

KINDS: dict[str, type[nn.Module]] = {"finder": Finder, "face": Face}


def face_loss(scores: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """Cross entropy, hardly smoothed: shares near one must mean something."""
    return nn.functional.cross_entropy(scores, value, label_smoothing=0.01)


HALF = torch.cpu._is_avx512_bf16_supported()
"""Half precision where the processor has it: two to four times as fast, and the networks do not mind."""

LOSSES: dict[str, Callable[..., torch.Tensor]] = {"finder": finder_loss, "face": face_loss}


def cycle(net: nn.Module, stream: Iterable[Batch], kind: str, steps: int, rate: float, say: str) -> nn.Module:
    """Train; returns the running average of the weights."""
    net.train()
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps, pct_start=0.15)
    mean = copy.deepcopy(net)
    began, running = time.monotonic(), 0.0
    for step, (picture, target) in zip(range(steps), stream, strict=False):
        with torch.autocast("cpu", torch.bfloat16, enabled=HALF):
            answer = net(picture.div(255).contiguous(memory_format=torch.channels_last))
        loss = LOSSES[kind](answer.float(), target)
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
            sys.stderr.flush()
    return mean.eval()


def learn(
    kind: str, stream: Iterable[Batch], out: Path, start: Path | None, steps: int, rate: float, seed: int
) -> None:
    """Train one network from scratch or from `start`, and keep it in `out`."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    net = KINDS[kind]().to(memory_format=torch.channels_last)  # a quarter faster here
    if start is not None:
        net.load_state_dict(torch.load(start / f"{kind}.pt", weights_only=True))
    out.mkdir(parents=True, exist_ok=True)
    done = cycle(net, stream, kind, steps, rate, f"{out.name} {kind}")
    torch.save(done.state_dict(), out / f"{kind}.pt")
