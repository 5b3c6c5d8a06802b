"""Tokens of the look: colours, text roles, sizes, and how they scale to a panel."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Literal

import msgspec

RGB = tuple[int, int, int]


def rgb(code: str) -> RGB:
    """`"E3AE52"` as three numbers."""
    return int(code[0:2], 16), int(code[2:4], 16), int(code[4:6], 16)


class Colours(msgspec.Struct, frozen=True):
    """What each surface and each meaning looks like."""

    bg: RGB
    bg_hi: RGB
    surface: RGB
    raised: RGB
    press: RGB
    line: RGB
    text: RGB
    dim: RGB
    faint: RGB
    brass: RGB
    brass_text: RGB
    brass_hi: RGB
    ok: RGB
    warn: RGB
    bad: RGB
    shadow: RGB
    ink: RGB = rgb("1A130E")


DARK = Colours(
    bg=rgb("17120F"),
    bg_hi=rgb("2B2019"),
    surface=rgb("2A211A"),
    raised=rgb("3A2E24"),
    press=rgb("4A3B2E"),
    line=rgb("57473A"),
    text=rgb("F8EFE0"),
    dim=rgb("D2C2AB"),
    faint=rgb("A99985"),
    brass=rgb("E3AE52"),
    brass_text=rgb("E3AE52"),
    brass_hi=rgb("F8DA97"),
    ok=rgb("86D39F"),
    warn=rgb("FFB454"),
    bad=rgb("FF8168"),
    shadow=rgb("0E0A08"),
)
LIGHT = Colours(
    bg=rgb("FBF6EC"),
    bg_hi=rgb("FFFCF6"),
    surface=rgb("FFFFFF"),
    raised=rgb("F3EADA"),
    press=rgb("E8DBC5"),
    line=rgb("DCCDB4"),
    text=rgb("261C14"),
    dim=rgb("5D4D3E"),
    faint=rgb("77654F"),
    brass=rgb("E3AE52"),
    brass_text=rgb("8A5F14"),
    brass_hi=rgb("8A5F14"),
    ok=rgb("1F6B3C"),
    warn=rgb("8A5200"),
    bad=rgb("A8321C"),
    shadow=rgb("E3D6C0"),
)


class Player(msgspec.Struct, frozen=True):
    """One player's paint: bright fill, shape, the die's lower edge, and the outline it needs on light ground."""

    fill: RGB
    shape: str
    lip: RGB
    edge: RGB


PLAYERS: dict[str, Player] = {
    "sun": Player(rgb("FFCB47"), "circle", rgb("B98412"), rgb("8A5F00")),
    "leaf": Player(rgb("1FA07F"), "square", rgb("0F6450"), rgb("0F6450")),
    "sky": Player(rgb("8FD0FF"), "triangle", rgb("4A8DC4"), rgb("1F6299")),
    "coral": Player(rgb("EE5A3C"), "diamond", rgb("A23319"), rgb("A23319")),
    "snow": Player(rgb("F1ECE2"), "hexagon", rgb("B3AB9C"), rgb("6E675B")),
    "plum": Player(rgb("B77BE0"), "cross", rgb("7A469F"), rgb("7A469F")),
}
# Further apart in lightness than the real pieces: for eyes that tell light from dark but not hue from hue.
STRONG: dict[str, Player] = {
    "sun": Player(rgb("FFE14D"), "circle", rgb("A88700"), rgb("7A6200")),
    "leaf": Player(rgb("00A37A"), "square", rgb("005E46"), rgb("005E46")),
    "sky": Player(rgb("A6DCFF"), "triangle", rgb("4A8DC4"), rgb("1F6299")),
    "coral": Player(rgb("E0602B"), "diamond", rgb("8F3208"), rgb("8F3208")),
    "snow": Player(rgb("FFFFFF"), "hexagon", rgb("A9A9A9"), rgb("606060")),
    "plum": Player(rgb("9B6FD0"), "cross", rgb("5C3390"), rgb("5C3390")),
}
COLOUR_ORDER = tuple(PLAYERS)


class Enamel(msgspec.Struct, frozen=True):
    """One tower's paint: band, roof, and what is drawn on it."""

    fill: RGB
    roof: RGB
    mark: RGB


TOWERS: dict[str, Enamel] = {
    "blue": Enamel(rgb("3272BA"), rgb("8FBEF5"), rgb("FFF8EA")),
    "gold": Enamel(rgb("C2922F"), rgb("F0CD74"), rgb("1A130E")),
    "red": Enamel(rgb("A1442A"), rgb("F5936D"), rgb("FFF8EA")),
    "violet": Enamel(rgb("5F3289"), rgb("BFA0EA"), rgb("FFF8EA")),
}
TOWER_ORDER = tuple(TOWERS)

# role: (face, size at 1280x720, size at 800x480)
ROLES: dict[str, tuple[str, float, float]] = {
    "prompt": ("serif", 50, 34),
    "name": ("serif-bold", 46, 30),
    "points": ("serif-bold", 52, 34),
    "hero": ("serif-bold", 84, 70),
    "title": ("serif", 54, 36),
    "figure": ("serif-bold", 34, 25),
    "number": ("bold", 36, 27),
    "button": ("bold", 28, 23),
    "primary": ("bold", 32, 26),
    "body": ("sans", 25, 20),
    "strong": ("bold", 25, 20),
    "label": ("sans", 21, 17),
    "chip": ("bold", 20, 16),
    "small": ("sans", 18, 16),
}

Kind = Literal["wide", "small", "tall"]


class Theme(msgspec.Struct, frozen=True, dict=True):
    """The look on one panel. What follows from it is asked for hundreds of times a frame, and worked out once."""

    width: int = 1280
    height: int = 720
    text_size: int = 100
    light: bool = False
    strong: bool = False
    inches: float = 7.0
    reduced_motion: bool = False
    language: str = "en"

    @property
    def colours(self) -> Colours:
        """The tokens of this theme."""
        return LIGHT if self.light else DARK

    @cached_property
    def kind(self) -> Kind:
        """Which of the three drawn layouts this panel takes."""
        if self.height > self.width:
            return "tall"
        return "small" if self.height < 600 or self.width < 1000 else "wide"

    @cached_property
    def scale(self) -> float:
        """Pixels per pixel of the layout it was drawn at."""
        match self.kind:
            case "tall":
                return min(self.width / 720, self.height / 1280)
            case "small":
                return min(self.width / 800, self.height / 480)
        return min(self.width / 1280, self.height / 720)

    @cached_property
    def zoom(self) -> float:
        """How much larger the reader wants the words, 1 to 1.5."""
        return self.text_size / 100

    def u(self, big: float, small: float | None = None) -> int:
        """A length given at 1280x720 (and at 800x480, where it is not simply smaller)."""
        if self.kind == "small":
            return max(1, round((big * 0.66 if small is None else small) * self.scale))
        return max(1, round(big * self.scale))

    def size(self, role: str) -> float:
        """Font size of a role, text size included."""
        _, big, small = ROLES[role]
        return (small if self.kind == "small" else big) * self.scale * self.zoom

    def face(self, role: str) -> str:
        """Font face of a role."""
        return ROLES[role][0]

    @cached_property
    def margin(self) -> int:
        return self.u(20, 10)

    @cached_property
    def gap(self) -> int:
        return self.u(12, 8)

    @cached_property
    def touch(self) -> int:
        """Nine millimetres on this panel, in pixels."""
        return math.ceil(math.hypot(self.width, self.height) / self.inches / 25.4 * 9)

    def player(self, colour: str) -> Player:
        """The paint of a seat; a colour nobody knows is drawn as the first."""
        table = STRONG if self.strong else PLAYERS
        return table.get(colour, table["sun"])


def mix(a: RGB, b: RGB, share: float) -> RGB:
    """`share` of the way from `a` to `b`."""
    return (
        round(a[0] + (b[0] - a[0]) * share),
        round(a[1] + (b[1] - a[1]) * share),
        round(a[2] + (b[2] - a[2]) * share),
    )
