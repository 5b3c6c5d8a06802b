"""Closed-loop dice games by the hundred: rendered throws, read by the camera, told by the core, compared with what was thrown.

One table plays game after game, so that each costs seconds. Every finished game is a line of the report; a run that is cut short
goes on with the next seed.
usage: python scripts/soak/throws.py GAME [--games 100] [--from 1] [--report out/soak/throws-GAME.jsonl]
       python scripts/soak/throws.py sum [REPORT...]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from companion.virtual import demo
from companion.virtual.result import passed, report

OUT = Path("out/soak")
QUESTIONS, LATE_MS = 0.02, 400.0


def lines(path: Path) -> list[dict[str, Any]]:
    """The games of a report."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def played(game: str, seeds: list[int], path: Path) -> bool:
    """Play these, a line each; whether all went well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    well, code = True, version()
    with path.open("a") as out:
        for result in demo.one_after_another(game, 1, seeds):
            well = well and passed(result)
            throws = {
                "latency_ms": [round(ms) for ms in result.latency_ms],
                "cpu_ms": [round(ms) for ms in result.cpu_ms],
            }
            out.write(json.dumps(report(result) | throws | {"version": code}, separators=(",", ":")) + "\n")
            out.flush()
    return well


def version() -> str:
    """The code that plays."""
    said = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return said.stdout.strip()


def p95(values: list[float]) -> float:
    """Nineteen of twenty are no more."""
    return sorted(values)[int(0.95 * (len(values) - 1))] if values else 0.0


def summed(paths: list[Path]) -> bool:
    """Say what all games of each report come to; whether they hold."""
    holds = True
    for path in paths:
        games = lines(path)
        throws, asked = sum(one["throws"] for one in games), sum(one["questions"] for one in games)
        wrong, equal = sum(one["misreads"] for one in games), sum(one["equal"] for one in games)
        late, spent = ([ms for one in games for ms in one[name]] for name in ("latency_ms", "cpu_ms"))
        share = asked / max(1, throws)
        versions = ", ".join(sorted({one.get("version", "?") for one in games}))
        sys.stdout.write(
            f"{path.stem} ({versions}): {len(games)} games, tallies equal {equal}, {throws} throws, "
            f"wrongly committed {wrong}, questions {asked} ({100 * share:.2f} % of throws), "
            f"announced p95 {p95(late):.0f} ms, processor time of the table p95 {p95(spent):.0f} ms, "
            f"{sum(one['seconds'] for one in games):.0f} s\n"
        )
        holds &= equal == len(games) and wrong == 0 and share <= QUESTIONS and p95(late) <= LATE_MS
    return holds


def main(argv: list[str]) -> int:
    """Play what is not played yet, or add up."""
    if argv[:1] == ["sum"]:
        return 0 if summed([Path(name) for name in argv[1:]] or sorted(OUT.glob("throws-*.jsonl"))) else 1
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--report", type=Path)
    args = parser.parse_args(argv)
    path = args.report or OUT / f"throws-{args.game}.jsonl"
    done = {one["seed"] for one in lines(path)}
    seeds = [seed for seed in range(args.first, args.first + args.games) if seed not in done]
    well = played(args.game, seeds, path)
    summed([path])
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
