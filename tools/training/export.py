"""Write trained networks as ONNX with their checksums: `python -m tools.training.export RUN OUT`."""

from __future__ import annotations

import argparse
import hashlib
import warnings
from pathlib import Path

import torch

from tools.training.nets import CROP, Face, Finder


def export(run: Path, out: Path) -> None:
    """`finder.onnx`, `face.onnx` and `SHA256SUMS`; normalisation is folded into the weights."""
    out.mkdir(parents=True, exist_ok=True)
    sums = []
    for name, net, shape in (("finder", Finder(), (1, 3, 384, 640)), ("face", Face(), (1, 3, CROP, CROP))):
        net.load_state_dict(torch.load(run / f"{name}.pt", weights_only=True))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            torch.onnx.export(net.eval(), torch.zeros(shape), str(out / f"{name}.onnx"), dynamo=False, opset_version=13)
        sums.append(f"{hashlib.sha256((out / f'{name}.onnx').read_bytes()).hexdigest()}  {name}.onnx\n")
    (out / "SHA256SUMS").write_text("".join(sums), encoding="ascii")


if __name__ == "__main__":
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("run", type=Path)
    ask.add_argument("out", type=Path)
    args = ask.parse_args()
    export(args.run, args.out)
