"""The lab's section of the page of figures: in its place, and nobody else's."""

from __future__ import annotations

from tools.lab.report import lines, placed

PAGE = "# Figures\n\n| a | b |\n\n## Runs of the tests\n\nTwenty.\n"
SECTION = "## In the lab\n\nOne."


def test_the_section_stands_before_the_runs_and_is_replaced() -> None:
    once = placed(PAGE, SECTION)
    assert once == "# Figures\n\n| a | b |\n\n## In the lab\n\nOne.\n\n## Runs of the tests\n\nTwenty.\n"
    assert placed(once, SECTION) == once
    assert placed(once, "## In the lab\n\nTwo.") == once.replace("One.", "Two.")


def test_what_did_not_hold_is_said() -> None:
    told = "\n".join(
        lines({"dial": {"ok": False, "when": "2026-01-01", "1000": {"lost": 3, "really": 990, "impossible": 1}}})
    )
    assert "1,000 edges a second asked for, 990 made: 3 lost | **no** |" in told
