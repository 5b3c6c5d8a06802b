"""Random boards with pieces for the virtual camera: a living room's lamps, hands that put things down carelessly."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import msgspec
import numpy as np

from benches.random_markets import in_view, lens, light
from companion.sensing import BoardSpot, Mat
from vision.virtual.scene import Light, Studio
from vision.virtual.standing import SIZES, TOKENS

Spots = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Board:
    """One board: how it is looked at, and what lies on it when a game begins."""

    studio: Studio
    light: Light
    bare: Spots
    shapes: tuple[str, ...]
    colours: tuple[str, ...]


def grid(rows: int = 6, columns: int = 8, pitch: float = 26.0) -> Mat:
    """A plain board of squares, as for workers on a player's board."""
    places = [(16 + column * pitch, 16 + row * pitch) for row in range(rows) for column in range(columns)]
    spots = tuple(BoardSpot(f"cell-{number}", x, y, 9.0) for number, (x, y) in enumerate(places, 1))
    return Mat(32 + (columns - 1) * pitch, 32 + (rows - 1) * pitch, spots=spots)


def praga(rows: int = 5, columns: int = 6, pitch: float = 22.0) -> Mat:
    """Hunger Wall and Cathedral side by side: a cube of every player climbs each."""
    spots = []
    for left, name in ((16.0, "wall"), (16.0 + columns * pitch + 14.0, "cathedral")):
        places = [(left + column * pitch, 16 + row * pitch) for row in range(rows) for column in range(columns)]
        spots += [BoardSpot(f"{name}-{number}", x, y, 8.0) for number, (x, y) in enumerate(places, 1)]
    return Mat(spots[-1].x + 16, spots[-1].y + 16, spots=tuple(spots))


def turned(mat: Mat, *islands: str) -> Mat:
    """A board as an owner laid it: these islands a quarter turn round."""
    spots = []
    for spot in mat.spots:
        own = spot.id.rpartition("-")[0]
        island = [one for one in mat.spots if one.id.rpartition("-")[0] == own]
        x, y = (sum(getattr(one, axis) for one in island) / len(island) for axis in ("x", "y"))
        spots.append(msgspec.structs.replace(spot, x=x - (spot.y - y), y=y + (spot.x - x)) if own in islands else spot)
    return msgspec.structs.replace(mat, spots=tuple(spots))


def board(mat: Mat, seed: int, *, colours: tuple[str, ...], shapes: tuple[str, ...], tokens: bool) -> Board:
    """A board as it is set up."""
    rng = np.random.default_rng(seed)
    view = lens(rng)
    while not in_view(view, mat):
        view = lens(rng)
    lies = {spot.id: {"token": str(rng.choice(list(TOKENS)))} if tokens else {} for spot in mat.spots}
    return Board(Studio(mat, lens=view, seed=seed), light(rng), lies, shapes, colours)


def filled(scene: Board, rng: np.random.Generator, share: float) -> Spots:
    """The same board with pieces on a share of its spots; where one has stood for long, the token is gone."""
    out: Spots = {}
    for spot, lies in scene.bare.items():
        out[spot] = dict(lies)
        if rng.random() < share:
            out[spot]["piece"] = piece(rng, str(rng.choice(scene.colours)), str(rng.choice(scene.shapes)))
            if rng.random() < 0.6:
                out[spot].pop("token", None)
    return out


def handled(scene: Board, slots: Spots, rng: np.random.Generator, most: int = 5) -> Spots:
    """One reach of a hand: a few pieces put down, some taken back."""
    out = {spot: dict(lies) for spot, lies in slots.items()}
    for spot in rng.choice(list(out), int(rng.integers(1, most + 1)), replace=False):
        lies = out[str(spot)]
        if "piece" in lies and ("token" in lies or "token" not in scene.bare[str(spot)]):
            del lies["piece"]  # a bid that lost; what was built stays
        elif "piece" not in lies:
            out[str(spot)]["piece"] = piece(rng, str(rng.choice(scene.colours)), str(rng.choice(scene.shapes)))
    return out


def piece(rng: np.random.Generator, colour: str, shape: str) -> dict[str, Any]:
    """A piece as a hand puts it down."""
    height = float(rng.choice((12.0, 19.0, 27.0))) if shape == "tower" else SIZES[shape][1]
    x, y = (float(np.clip(rng.normal(0, 1.4), -3.5, 3.5)) for _ in range(2))
    return {"colour": colour, "shape": shape, "x": x, "y": y, "angle": float(rng.uniform(0, 90)), "height": height}


def later(scene: Board, rng: np.random.Generator) -> Light:
    """The lamp some time later: turned, dimmed, mirrored elsewhere."""
    now = scene.light
    return replace(
        now,
        level=now.level * float(rng.uniform(0.85, 1.15)),
        warmth=now.warmth + float(rng.uniform(-0.1, 0.1)),
        glare=float(rng.uniform(0, 0.5)) if rng.random() < 0.4 else 0.0,
        glare_x=float(rng.uniform(0.1, 0.9)),
        glare_y=float(rng.uniform(0.1, 0.9)),
    )
