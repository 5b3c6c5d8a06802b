"""Measures which branches the tests reach and writes docs/coverage.md, with every file that stays below and what is missing.

usage: python scripts/coverage_doc.py            runs the tests (about twice as long as `make test`), then writes
       python scripts/coverage_doc.py --report   writes from the last measurement in out/coverage, whose `how.txt` says how
       python scripts/coverage_doc.py --gate     the first case of each cheap test only: fails where less is reached than before
       python scripts/coverage_doc.py --held     the same of what `pytest --reached=out/coverage/reached` found on the way (CI)

Rooms run as processes: coverage follows them (`patch = subprocess`), and through `execv` and `_exit`. What a killed process had
seen is lost, so the figures are a lower bound. This file is also a pytest plugin: a worker writes down what it saw when its
tests end, because on a busy machine it is killed before it ends itself.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import coverage

from tests.reached import ROOMS, counting

ROOT = Path(__file__).resolve().parent.parent

OUT = ROOT / "out" / "coverage"
REACHED = OUT / "reached"
"""What processes of `tests/reached.py` wrote."""
HOW = OUT / "how.txt"
WANTED = 95.0
FLOOR = {"companion": 81.0, "display": 81.0, "firmware_bridge": 89.0, "hall": 32.5, "speech": 56.0, "vision": 76.5}
"""Per cent of branches that the counted tests reached when this was last measured, less the few that chance decides about: it
may only grow."""
SETTINGS = """\
[run]
branch = true
parallel = true
source =
    {rooms}
patch =
    subprocess
    _exit
    execv
sigterm = true
data_file = {out}/data
disable_warnings = no-data-collected, module-not-measured, couldnt-parse
"""
APART = {
    "tools/training/": "makes the networks, by hand, on another machine; the networks themselves are tested",
    "benches/": "measures; `tableside bench` is its own check, its figures are in docs/figures.md",
    "firmware_bridge/pico/": "runs under MicroPython, where coverage cannot look; tested there by `test_firmware.py`",
}
"""Not counted, and why."""
WHY = {
    "companion/virtual/demo.py": "the demo with a screen: its second window, and the tally that stays until Ctrl-C",
    "companion/virtual/": "the demo's ways out of a table that does not follow: reached only when something is slow",
    "companion/robots/thinking.py": "robots think in a process of their own, which is ended from outside",
    "companion/bots/": "searches that run to their limit",
    "companion/phone/build.py": "what is done and said when node has to be found, is missing or fails",
    "companion/door/mdns.py": "networks that refuse multicast",
    "companion/door/page_server.py": "addresses of real network cards; connections torn in mid-answer",
    "companion/machine/supervisor.py": "between fork and exec, where nothing can look; children that die between two lines",
    "companion/door/join.py": "phones that are freed, renewed or gone while the broker makes room for them; a crowd at the door",
    "companion/wire/bus.py": "encrypted lines, refused socket options, a broker that refuses us: in processes, some cut short",
    "companion/machine/broker.py": "encrypted lines; files of an earlier start on a full card",
    "companion/wire/room.py": "rooms that end by a signal; settings with mistakes, seen in processes",
    "companion/core/table.py": "settings with mistakes, rows left out, a reading that takes a move back",
    "companion/door/seats.py": "a thousand watchers, as many addresses that guess",
    "companion/core/announce.py": "a phone whose seat the next game does not have",
    "companion/wire/topics.py": "the file run as a program; topics nobody has",
    "companion/core/chance.py": "a hundred collisions in a row",
    "companion/past/lookup.py": "more games put away than are shown",
    "companion/core/session.py": "rows of a kind this version does not know",
    "companion/senses/sightings.py": "finds that vanish between two readings",
    "companion/past/tallies.py": "notes without a verdict",
    "companion/journal/spare_copy.py": "a row that need not be safe on disk yet",
    "companion/games/skytopia/pack.py": "nothing to restore in a game that is only counted",
    "companion/commands/": "what the doctor finds on this machine",
    "companion/box/terminal.py": "answers typed on a real terminal",
    "vision/camera/picamera.py": "the Pi's own camera: driven by a stand-in, some errors only the real one has",
    "vision/camera/": "cameras that fail in ways a file cannot",
    "vision/reader/": "finds so doubtful that no picture of ours has them; pictures of a few pixels",
    "vision/room.py": "networks that are missing; messages that are no command",
    "vision/commands.py": "a picture of a slot asked for by hand",
    "vision/terminal/check.py": "a table without a printed mat",
    "vision/terminal/calibrate.py": "a calibration that was damaged before",
    "vision/virtual/": "cards so full that no die fits",
    "vision/card": "prints so poor that no features are found",
    "firmware_bridge/gpio.py": "real pins",
    "firmware_bridge/firmware.py": "a real board being flashed",
    "firmware_bridge/serial_link.py": "ports that vanish between two system calls",
    "firmware_bridge/virtual.py": "a virtual dial without button or index",
    "firmware_bridge/keys.py": "keys for a dial that cannot be turned by a program",
}
"""What is missing where, in a line; the first that fits."""


def pytest_sessionfinish() -> None:
    """Write down what this process saw."""
    running = coverage.Coverage.current()
    if running is not None:
        running.save()


def measure() -> int:
    """Run the tests under coverage; failures are told, the figures written all the same."""
    OUT.mkdir(parents=True, exist_ok=True)
    for old in OUT.glob("data*"):
        old.unlink()
    settings = OUT / "coverage.ini"
    settings.write_text(SETTINGS.format(out=OUT, rooms="\n    ".join(ROOMS)))
    environment = os.environ | {"COVERAGE_RCFILE": str(settings)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # as in `make test`: what is compiled once need not be again
    # an empty part would mean whatever folder a process stands in
    path = os.pathsep.join(filter(None, (str(ROOT / "scripts"), os.environ.get("PYTHONPATH"))))
    how = ["-q", "-p", "no:cacheprovider", "--timeout=1800", "-n", "2", "--dist", "worksteal", "-p", "coverage_doc"]
    code = subprocess.run(
        [sys.executable, "-m", "coverage", "run", "-m", "pytest", *how],
        cwd=ROOT,
        env=environment | {"PYTHONPATH": path},
        check=False,
    ).returncode
    HOW.write_text("All tests, in one run with two workers.\n")
    for step in (["combine", "-q"], ["json", "-q", "-o", str(OUT / "coverage.json")]):
        subprocess.run([sys.executable, "-m", "coverage", *step], cwd=ROOT, env=environment, check=True)
    return code


def _why(file: str) -> str:
    return next((reason for start, reason in WHY.items() if file.startswith(start)), "")


def _missing(branches: list[list[int]]) -> str:
    """Where the first branches that nobody took begin."""
    lines = sorted({abs(start) for start, _ in branches})
    shown = ", ".join(map(str, lines[:12]))
    return f"{shown} …" if len(lines) > 12 else shown


def count(measured: Path = OUT / "coverage.json") -> dict[str, tuple[int, int, list[list[int]]]]:
    """By file: branches reached, branches there are, and those nobody took."""
    found: dict[str, tuple[int, int, list[list[int]]]] = {}
    for name, entry in json.loads(measured.read_text())["files"].items():
        figures = entry["summary"]
        if not any(name.startswith(start) for start in APART) and figures["num_branches"]:
            found[name] = (figures["covered_branches"], figures["num_branches"], entry["missing_branches"])
    return found


def share(counted: dict[str, tuple[int, int, list[list[int]]]], part: str) -> tuple[int, int, float]:
    """Branches reached and there are in a folder ("": everywhere), and the per cent that makes."""
    rows = [row for name, row in counted.items() if name.startswith(f"{part}/" if part else "")]
    reached, existing = sum(row[0] for row in rows), sum(row[1] for row in rows)
    return reached, existing, 100 * reached / existing if existing else 100.0


def gate() -> int:
    """What the counted tests reach of each room must not shrink. Whether they pass is for `make test` to say."""
    shutil.rmtree(REACHED, ignore_errors=True)
    how = ["-q", "-p", "no:cacheprovider", "-n", "2", "--dist", "worksteal", "-m", "counted", f"--reached={REACHED}"]
    subprocess.run([sys.executable, "-m", "pytest", *how], cwd=ROOT, check=False)
    return held()


def held() -> int:
    """The same of what was counted while all tests ran."""
    every, told = counting(REACHED), REACHED / "coverage.json"
    every.combine(keep=True)
    every.json_report(outfile=str(told))
    code, counted = 0, count(told)
    for room, floor in FLOOR.items():
        reached, existing, now = share(counted, room)
        fell = now < floor
        code = code or int(fell)
        sys.stdout.write(
            f"{room}: {reached} of {existing} branches, {now:.2f} % (at least {floor} %){' FELL' * fell}\n"
        )
    return code


def floors() -> str:
    """What the gate holds."""
    least = ", ".join(f"{room} {floor} %" for room, floor in FLOOR.items())
    return (
        f"The first case of each cheap test may not reach less in its own process (CI, `make coverage-gate`): {least}."
    )


def page() -> str:
    """The document."""
    counted = count()
    lines = [
        "# Coverage",
        "",
        "Branches reached by the tests, rooms in processes of their own included. Made by `scripts/coverage_doc.py`.",
        HOW.read_text().strip(),
        "",
        "| part | branches | reached | share |",
        "|---|---:|---:|---:|",
    ]
    for part in (*ROOMS, "companion/games", ""):
        reached, existing, now = share(counted, part)
        lines.append(f"| {part or '**all**'} | {existing} | {reached} | {now:.1f} % |")
    lines += ["", floors(), "", "Not counted:", ""]
    lines += [f"- `{start}`: {reason}" for start, reason in APART.items()]
    low = sorted((reached / existing, name) for name, (reached, existing, _) in counted.items())
    lines += [
        "",
        f"## Files below {WANTED:.0f} %",
        "",
        "| file | share | not reached from line | what that is |",
        "|---|---:|---|---|",
    ]
    for part_reached, name in low:
        if 100 * part_reached < WANTED:
            lines.append(f"| `{name}` | {100 * part_reached:.0f} % | {_missing(counted[name][2])} | {_why(name)} |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Measure unless told not to, then write."""
    if "--gate" in arguments:
        return gate()
    if "--held" in arguments:
        return held()
    code = 0 if "--report" in arguments else measure()
    (ROOT / "docs" / "coverage.md").write_text(page())
    return code


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
