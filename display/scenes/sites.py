"""The sites of a board on the camera's live picture: each where the owner's board has it, tapped once.

Boards are not printed quite as any game declares them, and islands lie as they were put down. What was tapped of an island moves
the rest of it: one touch shifts it, two turn and stretch it. So an island is right after two touches, or none.
"""

from __future__ import annotations

import pygame

from companion.game import Text
from display.keys import Key
from display.page import Page
from display.scenes.question import decoded
from display.touch import Both, Order, Put, Spot
from display.view import View
from display.widgets import Rect, say_key

SITES = "sites"
"""What was tapped so far, site by site: a place as shares of the picture, or nothing where it lies right already."""
MOST_TAPS = 120
LIVE = "live"
"""The camera's live view."""
AROUND = 1.5
"""How much more than an island is shown of the picture: it may lie beside where the camera looks for it."""
Place = tuple[float, float]


def open_key(view: View) -> list[Key]:
    """The way in, for a game that has sites."""
    mat = view.state.mat if view.state else None
    if mat is None or not mat.spots:
        return []
    return [
        Key("sites", say_key("calibration/sites"), Both((Put({SITES: [], "banner": None}), Order("vision", SITES))))
    ]


def tapped(view: View) -> list[list[float]] | None:
    """The taps so far; `None` when nobody is tapping sites."""
    found = view.pick(SITES)
    return found if isinstance(found, list) else None


def believed(view: View) -> dict[str, Place]:
    """Where the camera looks for every site, island by island."""
    return view.told.sites.sites if view.told.sites is not None else {}


def _island(site: str) -> str:
    return site.rpartition("-")[0]


def fitted(places: dict[str, Place], taps: list[list[float]], shape: float) -> dict[str, Place]:
    """Every site where it was tapped; the others of its island where the taps move them."""
    said = {name: complex(tap[0] * shape, tap[1]) for name, tap in zip(places, taps, strict=False) if tap}
    before = {name: complex(x * shape, y) for name, (x, y) in places.items()}
    pairs: dict[str, list[tuple[complex, complex]]] = {}
    for name, there in said.items():
        pairs.setdefault(_island(name), []).append((before[name], there))
    found = {}
    for name, place in before.items():
        moved = said.get(name, _moved(place, pairs.get(_island(name), [])))
        found[name] = (min(1.0, max(0.0, moved.real / shape)), min(1.0, max(0.0, moved.imag)))
    return found


def _moved(place: complex, pairs: list[tuple[complex, complex]]) -> complex:
    """A place moved as these were, by the turn and the stretch that miss them least."""
    if not pairs:
        return place
    old = sum(a for a, _ in pairs) / len(pairs)
    new = sum(b for _, b in pairs) / len(pairs)
    spread = sum(abs(a - old) ** 2 for a, _ in pairs)
    turn = sum((b - new) * (a - old).conjugate() for a, b in pairs) / spread if spread > 1e-6 else 1.0
    return new + turn * (place - old)


def instruction(view: View) -> tuple[Text, Text | None, str]:
    """Which site is to be tapped now."""
    places, taps = believed(view), tapped(view) or []
    if not places:
        return say_key("calibration/looking"), None, "off"
    if len(taps) >= len(places):
        return say_key("calibration/sites-done"), say_key("calibration/sites-done/do"), "ok"
    return say_key("calibration/tap-site", n=len(taps) + 1, all=len(places)), say_key("calibration/tap-site/do"), "off"


def keys(view: View, shape: float) -> list[Key]:
    """Keep what is shown, leave the rest of an island as it is shown, one tap back, or away from here."""
    places, taps = believed(view), tapped(view) or []
    names = list(places)
    now = names[len(taps)] if len(taps) < len(names) else ""
    rest = [name for name in names[len(taps) :] if _island(name) == _island(now)] if now else []
    put = {name: [round(x, 4), round(y, 4)] for name, (x, y) in fitted(places, taps, shape).items()}
    keep = Both((Order("vision", "place sites", {"sites": put}), Put({SITES: None})))
    off = None if places else say_key("calibration/looking")
    return [
        Key("sites-rest", say_key("calibration/sites-rest"), Put({SITES: [*taps, *([] for _ in rest)]}) if rest else Put({}),
            off=None if rest else say_key("calibration/sites-done")),
        Key("sites-keep", say_key("box/keep"), keep if places else Put({}), off=off, sign=""),
        Key("sites-again", say_key("calibration/sites-back"), Put({SITES: taps[:-1]}), "ghost"),
        Key("sites-leave", say_key("back"), Put({SITES: None}), "ghost"),
    ]  # fmt: skip


def window(view: View) -> tuple[float, float, float]:
    """The part of the picture around the island that is tapped: left, top and size, as shares; fingers are broad."""
    places, taps = believed(view), tapped(view) or []
    names = list(places)
    here = [places[name] for name in names if len(taps) < len(names) and _island(name) == _island(names[len(taps)])]
    if not here:
        return 0.0, 0.0, 1.0
    edges = [(min(values), max(values)) for values in zip(*here, strict=True)]
    share = min(1.0, AROUND * max(0.2, *(high - low for low, high in edges)))
    left, top = (min(1 - share, max(0.0, (low + high - share) / 2)) for low, high in edges)
    return left, top, share


def draw(page: Page, view: View, box: Rect, shape: float) -> None:
    """The island on the picture, a ring around every site, the one that is asked for larger; the picture takes the tap."""
    t, c, taps = page.theme, page.c, tapped(view) or []
    left, top, share = window(view)
    wide, high = box[2] / share, box[3] / share
    whole = (box[0] - left * wide, box[1] - top * high, wide, high)
    shown = decoded(view.pictures.get(LIVE, b""), (round(wide), round(high)))
    if shown is None:
        return
    clip = page.surface.get_clip()
    page.surface.set_clip(pygame.Rect(*(round(edge) for edge in box)).clip(clip))
    page.surface.blit(shown, (round(whole[0]), round(whole[1])))
    places = fitted(believed(view), taps, shape)
    if len(taps) < len(places):
        page.touch("site", box, Spot(SITES, whole, MOST_TAPS), grow=0)
    for i, (x, y) in enumerate(places.values()):
        at = (round(whole[0] + x * wide), round(whole[1] + y * high))
        if i == len(taps):
            pygame.draw.circle(page.surface, c.bg, at, t.u(25, 18), t.u(9, 7))
            pygame.draw.circle(page.surface, c.brass_hi, at, t.u(23, 16), t.u(5, 4))
        elif i < len(taps):
            pygame.draw.circle(page.surface, c.bg, at, t.u(9, 7))
            pygame.draw.circle(page.surface, c.brass, at, t.u(7, 5))
        else:
            pygame.draw.circle(page.surface, c.text, at, t.u(12, 9), t.u(3, 2))
    page.surface.set_clip(clip)
