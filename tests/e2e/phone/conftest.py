"""A real broker, the real core and Debian's Chromium."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from phone_guests import ARGS
from playwright.sync_api import Browser, sync_playwright

from companion.bench.phones import LiveTable
from companion.phone import build


@pytest.fixture(scope="session")
def page() -> None:
    """The page, fitting its sources."""
    build.build()


@pytest.fixture(scope="session")
def browser(page: None) -> Iterator[Browser]:
    """One Chromium for all guests; each has a context of their own."""
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path="/usr/bin/chromium", args=ARGS)
        yield chromium
        chromium.close()


@pytest.fixture
def table(page: None) -> Iterator[LiveTable]:
    """A table of its own for every test."""
    with LiveTable("e2e") as live:
        yield live
