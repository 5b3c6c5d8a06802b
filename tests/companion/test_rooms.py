"""Rooms and one corridor: who may know whom, and how large anything may become (docs/design.md)."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import PATIENCE, ROOT, Place

OURS = {"companion", "firmware_bridge", "vision", "display", "speech", "hall"}
WIRE = (
    "companion.wire",
    "companion.game",
    "companion.vocabulary",
    "companion.panels",
    "companion.sensing",
    "companion.picture",
    "companion.shown",
)
"""All a room may know of another: the wire, and the vocabulary of games its messages are made of."""
TOOLS = {"benches", "tools"}
"""They look at every room; no room knows them."""
IMPURE = {"time", "random", "os", "socket", "logging", "secrets", "subprocess", "threading", "asyncio", "pathlib", "io"}


@cache
def imports_of(file: Path) -> tuple[str, ...]:
    """Every absolute import of a file, wherever it stands."""
    return tuple(_imports_of(file))


def _imports_of(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def files(room: str) -> list[Path]:
    return [path for path in sorted((ROOT / room).rglob("*.py")) if "node_modules" not in path.parts]


@pytest.mark.parametrize("room", sorted(OURS))
def test_a_room_knows_the_others_only_by_messages(room: str) -> None:
    """No room imports another's code, except the wire between them."""
    for file in files(room):
        if room == "firmware_bridge" and "pico" in file.parts:
            continue
        for module in imports_of(file):
            assert module.split(".")[0] not in TOOLS or file.parts[-2] == "commands", f"{file} imports {module}"
            if module.split(".")[0] in OURS - {room}:
                known = any(module == wire or module.startswith(wire + ".") for wire in WIRE)
                assert known or module in ("companion", "companion.__version__"), (
                    f"{file.relative_to(ROOT)} imports {module}"
                )


@pytest.mark.parametrize("room", sorted(OURS | TOOLS | {"scripts", "tests"}))
def test_nothing_is_too_long_to_be_held_in_mind(room: str) -> None:
    """400 lines a file, 60 a function; TypeScript that is made from our structs is nobody's to hold."""
    pages = [path for path in (ROOT / room).rglob("*.ts") if not {"node_modules", "dist"} & {*path.parts}]
    for file in (*files(room), *pages):
        text = file.read_text(encoding="utf-8")
        assert text.count("\n") <= 400 or "made by `python -m tools.wire_types`" in text[:400], file
        for node in ast.walk(ast.parse(text)) if file.suffix == ".py" else ():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 60, f"{file}: {node.name}"


@pytest.mark.parametrize(("folder", "most"), [("companion", 12), ("display/scenes", 30)])
def test_folders_show_what_there_is_at_a_glance(folder: str, most: int) -> None:
    assert len(list((ROOT / folder).glob("*.py"))) <= most


def test_the_wire_knows_nothing_but_itself() -> None:
    """What every room may import drags no core and no rules behind it."""
    for file in [file for folder in ("wire", "shown") for file in (ROOT / "companion" / folder).rglob("*.py")]:
        for module in imports_of(file):
            if module.startswith("companion."):
                assert module.startswith(WIRE), f"{file.relative_to(ROOT)} imports {module}"


def test_only_a_games_own_table_knows_what_it_shows() -> None:
    """Scenes that every game shares read the part that every game has."""
    for file in files("display"):
        for module in imports_of(file):
            if module.startswith("companion.shown."):
                game = module.split(".")[2]
                assert file.is_relative_to(ROOT / "display" / "tables" / game), (
                    f"{file.relative_to(ROOT)} imports {module}"
                )


def test_heavy_libraries_stay_in_their_room() -> None:
    """`cv2` lives in vision, `pygame` in display, `paho` on the bus and the hall's line, and so on."""
    home = {"cv2": "vision", "pygame": "display", "gpiozero": "firmware_bridge", "serial": "firmware_bridge"}
    for room in sorted(OURS):
        for file in files(room):
            for module in imports_of(file):
                top = module.split(".")[0]
                assert home.get(top, room) == room, f"{file.relative_to(ROOT)} imports {module}"
                if top == "paho":
                    assert file in (ROOT / "companion" / "wire" / "bus.py", ROOT / "hall" / "line.py"), file
                if top == "psycopg":
                    assert file == ROOT / "hall" / "database.py", file


@pytest.mark.parametrize(
    "file", sorted((ROOT / "companion" / "games").rglob("*.py")), ids=lambda p: str(p.relative_to(ROOT))
)
def test_rules_have_no_clock_no_chance_and_no_files(file: Path) -> None:
    """A pack is pure: state and move in, state and events out."""
    for module in imports_of(file):
        top = module.split(".")[0]
        assert top not in IMPURE, f"{file} imports {module}"
        if top == "companion":
            pure = (*WIRE[1:], "companion.box.printed", "companion.wire.names")
            assert module in ("companion", *pure) or module.startswith(
                ("companion.games.", *(f"{one}." for one in pure))
            )


@pytest.mark.parametrize("room", ["companion", "firmware_bridge", "vision", "display"])
def test_asking_a_room_for_help_does_not_start_it(room: str, place: Place) -> None:
    """`python -m ROOM --help` says how it is called, and ends."""
    done = place.python(room, "--help")
    assert done.returncode == 0, done.stderr
    assert f"python -m {room}" in done.stdout


def test_the_supervisor_starts_the_rooms_before_anything_slow() -> None:
    """Everything the parent loads, the first picture waits for: it needs neither the corridor nor what it is made of."""
    loaded = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, companion.machine.supervisor, companion.wire.process_log; print(*sys.modules)",
        ],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    ).stdout.split()
    assert not {"companion.wire.bus", "paho", "ssl", "numpy", "pygame"} & set(loaded)
