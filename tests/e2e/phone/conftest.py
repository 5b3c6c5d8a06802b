"""A real broker, the real core and Debian's Chromium."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

pytest.register_assert_rewrite("phone_guests", "phone_texts")

from benches.phones import LiveTable  # noqa: E402
from companion.phone import build  # noqa: E402
from tests.conftest import DEALT  # noqa: E402


@pytest.fixture(scope="session")
def page() -> None:
    """The page, fitting its sources."""
    build.build()


@contextmanager
def _live() -> Iterator[LiveTable]:
    """It deals alike in every run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(DEALT), prepend=os.pathsep)
        with LiveTable("e2e") as live:
            yield live


@pytest.fixture
def table(page: None) -> Iterator[LiveTable]:
    """A table of its own for every test."""
    with _live() as live:
        yield live


@pytest.fixture(scope="module")
def long_evening(page: None) -> Iterator[LiveTable]:
    """One table for all tests of a file that only look at it: game after game, and whoever sits stays seated."""
    with _live() as live:
        yield live
