"""What is done once at the beginning of a run of several workers."""

from __future__ import annotations

import gc
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import begun
from tests.conftest import ROOT

TESTS = ROOT / "tests"


def worker(number: int, of: int, *args: str) -> Any:
    given = {"workerid": f"gw{number}", "workercount": of}
    return SimpleNamespace(workerinput=given, args=args or (str(TESTS),))


@pytest.fixture
def imported(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What would be imported."""
    names: list[str] = []
    monkeypatch.setattr(begun.importlib, "import_module", names.append)
    return names


def test_each_file_is_one_workers_to_import(imported: list[str]) -> None:
    """None is left out that others could have found compiled, none is done twice."""
    for number in range(3):
        before = len(imported)
        begun.import_share(worker(number, 3), TESTS)
        assert len(imported) - before > 50
    assert len(imported) == len(set(imported))
    assert {"tests.test_begun", "tests.companion.praga.test_praga_screen"} <= {*imported}


def test_a_part_of_the_tests_imports_nothing_else(imported: list[str]) -> None:
    """Whoever asks for one file, or has no workers, waits for no other."""
    begun.import_share(worker(0, 2, str(Path(__file__))), TESTS)
    begun.import_share(SimpleNamespace(args=(str(TESTS),)), TESTS)  # type: ignore[arg-type]
    assert imported == []


def test_what_cannot_be_imported_is_left_to_the_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    """It names the file and the line; a worker that broke down before would not."""

    def broken(name: str) -> None:
        raise SyntaxError(name)

    monkeypatch.setattr(begun.importlib, "import_module", broken)
    begun.import_share(worker(0, 1), TESTS)


def test_what_is_there_after_the_collection_is_not_looked_through_again() -> None:
    """Python goes on looking through everything else: what tests leave behind in circles goes away."""
    frozen, mark = gc.get_freeze_count(), object()
    with begun.kept_for_good():
        assert not gc.isenabled()
        kept = [mark]
    assert gc.isenabled()
    assert gc.get_freeze_count() > frozen
    assert not any(found is kept for found in gc.get_objects()), "it is out of sight"
    circle: list[Any] = []
    circle.append(circle)
    assert any(found is circle for found in gc.get_objects())
