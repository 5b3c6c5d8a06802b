# mypy: ignore-errors
"""Make the page's fonts: the letters of our languages out of the Source families, under a name of their own.

Run with fonttools, brotli, font-source-sans-pro and font-source-serif-pro installed. "Source" is a reserved font name
and a subset is a changed font, so the family is renamed; the licence lies beside the files.
"""

from __future__ import annotations

from pathlib import Path

from font_source_sans_pro import font_files_ttf as sans
from font_source_serif_pro import font_files_ttf as serif
from fontTools import subset
from fontTools.ttLib import TTFont

FONTS = Path(__file__).parent.parent / "companion" / "phone" / "fonts"
LETTERS = (
    "".join(chr(code) for code in range(0x20, 0x7F))
    + "ąćęłńóśźżĄĆĘŁŃÓŚŹŻàâæçéèêëîïôœùûüÿÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸäöüßÄÖÜ"
    + "\u00a0\u202f«»„”“’‘–—−×·…•°½→←↑↓"
)
FACES = {
    "TablesideSans-600": (sans["SourceSansProSemibold"], "Tableside Sans"),
    "TablesideSerif-700": (serif["SourceSerifProBold"], "Tableside Serif"),
}


def make(name: str, source: str, family: str) -> int:
    """Write one subset and say how many bytes it has."""
    font = TTFont(source)
    options = subset.Options(flavor="woff2", layout_features=["kern", "liga", "tnum", "mark"], hinting=False)
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    cutter = subset.Subsetter(options)
    cutter.populate(text=LETTERS)
    cutter.subset(font)
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 6, 16):
            record.string = family.replace(" ", "") if record.nameID == 6 else family
    font.flavor = "woff2"
    path = FONTS / f"{name}.woff2"
    font.save(path)
    return path.stat().st_size


if __name__ == "__main__":
    for face, (file, title) in FACES.items():
        size = make(face, str(file), title)
        print(f"{face}: {size} bytes")  # noqa: T201 - the command's output
