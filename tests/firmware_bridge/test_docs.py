"""docs/dial.md is true: its settings load, its commands exist, its pictures name the pins the code uses."""

from __future__ import annotations

import math
import re
import struct
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest

from companion.wire.config import DialConfig, load
from firmware_bridge.__main__ import parser
from firmware_bridge.pico import settings
from tests.conftest import ROOT
from tests.firmware_bridge.conftest import CONFIG, JumperDial
from tools.tray_drawing import drawing, sizes

PAGE = (ROOT / "docs" / "dial.md").read_text(encoding="utf-8")
HEADER = {17: 11, 27: 13, 22: 15, 23: 16, 5: 29, 6: 31, 13: 33, 19: 35}
"""GPIO number to header pin, as every Pi with forty pins has them."""


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("block", blocks("toml"))
def test_every_setting_shown_is_accepted(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copied into the owner's file it gives no problem."""
    monkeypatch.setenv("TABLESIDE_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("TABLESIDE_STATE_DIR", str(tmp_path))
    (tmp_path / "tableside.toml").write_text(block, encoding="utf-8")
    assert load().problems == ()


def test_every_command_shown_exists() -> None:
    """Each is understood by the room it goes to."""
    lines = [line[2:] for block in blocks("console") for line in block.splitlines() if line.startswith("$ ")]
    assert len(lines) >= 3
    for line in lines:
        words = line.removeprefix("python -m firmware_bridge ").removeprefix("tableside ").split()
        assert parser().parse_args(words).verb == words[0]
    assert parser().parse_args(["firmware", "flash", "--pins", "2,3,4,5,6", "--leds", "16"]).leds == 16


def test_the_pictures_are_pictures() -> None:
    """Well-formed, titled and described, and every one is shown on the page."""
    for name in "gpio", "pico", "mounting":
        file = ROOT / "docs" / "pictures" / f"wiring-{name}.svg"
        root = ET.fromstring(file.read_text(encoding="utf-8"))
        assert root.tag.endswith("svg")
        assert [child.text for child in root][0:2] != [None, None]
        assert f"(pictures/wiring-{name}.svg)" in PAGE


def test_the_pins_drawn_are_the_pins_used() -> None:
    """The Pi's defaults and the board's settings stand in the drawings and in the tables."""
    drawn = (ROOT / "docs" / "pictures" / "wiring-gpio.svg").read_text(encoding="utf-8")
    config = DialConfig()
    assert f"A → pin {HEADER[config.pin_a]}" in drawn
    assert f"B → pin {HEADER[config.pin_b]}" in drawn
    assert f"button → pin {HEADER[CONFIG.button_pin]}" in drawn
    assert f"index → pin {HEADER[CONFIG.index_pin]}" in drawn
    pico = (ROOT / "docs" / "pictures" / "wiring-pico.svg").read_text(encoding="utf-8")
    for what, pin in (
        ("A", "PIN_A"),
        ("B", "PIN_B"),
        ("button", "PIN_BUTTON"),
        ("index", "PIN_INDEX"),
        ("data", "PIN_LEDS"),
    ):
        assert f"{what} → GP{getattr(settings, pin)}" in pico


def test_the_jumpers_described_are_the_jumpers_tested() -> None:
    """Header pins in the order A, B, button, index."""
    pairs = [f"{HEADER[out]}→{HEADER[getattr(CONFIG, name)]}" for name, out in JumperDial.OUTPUTS.items()]
    assert ", ".join(pairs) in PAGE


def test_tray_and_bracket_are_drawn_with_the_sizes_of_their_source() -> None:
    """Newcomer F8: one source, one drawing; what hangs below the tray fits between its legs."""
    source = (ROOT / "docs" / "parts" / "tray.scad").read_text(encoding="utf-8")
    n = sizes(source)
    assert (ROOT / "docs" / "pictures" / "tray.svg").read_text(encoding="utf-8") == drawing(n)
    body, pins, shaft, coupling = 7, 4, 15, 25
    assert n["drop"] >= shaft + coupling
    assert n["legs"] >= n["drop"] + n["bracket_plate"] + body
    assert n["legs"] >= n["drop"] + n["bracket_plate"] + body + pins
    assert n["screw_distance"] + n["screw_hole"] < n["bracket_length"]
    assert "(pictures/tray.svg)" in PAGE
    assert "(parts/tray.scad)" in PAGE


def _round(diameter: float, corners: int) -> float:
    """The area OpenSCAD gives a circle."""
    return corners / 2 * math.sin(2 * math.pi / corners) * (diameter / 2) ** 2


def _volumes(n: dict[str, float]) -> dict[str, float]:
    """What each part holds by the sizes of the source, in cubic millimetres."""
    side = n["dial_diameter"] + 2 * n["rim"]
    tray = side * side * n["plate"] + 2 * n["wall"] * side * n["legs"] + 2 * _round(9, 48) * n["drop"]
    tray -= (
        _round(n["shaft_hole"], 64) * n["plate"] + n["stop_width"] * n["wall"] * n["plate"] + 2 * _round(2.6, 32) * 15
    )
    stop = (n["stop_width"] - n["stop_play"]) * (n["plate"] + n["stop_height"]) * (n["wall"] - n["stop_play"])
    slots = 2 * (_round(n["screw_hole"], 32) + n["screw_hole"] * n["slot_play"])
    plate = n["bracket_length"] * n["bracket_width"] - _round(n["bushing_hole"], 64) - slots
    return {"tray": tray, "stop": stop, "bracket": plate * n["bracket_plate"]}


@pytest.mark.parametrize("part", ["tray", "stop", "bracket"])
def test_the_files_to_print_are_closed_and_as_large_as_their_source_says(part: str) -> None:
    """Newcomer F8: every edge of the surface is met from both sides, it stands flat, and it holds what the sizes make."""
    raw = (ROOT / "docs" / "parts" / f"{part}.stl").read_bytes()
    (count,) = struct.unpack_from("<I", raw, 80)
    faces = [struct.unpack_from("<12x9f", raw, 84 + 50 * i) for i in range(count)]
    corners = [[tuple(round(x, 3) for x in face[i : i + 3]) for i in (0, 3, 6)] for face in faces]
    edges = Counter((a, b) for a, b, c in corners for a, b in ((a, b), (b, c), (c, a)))
    assert set(edges.values()) == {1}
    assert all((b, a) in edges for a, b in edges)
    assert min(corner[2] for face in corners for corner in face) == 0, "it lies as it is printed"
    volume = sum(
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
        for a, b, c in corners
    )
    wanted = _volumes(sizes((ROOT / "docs" / "parts" / "tray.scad").read_text(encoding="utf-8")))[part]
    assert volume / 6 == pytest.approx(wanted, rel=0.002)
    assert f"(parts/{part}.stl)" in PAGE


@pytest.mark.parametrize("page", ["build.md", "dial.md"])
def test_every_part_is_named_by_one_that_fits(page: str) -> None:
    """Newcomer F8: nobody has to choose; the row of a part has its model in the third column."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    table = text.split("| part | what to look for | one that fits | about |")[1].split("\n\n")[0]
    rows = [line.split("|")[1:-1] for line in table.splitlines()[2:] if line.startswith("|")]
    assert len(rows) >= 7
    assert all(len(row) == 4 and row[2].strip() for row in rows)


def test_the_guide_says_what_the_first_start_shows_and_where_the_sources_come_from() -> None:
    """Newcomer F6 and F7."""
    text = (ROOT / "docs" / "build.md").read_text(encoding="utf-8")
    assert "*first steps*" in text
    assert "git clone" in text
