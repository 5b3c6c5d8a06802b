"""The page: a scene lays out pieces, and only those whose content changed are painted again.

A piece is a rectangle, the values it is drawn from, and its painter. When values, place or press change, the rectangle is
painted anew and everything that touches it is painted again inside it, in order; the rest of the screen stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Concatenate, ParamSpec

import msgspec
import pygame

from companion.game import Text
from display import fonts
from display.motion import Motion
from display.paint.sprite import ground, lay
from display.theme import RGB, Theme
from display.touch import Act, Box, Label, Touch
from display.wording import Wording

P = ParamSpec("P")
Texts = Text | str | tuple[str, ...]
RIM, SHADOW = 4, 8
"""Pixels around a cell, and below it, that its painter may use for an outline, a press and a hard shadow."""


class Piece(msgspec.Struct):
    """One rectangle of the screen as it was last painted."""

    box: Box
    content: Any
    paint: Callable[[], object]
    cover: bool = False
    """Lies over what is below: labels under it are not read, touches under it not felt."""
    modal: bool = False
    layer: int = 0
    touches: list[Touch] = []
    labels: list[Label] = []
    pressed: str = ""


Words = tuple[Texts, str, int]
"""What is set, in which role, on how many lines."""


class Page:
    """A surface with a theme, a language and a memory of what is drawn on it."""

    def __init__(self, surface: pygame.Surface, theme: Theme, words: Wording) -> None:
        self.surface, self.theme, self.words = surface, theme, words
        self.motion = Motion()
        self.c = theme.colours
        self.pressed = ""
        self.breath: Callable[[], None] | None = None
        """Called between pieces: a long frame on a slow machine is still a sign of life."""
        self._pieces: dict[str, Piece] = {}
        self._laid: dict[str, Piece] = {}
        self._open: Piece | None = None
        self._whole = True

    # -- laying out a frame ------------------------------------------------------------------------------------------

    def begin(self, now: float) -> None:
        """A new frame: the scene lays its pieces down after this."""
        self.motion.frame(now)
        self._laid = {}

    def piece(
        self,
        key: str,
        box: Iterable[float],
        content: Any,
        paint: Callable[[], object],
        *,
        cover: bool = False,
        modal: bool = False,
        layer: int = 0,
    ) -> None:
        """Lay a piece; `content` holds every value its painter looks at. Higher layers lie above later pieces."""
        left, top, width, height = (round(v) for v in box)
        self._laid[key] = Piece((left, top, width, height), content, paint, cover or modal, modal, layer)

    def part(
        self,
        key: str,
        cell: Iterable[float],
        content: Any,
        paint: Callable[Concatenate[Page, P], object],
        /,
        *args: P.args,
        **given: P.kwargs,
    ) -> None:
        """Lay a piece with room around its cell for rim and shadow, painted by a function that is given the page and this."""
        left, top, width, height = cell
        box = (left - RIM, top - RIM, width + 2 * RIM, height + RIM + SHADOW)
        self.piece(key, box, (content, left, top, width, height), lambda: paint(self, *args, **given))

    def finish(self) -> list[pygame.Rect]:
        """Paint what changed and say where."""
        self._laid = dict(sorted(self._laid.items(), key=lambda laid: laid[1].layer))
        damage = self._damage()
        for rect in damage:
            self._repaint(rect)
        self._pieces, self._whole = self._laid, False
        return damage

    def _damage(self) -> list[pygame.Rect]:
        for key, piece in self._laid.items():
            known = self._pieces.get(key)
            if known is not None:
                piece.touches, piece.labels, piece.pressed = known.touches, known.labels, known.pressed
        if self._whole:
            return [self.surface.get_rect()]
        rects: list[pygame.Rect] = []
        for key, known in self._pieces.items():
            if key not in self._laid:
                rects.append(pygame.Rect(known.box))
        for key, piece in self._laid.items():
            known = self._pieces.get(key)
            mine = self.pressed if any(t.id == self.pressed for t in piece.touches) else ""
            if known is None or known.box != piece.box or known.content != piece.content or mine != piece.pressed:
                rects.append(pygame.Rect(piece.box))
                if known is not None and known.box != piece.box:
                    rects.append(pygame.Rect(known.box))
        return _merged(rects, self.surface.get_rect())

    def _repaint(self, rect: pygame.Rect) -> None:
        self.surface.set_clip(rect)
        self.surface.blit(ground(self.theme), rect.topleft, rect)
        for piece in self._laid.values():
            area = rect.clip(pygame.Rect(piece.box))
            if area.width and area.height:
                self.surface.set_clip(area)
                piece.touches, piece.labels, piece.pressed = [], [], self.pressed
                self._open = piece
                piece.paint()
                if self.breath is not None:
                    self.breath()
                if not any(t.id == self.pressed for t in piece.touches):
                    piece.pressed = ""
        self._open = None
        self.surface.set_clip(None)

    def spoil(self) -> None:
        """The next frame is painted whole: another scene, size or language."""
        self._whole, self._pieces = True, {}

    # -- what is on it -----------------------------------------------------------------------------------------------

    def touches(self) -> list[Touch]:
        """Touch areas, topmost last; what lies under a modal piece, or is only met by a cover, is out of reach."""
        found: list[Touch] = []
        for piece in self._pieces.values():
            if piece.modal:
                found = []
            elif piece.cover:
                found = [t for t in found if not _meet(t.box, piece.box)]
            found.extend(piece.touches)
        return found

    def labels(self) -> list[Label]:
        """Every label no cover meets."""
        found: list[Label] = []
        for piece in self._pieces.values():
            if piece.cover:
                found = [label for label in found if not _meet(label.box, piece.box)]
            found.extend(piece.labels)
        return found

    def touch_at(self, x: int, y: int) -> Touch | None:
        """The topmost touch under a finger; how far around itself an area feels was decided where it was laid (`touch`)."""
        hits = [t for t in self.touches() if t.holds(x, y)]
        return hits[-1] if hits else None

    # -- painters' tools ---------------------------------------------------------------------------------------------

    def say(self, text: Text | str, **params: Any) -> str:
        """A sentence in this screen's language."""
        return fonts.clean(self.words.say(text, **params))

    def forms(self, text: Text | str, **params: Any) -> tuple[str, ...]:
        """The sentence and its shorter form, where the catalogue has one."""
        long = self.say(text, **params)
        short = fonts.clean(self.words.say(text, variant="short", **params))
        return (long,) if short == long else (long, short)

    def text(
        self,
        what: Texts,
        box: Iterable[float],
        role: str = "body",
        colour: RGB | None = None,
        *,
        align: str = "left",
        valign: str = "middle",
        lines: int = 1,
        floor: float = 0.6,
        size: float | None = None,
        face: str | None = None,
        typed: bool = False,
    ) -> pygame.Rect:
        """Set words in a box and note how they sit; returns the area they take."""
        left, top, width, height = (round(v) for v in box)
        texts = self.forms(what) if isinstance(what, Text) else (what,) if isinstance(what, str) else what
        texts = tuple(fonts.clean(t) for t in texts)
        if not any(texts) or width <= 0 or height <= 0:
            return pygame.Rect(left, top, 0, 0)
        face = face or self.theme.face(role)
        wanted = size or self.theme.size(role)
        broken, pixels, fits = fonts.fit(texts, face, wanted, (width, height), lines, floor / self.theme.zoom)
        colour = colour or self.c.text
        block = pixels * (1 + fonts.LINE * (len(broken) - 1))
        y = {"top": top + 0.0, "bottom": top + height - block}.get(valign, top + (height - block) / 2)
        area = pygame.Rect(left, round(y), 0, round(block))
        for i, line in enumerate(broken):
            picture = fonts.glyphs(line, face, pixels, colour)
            x = left + {"center": (width - picture.get_width()) // 2, "right": width - picture.get_width()}.get(
                align, 0
            )
            baseline = y + pixels * (0.5 + 0.34 + fonts.LINE * i)
            self.surface.blit(picture, (x, round(baseline) - fonts.font(face, pixels).get_ascent()))
            area = (
                pygame.Rect(x, area.y, picture.get_width(), area.h)
                if not i
                else area.union((x, area.y, picture.get_width(), area.h))
            )
        if self._open is not None:
            self._open.labels.append(
                Label(" / ".join(broken), tuple(area), (left, top, width, height), fits, typed)  # type: ignore[arg-type]
            )
        return area

    def wide(self, what: Texts, room: tuple[float, float], role: str, *, lines: int = 1, floor: float = 0.6) -> int:
        """How much of the room these words will take across, set as `text` sets them."""
        broken, pixels = self._set(what, room, role, lines, floor)
        return max((fonts.width(line, self.theme.face(role), pixels) for line in broken), default=0)

    def share_above(self, above: Words, below: Words, room: tuple[float, float], shares: tuple[float, ...]) -> float:
        """The share of the room that the words above have: of these the one that leaves the smaller of both largest."""

        def sizes(share: float) -> tuple[float, float]:
            parts = ((above, share), (below, 1 - share))
            each = [
                self._set(what, (room[0], room[1] * part), role, lines, 0.36)[1] / self.theme.size(role)
                for (what, role, lines), part in parts
            ]
            return min(each), sum(each)

        return max(shares, key=sizes)

    def _set(
        self, what: Texts, room: tuple[float, float], role: str, lines: int, floor: float
    ) -> tuple[tuple[str, ...], int]:
        texts = self.forms(what) if isinstance(what, Text) else (what,) if isinstance(what, str) else what
        texts, size = tuple(fonts.clean(t) for t in texts), (round(room[0]), round(room[1]))
        if not any(texts) or min(size) <= 0:
            return (), round(self.theme.size(role))
        face, wanted = self.theme.face(role), self.theme.size(role)
        broken, pixels, _ = fonts.fit(texts, face, wanted, size, lines, floor / self.theme.zoom)
        return broken, pixels

    def touch(
        self,
        id: str,
        box: Iterable[float],
        act: Act,
        *,
        repeats: bool = False,
        small: bool = False,
        key: str = "",
        grow: float | None = None,
        drops: dict[str, Act] | None = None,
    ) -> bool:
        """Let an area answer to a finger; half the gap around it belongs to it. True while it is pressed."""
        g = self.theme.gap / 2 if grow is None else grow
        left, top, width, height = box
        area = (round(left - g), round(top - g), round(width + 2 * g), round(height + 2 * g))
        if self._open is not None:
            self._open.touches.append(Touch(id, area, act, repeats, small, key, drops or {}))
        return self.pressed == id

    def blit(self, picture: pygame.Surface, cx: float, cy: float, alpha: float = 1.0) -> None:
        """Put a finished picture with its middle at a point."""
        at = _corner(picture, cx, cy)
        if alpha >= 1:
            lay(self.surface, picture, at)
            return
        share = round(255 * max(0.0, alpha))
        faded = picture.copy()
        faded.fill((share, share, share, share), special_flags=pygame.BLEND_RGBA_MULT)
        lay(self.surface, faded, at)

    def put_words(self, glyphs: pygame.Surface, cx: float, cy: float, alpha: float = 1.0) -> None:
        """The same for a line as the font has drawn it."""
        if alpha < 1:
            glyphs = glyphs.copy()
            glyphs.set_alpha(round(255 * max(0.0, alpha)))
        self.surface.blit(glyphs, _corner(glyphs, cx, cy))


def _corner(picture: pygame.Surface, cx: float, cy: float) -> tuple[int, int]:
    return round(cx - picture.get_width() / 2), round(cy - picture.get_height() / 2)


def _meet(one: Box, other: Box) -> bool:
    return pygame.Rect(one).colliderect(pygame.Rect(other))


def _merged(rects: list[pygame.Rect], screen: pygame.Rect) -> list[pygame.Rect]:
    """Few rectangles that do not overlap: painting one never spoils another."""
    todo = [r.clip(screen) for r in rects]
    done: list[pygame.Rect] = []
    for rect in todo:
        if rect.width <= 0 or rect.height <= 0:
            continue
        clash = next((r for r in done if r.colliderect(rect)), None)
        while clash is not None:
            done.remove(clash)
            rect = rect.union(clash)  # noqa: PLW2901 - it grows until nothing is left to swallow
            clash = next((r for r in done if r.colliderect(rect)), None)
        done.append(rect)
    return done
