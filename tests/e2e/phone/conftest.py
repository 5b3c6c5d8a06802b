"""A real broker, the real core and Debian's Chromium."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

pytest.register_assert_rewrite("phone_guests", "phone_texts")

from benches.phones import LiveTable  # noqa: E402
from companion.phone import build  # noqa: E402
from tests.conftest import DEALT  # noqa: E402


@pytest.fixture(scope="session")
def page() -> None:
    """The page, fitting its sources."""
    build.build()


@pytest.fixture
def table(page: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveTable]:
    """A table of its own for every test; it deals alike in every run."""
    monkeypatch.setenv("PYTHONPATH", str(DEALT), prepend=os.pathsep)
    with LiveTable("e2e") as live:
        yield live
