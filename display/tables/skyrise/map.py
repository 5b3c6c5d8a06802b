"""The islands on the screen: one island large, the rest in a corner; lit sites answer to a finger."""

from __future__ import annotations

import math

import msgspec
import pygame

from companion.game import Text
from companion.shown.skyrise import SiteShown, SkyriseView
from display.page import Page
from display.paint.sprite import Pen, polar, sprite
from display.tables.skyrise.pieces import faction, feature, put_bid, put_piece, put_token
from display.theme import RGB, rgb
from display.touch import Act, Put
from display.view import View
from display.widgets import Rect, slab

CORNER = {
    "central": (0.0, 0.0),
    "north-west": (-1.0, -1.0),
    "north-east": (1.0, -1.0),
    "south-east": (1.0, 1.0),
    "south-west": (-1.0, 1.0),
}
SKY, SKY_LIGHT, LIT = rgb("1B2128"), rgb("DDE7EC"), rgb("4A3A25")


class Spot(msgspec.Struct, frozen=True):
    """A site and where it is drawn; `far` is the other end of a bridge."""

    site: str
    x: float
    y: float
    far: bool = False


def shown(view: View) -> SkyriseView:
    """The table of Skyrise as this screen was told it."""
    return view.shown(SkyriseView)


def moment(view: View) -> list[str | int]:
    """What a pick on this screen belongs to: it is forgotten when the auction moves on."""
    auction = shown(view).auction
    return [view.state.game_id if view.state else "", auction.number, len(auction.bids)]


def in_focus(view: View, lit: set[str]) -> str:
    """The island shown large: the one picked, that of the last bid, or the one with most lit sites."""
    table = shown(view)
    islands = [island.id for island in table.islands]
    picked = view.pick("sky-island")
    if isinstance(picked, list) and picked[1:] == moment(view) and picked[0] in islands:
        return str(picked[0])
    if table.auction.bids:
        return table.auction.bids[-1].site.partition(".")[0]
    return max(islands, key=lambda i: (sum(site.partition(".")[0] == i for site in lit), i == "C"), default="")


def spots(table: SkyriseView, island: str) -> list[Spot]:
    """The sites of one island in the units of its map, and the far ends of its bridges around it."""
    sites = {site.id: site for site in table.sites}
    own = [site for site in table.sites if site.island == island]
    if not own:
        return []
    found = [Spot(site.id, site.x, site.y) for site in own]
    cx, cy = sum(spot.x for spot in found) / len(found), sum(spot.y for spot in found) / len(found)
    places = {one.id: one.place for one in table.islands}
    at = {spot.site: spot for spot in found}
    for bridge in table.bridges:
        for near, far in (bridge, (bridge[1], bridge[0])):
            if near in at and far in sites and far not in at:
                here = at[near]
                dx, dy = here.x - cx, here.y - cy
                if island == "C":
                    dx, dy = CORNER.get(places.get(sites[far].island, ""), (dx, dy))
                length = math.hypot(dx, dy) or 1.0
                found.append(Spot(far, here.x + 104 * dx / length, here.y + 104 * dy / length, far=True))
    return found


PLACED = {
    "central": (280.0, 300.0),
    "north-west": (0.0, 0.0),
    "north-east": (460.0, 0.0),
    "south-east": (460.0, 500.0),
    "south-west": (0.0, 500.0),
}
"""Where each island's corner lies on a map of all of them, in the units of one."""


def all_spots(table: SkyriseView) -> list[Spot]:
    """Every site as the islands lie around the centre; those in the south face it with the same side as those in the north."""
    found = []
    for island in table.islands:
        left, top = PLACED.get(island.place, (0.0, 0.0))
        own = [site for site in table.sites if site.island == island.id]
        deep = max((site.y for site in own), default=0.0)
        south = island.place.startswith("south")
        found += [Spot(site.id, left + site.x, top + (deep - site.y if south else site.y)) for site in own]
    return found


def fits_whole(page: Page, view: View, box: Rect) -> bool:
    """A finger meets each site also when all islands are shown at once."""
    found = all_spots(shown(view))
    if not found:
        return False
    wide = max(s.x for s in found) - min(s.x for s in found) + 112
    high = max(s.y for s in found) - min(s.y for s in found) + 108
    return min(box[2] / wide, box[3] / high) * 100 >= 0.7 * page.theme.touch


def draw_map(
    page: Page,
    view: View,
    box: Rect,
    lit: set[str],
    acts: dict[str, Act],
    label: str = "islands",
    *,
    whole: bool = False,
) -> None:
    """The island in focus with its bids, structures and lit sites, a touch on the small map shows another; or all islands."""
    table = shown(view)
    island = "" if whole else in_focus(view, lit)
    content = (
        msgspec.json.encode(
            (table.sites, table.auction.bids, table.islands, table.borders, table.bridges, table.features)
        ),
        island,
        sorted(lit),
        [view.colour(i) for i in range(4)],
        msgspec.json.encode(acts),
        box,
    )
    page.part(label, box, content, _paint, view, box, island, lit, acts)


def _paint(page: Page, view: View, box: Rect, island: str, lit: set[str], acts: dict[str, Act]) -> None:
    t, c = page.theme, page.c
    slab(page, box, SKY_LIGHT if t.light else SKY, t.u(14, 10), outline=c.line, width=2)
    found = spots(shown(view), island) if island else all_spots(shown(view))
    if not found:
        return
    small = min(t.u(122, 92), box[2] * 0.24) if island else 0.0
    low_x, high_x = min(s.x for s in found) - 56, max(s.x for s in found) + 56
    low_y, high_y = min(s.y for s in found) - 54, max(s.y for s in found) + 54
    x, y, w, h = box[0] + t.u(8, 5), box[1] + t.u(8, 5), box[2] - t.u(16, 10), box[3] - t.u(16, 10)
    room = w - (small + t.u(6, 4) if island and (w - h) > small else 0)
    unit_y = h / (high_y - low_y)
    unit_x = min(unit_y * 1.12, room / (high_x - low_x))
    left = x + (room - unit_x * (high_x - low_x)) / 2
    r = min(49 * unit_y, 56 * unit_x)
    wide = max(1.0, 48.5 * unit_x / (0.866 * r))
    at = {s.site: (left + (s.x - low_x) * unit_x, y + (s.y - low_y) * unit_y) for s in found}
    _paths(page, view, found, at, r)
    sites = {site.id: site for site in shown(view).sites}
    bids = shown(view).auction.bids
    last = bids[-1].site if bids else ""
    for spot in found:
        size = r * (0.78 if spot.far else 1.0)
        _site(page, view, sites[spot.site], at[spot.site], (size, wide), (lit, acts, last))
    _features(page, view, island, at, r)
    if island:
        _minimap(page, view, (x + w - small, y, small, small * 0.78), island, lit)


def _paths(page: Page, view: View, found: list[Spot], at: dict[str, tuple[float, float]], r: float) -> None:
    """Borders as broad ties, bridges as planks: what is adjacent is seen to be."""
    far = {spot.site for spot in found if spot.far}
    for a, b in shown(view).borders:
        if a in at and b in at and not {a, b} <= far:
            pygame.draw.line(page.surface, page.c.line, at[a], at[b], max(4, round(0.42 * r)))
    for a, b in shown(view).bridges:
        if a in at and b in at and ((a in far) != (b in far) or not far):
            pygame.draw.line(page.surface, page.c.line, at[a], at[b], max(4, round(0.3 * r)))
            pygame.draw.line(page.surface, page.c.faint, at[a], at[b], max(2, round(0.08 * r)))


def _features(page: Page, view: View, island: str, at: dict[str, tuple[float, float]], r: float) -> None:
    """Lakes, airships and windmills where they lie: amid the neighbourhoods they border."""
    taken: list[tuple[float, float]] = []
    for found in shown(view).features:
        places = [at[site] for site in found.sites if site in at]
        if island not in ("", found.id.partition(".")[0]) or not places:
            continue
        x, y = (sum(place[i] for place in places) / len(places) for i in (0, 1))
        while any(math.hypot(x - other[0], y - other[1]) < 0.44 * r for other in taken):
            x += 0.46 * r  # two features between the same neighbourhoods stand side by side
        taken.append((x, y))
        page.blit(feature(found.kind, 0.25 * r, page.theme), x, y)


def _site(
    page: Page,
    view: View,
    site: SiteShown,
    at: tuple[float, float],
    size: tuple[float, float],
    shown: tuple[set[str], dict[str, Act], str],
) -> None:
    t, c = page.theme, page.c
    (lit, acts, last), (r, wide) = shown, size
    name, (x, y) = site.id, at
    bright = name in lit
    pressed = False
    if name in acts:
        least = float(t.touch) if r > 0.5 * t.touch else 0.0
        across, down = max(1.7 * r * wide, least), max(1.72 * r, least)
        pressed = page.touch(f"site {name}", (x - across / 2, y - down / 2, across, down), acts[name], grow=0)
    fill: RGB = LIT if bright and not t.light else c.press if pressed or bright else c.surface
    rim = min(5.0, max(3.0, 0.14 * r)) if bright else 1.5
    page.blit(_hexagon((r, wide), fill, c.brass_hi if bright else c.line, rim, c.shadow), x, y + 2)
    piece = site.piece
    if piece is not None:
        player = t.player(view.colour(piece.seat))
        if piece.where == "bid":
            put_bid(page, player, piece, x, y, 0.68 * r, name == last)
        else:
            put_piece(page, player, piece, x, y - 0.06 * r, 0.5 * r)
        return
    told = site.token
    lower = told not in ("", "?")
    if not lower:
        page.blit(faction(site.faction, 0.3 * r, ground=fill), x, y)
        return
    disc = max(0.38 * r, min(0.55 * r, t.u(10, 8.4)))
    page.blit(faction(site.faction, 0.28 * r, ground=fill), x, y + min(-0.4 * r, 0.06 * r - disc))
    put_token(page, told, x, y + 0.34 * r, disc)


def _hexagon(size: tuple[float, float], fill: RGB, edge: RGB, width: float, shadow: RGB) -> pygame.Surface:
    """A hexagon, drawn `wide` times as broad as a regular one."""
    r, wide = size

    def ring(radius: float, down: float = 0.0) -> list[tuple[float, float]]:
        return [(x * wide, y + down) for x, y in (polar(0, 0, radius, 60 * i) for i in range(6))]

    def paint(pen: Pen) -> None:
        pen.polygon(ring(r, 4), shadow)
        pen.polygon(ring(r), edge)
        pen.polygon(ring(r - width), fill)

    key = ("skyrise-hex", fill, edge, round(width * 2), round(r * 4), round(wide * 50), shadow)
    return sprite(key, 2 * r * wide + 4, 2 * r + 12, paint)


def _minimap(page: Page, view: View, box: Rect, island: str, lit: set[str]) -> None:
    """All islands: the one shown is framed, those with lit sites glow; each answers to a finger."""
    t, c = page.theme, page.c
    slab(page, box, c.bg, t.u(8, 6), shadow=False, outline=c.line, width=2)
    x, y, w, h = box
    cx, cy = x + w / 2, y + h / 2
    spread = {one.id: CORNER.get(one.place, (0.0, 0.0)) for one in shown(view).islands}
    places = {name: (cx + dx * w * 0.31, cy + dy * h * 0.27) for name, (dx, dy) in spread.items()}
    for name, place in places.items():
        if name != "C":
            pygame.draw.line(page.surface, c.line, (cx, cy), place, 2)
    glowing = {site.partition(".")[0] for site in lit}
    for name, place in places.items():
        r = h * (0.13 if name == "C" else 0.2)
        fill = c.brass if name in glowing else c.line
        page.blit(_hexagon((r, 1.0), fill, c.brass_hi if name == island else fill, 2, c.bg), *place)
        if name == island:
            frame = pygame.Rect(round(place[0] - r * 1.25), round(place[1] - r * 1.25), round(2.5 * r), round(2.5 * r))
            pygame.draw.rect(page.surface, c.brass_hi, frame, 2, border_radius=4)
    around = sorted(places, key=lambda name: math.atan2(places[name][1] - cy, places[name][0] - cx))
    following = around[(around.index(island) + 1) % len(around)] if island in around else "C"
    page.touch("islands", box, Put({"sky-island": [following, *moment(view)]}), grow=max(0.0, (t.touch - h) / 2))


def island_name(view: View, island: str) -> Text:
    """An island as players say it."""
    place = next((one.place for one in shown(view).islands if one.id == island), "central")
    return Text(f"skyrise/island/{place}")
