"""The two networks: one finds dice in a picture, one reads the face in a crop."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

STRIDE = 8
CROP = 64
UNIT = 48.0
"""Box sides are learnt as the logarithm of their share of this many pixels."""


def block(inside: int, outside: int, stride: int = 1) -> nn.Sequential:
    """Convolution, normalisation, rectifier."""
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True)
    )


class Finder(nn.Module):
    """Picture -> per cell of 8 x 8 pixels: die centre here, where in the cell, how large, six faces.

    Most of the thinking is done in cells of 16 x 16, where it costs a quarter.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(block(3, 12, 2), block(12, 24, 2), block(24, 40, 2))
        self.fine = block(40, 40)
        self.down = block(40, 80, 2)
        self.coarse = nn.ModuleList(block(80, 80) for _ in range(3))
        self.up = nn.Conv2d(80, 40, 1)
        self.join = block(40, 40)
        self.head = nn.Conv2d(40, 11, 1)
        nn.init.constant_(self.head.bias[0], -3.5)

    def forward(self, picture: Tensor) -> Tensor:
        """Raw outputs, 11 planes."""
        x = self.stem(picture)
        x = x + self.fine(x)
        y = self.down(x)
        for layer in self.coarse:
            y = y + layer(y)
        x = x + functional.interpolate(self.up(y), scale_factor=2.0, mode="nearest")
        planes: Tensor = self.head(self.join(x))
        return planes


class Face(nn.Module):
    """Crop of 64 x 64 -> scores of faces 1 to 6 and "no die".

    The last layers see the whole die and keep apart where things are: averaged over the crop a network learns to
    weigh ink, and large pips make a four a five.
    """

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(block(3, 16, 2), block(16, 32, 2), block(32, 64), block(64, 64), block(64, 96, 2))
        self.whole = nn.Sequential(block(96, 80), block(80, 64, 2))
        self.drop = nn.Dropout(0.2)
        self.last = nn.Linear(64 * 16, 7)

    def forward(self, crop: Tensor) -> Tensor:
        """Seven raw scores."""
        scores: Tensor = self.last(self.drop(self.whole(self.layers(crop)).flatten(1)))
        return scores


def finder_loss(planes: Tensor, target: Tensor) -> Tensor:
    """Focal loss on centres, smooth distance on place and size, cross entropy on faces.

    Target planes: heat, weight of heat, weight of box, dx, dy, log w, log h, face (0 = do not ask).
    """
    p = torch.sigmoid(planes[:, 0]).clamp(1e-4, 1 - 1e-4)
    heat, heed, here = target[:, 0], target[:, 1], target[:, 2]
    peak = (heat > 0.999).float()
    found = peak * (1 - p) ** 2 * torch.log(p)
    empty = (1 - peak) * (1 - heat) ** 4 * p**2 * torch.log(1 - p)
    count = peak.sum().clamp(min=1)
    focal = -((found + empty) * heed).sum() / count
    some = here.sum().clamp(min=1)
    away = functional.smooth_l1_loss(planes[:, 1:5], target[:, 3:7], reduction="none", beta=0.1).sum(1)
    face = functional.cross_entropy(planes[:, 5:11], (target[:, 7].long() - 1).clamp(min=0), reduction="none")
    asked = here * (target[:, 7] > 0)
    return focal + (away * here).sum() / some + 0.5 * (face * asked).sum() / asked.sum().clamp(min=1)
