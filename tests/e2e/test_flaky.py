"""The tests' tester: it finds what depends on order or luck, names it, and does not run twice what it knows."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from tests.conftest import ROOT

LUCK = """
done = []

def test_first():
    done.append(1)

def test_second():
    done.append(2)

def test_that_wants_to_be_last():
    assert len(done) == 2, "somebody is missing"

def test_that_never_works():
    raise ValueError("no")
"""


@pytest.fixture
def flaky(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The script, with a folder of its own and an unchanged commit."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import flaky

    monkeypatch.setattr(flaky, "OUT", tmp_path / "out")
    monkeypatch.setattr(flaky, "ROOT", tmp_path)
    monkeypatch.setattr(flaky, "commit", lambda: "a" * 40)
    monkeypatch.setattr(flaky, "SCRIPTS", ROOT / "scripts")
    monkeypatch.setenv(
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1"
    )  # a dozen runs of four lines need no browser to be looked for
    return flaky


def test_what_depends_on_the_order_is_told_from_what_never_works(
    flaky: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Six orders, one of them beside busy cores: one test fails in some runs, one in all, two in none."""
    luck = tmp_path / "test_luck.py"
    luck.write_text(LUCK)
    asked = ["--runs", "6", "--busy", "1", "--workers", "1", str(luck)]
    assert flaky.main(asked) == 1
    told = capsys.readouterr().out
    rows = {line.split("`")[1]: line for line in told.splitlines() if line.startswith("| `")}
    assert set(rows) == {"test_luck::test_that_wants_to_be_last", "test_luck::test_that_never_works"}
    assert "| all | 1 | ValueError: no |" in rows["test_luck::test_that_never_works"]
    assert "somebody is missing" in rows["test_luck::test_that_wants_to_be_last"]
    assert "| all |" not in rows["test_luck::test_that_wants_to_be_last"]
    assert told.count("busy with something else") == 1
    assert told.startswith("## Runs of the tests\n\n0 of 6 runs were green, the last 0 of them in a row")

    luck.unlink()  # what is known is not run again
    assert flaky.main(asked) == 1
    assert capsys.readouterr().out == told


def test_a_run_without_a_result_is_no_green_one(flaky: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing was collected, or pytest itself fell over."""
    assert flaky.main(["--runs", "1", "--busy", "0", "--workers", "1", "no/such/test.py"]) == 1
    assert "0 of 1 runs" in capsys.readouterr().out


def test_further_runs_go_on_where_the_noted_ones_end(
    flaky: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another night, another commit: each run has the next number, is noted when it has ended, and every other one is busy."""
    page, kept, luck = tmp_path / "figures.md", tmp_path / "runs.json", tmp_path / "test_luck.py"
    monkeypatch.setattr(flaky, "PAGE", page)
    monkeypatch.setattr(flaky, "NOTED", kept)
    page.write_text("# Figures\n")
    luck.write_text("def test_red():\n    assert False\n")
    asked = ["--workers", "1", str(luck), "--more"]
    assert flaky.main([*asked, "1"]) == 1
    luck.write_text("def test_green(): pass\n")
    monkeypatch.setattr(flaky, "commit", lambda: "b" * 40)
    assert flaky.main([*asked, "2"]) == 0
    runs = flaky.noted(kept)
    assert [(run.number, run.busy, run.green, run.commit[0]) for run in runs] == [
        (1, True, False, "a"),
        (2, False, True, "b"),
        (3, True, True, "b"),
    ]
    assert all(run.day and run.load > 0 and run.seconds > 0 for run in runs)
    assert page.read_text().startswith(
        "# Figures\n\n## Runs of the tests\n\n2 of 3 runs were green, the last 2 of them in a row"
    )


def test_the_list_of_runs_outlives_new_figures(flaky: ModuleType) -> None:
    """Both write the same page, each its own part."""
    page, runs = flaky.without_runs("# Figures\n\n| a |\n\n## Runs of the tests\n\n20 of 20\n")
    assert (page, runs) == ("# Figures\n\n| a |\n", "## Runs of the tests\n\n20 of 20\n")
    assert flaky.without_runs("# Figures\n") == ("# Figures\n", "")
