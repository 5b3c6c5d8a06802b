"""The long runs: kills by the hundred, eight hours of load, floods, games by the thousand, all tests by the score.

Resumable: what is done stands in out/soak/report.json and is not run again (delete the file to start over).
usage: python scripts/soak.py [NAME...]      names as in the report or their first word; none: everything
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "out" / "soak"
PYTHON = sys.executable
MONKEY_GAMES, MONKEY_PART = 10_000, 250
"""Games of the monkey in all, and in one part: a run that is cut short goes on with the next part."""


def tasks() -> dict[str, tuple[list[str], dict[str, str]]]:
    """Every long run: its command and environment."""
    pytest = [PYTHON, "-m", "pytest", "-q", "-x", "--timeout=7200", "-p", "no:cacheprovider"]
    found: dict[str, tuple[list[str], dict[str, str]]] = {
        "kills-200": (
            [*pytest, "tests/companion/test_supervisor.py", "-k", "killed_and_frozen"],
            {"TABLESIDE_KILLS": "200"},
        ),
        "every-room-100": ([*pytest, "tests/e2e/test_alive.py"], {"TABLESIDE_KILLS": "100"}),
        "packs-in-time": ([*pytest, "tests/faults/test_packs.py"], {"TABLESIDE_KILLS": "100"}),
        "proofs": ([*pytest, "tests/hall/test_plans.py"], {"TABLESIDE_KILLS": "100"}),
        "power-cuts-2000": (
            [*pytest, "tests/faults/test_power_cut.py", "tests/faults/test_one_game_for_another.py"],
            {"TABLESIDE_KILLS": "2000", "TABLESIDE_CUT_STEP": "1"},
        ),
        "machine-cuts-200": ([PYTHON, "scripts/soak/machine_cuts.py", "--cuts", "200"], {}),
        "arm64": ([PYTHON, "scripts/lab.py", "arm64"], {}),
        "load-8h": ([PYTHON, "scripts/soak/load.py", "--report", str(OUT / "load-8h.json")], {}),
        "broker-floods": ([PYTHON, "scripts/soak/broker_floods.py", "--report", str(OUT / "broker-floods.json")], {}),
        "floods": ([PYTHON, "scripts/soak/floods.py", "--report", str(OUT / "floods.json")], {}),
        "hall-200": ([PYTHON, "scripts/soak/hall_kills.py", "--report", str(OUT / "hall-200.json")], {}),
        "fuzz-3000000": ([PYTHON, "scripts/fuzz.py", "--cases", "3000000"], {}),
        "rules-10000": ([PYTHON, "-m", "companion.cli", "bench", "rules", "--games", "10000"], {}),
        "explain-500": ([PYTHON, "scripts/soak/skytopia_explain.py", "500"], {}),
        "untold-5000": ([PYTHON, "scripts/soak/skytopia_untold.py", "5000"], {}),
        "green-20": ([PYTHON, "scripts/flaky.py", "--runs", "20", "--busy", "10"], {}),
        "mouse-50": ([PYTHON, "scripts/soak/restless_mouse.py", "--report", str(OUT / "mouse-50.json")], {}),
        "mutation": ([PYTHON, "-m", "mutmut", "run"], {}),
    }
    for first in range(0, MONKEY_GAMES, MONKEY_PART):
        command = [PYTHON, "-m", "companion.cli", "monkey", "all", "--seed", "1", "--from", str(first)]
        found[f"monkey-{first}"] = ([*command, "--games", str(MONKEY_PART)], {})
    for players in (2, 3, 4):
        for seed in range(1, 7):
            for mistakes in ("0", "0.05"):
                name = f"demo-{players}p-seed{seed}-mistakes{mistakes}"
                command = [PYTHON, "-m", "companion.cli", "demo", "--headless", "--fast"]
                command += ["--players", str(players), "--seed", str(seed), "--mistakes", mistakes]
                found[name] = ([*command, "--report", str(OUT / f"{name}.json")], {})
    for game, players in (
        ("praga", 1),
        ("praga", 2),
        ("praga", 3),
        ("praga", 4),
    ):
        command = [PYTHON, "-m", "companion.cli", "demo", "--headless", "--fast", "--game", game]
        found[f"demo-{game}-{players}p"] = ([*command, "--players", str(players), "--bot", "random"], {})
    for players in (2, 3, 4):  # twenty closed-loop games: bids on rendered islands, read by the camera
        for seed in range(1, 8 if players < 4 else 7):
            name = f"islands-{players}p-seed{seed}"
            command = [PYTHON, "-m", "companion.cli", "demo", "--headless", "--fast", "--game", "skyrise"]
            command += ["--players", str(players), "--seed", str(seed), "--report", str(OUT / f"{name}.json")]
            found[name] = (command, {})
    for game in ("yacht", "farkle"):  # a hundred closed-loop games of each: rendered throws, read by the camera
        found[f"throws-{game}"] = ([PYTHON, "scripts/soak/throws.py", game], {})
    return found


def main(wanted: list[str]) -> int:
    """Run what is not done yet; 0 when everything passed."""
    OUT.mkdir(parents=True, exist_ok=True)
    report = OUT / "report.json"
    done = json.loads(report.read_text()) if report.exists() else {}
    todo = {
        name: task
        for name, task in tasks().items()
        if (not wanted or {name, name.partition("-")[0]} & set(wanted)) and not done.get(name, {}).get("ok")
    }
    for number, (name, (command, environment)) in enumerate(todo.items(), 1):
        sys.stderr.write(f"[{number}/{len(todo)}] {name} ...\n")
        start = time.monotonic()
        with (OUT / f"{name}.log").open("wb") as log:
            ended = subprocess.run(command, cwd=ROOT, env=os.environ | environment, stdout=log, stderr=log, check=False)
        done[name] = {"ok": ended.returncode == 0, "seconds": round(time.monotonic() - start, 1)}
        report.write_text(json.dumps(done, indent=2) + "\n")
    failed = [name for name, entry in done.items() if not entry["ok"]]
    sys.stderr.write(f"{len(done) - len(failed)} passed, {len(failed)} failed: {', '.join(failed)}\nreport: {report}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
