"""One figure of the benches: measured, with its budget, its sample size and its peers; and how figures are shown."""

from __future__ import annotations

import sys
from typing import Any

import msgspec

Row = dict[str, Any]


def row(
    name: str,
    value: float,
    unit: str,
    budget: float | None,
    *,
    n: int,
    least: bool = False,
    peers: dict[str, Any] | None = None,
    **more: Any,
) -> Row:
    """One figure; `least`: the budget is a floor, not a ceiling."""
    ok = None if budget is None else (value >= budget if least else value <= budget)
    return {
        "name": name,
        "value": round(value, 4),
        "unit": unit,
        "budget": budget,
        "ok": ok,
        "n": n,
        "peers": peers or {},
        **more,
    }


def percentile(values: list[float], share: float) -> float:
    """The value that `share` of all do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


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


def show(rows: list[Row], *, as_json: bool) -> int:
    """Print a bench's figures; the exit code is 1 when a budget was missed."""
    sys.stdout.write((msgspec.json.encode(rows).decode() if as_json else report(rows)) + "\n")
    return int(any(figure["ok"] is False for figure in rows))
