"""The mat as a PDF, true to scale: one A3 sheet, or A4 sheets with overlap and cutting marks."""

from __future__ import annotations

from math import ceil

from vision.mat import MARKER, Mat, marker_bits

PAPER = {"a3": (297.0, 420.0), "a4": (210.0, 297.0)}
EDGE = 9.0
"""Millimetres at each side of the paper that printers cannot reach."""
OVERLAP = 10.0
POINT = 72 / 25.4
TOP = "TOP - print at 100 %"
"""Between the upper markers: which way up the mat lies, and that it must not be scaled."""


def drawing(mat: Mat) -> str:
    """The mat in PDF operators, in millimetres, y up from the bottom left corner."""
    parts = ["0.75 G 0.2 w", f"0 0 {mat.width:.2f} {mat.height:.2f} re S"]
    for number, (x, y) in enumerate(mat.markers):
        parts.append("0 g")
        bits = marker_bits(number)
        side = MARKER / len(bits)
        for i, line in enumerate(bits):
            for j, black in enumerate(line):
                if black:
                    left = x - MARKER / 2 + j * side
                    low = mat.height - (y - MARKER / 2 + (i + 1) * side)
                    # a hair of overlap: some viewers draw a white seam between neighbours
                    parts.append(f"{left:.3f} {low:.3f} {side + 0.02:.3f} {side + 0.02:.3f} re f")
    for area in mat.declared.areas:
        x, y, w, h = mat.slots[area.id]
        ink = " ".join(f"{int(area.ink[i : i + 2], 16) / 255:.2f}" for i in (0, 2, 4))
        low = mat.height - y - h
        parts.append(f"{ink} RG {ink} rg 0.5 w {x:.2f} {low:.2f} {w:.2f} {h:.2f} re S")
        if area.label:
            parts.append(_label(area.label, (x, low, w, h), loose=area.loose))
    for spot in mat.declared.spots:  # a cross is enough: the board lies on it
        x, y, _, _ = mat.slots[spot.id]
        x, low, arm = x + spot.radius, mat.height - y - spot.radius, 3.0
        parts.append(f"0.6 G 0.3 w {x - arm:.2f} {low:.2f} m {x + arm:.2f} {low:.2f} l S")
        parts.append(f"{x:.2f} {low - arm:.2f} m {x:.2f} {low + arm:.2f} l S")
    middle = mat.width / 2
    parts.append(f"0 G 0.3 w {middle - 50:.2f} 8 m {middle + 50:.2f} 8 l S")
    parts += [f"{middle + d:.2f} 6 m {middle + d:.2f} 10 l S" for d in (-50, 0, 50)]
    parts.append("0 g " + _text(middle - 7, 11, 3.5, "100 mm"))
    parts.append("0 g " + _text(middle - 1.3 * len(TOP), mat.height - 12, 5, TOP))
    return "\n".join(parts)


def _label(words: str, box: tuple[float, float, float, float], *, loose: bool) -> str:
    """In the middle of a slot; in a corner of an area for dice, where it is under none of them."""
    x, low, w, h = box
    if loose:
        return _text(x + 3, low + h - 7, 5, words)
    return _text(x + w / 2 - 2.5 * len(words), low + h / 2 - 3, 9, words)


def _text(x: float, y: float, size: float, words: str) -> str:
    return f"BT /F1 {size:.2f} Tf {x:.2f} {y:.2f} Td ({words}) Tj ET"


def pages(mat: Mat, paper: str) -> list[tuple[float, float, float, float]]:
    """For each sheet: paper width, height, and the mat's point at the sheet's printable bottom left corner."""
    wide, high = PAPER[paper]
    sheets = []
    for width, height in ((wide, high), (high, wide)):
        usable = width - 2 * EDGE, height - 2 * EDGE
        across = max(1, ceil((mat.width - OVERLAP) / (usable[0] - OVERLAP)))
        down = max(1, ceil((mat.height - OVERLAP) / (usable[1] - OVERLAP)))
        step = usable[0] - OVERLAP, usable[1] - OVERLAP
        sheets.append([(width, height, i * step[0], j * step[1]) for j in range(down) for i in range(across)])
    return min(sheets, key=len)


def pdf(mat: Mat, paper: str) -> bytes:
    """The whole file."""
    if paper not in PAPER:
        raise ValueError(f"{paper}: paper is one of {', '.join(PAPER)}")
    sheets = pages(mat, paper)
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    body = drawing(mat)
    objects.append(f"<< /Length {len(body)} >>\nstream\n{body}\nendstream")
    kids = []
    for width, height, x, y in sheets:
        usable = width - 2 * EDGE, height - 2 * EDGE
        frame = f"{EDGE} {EDGE} {usable[0]:.2f} {usable[1]:.2f} re"
        cut = f"0.6 G 0.2 w [2 2] 0 d {frame} S [] 0 d" if len(sheets) > 1 else ""
        before = f"q {POINT:.8f} 0 0 {POINT:.8f} 0 0 cm {cut} {frame} W n 1 0 0 1 {EDGE - x:.3f} {EDGE - y:.3f} cm"
        objects.append(f"<< /Length {len(before)} >>\nstream\n{before}\nendstream")
        objects.append("<< /Length 1 >>\nstream\nQ\nendstream")
        first = len(objects) - 1
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width * POINT:.3f} {height * POINT:.3f}] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents [{first} 0 R 4 0 R {first + 1} 0 R] >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    return _file(objects)


def _file(objects: list[str]) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, words in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n{words}\nendobj\n".encode("ascii")
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode("ascii")
    out += b"".join(f"{place:010d} 00000 n \n".encode("ascii") for place in places)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode("ascii")
    return bytes(out)
