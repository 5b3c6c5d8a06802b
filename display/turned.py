"""A panel that hangs upside down or upright: the picture is turned for it, and where a finger is, is turned back.

Without a desktop nobody else does it: the kernel's console alone can be turned by the Pi's own settings.
"""

from __future__ import annotations

import pygame


def own_way_up(panel: tuple[int, int], turn: int) -> tuple[int, int]:
    """Width and height as people see them."""
    width, height = panel
    return (height, width) if turn % 180 else (width, height)


def on_panel(rect: pygame.Rect, panel: tuple[int, int], turn: int) -> pygame.Rect:
    """Where on the panel a piece of the picture lies."""
    (width, height), (x, y, w, h) = panel, rect
    match turn:
        case 90:
            return pygame.Rect(width - y - h, x, h, w)
        case 180:
            return pygame.Rect(width - x - w, height - y - h, w, h)
        case 270:
            return pygame.Rect(y, height - x - w, h, w)
    return rect


def piece(picture: pygame.Surface, rect: pygame.Rect, turn: int) -> pygame.Surface:
    """A piece of the picture as it goes onto the panel."""
    found = picture.subsurface(rect)
    return pygame.transform.rotate(found, -turn) if turn else found


def seen(x: float, y: float, turn: int) -> tuple[float, float]:
    """Where in the picture somebody touches who touches there on the panel; shares of both."""
    match turn:
        case 90:
            return y, 1 - x
        case 180:
            return 1 - x, 1 - y
        case 270:
            return 1 - y, x
    return x, y
