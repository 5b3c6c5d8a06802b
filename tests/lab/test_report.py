"""The lab's section of the page of figures: in its place, and nobody else's."""

from __future__ import annotations

from typing import Any

from tools.lab.report import before, lines, placed

PAGE = "# Figures\n\n| a | b |\n\n## Runs of the tests\n\nTwenty.\n"
DIAL = {"ok": False, "when": "2026-01-01", "1000": {"lost": 3, "really": 990, "impossible": 1}}
SECTION = "## In the lab\n\nOne."


def row(name: str, seen: dict[str, Any]) -> str:
    """What stands in the table about this trial."""
    return lines({name: {"when": "2026-01-01", **seen}}, {})[-1]


def test_the_section_stands_before_the_runs_and_is_replaced() -> None:
    once = placed(PAGE, SECTION)
    assert once == "# Figures\n\n| a | b |\n\n## In the lab\n\nOne.\n\n## Runs of the tests\n\nTwenty.\n"
    assert placed(once, SECTION) == once
    assert placed(once, "## In the lab\n\nTwo.") == once.replace("One.", "Two.")


def test_what_did_not_hold_is_said() -> None:
    told = "\n".join(lines({"dial": DIAL}, {}))
    assert "1,000 edges per second asked for, 990 made: 3 lost | **no** |" in told


def test_what_was_not_tried_again_keeps_its_row() -> None:
    page = placed(PAGE, "\n".join(lines({"dial": DIAL, "screen": {"ok": True, "when": "2026-01-02"}}, {})))
    known = before(page)
    assert set(known) == {"dial", "screen"}
    again = lines({"dial": {**DIAL, "when": "2026-02-03"}}, known)
    assert again[-1] == known["screen"]
    assert "2026-02-03" in again[-2]
    assert "2026-01-01" not in "".join(again)
