"""docs/security.md names tests that are there, and every attack of the script has its line."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

TEXT = (ROOT / "docs" / "security.md").read_text()


def test_every_test_it_names_is_there() -> None:
    """By name; files by their path, or what they are called."""
    written = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    named = set(re.findall(r"\btest_[a-z0-9_]+\b(?!\.py)", TEXT))
    assert len(named) > 60
    assert {name for name in named if f"def {name}(" not in written} == set()
    files = {Path(name).name for name in re.findall(r"[\w/]*\btest_[a-z0-9_]+\.py", TEXT)}
    assert files <= {path.name for path in (ROOT / "tests").rglob("test_*.py")}


def test_every_attack_has_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """And there is no line without an attack."""
    monkeypatch.setattr(sys, "path", [str(ROOT / "scripts" / "attacks"), *sys.path])
    attacks = importlib.import_module("run").ATTACKS
    part = TEXT.partition("## What was found")[2].partition("\n## ")[0]
    lines = [line.split(" | ")[0].removeprefix("| ") for line in part.splitlines() if line.startswith("| ")][1:]
    assert lines == list(attacks)
