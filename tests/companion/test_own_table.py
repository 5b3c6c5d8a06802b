"""A table of its own leaves nothing running, however whoever started it ends."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.virtual.gathering import StalledError
from companion.virtual.own_table import OwnTable, apart, end, own_table
from tests.conftest import ROOT, Place, until


def descendants(pid: int) -> dict[int, str]:
    """Everything this process has started, and what that has started, by number."""
    family: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            family.setdefault(int((entry / "stat").read_text().rpartition(")")[2].split()[1]), []).append(
                int(entry.name)
            )
        except OSError:
            continue  # it ended while we looked
    found, todo = dict[int, str](), [pid]
    while todo:
        for child in family.get(todo.pop(), []):
            try:
                found[child] = Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")
            except OSError:
                continue  # it ended while we looked
            todo.append(child)
    return found


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "ended"])
def test_a_bench_that_is_killed_leaves_no_table_behind(place: Place, ending: signal.Signals) -> None:
    """Broker, gate and every room it measures end with it, whether or not it could say goodbye."""
    command = [sys.executable, "-m", "companion.cli", "bench", "loop"]
    environment = place.full_environment
    bench = subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    rooms = ("mosquitto", "companion.machine.gate", "firmware_bridge", "display")
    try:
        until(lambda: all(any(room in one for one in descendants(bench.pid).values()) for room in rooms), 60, "a table")
        started = descendants(bench.pid)
    finally:
        bench.send_signal(ending)
        bench.wait()
    until(lambda: not [pid for pid in started if Path(f"/proc/{pid}").exists()], 20, "nobody left")


def test_it_has_nothing_of_the_owners(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the owner has set in the environment is no setting of this table."""
    monkeypatch.setenv("TABLESIDE_TABLE_NAME", "Attic")
    monkeypatch.setenv("TABLESIDE_WEB_PORT", "8780")
    with own_table(TABLESIDE_TABLE_ID="mine") as table:
        config = table.config()
    assert (config.table.id, config.table.name) == ("mine", OwnTable({}).config().table.name)
    assert config.web.port != 8780
    assert not config.problems


def test_a_table_that_does_not_come_up_is_said(tmp_path: Path) -> None:
    """Whoever should start the broker has ended: nobody waits for it to the last second."""
    table = OwnTable(apart(tmp_path) | {"TABLESIDE_BROKER_PORT": "9"})
    process = table.start("this", log=subprocess.DEVNULL)
    with pytest.raises(StalledError, match="broker"):
        table.until_broker(process)
    assert end(process) == 0
