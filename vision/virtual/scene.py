"""The whole virtual picture: table, mat, cards, dice, hand, lamp, lens and sensor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sensing import Mat
from vision.virtual import board, golem, plan, standing, tileface
from vision.virtual.cardface import face
from vision.virtual.hand import reach

Picture = NDArray[np.uint8]
Window = tuple[int, int, int, int]
PER_MM = 4
GREY = 0.67
"""What is left of the noise of three colours in their grey."""


@dataclass(frozen=True)
class Light:
    """What the lamp and the sensor do to the picture; the virtual table sends any of these by name."""

    level: float = 1.0
    warmth: float = 0.1
    """Above 0 the lamp is yellow, below it is blue."""
    slope: float = 0.15
    """How much darker the far side is."""
    glare: float = 0.0
    """A lamp mirrored in the cards, 0 to 1."""
    glare_x: float = 0.5
    glare_y: float = 0.5
    blur: float = 0.7
    noise: float = 2.5
    shadow: float = 0.4
    covered: bool = False
    """A cap on the lens."""
    swap: tuple[int, int] | None = None
    """Negative control: two faces change places in the picture, not in the truth."""
    nudge: tuple[float, float] = (0.0, 0.0)
    """The camera was pushed: millimetres on the table."""

    @classmethod
    def of(cls, named: Mapping[str, Any]) -> Light:
        """From a message; names it does not know are for somebody else."""
        known: dict[str, Any] = {}
        for key, value in named.items():
            if key in ("swap", "nudge") and isinstance(value, (list, tuple)) and len(value) == 2:
                known[key] = (value[0], value[1])
            elif key == "covered":
                known[key] = bool(value)
            elif key in cls.__dataclass_fields__ and isinstance(value, (int, float)):
                known[key] = float(value)
        return cls(**known)


@dataclass
class Studio:
    """Renders one table through one lens; what does not change is drawn once."""

    mat: Mat
    lens: plan.Lens = field(default_factory=plan.Lens)
    seed: int = 0
    _flat: tuple[tuple[Any, ...], Picture] | None = None
    _printed: tuple[Mapping[str, str], Picture] | None = None
    _maps: tuple[NDArray[np.int16], NDArray[np.uint16]] | None = None
    _laid: tuple[tuple[Any, ...], Picture, list[Window]] | None = None
    """The table with its dice before lamp and lens, and where it differs from the bare one."""
    _bare: tuple[tuple[Any, ...], Picture] | None = None
    """The bare table under this lamp, through this lens."""

    def picture(self, slots: Mapping[str, Any], hand: Mapping[str, Any] | None, light: Light) -> Picture:
        """What the lens sees, before the sensor adds noise."""
        if light.covered:
            return np.full((self.lens.height, self.lens.width, 3), 3, np.uint8)
        lens = self._nudged(light)
        camera = lens.projection(self.mat)
        table = self._table(slots, lens, camera)
        out, changed = self._with_dice(table, slots, light, camera)
        pieces = list(_pieces(self.mat, slots))
        if hand is None and not pieces:
            return self._developed(table, out, light, changed)
        out, eye, lamp = out.copy(), _eye(camera), self._lamp
        for piece in pieces:
            standing.shadow(out, camera, piece, lamp, light.shadow)
        for piece in sorted(pieces, key=lambda one: -float(np.hypot(one.x - eye[0], one.y - eye[1]))):
            standing.draw(out, camera, piece, eye, lamp)
        over = [] if hand is None else [reach(out, camera, hand, plan.size(self.mat))]
        return self._lit(out, light) if pieces else self._developed(table, out, light, [*changed, *over])

    @property
    def _lamp(self) -> tuple[float, float]:
        return 0.55 * np.cos(self.seed), 0.55 * np.sin(self.seed)

    def _with_dice(
        self, table: Picture, slots: Mapping[str, Any], light: Light, camera: NDArray[np.float64]
    ) -> tuple[Picture, list[Window]]:
        """The table with its dice, drawn once while they lie there, and the parts they changed."""
        dice = _dice(self.mat, slots, light.swap)
        key = (id(table), tuple(dice), light.shadow)
        if self._laid is None or self._laid[0] != key:
            out, eye, lamp = table.copy(), _eye(camera), self._lamp
            changed = {die: golem.shadow(out, camera, die, lamp, light.shadow) for die in dice}
            for die in sorted(dice, key=lambda d: -float(np.hypot(d.x - eye[0], d.y - eye[1]))):
                changed[die] = _both(golem.draw(out, camera, die, eye, lamp), changed[die])
            self._laid = (key, out, [window for window in changed.values() if window is not None])
        return self._laid[1], self._laid[2]

    def _developed(self, table: Picture, out: Picture, light: Light, changed: list[Window]) -> Picture:
        """The whole picture under the lamp; all but the changed parts are as on the bare table, which was lit before."""
        key = (id(table), light)
        if self._bare is None or self._bare[0] != key:
            self._bare = (key, self._lit(table, light))
        picture = self._bare[1].copy()
        far = int(4 * light.blur) + 2 + self._bent
        height, width = picture.shape[:2]
        for x0, y0, x1, y1 in changed:
            part = max(0, x0 - far), max(0, y0 - far), min(width, x1 + far), min(height, y1 + far)
            picture[part[1] : part[3], part[0] : part[2]] = self._lit(out, light, part)
        return picture

    def sensor(self, clean: Picture, light: Light, number: int) -> Picture:
        """One exposure: shot noise, never the same twice."""
        if light.noise <= 0:
            return clean
        dx, dy = (number * 37 + self.seed) % 64, (number * 23 + self.seed) % 64
        part = _grain(self.lens.height + 64, self.lens.width + 64)[dy : dy + clean.shape[0], dx : dx + clean.shape[1]]
        return np.asarray(cv2.addWeighted(clean, 1.0, part, light.noise / 16, 0, dtype=cv2.CV_8U), np.uint8)

    def glimpsed(self, small: Picture, light: Light, number: int) -> Picture:
        """The small grey picture of the same exposure: of its noise remains what the mean of many pixels leaves."""
        if light.noise <= 0:
            return small
        left = light.noise * GREY * small.shape[1] / self.lens.width
        dx, dy = (number * 37 + self.seed) % 64, (number * 23 + self.seed) % 64
        part = _grain(self.lens.height + 64, self.lens.width + 64)[
            dy : dy + small.shape[0], dx : dx + small.shape[1], number % 3
        ]
        return np.asarray(cv2.addWeighted(small, 1.0, part, left / 16, 0, dtype=cv2.CV_8U), np.uint8)

    @property
    def _around(self) -> tuple[int, int]:
        """Millimetres of table drawn beside the mat and above it: as far as a wide picture of a square mat shows."""
        width, height = plan.size(self.mat)
        wide = bool(self.mat.spots) or any("tiles" in area.holds for area in self.mat.areas)
        more = int(0.6 * max(0.0, 1.8 * width - height)) if wide else 0
        return (60, 60 + more) if height > width else (60 + more, 60)

    def _nudged(self, light: Light) -> plan.Lens:
        if light.nudge == (0.0, 0.0):
            return self.lens
        kept = {name: getattr(self.lens, name) for name in self.lens.__dataclass_fields__}
        return plan.Lens(**{**kept, "shift": light.nudge})

    def _table(self, slots: Mapping[str, Any], lens: plan.Lens, camera: NDArray[np.float64]) -> Picture:
        cards = tuple(sorted((slot, str(what.get("card") or "")) for slot, what in slots.items()))
        tiles = tuple(sorted((slot, *tile) for slot, what in slots.items() if (tile := _tile(what))))
        tokens = tuple((spot, str(slots.get(spot.id, {}).get("token") or "")) for spot in self.mat.spots)
        key = (cards, tiles, tokens, lens.shift)
        if self._flat is not None and self._flat[0] == key:
            return self._flat[1]
        flat = self._paper(dict(cards))
        flat = self._with_tiles(flat, tiles) if tiles else flat
        ground = camera[:, [0, 1, 3]] @ np.diag([1 / PER_MM, 1 / PER_MM, 1])
        margin = np.array([[1, 0, -self._around[0] * PER_MM], [0, 1, -self._around[1] * PER_MM], [0, 0, 1.0]])
        size = (lens.width, lens.height)
        drawn = cv2.warpPerspective(
            flat, ground @ margin, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT_101
        )
        picture = np.asarray(drawn, np.uint8)
        for spot, lies in tokens:
            if lies:
                standing.token(picture, camera, lies, (spot.x, plan.STRIP + spot.y))
        self._flat = (key, picture)
        return self._flat[1]

    def _with_tiles(self, flat: Picture, tiles: tuple[tuple[str, str, float, float, float], ...]) -> Picture:
        """The mat with tiles laid into its areas: place in millimetres beside the area's middle, turned by degrees."""
        out = flat.copy()
        for slot, name, x, y, angle in tiles:
            left, top, wide, high = plan.area_of(self.mat, slot)
            middle = (left + wide / 2 + x + self._around[0]) * PER_MM, (top + high / 2 + y + self._around[1]) * PER_MM
            tileface.lay(out, name, middle, angle)
        return out

    def _paper(self, cards: Mapping[str, str]) -> Picture:
        """The mat with these cards; drawn once while they lie there."""
        if self._printed is None or self._printed[0] != cards:
            self._printed = (cards, self._mat(cards))
        return self._printed[1]

    def _mat(self, cards: Mapping[str, str]) -> Picture:
        """The table top with 60 mm or more around the mat, seen from straight above."""
        rng = np.random.default_rng(self.seed)
        width, height = plan.size(self.mat)
        w, h = (int((size + 2 * beyond) * PER_MM) for size, beyond in zip((width, height), self._around, strict=True))
        grain = cv2.resize(
            rng.normal(0, 1, (90, 6)).astype(np.float32), (w // 8, h // 8), interpolation=cv2.INTER_CUBIC
        )
        wood = np.array((62, 96, 138), np.float32) * (1 + 0.09 * grain[..., None])
        out = np.asarray(cv2.resize(np.clip(wood, 0, 255).astype(np.uint8), (w, h)), np.uint8)
        left, above = (beyond * PER_MM for beyond in self._around)
        paper = out[above : above + int(height * PER_MM), left : left + int(width * PER_MM)]
        paper[:] = (236, 240, 240)
        if self.mat.spots:
            board.paint(paper, self.mat, self.seed, PER_MM)
        for number, (x, y) in enumerate(plan.marker_centres(self.mat)):
            side = int(plan.MARKER * PER_MM)
            book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
            art = cv2.aruco.generateImageMarker(book, number, side)
            x0, y0 = round((x - plan.MARKER / 2) * PER_MM), round((y - plan.MARKER / 2) * PER_MM)
            paper[y0 : y0 + side, x0 : x0 + side] = np.clip(art, 25, 236)[..., None]
        for area in self.mat.areas:
            x_mm, top, wide, high = plan.area_of(self.mat, area.id)
            x, y = round(x_mm * PER_MM), round(top * PER_MM)
            x1, y1 = x + int(wide * PER_MM), y + int(high * PER_MM)
            ink = tuple(int(area.ink[i : i + 2], 16) for i in (4, 2, 0))
            cv2.rectangle(paper, (x, y), (x1, y1), ink, 2)
            if cards.get(area.id):
                card = face(cards[area.id])[: y1 - y, : x1 - x]
                paper[y : y + card.shape[0], x : x + card.shape[1]] = card
        return out

    @property
    def _bent(self) -> int:
        """Pixels by which the lens displaces anything at most."""
        return int(abs(self.lens.bend) * np.hypot(self.lens.width, self.lens.height) / 2) + 2

    def _lit(self, out: Picture, light: Light, part: Window | None = None) -> Picture:
        """Lamp, glare, lens, in a part of the picture or in all of it."""
        h, w = out.shape[:2]
        x0, y0, x1, y1 = part or (0, 0, w, h)
        # lens and blur bring in what lies around
        soft = int(4 * light.blur) + 2
        bx0, by0, bx1, by1 = max(0, x0 - soft), max(0, y0 - soft), min(w, x1 + soft), min(h, y1 + soft)
        far = self._bent
        left, top = max(0, bx0 - far), max(0, by0 - far)
        here = slice(top, by1 + far), slice(left, bx1 + far)
        source, lamp = out[here], _lamp_field(h, w, self.seed, light.level, light.slope)[here]
        tint = (1 - 0.35 * light.warmth, 1.0, 1 + 0.15 * light.warmth)
        parts = []
        glow = _glow(h, w, light)[here] if light.glare > 0 else None
        for channel, gain in zip(cv2.split(source), tint, strict=True):
            lit = cv2.multiply(channel, lamp, scale=gain, dtype=cv2.CV_8U)
            parts.append(cv2.add(lit, glow) if glow is not None else lit)
        picture = cv2.merge(parts)
        if self.lens.bend:
            if self._maps is None:
                self._maps = plan.bend_maps(self.lens)
            whole, rest = (way[by0:by1, bx0:bx1] for way in self._maps)
            whole = whole - np.array((left, top), np.int16)
            picture = cv2.remap(picture, whole, rest, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        else:
            picture = picture[by0 - top : by1 - top, bx0 - left : bx1 - left]
        if light.blur > 0.2:
            picture = cv2.GaussianBlur(picture, (0, 0), light.blur)
        return np.asarray(picture[y0 - by0 : y1 - by0, x0 - bx0 : x1 - bx0], np.uint8)


@lru_cache(maxsize=2)
def _lamp_field(h: int, w: int, seed: int, level: float, slope: float) -> NDArray[np.float32]:
    """How brightly the lamp shines at every pixel."""
    way = np.cos(seed + 1.0), np.sin(seed + 1.0)
    x = np.linspace(-0.5, 0.5, w, dtype=np.float32)[None] * np.float32(way[0])
    y = np.linspace(-0.5, 0.5, h, dtype=np.float32)[:, None] * np.float32(way[1])
    return np.asarray(np.clip(level * (1 + slope * 2 * (x + y)), 0, 3), np.float32)


@lru_cache(maxsize=2)
def _grain(height: int, width: int) -> NDArray[np.int8]:
    """A field of sensor noise, made once; every exposure takes another window of it."""
    field_of = np.random.default_rng(5).standard_normal((height, width, 3), np.float32) * 16
    return np.clip(field_of, -127, 127).astype(np.int8)


@lru_cache(maxsize=2)
def _glow(h: int, w: int, light: Light) -> Picture:
    """The lamp mirrored in varnish: a soft bright oval."""
    small_h, small_w = h // 8, w // 8
    y, x = np.mgrid[0:small_h, 0:small_w].astype(np.float32)
    away = ((x / small_w - light.glare_x) / 0.09) ** 2 + ((y / small_h - light.glare_y) / 0.12) ** 2
    return np.asarray(cv2.resize((np.exp(-away) * 230 * light.glare).astype(np.uint8), (w, h)), np.uint8)


def _both(one: Window | None, other: Window | None) -> Window | None:
    """The part around two parts."""
    if one is None or other is None:
        return one or other
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _eye(camera: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(-np.linalg.solve(camera[:, :3], camera[:, 3]), np.float64)


def _dice(mat: Mat, slots: Mapping[str, Any], swap: tuple[int, int] | None) -> list[golem.Golem]:
    out = []
    for slot, what in ((area.id, slots[area.id]) for area in mat.areas if area.id in slots):
        left, top, wide, high = plan.area_of(mat, slot)
        for die in what.get("dice", ()):
            value = int(die["face"])
            if swap and value in swap:
                value = int(swap[1] if value == swap[0] else swap[0])
            x, y = left + float(die["x"]) * wide, top + float(die["y"]) * high
            out.append(golem.Golem(str(die["colour"]), value, x, y, float(die.get("angle", 0.0)), mat.die_mm))
    return out


def _tile(what: Mapping[str, Any]) -> tuple[str, float, float, float] | None:
    said = what.get("tile")
    return (str(said["name"]), *(float(said.get(key, 0.0)) for key in ("x", "y", "angle"))) if said else None  # type: ignore[return-value]


def _pieces(mat: Mat, slots: Mapping[str, Any]) -> Iterator[standing.Standing]:
    for spot in mat.spots:
        said = slots.get(spot.id, {}).get("piece")
        if said:
            yield standing.Standing.of(said, (spot.x, plan.STRIP + spot.y))
