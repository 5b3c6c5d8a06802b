"""`tableside hall --demo`: by one command, and gone without a trace."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PATIENCE, until


@pytest.mark.long(15)
def test_two_tables_play_and_nothing_is_left(tmp_path: Path) -> None:
    told = tmp_path / "told"
    environment = os.environ | {"TMPDIR": "/tmp"}
    with told.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "companion.cli", "hall", "--demo", "--tables", "2"],
            env=environment,
            stderr=log,
            stdin=subprocess.DEVNULL,
        )
    try:
        until(
            lambda: b"All tables are playing" in told.read_bytes() or process.poll() is not None,
            120,
            "tables that play",
        )
        until(lambda: any(f"\n{n} moves".encode() in told.read_bytes() for n in range(1, 500)), 60, "moves")
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0, told.read_text()
    left = [path for path in Path("/proc").glob("[0-9]*/cmdline") if _mentions(path, f"hall-demo-{process.pid}")]
    assert left == []
    assert "The demo has ended." in told.read_text()


def _mentions(path: Path, word: str) -> bool:
    try:
        return word.encode() in path.read_bytes()
    except OSError:
        return False
