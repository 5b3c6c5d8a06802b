"""The README is true on a fresh machine: its commands are run in a fresh clone."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.conftest import PATIENCE, ROOT, Place, until

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_it_begins_with_what_it_is_a_picture_and_two_commands() -> None:
    """The front door."""
    head = README[: README.index("## ")]
    assert head.startswith("# Tableside\n")
    assert head.index("![") < head.index("make run") < head.index("make test")


def test_every_picture_and_link_exists() -> None:
    """No dead links."""
    for link in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / link).exists(), link


def test_every_command_it_names_exists() -> None:
    """`tableside VERB` in the README is a verb."""
    from typer.main import get_command

    from companion.cli import app

    verbs = set(get_command(app).commands)  # type: ignore[attr-defined]
    for verb in re.findall(r"`tableside ([a-z-]+)", README):
        assert verb in verbs


@pytest.mark.timeout(600)
@pytest.mark.long(46)
def test_make_run_in_a_fresh_clone_shows_the_product_alive(place: Place, tmp_path: Path) -> None:
    """Clone, `make run`: it sets itself up, says how phones join, and ends cleanly on Ctrl-C."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    dry = subprocess.run(["make", "-n", "test"], cwd=clone, capture_output=True, text=True, check=True)
    assert "scripts/test.sh" in dry.stdout
    environment = {k: v for k, v in place.full_environment.items() if k not in ("TABLESIDE_PRINT_JOIN", "DISPLAY")}
    log = tmp_path / "run.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            ["make", "run"], cwd=clone, env=environment, stdout=file, stderr=file, start_new_session=True
        )
    try:
        until(
            lambda: process.poll() is not None or b"Phones join at http://" in log.read_bytes(),
            500,
            f"the phones' address: {log.read_text(errors='replace')}",
        )
        assert b"Phones join at http://" in log.read_bytes(), log.read_text(errors="replace")
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            process.wait(PATIENCE)
    assert (clone / ".venv" / "bin" / "tableside").exists()
    status = subprocess.run(["git", "status", "--porcelain"], cwd=clone, capture_output=True, text=True, check=True)
    assert status.stdout == ""
