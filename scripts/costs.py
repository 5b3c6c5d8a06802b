"""Measures what each test costs in processor time: its own, that of every process it starts, and its fixtures'.

usage: python scripts/costs.py [--workers 2] [--write] [PATH...]     no path: everything
       python scripts/costs.py --report                              once more what the last run found

Seconds by the clock say how busy the machine was; these hold on a busy one too. The files, tests and fixtures that cost most are
told. `--write` notes in tests/costs.json every test that has no table of its own and takes more than `tests.daily.LITTLE`: the
daily round (`make test-quick`) leaves those to `make test`. This file is also the pytest plugin that measures.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

SCRIPTS = Path(__file__).resolve().parent
ROOT = SCRIPTS.parent
OUT = Path(os.environ.get("TABLESIDE_COSTS") or ROOT / "out" / "costs")
TICKS = os.sysconf("SC_CLK_TCK")
SMALL = 0.02
"""Seconds below which a fixture is not told: most tests have a dozen."""
SHOWN = 40
"""Lines of each list."""
Cost = dict[str, Any]
"""One line of a worker's file: `kind` (test or fixture), `name`, `own`, `others` (processes), `wall`."""


def _family(pid: int | str) -> float:
    """Seconds of a process, of its children that have ended and of those that run."""
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, stat[11:15])) / TICKS + _children(pid)


def _children(pid: int | str) -> float:
    spent = 0.0
    with suppress(OSError):  # whoever ends while we look is counted by whoever waited for it
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                with suppress(OSError):
                    spent += _family(child)
    return spent


def _spent() -> tuple[float, float, float]:
    """Seconds so far: this process, all others below it, the clock."""
    times = os.times()
    ended = times.children_user + times.children_system
    return time.process_time(), ended + _children("self"), time.monotonic()


@contextmanager
def _noted(kind: str, name: str) -> Iterator[None]:
    before = _spent()
    try:
        yield
    finally:
        # a browser that ends with the run is nobody's child any more: nothing is given back for it
        own, others, wall = (max(0.0, now - then) for now, then in zip(_spent(), before, strict=True))
        line = {"kind": kind, "name": name, "own": round(own, 3), "others": round(others, 3), "wall": round(wall, 3)}
        if kind == "test" or wall > SMALL:
            with (OUT / f"{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}.jsonl").open("a") as file:
                file.write(json.dumps(line) + "\n")


def _wrapping(hook: Any) -> Any:
    """As `pytest.hookimpl(wrapper=True, tryfirst=True)`; whoever only reads a report needs no pytest."""
    import pytest

    return pytest.hookimpl(wrapper=True, tryfirst=True)(hook)


@_wrapping
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    """A test with its fixtures; shared ones are the cost of whoever comes first."""
    with _noted("test", item.nodeid):
        return (yield)


@_wrapping
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any]) -> Iterator[Any]:
    """A fixture alone, to see which one is worth sharing."""
    with _noted("fixture", f"{fixturedef.baseid}::{fixturedef.argname} ({fixturedef.scope})"):
        return (yield)


def measure(workers: int, paths: list[str]) -> int:
    """Run the tests; each worker writes a file of its own."""
    OUT.mkdir(parents=True, exist_ok=True)
    for old in OUT.glob("*.jsonl"):
        old.unlink()
    path = os.pathsep.join(filter(None, (str(SCRIPTS), os.environ.get("PYTHONPATH"))))
    environment = os.environ | {"PYTHONPATH": path, "TABLESIDE_COSTS": str(OUT)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "costs", "--timeout=1800"]
    if workers > 1:
        command += ["-n", str(workers), "--dist", "worksteal"]
    return subprocess.run([*command, *paths], cwd=ROOT, env=environment, check=False).returncode


def found() -> list[Cost]:
    """What the last run has measured."""
    return [json.loads(line) for file in sorted(OUT.glob("*.jsonl")) for line in file.read_text().splitlines()]


def _table(heading: str, costs: Iterable[tuple[str, Cost]]) -> list[str]:
    sums: dict[str, list[float]] = {}
    for name, cost in costs:
        row = sums.setdefault(name, [0.0, 0.0, 0.0, 0])
        for place, seconds in enumerate((cost["own"], cost["others"], cost["wall"], 1)):
            row[place] += seconds
    dearest = sorted(sums.items(), key=lambda one: -one[1][0] - one[1][1])[:SHOWN]
    lines = ["", f"{heading:<9} {'own':>8} {'others':>8} {'wall':>8} {'times':>6}"]
    return lines + [f"{'':<9} {row[0]:8.2f} {row[1]:8.2f} {row[2]:8.2f} {row[3]:6.0f}  {name}" for name, row in dearest]


def report(costs: list[Cost]) -> str:
    """Where the time goes."""
    tests = [cost for cost in costs if cost["kind"] == "test"]
    total = sum(cost["own"] + cost["others"] for cost in tests)
    lines = [f"{len(tests)} tests, {total:.0f} s of processor time"]
    lines += _table("files", ((cost["name"].split("::")[0], cost) for cost in tests))
    lines += _table("tests", ((cost["name"], cost) for cost in tests))
    lines += _table("fixtures", ((cost["name"], cost) for cost in costs if cost["kind"] == "fixture"))
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Measure unless told not to, then tell; note only when asked."""
    parser = argparse.ArgumentParser(
        prog="costs.py", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("paths", nargs="*", metavar="PATH")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--report", action="store_true")
    given, more = parser.parse_known_args(arguments)
    code = 0 if given.report else measure(given.workers, [*more, *given.paths])
    costs = found()
    sys.stdout.write(report(costs))
    if given.write:
        sys.path.insert(0, str(ROOT))
        from tests.daily import note

        note({cost["name"]: cost["own"] + cost["others"] for cost in costs if cost["kind"] == "test"})
    return code


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
