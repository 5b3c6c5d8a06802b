"""The figures: each row is complete, and the peer runs on the same edges."""

from __future__ import annotations

import json

import pytest

from benches import dial as bench
from benches.figures import row, show


def test_rows_have_what_the_table_of_figures_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A short run of the pins' figures as JSON: names, budgets, sample sizes, the peer beside ours."""
    monkeypatch.setattr(bench, "DETENTS", 200)
    code = show(bench.lost_on_pins(), as_json=True)
    rows = json.loads(capsys.readouterr().out)
    assert code == (0 if all(row["ok"] for row in rows) else 1)
    lost, work = rows
    assert (lost["value"], lost["budget"], lost["n"]) == (0.0, 0, 200)
    assert set(lost) == {"name", "value", "unit", "budget", "ok", "n", "peers"}
    assert lost["peers"]["gpiozero RotaryEncoder"] >= 0
    assert work["peers"]["gpiozero RotaryEncoder"] > 0


def test_a_figure_over_its_budget_is_not_ok() -> None:
    """Reported as it is."""
    assert not row("slow", 21.0, "ms", 20, n=5)["ok"]
    assert row("quick", 20.0, "ms", 20, n=5)["ok"]
    assert not row("few", 21.0, "/s", 100, n=5, least=True)["ok"], "a floor, not a ceiling"
