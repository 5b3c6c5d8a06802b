"""`tableside bench`: the figures the design promises, measured here and reported as they are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec

Row = dict[str, Any]

BENCHES = ("core", "rules", "dial", "vision", "display", "phones", "loop")
ROOMS = {"dial": "firmware_bridge", "vision": "vision", "display": "display"}
"""Measured by the room itself, in its own process."""


def row(name: str, value: float, unit: str, budget: float | None, *, n: int, least: bool = False, **peers: Any) -> Row:
    """One figure; `least`: the budget is a floor, not a ceiling."""
    ok = None if budget is None else (value >= budget if least else value <= budget)
    return {"name": name, "value": round(value, 4), "unit": unit, "budget": budget, "ok": ok, "n": n, "peers": peers}


def percentile(values: list[float], share: float) -> float:
    """The value that `share` of all do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def measure(names: list[str], *, games: int = 0, photos: Path | None = None) -> list[Row]:
    """Run the named benches, one after the other."""
    rows: list[Row] = []
    for name in names:
        sys.stderr.write(f"measuring {name} ...\n")
        if name in ROOMS:
            rows += _room(name, photos)
        elif name == "core":
            from benches.core import rows as core_rows

            rows += core_rows()
        elif name == "rules":
            from benches.rules import rows as rules_rows

            rows += rules_rows(games)
        elif name == "phones":
            from benches.phones import rows as phone_rows

            rows += phone_rows()
        else:
            from benches.loop import rows as loop_rows

            rows += loop_rows()
    return rows


def _room(name: str, photos: Path | None) -> list[Row]:
    """A room's own bench, in its own process: the core does not import it."""
    command = [sys.executable, "-m", ROOMS[name], "bench", "--json"]
    if name == "vision" and photos is not None:
        command += ["--photos", str(photos)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    try:
        return msgspec.json.decode(done.stdout, type=list[Row])
    except msgspec.DecodeError:
        return [{"name": name, "value": None, "unit": "", "budget": None, "ok": False, "n": 0, "peers": {}}]


def report(rows: list[Row]) -> str:
    """For people."""
    lines = [f"{'':4}{'figure':48}{'value':>12}  {'budget':>10}  {'n':>7}"]
    for figure in rows:
        sign = {True: "ok", False: "NO", None: ""}[figure.get("ok")]
        budget = "" if figure.get("budget") is None else str(figure["budget"])
        lines.append(
            f"{sign:4}{figure['name']:48}{figure['value']!s:>12} {figure['unit']:<4}{budget:>8}  {figure.get('n', '')!s:>7}"
        )
        for peer, value in (figure.get("peers") or {}).items():
            lines.append(f"{'':8}{peer}: {value}")
    return "\n".join(lines)
