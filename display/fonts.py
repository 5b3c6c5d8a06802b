"""Fonts and the measuring of words: where a label goes, how it breaks, and whether it fits."""

from __future__ import annotations

import importlib
import io
import re
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

import pygame

from display.kept import Kept
from display.theme import RGB

_FILES = {
    "sans": ("font_source_sans_pro", "SourceSansProSemibold"),
    "bold": ("font_source_sans_pro", "SourceSansProBold"),
    "black": ("font_source_sans_pro", "SourceSansProBlack"),
    "serif": ("font_source_serif_pro", "SourceSerifProSemibold"),
    "serif-bold": ("font_source_serif_pro", "SourceSerifProBold"),
}
_BREAKS = re.compile(r" |(?<=\w-)(?=\w)")
_SET_OFF = re.compile(r" ([:;!?»·])")
_LONE = re.compile(r"(?<![\w'’-])([iouwzàyIOUWZÀY]|(?<=, )a) (?=\w)")
"""One-letter words of Polish and French; a Polish "a" follows a comma, an English one is an article and may end a line."""
_MARKS = re.compile("([“”„«»])")
LINE = 1.14
"""Lines of one label stand this many sizes apart: the fonts' own 1.38 is made for books."""
RULER = 96
"""Pixels of a font at which rounding to pixels hardly counts."""
_lines = Kept(10_000_000)
"""A full screen of text weighs 2 MB at most, at 4K eight; what was said ten moves ago is hardly said again."""


@cache
def _file(face: str) -> bytes:
    """Read once for all sizes: a font opened by its path keeps the file open, one handle a size."""
    package, name = _FILES[face]
    return Path(importlib.import_module(package).font_files_ttf[name]).read_bytes()


@lru_cache(maxsize=24)
def font(face: str, size: int) -> pygame.font.Font:
    """A font at a pixel size; the packages carry the files, the machine needs none.

    Each remembers the letters it has drawn, a quarter of a megabyte: only as many as two scenes need are kept.
    """
    return _opened(face, max(6, size))


def _opened(face: str, size: int) -> pygame.font.Font:
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame.font.Font(io.BytesIO(_file(face)), size)


def forget_fonts() -> None:
    """Drop everything that hangs on a pygame that is shut down."""
    font.cache_clear()
    width.cache_clear()
    _ruler.cache_clear()
    _lines.clear()


@lru_cache(maxsize=4096)
def width(text: str, face: str, size: int) -> int:
    """How wide a line is."""
    return sum(font(face, size).size(part)[0] for part in _parts(text, face))


def _parts(text: str, face: str) -> list[str]:
    """What is set in one go: the serif's kerning draws quotation marks into whatever stands beside them, so each goes alone."""
    return [part for part in _MARKS.split(text) if part] if face.startswith("serif") else [text]


@cache
def _ruler(face: str) -> pygame.font.Font:
    """What is measured at every size on the way to one that fits is measured once, here."""
    return _opened(face, RULER)


@lru_cache(maxsize=4096)
def _ruled(text: str, face: str) -> int:
    return sum(_ruler(face).size(part)[0] for part in _parts(text, face))


def at_least(text: str, face: str, size: int, lines: int) -> float:
    """The least that this many lines of a text take across, all together: no letter is drawn more than a pixel narrower than its
    outline, and a space is left out wherever a line ends. A font at another size is slow to open and to ask."""
    letters = text.replace("\n", "")
    return (_ruled(letters, face) - (lines - 1) * _ruled(" ", face)) * size / RULER - len(letters) - lines


def glyphs(text: str, face: str, size: int, colour: RGB) -> pygame.Surface:
    """A line as a picture."""
    key = (text, face, size, colour)
    known = _lines.get(key)
    return known if known is not None else _lines.put(key, _rendered(_parts(text, face), font(face, size), colour))


def _rendered(parts: list[str], font: pygame.font.Font, colour: RGB) -> pygame.Surface:
    pictures = [font.render(part, True, colour) for part in parts]
    if len(pictures) == 1:
        return pictures[0]
    line = pygame.Surface((sum(one.get_width() for one in pictures), font.get_height()), pygame.SRCALPHA)
    left = 0
    for one in pictures:
        line.blit(one, (left, 0))
        left += one.get_width()
    return line


@lru_cache(maxsize=2048)
def clean(text: str) -> str:
    """Only characters both fonts have; no line begins with what French sets off by a space or with the dot between two hints,
    and none ends with a lone letter."""
    plain = text.replace("\u202f", "\u00a0").replace("\t", " ").replace("« ", "«\u00a0")
    return _LONE.sub("\\1\u00a0", _SET_OFF.sub("\u00a0\\1", plain))


def wrap(text: str, face: str, size: int, room: int) -> list[str]:
    """Lines no wider than `room`, broken at plain spaces only; one word too wide stays too wide."""
    lines: list[str] = []
    for part in text.split("\n"):
        line = ""
        for word in _BREAKS.split(part):
            # a hyphen ends a line by itself; a space is left out there
            longer = line + word if line.endswith("-") else f"{line} {word}" if line else word
            if line and width(longer, face, size) > room:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines


@lru_cache(maxsize=1024)
def fit(
    texts: tuple[str, ...], face: str, size: float, room: tuple[int, int], lines: int, floor: float
) -> tuple[tuple[str, ...], int, bool]:
    """The lines, the size and whether all of it is shown.

    The order of giving way: more lines, a little smaller, the shorter form, then smaller still, down to `floor`.
    """
    step = 1.0
    while True:
        pixels = max(6, round(size * step))
        # a little smaller is better than a shorter form, a shorter form better than small print
        for text in texts[:1] if step > 0.86 and floor < 0.86 else texts:
            count = sum(pixels * (0.98 + LINE * above) <= room[1] for above in range(lines))
            if not count or at_least(text, face, pixels, count) > count * room[0]:
                continue
            broken = wrap(text, face, pixels, room[0])
            if len(broken) <= count and all(width(line, face, pixels) <= room[0] for line in broken):
                return tuple(_even(broken, text, face, pixels, room[0])), pixels, True
        if step <= floor:
            return _cut(texts[-1], face, pixels, room, lines), pixels, False
        step = max(floor, step * 0.94)


def common(texts: Iterable[str], face: str, size: float, room: tuple[float, float], floor: float) -> float:
    """One size for labels that stand in a row: the smallest any of them needs, but none pulls the rest below `floor`."""
    sizes = [fit((clean(text),), face, size, (int(room[0]), int(room[1])), 1, floor)[1] for text in texts]
    return float(min(sizes, default=round(size)))


def _even(lines: list[str], text: str, face: str, size: int, room: int) -> list[str]:
    """As many lines, but of like width: the narrowest room that needs no more of them leaves no word alone."""
    if len(lines) == 1:
        return lines
    low = max(width(line, face, size) for line in lines) // 2
    while room - low > size // 2:
        middle = (low + room) // 2
        narrower = wrap(text, face, size, middle)
        if len(narrower) > len(lines) or any(width(line, face, size) > middle for line in narrower):
            low = middle
        else:
            lines, room = narrower, middle
    return lines


def _cut(text: str, face: str, size: int, room: tuple[int, int], lines: int) -> tuple[str, ...]:
    """What can be shown of a text too long for its place, with an ellipsis: only names that people typed get here."""
    kept: list[str] = []
    for line in wrap(text, face, size, room[0])[:lines]:
        shown = line
        while shown and width(shown + "…", face, size) > room[0]:
            shown = shown[:-1]
        kept.append(line if shown == line and width(line, face, size) <= room[0] else shown + "…")
    return tuple(kept)
