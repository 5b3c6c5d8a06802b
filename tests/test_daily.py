"""The daily round holds what is cheap: by what was measured, and whatever grows dear since then is found."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scripts import costs, coverage_doc
from tests import daily, reached
from tests.conftest import ROOT


def item(name: str, *fixtures: str, long: bool = False) -> Any:
    mark = pytest.mark.long(3).mark if long else None
    return SimpleNamespace(nodeid=name, fixturenames=fixtures, get_closest_marker=lambda _: mark)


@pytest.fixture
def dear(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Another note."""
    kept = tmp_path / "costs.json"
    kept.write_text(json.dumps({"tests/a/test_a.py::test_dear[1]": 3.0, "tests/b/test_b.py::test_gone": 0.5}))
    monkeypatch.setattr(daily, "NOTED", kept)
    daily.noted.cache_clear()
    return kept


@pytest.fixture(autouse=True)
def as_noted() -> Any:
    yield
    daily.noted.cache_clear()


def test_the_daily_round_is_what_is_cheap_and_has_no_table_of_its_own(dear: Path) -> None:
    assert daily.marks(item("tests/a/test_a.py::test_dear[2]")) == ["alone", "quick"]
    assert daily.marks(item("tests/a/test_a.py::test_dear[1]")) == ["alone"]
    for name, fixtures, long in (
        ("tests/e2e/test_a.py::test_a", (), False),
        ("tests/a/test_a.py::test_a", ("tmp_path", "ports"), False),
        ("tests/a/test_a.py::test_a", (), True),
    ):
        assert daily.marks(item(name, *fixtures, long=long)) == []


def test_what_is_noted_is_what_was_measured_last(dear: Path) -> None:
    """Of a file that was measured nothing older stays, of others everything; what tries the table as a whole needs no note."""
    daily.note(
        {"tests/a/test_a.py::test_dear[1]": 0.1, "tests/a/test_a.py::test_b": 0.34, "tests/e2e/test_c.py::test_c": 9}
    )
    assert json.loads(dear.read_text()) == {"tests/a/test_a.py::test_b": 0.3, "tests/b/test_b.py::test_gone": 0.5}


def test_what_became_dear_is_said_by_the_daily_round() -> None:
    """Waiting costs nothing, working does."""
    with daily.held_short("test_a", 0.05):
        time.sleep(0.1)
    with pytest.raises(pytest.fail.Exception, match="test_a took"), daily.held_short("test_a", 0.05):
        began = time.process_time()
        while time.process_time() < began + 0.06:
            pass


def test_of_each_cheap_test_the_first_case_is_counted() -> None:
    """They reach nearly all that all cases reach."""

    def case(name: str, mark: str = "quick") -> Any:
        return SimpleNamespace(nodeid=name, get_closest_marker=lambda wanted: wanted == mark or None)

    cases = [case("a::one[1]"), case("a::one[2]"), case("a::two", "alone"), case("b::one[1]"), case("b::three")]
    assert [one.nodeid for one in daily.first_cases(cases)] == ["a::one[1]", "b::one[1]", "b::three"]


def test_whoever_reaches_less_than_before_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One branch of two, by a function called while it is counted; what is below its floor fails."""
    room = tmp_path / "room"
    room.mkdir()
    (room / "door.py").write_text("def knock(late):\n    if late:\n        return 1\n    return 2\n")
    for place, name, value in (
        (reached, "ROOT", tmp_path),
        (reached, "ROOMS", ("room",)),
        (coverage_doc, "REACHED", tmp_path / "out"),
    ):
        monkeypatch.setattr(place, name, value)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    code = "from pathlib import Path; from tests import reached; import sys; reached.ROOT = Path('.').resolve(); "
    code += "reached.ROOMS = ('room',); here = reached.Reached(Path('out')); here._count.start(); import room.door; "
    code += "room.door.knock(True); here._count.stop(); here.pytest_sessionfinish()"
    subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True)
    for floor, code in ((50.0, 0), (50.1, 1)):
        monkeypatch.setattr(coverage_doc, "FLOOR", {"room": floor})
        assert coverage_doc.held() == code


def test_every_note_is_of_a_test_there_is() -> None:
    """One that was renamed would be in the daily round again, and its note be of nothing."""
    for file in sorted({name.split("::")[0] for name in daily.noted()}):
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        there = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        noted = {name.split("::")[-1].split("[")[0] for name in daily.noted() if name.startswith(f"{file}::")}
        assert noted <= there, f"{file}: `scripts/costs.py --write {file}`"


def test_a_tests_cost_is_its_own_and_its_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a process that has ended and of one that still runs; sleeping is nobody's."""
    (tmp_path / "test_x.py").write_text(PRETEND)
    monkeypatch.setattr(costs, "OUT", tmp_path)
    monkeypatch.setattr(costs, "ROOT", tmp_path)
    assert costs.measure(1, ["-q"]) == 0
    found = {one["name"].split("::")[-1]: one for one in costs.found()}
    assert found["test_works"]["own"] >= 0.2 > found["test_works"]["others"]
    assert found["test_starts"]["others"] >= 0.4 > found["test_starts"]["own"]
    assert found["test_sleeps"]["own"] + found["test_sleeps"]["others"] < 0.2 <= found["test_sleeps"]["wall"]
    assert found["prepared (module)"]["own"] >= 0.2
    told = costs.report(costs.found())
    assert told.startswith("3 tests, 1 s of processor time")
    assert told.index("test_starts") < told.index("test_sleeps")


PRETEND = """
import subprocess, sys, time
import pytest

LOOP = "import time\\nwhile time.process_time() < 0.25: pass"

def work():
    end = time.process_time() + 0.2
    while time.process_time() < end: pass

@pytest.fixture(scope="module")
def prepared():
    work()

def test_works(prepared): pass

def test_starts():
    subprocess.run([sys.executable, "-c", LOOP])
    runs = subprocess.Popen([sys.executable, "-c", LOOP + "\\nprint(1, flush=True)\\nimport time; time.sleep(60)"], stdout=-1)
    runs.stdout.readline()
    globals()["runs"] = runs

def test_sleeps():
    time.sleep(0.2)
    runs.kill()
"""
