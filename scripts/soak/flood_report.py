"""What must hold while a table is flooded, and a report that grows flood by flood: a run that was cut short goes on."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

P99, IN, MEMORY = 250.0, 5.0, 100.0
"""Milliseconds, seconds, megabytes: what must hold."""


def wrong(during: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Everything that must not be; a fact of `after` that is false is one of it."""
    found = [f"turned away: {why}" for why in during["turned_away"]]
    if during["unanswered"] or not during["moves"] or during["move_p99_ms"] > P99:
        found.append(f"moves: p99 {during['move_p99_ms']} ms, {during['unanswered']} unanswered")
    if not during["newcomers"] or during["newcomer_worst_s"] > IN:
        found.append(f"a new phone got in after {during['newcomer_worst_s']} s")
    if during["memory_mb_above_rest"] > MEMORY:
        found.append(f"{during['memory_mb_above_rest']} MB above rest")
    if not all(fact for fact in after.values() if isinstance(fact, bool)) or any(
        n > 2 for n in after["handles"].values()
    ):
        found.append("afterwards it is not as before")
    return found


def told(name: str, one: dict[str, Any]) -> str:
    """One flood in a line, each figure with its budget."""
    figures = (
        f"moves p99 {one['move_p99_ms']} of {P99:.0f} ms ({one['moves']}), newcomer {one['newcomer_worst_s']} of {IN:.0f} s"
        f" ({one['newcomers']}), {one['memory_mb_above_rest']} of {MEMORY:.0f} MB"
    )
    return f"{name}: {figures}: {'; '.join(one['wrong']) or 'held'}\n"


def main(doc: str, names: Iterable[str], report: Path, flooded: Callable[[str, float], dict[str, Any]]) -> int:
    """Run what was asked for and has not held yet, for that long; write the report after each; judge all of them."""
    ask = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("name", nargs="*", choices=[*names, []], help="of a flood; none: all of them")
    ask.add_argument("--seconds", type=float, default=30.0, help="that each goes on")
    ask.add_argument(
        "--report", type=Path, default=report, help="floods that have held in it for as long are not run again"
    )
    ask.add_argument("--again", action="store_true", help="run them all the same")
    asked = ask.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # whoever is told to end takes table and flood along
    kept: dict[str, Any] = json.loads(asked.report.read_text()) if asked.report.exists() else {}
    asked.report.parent.mkdir(parents=True, exist_ok=True)
    wanted = asked.name or list(names)
    for name in wanted:
        before = kept.get(name, {"wrong": ["not run"]})
        if asked.again or before["wrong"] or before.get("seconds", 0.0) < asked.seconds:
            kept[name] = flooded(name, asked.seconds) | {"seconds": asked.seconds}
            asked.report.write_text(json.dumps(kept, indent=2) + "\n")
        sys.stderr.write(told(name, kept[name]))
    sys.stdout.write(json.dumps({name: kept[name] for name in wanted}, indent=2) + "\n")
    return 1 if any(kept[name]["wrong"] for name in wanted) else 0
