"""Random markets for the virtual camera over its normal range: up to 20 dice, any lamp a living room has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.sensing import Mat
from vision.virtual.golem import BODY, SIDE_MM
from vision.virtual.plan import MARKER, Lens, marker_centres, project
from vision.virtual.scene import Light, Studio


@dataclass(frozen=True)
class Market:
    """What lies on the table and how it is looked at."""

    studio: Studio
    slots: dict[str, Any]
    light: Light


def lens(rng: np.random.Generator, size: tuple[int, int] = (1920, 1080)) -> Lens:
    """A camera somebody put up by hand."""
    return Lens(
        *size,
        tilt=float(rng.uniform(0, 8)),
        lean=float(rng.uniform(0, 360)),
        roll=float(rng.uniform(-6, 6)),
        room=float(rng.uniform(1.08, 1.2)),
        bend=float(rng.uniform(-0.04, 0.02)),
    )


def in_view(view: Lens, mat: Mat) -> bool:
    """All four markers lie in the picture, as set-up demands before a game can be watched."""
    half = MARKER / 2
    corners = [(x + a, y + b, 0.0) for x, y in marker_centres(mat) for a in (-half, half) for b in (-half, half)]
    middle = np.array((view.width / 2, view.height / 2))
    # a lens that bends inwards shows the corners farther out than they lie
    seen = middle + (project(view.projection(mat), np.array(corners)) - middle) * (1 + 1.2 * max(0.0, -view.bend))
    return bool((seen > 0).all() and (seen < (view.width, view.height)).all())


def light(rng: np.random.Generator) -> Light:
    """Ordinary lamps."""
    return Light(
        level=float(rng.uniform(0.7, 1.15)),
        warmth=float(rng.uniform(-0.3, 0.8)),
        slope=float(rng.uniform(0, 0.3)),
        glare=float(rng.uniform(0, 0.5)) if rng.random() < 0.4 else 0.0,
        glare_x=float(rng.uniform(0.1, 0.9)),
        glare_y=float(rng.uniform(0.1, 0.9)),
        blur=float(rng.uniform(0.3, 1.2)),
        noise=float(rng.uniform(0.5, 4)),
        shadow=float(rng.uniform(0.15, 0.6)),
    )


def slots(rng: np.random.Generator, mat: Mat, dice: int = 20, colours: int = 4) -> dict[str, Any]:
    """Cards everywhere, dice of some players on them; on one card all faces differ, dice may touch."""
    players = [str(c) for c in rng.choice(list(BODY), colours, replace=False)]
    out: dict[str, Any] = {}
    sizes = {area.id: (area.width, area.height) for area in mat.areas}
    for name in sizes:
        card = f"{name[0].upper()}{1 + int(rng.integers(4))}{'abc'[int(rng.integers(3))]}"
        out[name] = {"card": card, "dice": []}
    for _ in range(int(rng.integers(0, dice + 1))):
        name = str(rng.choice(list(out)))
        slot = out[name]
        place = _free(rng, slot["dice"], sizes[name])
        faces = [f for f in range(1, 7) if f not in {d["face"] for d in slot["dice"]}]
        if place is None or not faces:
            continue
        slot["dice"].append(
            {
                "colour": str(rng.choice(players)),
                "face": int(rng.choice(faces)),
                "x": place[0],
                "y": place[1],
                "angle": float(rng.uniform(0, 360)),
            }
        )
    return out


def _free(
    rng: np.random.Generator, dice: list[dict[str, Any]], size: tuple[float, float]
) -> tuple[float, float] | None:
    for _ in range(20):
        x, y = float(rng.uniform(0.15, 0.85)), float(rng.uniform(0.12, 0.88))
        if all(np.hypot((x - d["x"]) * size[0], (y - d["y"]) * size[1]) > SIDE_MM * 1.3 for d in dice):
            return x, y
    return None


def market(mat: Mat, seed: int, dice: int = 20) -> Market:
    """One table."""
    rng = np.random.default_rng(seed)
    view = lens(rng)
    while not in_view(view, mat):
        view = lens(rng)
    return Market(Studio(mat, lens=view, seed=seed), slots(rng, mat, dice=dice), light(rng))
