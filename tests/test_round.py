"""`make test`: checks run beside the tests, each says what it has to say apart, and whatever fails fails the run."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import PATIENCE, ROOT, until

Round = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Round:
    """`scripts/test.sh` of a project whose tests and checks are one line of shell each."""

    def begin(tests: str, checks: str, *arguments: str) -> subprocess.Popen[str]:
        for path, line in (("scripts/setup.sh", "true"), (".venv/bin/python", tests)):
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"#!/bin/sh\n{line}\n")
            file.chmod(0o755)
        shutil.copy(ROOT / "scripts" / "test.sh", tmp_path / "scripts")
        (tmp_path / "Makefile").write_text(f"check:\n\t@{checks}\n")
        free = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
        return subprocess.Popen(
            [tmp_path / "scripts" / "test.sh", *arguments], env=free, text=True, stdout=subprocess.PIPE
        )

    return begin


@pytest.mark.parametrize(
    ("tests", "checks", "code"),
    [("exit 0", "true", 0), ("exit 3", "true", 3), ("exit 0", "false", 2), ("exit 3", "false", 3)],
)
def test_a_round_is_green_when_tests_and_checks_are(start: Round, tests: str, checks: str, code: int) -> None:
    ended = start(f"echo tested; {tests}", f"echo checked; {checks}")
    told = ended.communicate(timeout=PATIENCE)[0]
    assert ended.returncode == code
    assert told.index("tested") < told.index("checks:") < told.index("checked"), "one after the other, never mixed"
    assert re.findall(r"^(set-up|tests|checks) +\d+\b", told, re.MULTILINE) == ["set-up", "tests", "checks"]


@pytest.mark.parametrize(("reached", "code"), [(0, 0), (1, 1)])
def test_what_is_taken_in_may_not_reach_less(start: Round, reached: int, code: int) -> None:
    """`make ci`: counted while the tests run, judged behind them; the judge is `coverage_doc.py --held`."""
    asked = 'case "$*" in *--held) exit {};; *--reached=out/coverage/reached) exit 0;; *) exit 9;; esac'
    ended = start(asked.format(reached), "true", "counted")
    told = ended.communicate(timeout=PATIENCE)[0]
    assert ended.returncode == code
    assert re.findall(r"^(tests|checks|coverage) +\d+\b", told, re.MULTILINE) == ["tests", "checks", "coverage"]


def test_checks_run_while_the_tests_do(start: Round, tmp_path: Path) -> None:
    """Each waits for the other to have begun."""
    wait = "while [ ! -e {} ]; do sleep 0.05; done"
    ended = start(f"touch one; {wait.format('two')}", f"touch two; {wait.format('one')}", "quick")
    ended.communicate(timeout=PATIENCE)
    assert ended.returncode == 0


def test_who_breaks_a_round_off_leaves_no_checks_behind(start: Round, tmp_path: Path) -> None:
    """As at a terminal: Ctrl-C reaches the script and the tests, and the shell shields what runs in the background from it."""
    ended = start("exec sleep 600", "echo $$$$ > pid; exec sleep 600")
    pid = int(until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text()))
    tests = until(lambda: [one for one in _children(ended.pid) if _said(one).startswith("sleep")])
    os.kill(ended.pid, signal.SIGTERM)
    for one in tests:
        os.kill(one, signal.SIGTERM)
    told = ended.communicate(timeout=PATIENCE)[0]
    assert ended.returncode != 0 and "set-up" in told
    until(lambda: not Path(f"/proc/{pid}").exists(), what="the end of the checks")


def _children(pid: int) -> list[int]:
    return [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]


def _said(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
