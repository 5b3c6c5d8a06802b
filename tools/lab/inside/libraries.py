"""Which libraries a room really gets, the system's or those beside the table, and whether they understand one another.

usage: python libraries.py MODULE...      imports these; JSON on the output
"""

from __future__ import annotations

import importlib
import json
import os
import sys

os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
WATCHED = ("cv2", "gpiozero", "numpy", "pygame", "serial")


def understand_one_another() -> bool:
    """A picture goes from pygame through numpy into OpenCV and back, and is the same picture."""
    import cv2
    import numpy as np
    import pygame

    surface = pygame.Surface((64, 48))
    surface.fill((200, 100, 50))
    surface.fill((10, 20, 30), pygame.Rect(8, 8, 16, 16))
    pixels = pygame.surfarray.array3d(surface)
    twice = cv2.resize(np.ascontiguousarray(pixels), None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
    again = pygame.surfarray.make_surface(twice[::2, ::2])
    code = cv2.imencode(".png", twice)[1]
    read = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR))
    return bool(np.array_equal(pygame.surfarray.array3d(again), pixels) and np.array_equal(read, twice))


def main(modules: list[str]) -> None:
    """Import, look, tell."""
    for module in modules:
        importlib.import_module(module)
    found = {name: sys.modules[name] for name in WATCHED if name in sys.modules}
    told = {name: [getattr(one, "__version__", ""), one.__file__] for name, one in found.items()}
    alike = understand_one_another() if {"cv2", "numpy", "pygame"} <= set(found) else None
    json.dump({"from": told, "together": alike}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
