"""Writes docs/figures.md: what `tableside bench --json` measured, on which machine and when.

`figures.py` measures (some minutes, on a machine with nothing else to do); `figures.py FILE` takes rows measured before;
`--output PAGE` writes elsewhere.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

PAGE = Path(__file__).resolve().parent.parent / "docs" / "figures.md"


class Row(msgspec.Struct, frozen=True):
    """One figure as the bench prints it."""

    name: str
    value: float | str | None
    unit: str
    budget: float | str | None = None
    ok: bool | None = None
    n: int | None = None
    peers: dict[str, Any] = msgspec.field(default_factory=dict)


def machine() -> str:
    """Model, cores, memory and versions, without names that belong to a person."""
    model = ""
    for path, mark in (("/proc/device-tree/model", ""), ("/proc/cpuinfo", "model name")):
        try:
            text = Path(path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        model = next((line.split(":")[-1].strip(" \0") for line in text.splitlines() if line.startswith(mark)), "")
        if model:
            break
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    system = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    return (
        f"{model or platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GB, {system}, "
        f"Python {platform.python_version()}, load {os.getloadavg()[0]:.1f} when this was written"
    )


def number(value: float | str | None) -> str:
    """Four digits are enough for a figure."""
    if isinstance(value, bool) or value is None:
        return "" if value is None else str(value)
    return value if isinstance(value, str) else f"{value:.4g}" if abs(value) < 10_000 else f"{value:,.0f}"


def page(rows: list[Row], where: str, when: str) -> str:
    """The page as Markdown; a missed budget is said first, not hidden."""
    judged = [row for row in rows if row.ok is not None]
    missed = [row.name for row in judged if not row.ok]
    lines = [
        "# Figures",
        "",
        "Made by `scripts/figures.py` from `tableside bench --json`: do not edit by hand.",
        "",
        f"Measured {when} on: {where}.",
        "",
        f"{len(judged) - len(missed)} of {len(judged)} budgets kept."
        + (f" Missed: {', '.join(missed)}." if missed else ""),
        "",
        "| figure | value | budget | kept | sample | others |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        kept = {True: "yes", False: "**no**", None: ""}[row.ok]
        value = "not measured" if row.value is None else f"{number(row.value)} {row.unit}".strip()
        budget = "" if row.budget is None else f"{number(row.budget)} {row.unit}".strip()
        peers = ", ".join(
            f"{name} {number(one) if isinstance(one, int | float | str) else one}" for name, one in row.peers.items()
        )
        cells = (row.name, value, budget, kept, "" if row.n is None else str(row.n), peers)
        lines.append("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def written_by_others(page: str) -> str:
    """The sections after the figures: the lab's, and the runs of the tests."""
    _, heading, after = page.partition("\n## ")
    return f"## {after}" if heading else ""


def measured() -> bytes:
    """All benches, one after the other; a missed budget ends them with 1 and is no reason to stop."""
    command = [sys.executable, "-m", "companion.cli", "bench", "--json"]
    return subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout


def main(arguments: list[str] | None = None) -> int:
    """Measure or read, then write the page."""
    parser = argparse.ArgumentParser(prog="figures.py", description="Write docs/figures.md.")
    parser.add_argument("file", nargs="?", type=Path, help="rows measured before, as JSON")
    parser.add_argument("--output", type=Path, default=PAGE)
    given = parser.parse_args(arguments)
    stamp = given.file.stat().st_mtime if given.file and given.file.exists() else time.time()
    try:
        rows = msgspec.json.decode(given.file.read_bytes() if given.file else measured(), type=list[Row])
    except (OSError, msgspec.DecodeError) as wrong:
        sys.stderr.write(f"figures: no rows: {wrong}\n")
        return 1
    if not rows:
        sys.stderr.write("figures: the bench measured nothing\n")
        return 1
    others = written_by_others(given.output.read_text(encoding="utf-8")) if given.output.exists() else ""
    written = page(rows, machine(), time.strftime("%Y-%m-%d", time.gmtime(stamp)))
    given.output.write_text(written + (f"\n{others}" if others else ""), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
