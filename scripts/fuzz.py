"""Sends mutated inputs to everything that reads what others wrote, and counts; a crash or a hang fails.

usage: python scripts/fuzz.py [--cases N] [--seed S] [TARGET...]      N in all, shared out by how quick a target is

The same targets led by coverage: scripts/fuzz_guided.py.

Resumable: out/fuzz.json says how far each target is; a run with the same seed goes on from there (delete the file to
start over). A failing input is kept beside it in out/fuzz/ and named in the report.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import os
import random
import signal
import time
from pathlib import Path
from types import FrameType
from typing import Any

from fuzz_targets import Target, mutated, targets

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "out"
REPORT = OUT / "fuzz.json"
CHUNK = 2000
"""Cases between two notes in the report; each chunk has its own seed, so any one can be repeated alone."""
HANG = 30
"""Seconds by the wall after which one input counts as a hang (a busy machine is slow, not hung)."""
SLOW = 5.0
"""Seconds of processor time one input may take."""


TALK = os.fdopen(os.dup(2), "w", buffering=1)


def silence() -> None:
    """The libraries that unpack pictures remark on every broken one, a million times: nobody reads that."""
    logging.disable(logging.CRITICAL)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


class HangError(BaseException):
    """One input did not come back; no reader may catch this as one of its own refusals."""


def _hang(number: int, frame: FrameType | None) -> None:
    raise HangError


def _keep(name: str, data: bytes) -> str:
    folder = OUT / "fuzz"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name.replace(' ', '-')}-{hashlib.sha256(data).hexdigest()[:12]}"
    path.write_bytes(data)
    return path.name


def _chunk(name: str, target: Target, seed: str, count: int) -> dict[str, Any]:
    """One chunk: how long it took, its slowest case, how many were accepted, what failed."""
    chance = random.Random(seed)
    slowest, accepted, failures, began = 0.0, 0, list[str](), time.process_time()
    for _ in range(count):
        data = mutated(chance.choice(target.seeds), chance)
        before = time.process_time()
        signal.alarm(HANG)
        try:
            target.read(data)
            accepted += 1
        except target.refusals:
            pass
        except HangError:
            failures.append(f"{name}: hung: {_keep(name, data)}")
        except Exception as wrong:  # noqa: BLE001 - a crash of any kind is what we look for
            failures.append(f"{name}: {type(wrong).__name__}: {str(wrong)[:200]}: {_keep(name, data)}")
        finally:
            signal.alarm(0)
        took = time.process_time() - before
        if took > max(slowest, SLOW):
            failures.append(f"{name}: one input took {took:.1f} s: {_keep(name, data)}")
        slowest = max(slowest, took)
    seconds = time.process_time() - began
    return {"seconds": seconds, "slowest": slowest, "accepted": accepted, "failures": failures}


def run(cases: int, seed: int, wanted: list[str]) -> int:
    """Go on where the report ends; 0 when nothing failed."""
    signal.signal(signal.SIGALRM, _hang)
    silence()
    OUT.mkdir(exist_ok=True)
    report: dict[str, Any] = {"seed": seed, "cases": 0, "failures": [], "targets": {}}
    if REPORT.exists():
        before = json.loads(REPORT.read_text())
        if before.get("seed") == seed and "accepted" in str(before):
            report = before
    for name, target in targets().items():
        entry = report["targets"].setdefault(
            name, {"cases": 0, "accepted": 0, "cpu_seconds": 0.0, "slowest_ms": 0.0, "per_second": 0}
        )
        while entry["cases"] < int(cases * target.share) and (not wanted or name in wanted):
            count = min(CHUNK, int(cases * target.share) - entry["cases"])
            done = _chunk(name, target, f"{seed}/{name}/{entry['cases']}", count)
            entry["cases"] += count
            entry["accepted"] += done["accepted"]
            entry["cpu_seconds"] = round(entry["cpu_seconds"] + done["seconds"], 2)
            entry["slowest_ms"] = round(max(entry["slowest_ms"], 1000 * done["slowest"]), 1)
            entry["per_second"] = round(entry["cases"] / max(entry["cpu_seconds"], 0.01))
            report["failures"] = [*report["failures"], *done["failures"]][:200]
            report["cases"] = sum(one["cases"] for one in report["targets"].values())
            draft = REPORT.with_suffix(".new")
            draft.write_text(json.dumps(report, indent=2) + "\n")
            draft.replace(REPORT)
        TALK.write(f"{name}: {entry['cases']} cases, {entry['per_second']} a second\n")
    TALK.write("\n".join(report["failures"][:20]) + "\n" if report["failures"] else "")
    TALK.write(f"{report['cases']} cases, {len(report['failures'])} failures\n")
    return 1 if report["failures"] else 0


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wanted", nargs="*", metavar="TARGET")
    parser.add_argument("--cases", type=int, default=1_050_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    return run(asked.cases, asked.seed, asked.wanted)


if __name__ == "__main__":
    raise SystemExit(main())
