"""Where the windows of a demo stand: side by side and whole, on any desktop."""

from __future__ import annotations

import os

import pygame

SCREEN, BESIDE = (1280, 720), (640, 720)
"""The table's screen and the virtual table, at their best."""
BARS = 72
"""Pixels of height that title and task bars take."""

Place = tuple[int, int, int, int]


def side_by_side(desktop: tuple[int, int], *, alone: bool = False) -> tuple[Place, Place]:
    """Where the screen and the virtual table stand: as large as they fit, never larger than they look best."""
    wide = SCREEN[0] + (0 if alone else BESIDE[0])
    k = min(1.0, desktop[0] / wide, (desktop[1] - BARS) / SCREEN[1])
    (w, h), (beside, _) = ((int(one[0] * k), int(one[1] * k)) for one in (SCREEN, BESIDE))
    return (0, 0, w, h), (w, 0, beside, h)


def demo_windows() -> tuple[Place, Place] | None:
    """The same for the desktop we are on; `None` when this is not a demo. The video system must be up."""
    demo = os.environ.get("TABLESIDE_DEMO")
    sizes = pygame.display.get_desktop_sizes() if demo else []
    return side_by_side(sizes[0], alone=demo == "alone") if sizes else None
