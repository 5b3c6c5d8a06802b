"""The guides: every command in them exists, the harmless ones are run, every picture and link is there."""

from __future__ import annotations

import itertools
import os
import re
import shlex
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import PATIENCE, ROOT

PAGES = sorted((ROOT / "docs").glob("*.md"))
GUIDES = [
    ROOT / "docs" / "build.md",
    ROOT / "docs" / "play.md",
    ROOT / "docs" / "settings.md",
    ROOT / "docs" / "dial.md",
    ROOT / "docs" / "camera.md",
]
HARMLESS = ("mat", "config", "tally")
"""Verbs that need no hardware, no game and no time: run as they stand."""
OF_THE_SYSTEM = ("systemctl", "journalctl")


def commands(page: Path) -> list[list[str]]:
    """Every `$ …` line of the console blocks, without sudo and comments."""
    blocks = re.findall(r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    lines = [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]
    found = [shlex.split(line.removeprefix(".venv/bin/"), comments=True) for line in lines]
    return [words[1:] if words[0] == "sudo" else words for words in found]


ALL = sorted({tuple(words) for page in GUIDES for words in commands(page)})
TABLESIDE = [words for words in ALL if words[0] == "tableside"]


def run(command: list[str], place: Path, code: int = 0) -> str:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("TABLESIDE_")}
    environment |= {
        "TABLESIDE_STATE_DIR": str(place / "state"),
        "TABLESIDE_CONFIG_DIR": str(place / "config"),
        "COLUMNS": "200",
    }
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment, cwd=place, timeout=PATIENCE
    )
    assert done.returncode == code, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout + done.stderr


@cache
def help_of(verbs: tuple[str, ...]) -> str:
    """What a verb says about itself."""
    return run([sys.executable, "-m", "companion.cli", *verbs, "--help"], ROOT)


def verbs_of(words: tuple[str, ...]) -> tuple[str, ...]:
    """`tableside config check` has two verbs, `tableside box skytopia` one."""
    return words[1:3] if words[1] in ("config", "firmware", "cards") else words[1:2]


def test_the_guides_hold_commands() -> None:
    """Nothing below passes because nothing was found."""
    assert len(TABLESIDE) >= 15
    assert {"mat", "doctor", "check", "calibrate", "history"} <= {words[1] for words in TABLESIDE}


@pytest.mark.parametrize("words", TABLESIDE, ids=" ".join)
def test_every_verb_and_option_exists(words: tuple[str, ...]) -> None:
    """The command knows the verb, and its help names each option."""
    said = help_of(verbs_of(words))
    for option in (word for word in words if word.startswith("-")):
        assert re.search(rf"(^|[\s,\[]){re.escape(option)}\b", said), f"{option} is not in {said}"


@pytest.mark.parametrize(
    "words", [words for words in TABLESIDE if words[1] in HARMLESS and "FILE" not in words], ids=" ".join
)
def test_harmless_commands_do_what_the_guide_says(words: tuple[str, ...], tmp_path: Path) -> None:
    """Run as they stand, in an empty place."""
    said = run([sys.executable, "-m", "companion.cli", *words[1:]], tmp_path)
    assert said.strip()
    for option, name in itertools.pairwise(words):
        if option == "-o":
            assert (tmp_path / name).stat().st_size > 1000


def test_commands_of_the_system_name_our_units() -> None:
    """What systemctl and journalctl are given is a unit that ships."""
    units = {path.name for path in (ROOT / "systemd").iterdir()}
    for words in ALL:
        if words[0] in OF_THE_SYSTEM:
            named = [word for word in words if word.startswith("tableside")]
            assert named
            assert {word if "." in word else f"{word}.service" for word in named} <= units


def test_every_other_command_exists(tmp_path: Path) -> None:
    """make's targets, our scripts with their options, the rooms' own verbs; and nothing else is asked of the reader."""
    targets = re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    for words in ALL:
        script = words[0].removeprefix("/opt/tableside/share/")  # the same script where the installer leaves it
        if words[0] == "make":
            assert words[1] in targets
        elif script.startswith("scripts/"):
            said = run(["sh", str(ROOT / script), "--help"], tmp_path)
            assert all(word in said for word in words[1:])
        elif words[:2] == ("python", "-m"):
            run([sys.executable, *words[1:], "--help"], ROOT)
        else:
            assert words[0] in ("tableside", *OF_THE_SYSTEM), f"who checks {words}?"


def test_the_dry_run_of_the_guide_changes_nothing(tmp_path: Path) -> None:
    """As printed, without root's rights needed."""
    before = sorted(Path("/etc").iterdir()), Path("/opt/tableside").exists()
    said = run(["sh", str(ROOT / "scripts/install.sh"), "--dry-run"], tmp_path)
    assert "kiosk: " in said
    assert before == (sorted(Path("/etc").iterdir()), Path("/opt/tableside").exists())


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.name)
def test_pictures_and_links_are_there(page: Path) -> None:
    """No picture is missing, no link leads nowhere."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if not target.startswith(("http:", "https:")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_page_about_security_counts_the_libraries() -> None:
    """Those that are asked for and those that are installed with them, as the files have them now."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked, pinned = len(project["dependencies"]), (ROOT / "requirements.lock").read_text().count("==")
    said = (ROOT / "docs" / "security.md").read_text()
    assert f"{asked} libraries are asked for" in said
    assert f"{pinned} versions are pinned in `requirements.lock`" in said


@pytest.mark.parametrize("game", ["Skytopia", "Praga Caput Regni", "Skyrise", "Score pad"])
def test_every_game_has_its_evening_with_a_picture(game: str) -> None:
    """One chapter each in docs/play.md."""
    chapter = (ROOT / "docs" / "play.md").read_text().partition(f"\n## {game}")[2].partition("\n## ")[0]
    assert "](pictures/" in chapter
