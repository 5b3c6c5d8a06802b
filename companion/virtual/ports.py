"""Ports for a table of its own: had from the kernel, and held for as long as the table lives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from companion.virtual.gathering import StalledError
from companion.wire.process import hold

FIRST, LAST = 8783, 8882
"""Behind the usual three, which are a real table's: `tableside run` can be started beside a demo."""
NAMES = ("TABLESIDE_WEB_PORT", "TABLESIDE_BROKER_WEBSOCKET_PORT", "TABLESIDE_BROKER_PORT")


@contextmanager
def some_ports() -> Iterator[dict[str, str]]:
    """Three ports nobody else has, as settings."""
    with ExitStack() as held:
        yield _settings(held, 0)


@contextmanager
def claimed_ports() -> Iterator[dict[str, str]]:
    """The first three ports behind the usual ones that are free: whoever watches a demo knows where to look."""
    for first in range(FIRST, LAST, len(NAMES)):
        with ExitStack() as held:
            try:
                ports = _settings(held, first)
            except OSError:
                continue
            yield ports
            return
    raise StalledError(f"no three ports next to each other are free between {FIRST} and {LAST}")


def _settings(held: ExitStack, first: int) -> dict[str, str]:
    lines = [held.enter_context(hold(first and first + i)) for i in range(len(NAMES))]
    return {name: str(line.getsockname()[1]) for name, line in zip(NAMES, lines, strict=True)}
