"""`python -m tools.tray_drawing`: the drawing of tray and bracket, with the sizes their OpenSCAD source has."""

from __future__ import annotations

import re
import sys
from pathlib import Path

SOURCE, TARGET = Path("docs/parts/tray.scad"), Path("docs/pictures/tray.svg")
INK, DIM, WOOD, METAL = "#1A130E", "#6E675B", "#DCD5C6", "#B3AB9C"
FONT = "'Source Sans 3', 'Source Sans Pro', 'DejaVu Sans', sans-serif"


def sizes(source: str) -> dict[str, float]:
    """Every number the source names."""
    return {name: float(value) for name, value in re.findall(r"^(\w+) = ([\d.]+);", source, re.MULTILINE)}


def _text(x: float, y: float, words: str, size: int = 15, anchor: str = "middle", fill: str = INK) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{fill}">{words}</text>'


def _box(x: float, y: float, w: float, h: float, fill: str = WOOD) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" fill="{fill}" stroke="{INK}" stroke-width="2"/>'


def _hole(x: float, y: float, r: float) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="#FBF6EC" stroke="{INK}" stroke-width="2"/>'


def _across(x: float, w: float, y: float, words: str) -> str:
    """A size between two arrows, lying."""
    arrow = f'<path d="M {x:g} {y:g} H {x + w:g}" stroke="{DIM}" stroke-width="1.5" marker-start="url(#a)" marker-end="url(#a)"/>'
    return arrow + _text(x + w / 2, y - 6, words)


def _down(x: float, y: float, h: float, words: str) -> str:
    """A size between two arrows, standing."""
    arrow = f'<path d="M {x:g} {y:g} V {y + h:g}" stroke="{DIM}" stroke-width="1.5" marker-start="url(#a)" marker-end="url(#a)"/>'
    return arrow + _text(x + 8, y + h / 2 + 5, words, anchor="start")


def drawing(n: dict[str, float]) -> str:
    """From the side, and the bracket from above."""
    k, side = 3.0, n["dial_diameter"] + 2 * n["rim"]
    left, top, wide = 70.0, 150.0, side * k
    middle, under = left + wide / 2, top + n["plate"] * k
    half = n["screw_distance"] * k / 2
    parts = [
        _text(40, 44, "Tray, stop and bracket, in millimetres", 24, "start"),
        _text(
            40,
            70,
            "Sizes as in docs/parts/tray.scad; measure your dial first. Under the board: "
            f"{n['plate'] + n['legs']:g} mm in all.",
            15,
            "start",
            DIM,
        ),
        _box(left, top, wide, n["plate"] * k),
        *(_box(x, under, n["wall"] * k, n["legs"] * k) for x in (left, left + wide - n["wall"] * k)),
        *(_box(middle + x - 13, under, 26, n["drop"] * k) for x in (-half, half)),
        _box(
            middle - n["bracket_length"] * k / 2,
            under + n["drop"] * k,
            n["bracket_length"] * k,
            n["bracket_plate"] * k,
            METAL,
        ),
        _box(left + n["rim"] * k, top - 8, n["dial_diameter"] * k, 8, "#C2922F"),
        _across(left, wide, top - 36, f"{side:g}"),
        _across(left + n["rim"] * k, n["dial_diameter"] * k, top - 14, f"dial {n['dial_diameter']:g}"),
        _down(left + wide + 16, top, (n["plate"] + n["legs"]) * k, f"{n['plate'] + n['legs']:g}"),
        _down(middle, under, n["drop"] * k, f"{n['drop']:g}"),
        _across(middle - half, 2 * half, under + (n["drop"] + n["bracket_plate"]) * k + 26, f"{n['screw_distance']:g}"),
    ]
    x0, y0 = left + wide + 130, 190.0
    w, h = n["bracket_length"] * k, n["bracket_width"] * k
    cx, cy = x0 + w / 2, y0 + h / 2
    parts += [
        _text(cx, y0 - 62, "bracket, from above"),
        _box(x0, y0, w, h, METAL),
        _hole(cx, cy, n["bushing_hole"] * k / 2),
        *(_hole(cx + x, cy, n["screw_hole"] * k / 2) for x in (-half, half)),
        _across(x0, w, y0 - 22, f"{n['bracket_length']:g} × {n['bracket_width']:g} × {n['bracket_plate']:g}"),
        _text(cx, y0 + h + 28, f"hole {n['bushing_hole']:g} for the encoder’s bushing"),
        _text(cx, y0 + h + 50, f"two slots for M3 with {n['slot_play']:g} of play:"),
        _text(cx, y0 + h + 70, "centre the encoder, then tighten"),
        _text(cx, y0 + h + 96, f"shaft hole in the tray: {n['shaft_hole']:g}"),
        _text(cx, y0 + h + 116, f"stop: {n['stop_width']:g} wide, {n['stop_height']:g} above the top"),
    ]
    tip = f'<path d="M 0 1 L 6 4 L 0 7 z" fill="{DIM}"/>'
    marker = (
        f'<marker id="a" markerWidth="8" markerHeight="8" refX="4" refY="4" orient="auto-start-reverse">{tip}</marker>'
    )
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 420" width="960" height="420" role="img"'
        f' aria-labelledby="t d" font-family="{FONT}">\n<title id="t">Tray and bracket for the encoder</title>\n'
        '<desc id="d">The tray from the side with the bracket below it, and the bracket from above, with all sizes.</desc>\n'
        f"<defs>{marker}</defs>\n"
    )
    return head + '<rect width="960" height="420" fill="#FBF6EC"/>\n' + "\n".join(parts) + "\n</svg>\n"


def main() -> int:
    """Write it."""
    TARGET.write_text(drawing(sizes(SOURCE.read_text(encoding="utf-8"))), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
