"""Processor time of a table: what its rooms did, however busy the machine is."""

from __future__ import annotations

import subprocess
import sys
import time

from companion.virtual.spent import Spent
from tests.conftest import PATIENCE

WORK = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'while True: pass'])"


def test_the_work_of_children_counts_and_waiting_does_not() -> None:
    """A process that only waits for its child has spent what the child has."""
    table = subprocess.Popen([sys.executable, "-c", WORK], start_new_session=True)
    try:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and Spent(table.pid)() < 0.3:
            time.sleep(0.02)
        spent = Spent(table.pid)
        before = spent()
        assert before >= 0.3
        while time.monotonic() < end and spent() < before + 0.1:
            time.sleep(0.02)
        assert spent() >= before + 0.1
    finally:
        subprocess.run(["kill", "-9", "--", f"-{table.pid}"], check=True)
        table.wait()
