"""Skyrise's things as drawings: factions, tokens, buildings, wonders and bids."""

from __future__ import annotations

import pygame

from companion.shown.skyrise import PieceShown
from display.page import Page
from display.paint.icons import icon
from display.paint.shapes import put_shape, star_points
from display.paint.sprite import Pen, polar, sprite
from display.theme import RGB, Player, Theme, mix, rgb

FACTION: dict[str, RGB] = {
    "yellow": rgb("D9B04A"),
    "green": rgb("6FB07A"),
    "white": rgb("E8E0D2"),
    "brown": rgb("A97B50"),
}
HEIGHT = {"small": 0.62, "medium": 0.86, "tall": 1.12}


def faction(name: str, r: float, fade: float = 1.0, ground: RGB = (47, 38, 31)) -> pygame.Surface:
    """A faction's sign: book, leaf, palette or cog."""
    colour = mix(ground, FACTION.get(name, FACTION["white"]), fade)
    if sum(ground) > 450:
        colour = mix(colour, rgb("1A130E"), 0.34)

    def paint(pen: Pen) -> None:
        match name:
            case "yellow":
                pen.rect(-0.92 * r, -0.66 * r, 0.84 * r, 1.32 * r, colour, 0.1 * r)
                pen.rect(0.08 * r, -0.66 * r, 0.84 * r, 1.32 * r, colour, 0.1 * r)
            case "green":
                pen.polygon([(0, -r), (0.62 * r, -0.3 * r), (0.5 * r, 0.4 * r), (0, 0.78 * r), (-0.5 * r, 0.4 * r),
                             (-0.62 * r, -0.3 * r)], colour)  # fmt: skip
                pen.line([(0, -0.3 * r), (0, 0.98 * r)], ground, 0.13 * r)
            case "brown":
                for i in range(8):
                    ends = [
                        polar(0, 0, ring, 45 * i + turn) for ring, turn in ((0.7, -14), (1, -10), (1, 10), (0.7, 14))
                    ]
                    pen.polygon([(x * r, y * r) for x, y in ends], colour)
                pen.circle(0, 0, 0.74 * r, colour)
                pen.circle(0, 0, 0.32 * r, ground)
            case _:
                pen.ellipse(0, 0, r, 0.74 * r, colour)
                for x, y, size in ((-0.5, -0.1, 0.15), (-0.12, -0.38, 0.14), (0.34, -0.3, 0.14), (0.48, 0.18, 0.2)):
                    pen.circle(x * r, y * r, size * r, ground)

    return sprite(("skyrise-faction", name, colour, ground, round(r * 4)), 2.3 * r + 2, 2.3 * r + 2, paint)


def feature(kind: str, r: float, theme: Theme) -> pygame.Surface:
    """A lake, an airship or a windmill on a small disc of sky."""
    ground, rim = (rgb("DDE7EC"), rgb("8AA3B4")) if theme.light else (rgb("1B2128"), rgb("5F7A8C"))
    ink = rgb("2B5876") if theme.light else rgb("A9D3EE")

    def paint(pen: Pen) -> None:
        pen.circle(0, 0, r, rim)
        pen.circle(0, 0, 0.9 * r, ground)
        match kind:
            case "lake":
                for dy in (-0.26, 0.22):
                    wave = [
                        (x * r, (dy + (0.14 if i % 2 else -0.06)) * r) for i, x in enumerate((-0.6, -0.2, 0.2, 0.6))
                    ]
                    pen.line(wave, ink, 0.18 * r)
            case "airship":
                pen.ellipse(-0.06 * r, -0.12 * r, 0.62 * r, 0.3 * r, ink)
                pen.polygon([(0.42 * r, -0.12 * r), (0.74 * r, -0.42 * r), (0.74 * r, 0.18 * r)], ink)
                pen.rect(-0.32 * r, 0.26 * r, 0.5 * r, 0.2 * r, ink)
            case _:
                pen.polygon([(-0.16 * r, 0.62 * r), (0.16 * r, 0.62 * r), (0, -0.1 * r)], ink)
                for turn in (45, 135, 225, 315):
                    ends = [
                        polar(0, -0.14 * r, ring * r, turn + off) for ring, off in ((0.1, 0), (0.6, -11), (0.6, 11))
                    ]
                    pen.polygon(ends, ink)

    return sprite(("skyrise-feature", kind, round(r * 4), theme.light), 2.1 * r + 2, 2.1 * r + 2, paint)


def token(name: str, r: float) -> pygame.Surface:
    """A token as it lies on a neighbourhood: a faction's, a patron's, a wild or a commission."""
    ivory, dark, ink = rgb("FFF8EA"), rgb("12100E"), rgb("1A130E")

    def paint(pen: Pen) -> None:
        pen.circle(0, 0.07 * r, r, dark)
        if name in FACTION:
            pen.circle(0, 0, r * 0.96, FACTION[name])
            pen.circle(0, 0, r * 0.66, mix(FACTION[name], ink, 0.28))
        elif name == "wild":
            for i, colour in enumerate(FACTION.values()):
                wedge = [(0.0, 0.0), *(polar(0, 0, 0.96 * r, 90 * i + 9 * step) for step in range(11))]
                pen.polygon(wedge, colour)
        elif name == "commission":
            pen.circle(0, 0, r * 0.96, rgb("C9963F"))
            pen.polygon(star_points(0, 0, 0.7 * r), ivory)
        else:
            pen.circle(0, 0, r * 0.96, rgb("F1E4CB"))
            pen.circle(0, 0, r * 0.8, dark)

    return sprite(("skyrise-token", name, round(r * 4)), 2.2 * r + 2, 2.2 * r + 2, paint)


def put_token(page: Page, name: str, x: float, y: float, r: float) -> None:
    """A token with its letter, where it has one; on a small one the letter fills it."""
    page.blit(token(name, r), x, y)
    if name in ("A", "B", "C", "D"):
        size = max(1.15 * r, min(2 * r, page.theme.size("small")))
        page.text(name, (x - r, y - r, 2 * r, 2 * r), "small", rgb("FFF8EA"), align="center", size=size, floor=0.4)


def building(player: Player, height: str, r: float, theme: Theme, fade: float = 1.0) -> pygame.Surface:
    """A building in its owner's colour with the owner's shape; taller buildings are taller."""
    ground = theme.colours.surface
    fill, lip = mix(ground, player.fill, fade), mix(ground, player.lip, fade)
    ink = mix(ground, theme.colours.ink, fade)
    h, w = 2 * r * HEIGHT.get(height, 0.86), 0.98 * r

    def paint(pen: Pen) -> None:
        top, low = -h / 2, h / 2
        roof = 0.38 * r
        pen.rect(-w / 2, top + roof, w, h - roof, fill)
        pen.polygon([(0, top), (w / 2 + 0.1 * r, top + roof), (-w / 2 - 0.1 * r, top + roof)], fill)
        pen.polygon([(0, top), (w / 2 + 0.1 * r, top + roof), (0, top + roof)], lip)
        pen.rect(0.06 * r, top + roof, w / 2 - 0.06 * r, h - roof, lip)
        put_shape(pen, player.shape, -0.02 * r, low - 0.42 * r, 0.25 * r, ink)

    key = ("skyrise-building", player.fill, player.shape, height, round(r * 4), round(fade * 20), theme.light)
    return sprite(key, 1.4 * r + 2, h + 4, paint)


def wonder(player: Player, r: float, theme: Theme, fade: float = 1.0) -> pygame.Surface:
    """A wonder: a stepped spire under a star."""
    ground = theme.colours.surface
    fill, lip = mix(ground, player.fill, fade), mix(ground, player.lip, fade)
    ink = mix(ground, theme.colours.ink, fade)

    def paint(pen: Pen) -> None:
        for width, y in ((1.5, 0.62), (1.1, 0.2), (0.72, -0.22)):
            pen.rect(-width * r / 2, y * r, width * r, 0.46 * r, fill)
            pen.rect(0.08 * r, y * r, width * r / 2 - 0.08 * r, 0.46 * r, lip)
        pen.polygon([(0, -0.95 * r), (0.26 * r, -0.22 * r), (-0.26 * r, -0.22 * r)], fill)
        pen.polygon(star_points(0, -0.88 * r, 0.3 * r), mix(ground, rgb("F8DA97"), fade))
        put_shape(pen, player.shape, 0, 0.74 * r, 0.22 * r, ink)

    key = ("skyrise-wonder", player.fill, player.shape, round(r * 4), round(fade * 20), theme.light)
    return sprite(key, 1.9 * r + 2, 2.6 * r + 2, paint)


def put_bid(page: Page, player: Player, piece: PieceShown, x: float, y: float, r: float, last: bool) -> None:
    """A placed bid: a disc with its number and its owner's shape; the last one has a ring, one only seen has no number yet."""
    t, c = page.theme, page.c
    ring = c.text

    def paint(pen: Pen) -> None:
        if last:
            pen.circle(0, 0, 1.2 * r, ring)
            pen.circle(0, 0, 1.12 * r, c.bg)
        pen.circle(0, 0.06 * r, r, player.lip)
        pen.circle(0, -0.02 * r, 0.97 * r, player.fill)
        put_shape(pen, player.shape, 0, 0.6 * r, 0.17 * r, c.ink)

    page.blit(
        sprite(("skyrise-bid", player.fill, player.shape, last, round(r * 4), t.light), 2.5 * r, 2.5 * r, paint), x, y
    )
    if piece.number or not piece.card:
        page.text(str(piece.number or "?"), (x - 0.9 * r, y - 0.75 * r, 1.8 * r, 1.2 * r), "figure", c.ink, align="center",
                  size=1.05 * r, floor=0.4)  # fmt: skip
    else:
        page.blit(wonder(player, 0.62 * r, t), x, y - 0.08 * r)


def put_piece(page: Page, player: Player, piece: PieceShown, x: float, y: float, r: float) -> None:
    """A built structure."""
    t = page.theme
    picture = building(player, piece.height, r, t) if piece.number else wonder(player, r, t)
    page.blit(picture, x, y)


def key(r: float, colour: RGB) -> pygame.Surface:
    """The key that breaks ties."""

    def paint(pen: Pen) -> None:
        pen.circle(-0.5 * r, 0, 0.42 * r, colour, 0.2 * r)
        pen.line([(-0.1 * r, 0), (0.95 * r, 0)], colour, 0.2 * r)
        for x in (0.55, 0.88):
            pen.line([(x * r, 0), (x * r, 0.38 * r)], colour, 0.18 * r)

    return sprite(("tally-key", colour, round(r * 4)), 2.2 * r + 2, 2 * r + 2, paint)


def tally_sign(page: Page, line: str, r: float) -> pygame.Surface | None:
    """Islands, factions, tokens and features as they are printed."""
    kind, _, rest = line.partition("/")
    match kind:
        case "control":
            return icon("island", r * 1.1, page.c.dim)
        case "panorama" if rest in ("lakes", "airships", "windmills"):
            return feature(rest.removesuffix("s"), r * 1.1, page.theme)
        case "structures":
            return faction(rest, r, ground=page.c.surface)
        case "patrons":
            return token("A", r)
        case "surplus":
            return token("wild", r)
        case "commissions":
            return token("commission", r)
        case "keys":
            return key(r, page.c.dim)
        case "objective" | "panorama":
            return icon("check", r, page.c.ok)
    return None
