"""Runs the tests again and again, in another order each time, and names what differs from run to run.

usage: python scripts/flaky.py [--runs 20] [--busy 10] [--workers 4] [--write] [PATH...]      no path: everything
       python scripts/flaky.py --more 3                             further runs of tonight's commit, noted for good

Of the runs, `--busy` have every core busy with something else. Each has a number, and its order follows from it: run 7 is
always run 7. Resumable: what was run on this commit stands in out/flaky and is not run again. `--write` puts the list of runs
into docs/figures.md. `--more` goes on where docs/runs.json ends, every other run beside busy cores, and notes each run there and
in docs/figures.md as soon as it has ended: twenty in a row may take several nights. Ends with 0 when every run was green.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from xml.etree import ElementTree

import msgspec

from companion.wire.process import dies_with

SCRIPTS = Path(__file__).resolve().parent
ROOT = SCRIPTS.parent
OUT = ROOT / "out" / "flaky"
PAGE = ROOT / "docs" / "figures.md"
NOTED = ROOT / "docs" / "runs.json"
HEADING = "## Runs of the tests"
LONGEST = 5400
"""Seconds a run may take; a loop that keeps a core busy ends by itself after as many."""
LOOP = f"import time\nend = time.monotonic() + {LONGEST}\nwhile time.monotonic() < end: pass"


class Run(msgspec.Struct):
    """One run and what failed in it."""

    number: int
    busy: bool
    commit: str
    paths: tuple[str, ...]
    day: str = ""
    load: float = 0.0
    """Processes that wanted a processor in the minute before."""
    tests: int = 0
    seconds: float = 0.0
    failed: dict[str, str] = {}
    """Test -> the line that says why."""
    problem: str = ""
    """Why there is no result."""

    def same_as(self, wanted: Run) -> bool:
        """This is the run that is wanted: nothing was changed since."""
        asked = (wanted.number, wanted.busy, wanted.commit, wanted.paths)
        return (self.number, self.busy, self.commit, self.paths) == asked and not self.commit.endswith("-dirty")

    @property
    def green(self) -> bool:
        """Everything ran and nothing failed."""
        return not self.failed and not self.problem


@contextmanager
def busy_cores() -> Iterator[None]:
    """Every core has something else to do; the loops end with us, however we end."""
    loops = [
        subprocess.Popen([sys.executable, "-c", LOOP], preexec_fn=dies_with(os.getpid()))  # noqa: PLW1509
        for _ in range(os.cpu_count() or 2)
    ]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def once(run: Run, workers: int) -> None:
    """Run the tests in this run's order; what came of it is written into `run`."""
    result, log = OUT / f"run-{run.number}.xml", OUT / f"run-{run.number}.log"
    result.unlink(missing_ok=True)
    run.day, run.load = time.strftime("%Y-%m-%d"), round(os.getloadavg()[0], 1)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "shuffled", f"--junitxml={result}"]
    if workers > 1:
        command += ["-n", str(workers), "--dist", "worksteal"]
    path = os.pathsep.join(filter(None, (str(SCRIPTS), os.environ.get("PYTHONPATH"))))
    environment = os.environ | {"PYTHONPATH": path, "TABLESIDE_ORDER": str(run.number)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # as in `make test`: what is compiled once need not be again
    began = time.monotonic()
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, *run.paths],
            cwd=ROOT,
            env=environment,
            stdout=out,
            stderr=out,
            preexec_fn=dies_with(os.getpid(), signal.SIGTERM),  # noqa: PLW1509 - nothing else runs here
        )
        try:
            process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    run.seconds = round(time.monotonic() - began, 1)
    try:
        run.tests, run.failed = read(result)
    except (OSError, ElementTree.ParseError):
        run.problem = f"no result (exit code {process.returncode}); see {log.name}"
    else:
        run.problem = "" if run.tests else "nothing was tested"


def read(result: Path) -> tuple[int, dict[str, str]]:
    """How many tests ran, and which failed with which words."""
    cases = list(ElementTree.parse(result).iter("testcase"))
    failed: dict[str, str] = {}
    for case in cases:
        wrong = next((found for kind in ("failure", "error") if (found := case.find(kind)) is not None), None)
        if wrong is not None:
            why = (wrong.get("message") or wrong.text or "").strip().splitlines()
            failed[f"{case.get('classname')}::{case.get('name')}"] = why[0][:160] if why else ""
    return len(cases), failed


def report(runs: list[Run]) -> str:
    """The runs one by one, and what differs between them."""
    green = sum(run.green for run in runs)
    row = next((number for number, run in enumerate(reversed(runs)) if not run.green), len(runs))
    lines = [
        HEADING,
        "",
        f"{green} of {len(runs)} runs were green, the last {row} of them in a row, each in another order (`scripts/flaky.py`).",
        "",
    ]
    lines += [
        "| run | day | cores | load before | tests | failed | minutes | commit |",
        "|---:|---|---|---:|---:|---:|---:|---|",
    ]
    for run in runs:
        what = run.problem or str(len(run.failed))
        beside = "busy with something else" if run.busy else "free"
        told = (run.number, run.day, beside, run.load, run.tests, what, f"{run.seconds / 60:.1f}", run.commit[:10])
        lines.append(f"| {' | '.join(map(str, told))} |")
    names = sorted({name for run in runs for name in run.failed})
    if names:
        lines += ["", "| test | failed in runs | of them busy | why, the first time |", "|---|---|---:|---|"]
    for name in names:
        where = [run for run in runs if name in run.failed]
        numbers = ", ".join(str(run.number) for run in where) if len(where) < len(runs) else "all"
        why = where[0].failed[name].replace("|", "\\|")
        lines.append(f"| `{name}` | {numbers} | {sum(run.busy for run in where)} | {why} |")
    return "\n".join(lines) + "\n"


def without_runs(page: str) -> tuple[str, str]:
    """A page of figures, and the list of runs at its end."""
    before, heading, after = page.partition(HEADING)
    return before.rstrip("\n") + "\n", (heading + after) if heading else ""


def commit() -> str:
    """What is tested: the commit, and whether something was changed since."""
    asked = subprocess.run(
        ["git", "describe", "--always", "--abbrev=40", "--dirty"], cwd=ROOT, capture_output=True, check=True
    )
    return asked.stdout.decode().strip()


def noted(kept: Path) -> list[Run]:
    """Runs that were written down there."""
    return msgspec.json.decode(kept.read_bytes(), type=list[Run]) if kept.exists() else []


def note(kept: Path, runs: list[Run]) -> None:
    """Write them down."""
    kept.write_bytes(msgspec.json.format(msgspec.json.encode(runs), indent=2) + b"\n")


def show(told: str) -> None:
    """Put the list of runs at the end of the page of figures."""
    PAGE.write_text(without_runs(PAGE.read_text())[0] + "\n" + told)


def more(count: int, workers: int, paths: tuple[str, ...]) -> int:
    """Go on where the noted runs end, whichever commit they were of; every run is noted before the next one begins."""
    tested, runs, green = commit(), noted(NOTED), True
    for _ in range(count):
        number = runs[-1].number + 1 if runs else 1
        run = Run(number, number % 2 == 1, tested, paths)
        with busy_cores() if run.busy else nullcontext():
            once(run, workers)
        runs.append(run)
        note(NOTED, runs)
        show(report(runs))
        green = green and run.green
        sys.stderr.write(f"run {number}: {run.tests} tests, {len(run.failed)} failed {run.problem}\n")
    sys.stdout.write(report(runs))
    return 0 if green else 1


def main(arguments: list[str]) -> int:
    """Run what was not run yet, then report."""
    parser = argparse.ArgumentParser(
        prog="flaky.py", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("paths", nargs="*", metavar="PATH")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--busy", type=int, default=10)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--more", type=int, default=0)
    given = parser.parse_args(arguments)
    OUT.mkdir(parents=True, exist_ok=True)
    if given.more:
        return more(given.more, given.workers, tuple(given.paths))
    kept, tested = OUT / "runs.json", commit()
    done = noted(kept)
    runs: list[Run] = []
    for number in range(1, given.runs + 1):
        run = Run(number, number <= given.busy, tested, tuple(given.paths))
        before = next((one for one in done if one.same_as(run)), None)
        if before is None:
            with busy_cores() if run.busy else nullcontext():
                once(run, given.workers)
        runs.append(before or run)
        note(kept, runs)
        sys.stderr.write(f"run {number}: {runs[-1].tests} tests, {len(runs[-1].failed)} failed {runs[-1].problem}\n")
    told = report(runs)
    (OUT / "report.md").write_text(told)
    sys.stdout.write(told)
    if given.write:
        show(told)
    return 0 if all(run.green for run in runs) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
