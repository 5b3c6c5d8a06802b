"""Counts on the way which branches the cheap tests reach: `pytest --reached=FOLDER`, for `scripts/coverage_doc.py --gate`.

Counting takes a test twice its time. So the whole suite does not count itself: what counts is marked in `tests.daily`, and of it
what is reached in this very process.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import coverage

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("companion", "display", "firmware_bridge", "hall", "speech", "vision")


def counting(folder: Path) -> coverage.Coverage:
    """Of the branches of all rooms, in files of this folder."""
    import coverage  # a tenth of a second that only whoever counts should spend

    source = [str(ROOT / room) for room in ROOMS]
    return coverage.Coverage(folder / "data", data_suffix=True, branch=True, source=source, config_file=False)


class Reached:
    """One process's count, written down when its tests end."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._count = counting(folder)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        """With its fixtures."""
        if item.get_closest_marker("counted") is None:
            return (yield)
        self._count.start()
        try:
            return (yield)
        finally:
            self._count.stop()

    def pytest_sessionfinish(self) -> None:
        """A worker is killed on a busy machine before it ends itself."""
        self._count.save()
