"""The targets of `fuzz.py`, led by coverage: what reaches a new branch is bent further.

usage: python scripts/fuzz_guided.py [--seconds N] [TARGET...]      so many seconds a target, in a process of its own

Needs atheris (`pip install -e .[fuzz]`; wheels for x86-64). Good inputs are found again in out/fuzz/corpus-*, a failing one
is kept in out/fuzz/ and named; cases, seconds and branches reached are in out/fuzz-guided.json.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "out"
REPORT = OUT / "fuzz-guided.json"
OURS = ["companion", "firmware_bridge", "vision.reader.files", "fuzz_targets"]
"""What is watched; the libraries beneath would only slow the search down."""
USUAL = (
    *("messages", "move requests", "serial frames", "join requests", "journal files", "box files", "settings"),
    *("backups", "recorded games", "catalogues", "tally praga", "tally scorepad", "tally skyrise", "tally skytopia"),
)
HANG = 30
LONGEST = 40_000
DONE = re.compile(r"Done (\d+) runs in (\d+) second")
REACHED = re.compile(r"cov: (\d+)")


def run(seconds: int, wanted: list[str]) -> int:
    """One target after the other; 0 when nothing failed."""
    OUT.mkdir(exist_ok=True)
    report: dict[str, Any] = json.loads(REPORT.read_text()) if REPORT.exists() else {}
    failed = []
    for name in wanted or USUAL:
        report[name] = _watched(name, seconds)
        REPORT.write_text(json.dumps(report, indent=2) + "\n")
        sys.stdout.write(f"{name}: {report[name]}\n")
        if report[name]["failed"]:
            failed.append(name)
    total = sum(entry["cases"] for entry in report.values())
    sys.stdout.write(f"{total} cases in all, {len(failed)} targets failed: {', '.join(failed)}\n")
    return 1 if failed else 0


def _watched(name: str, seconds: int) -> dict[str, Any]:
    """A target in a process of its own, which the search leaves without tidying up."""
    with tempfile.TemporaryDirectory(prefix="tableside-fuzz-", dir=_memory()) as scratch:
        command = [sys.executable, __file__, "--one", name, "--seconds", str(seconds)]
        environment = os.environ | {"FUZZ_SCRATCH": scratch}
        ended = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    said = ended.stdout.decode(errors="replace")
    (OUT / "fuzz").mkdir(exist_ok=True)
    (OUT / "fuzz" / f"guided-{_file_name(name)}.log").write_text(said)
    done, reached = DONE.search(said), REACHED.findall(said)
    return {
        "cases": int(done.group(1)) if done else 0,
        "seconds": int(done.group(2)) if done else 0,
        "branches_at_first": int(reached[0]) if reached else 0,
        "branches": int(reached[-1]) if reached else 0,
        "failed": ended.returncode != 0 or done is None,
    }


def _memory() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _file_name(name: str) -> str:
    return name.replace(" ", "-")


def search(name: str, seconds: int) -> None:
    """Does not return: the search ends the process."""
    import atheris

    with atheris.instrument_imports(include=OURS):
        from fuzz_targets import mutated, targets

        target = targets()[name]  # the games are found, and so watched, only now
    logging.disable(logging.CRITICAL)
    corpus = OUT / "fuzz" / f"corpus-{_file_name(name)}"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds):
        (corpus / f"seed-{number}").write_bytes(seed)

    def one(data: bytes) -> None:
        try:
            target.read(data)
        except target.refusals:
            return

    def bend(data: bytes, longest: int, number: int) -> bytes:
        """Half of the steps are the search's own, half bend the meaning."""
        chance = random.Random(number)
        if chance.random() < 0.5:
            return bytes(atheris.Mutate(data, longest))
        try:
            return mutated(data or chance.choice(target.seeds), chance)[:longest]
        except (ValueError, RecursionError):
            return bytes(atheris.Mutate(data, longest))

    prefix = f"-artifact_prefix={OUT / 'fuzz'}{os.sep}{_file_name(name)}-"
    limits = [f"-max_total_time={seconds}", f"-timeout={HANG}", f"-max_len={LONGEST}", prefix]
    atheris.Setup([sys.argv[0], *limits, str(corpus)], one, custom_mutator=bend)
    atheris.Fuzz()


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wanted", nargs="*", metavar="TARGET")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--one", default="", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        search(asked.one, asked.seconds)
    return run(asked.seconds, asked.wanted)


if __name__ == "__main__":
    raise SystemExit(main())
