"""Ports for a table of its own: had from the kernel, and held for as long as the table lives."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from companion.virtual.gathering import StalledError

FIRST, LAST = 8780, 8879
NAMES = ("TABLESIDE_WEB_PORT", "TABLESIDE_BROKER_WEBSOCKET_PORT", "TABLESIDE_BROKER_PORT")


def hold(port: int = 0) -> socket.socket:
    """A port of this machine that is nobody else's, any one for 0; `OSError` when it is taken.

    It is bound alone and only then shared, so of two who ask for it one gets it. A socket that does not listen is in no
    server's way that asks for `SO_REUSEADDR`, as all of ours do: the table may begin, end and begin again on it. The kernel
    lends it to nobody meanwhile, and takes it back when we end, however we end.
    """
    held = socket.socket()
    try:
        held.bind(("127.0.0.1", port))
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    except OSError:
        held.close()
        raise
    return held


@contextmanager
def some_ports() -> Iterator[dict[str, str]]:
    """Three ports nobody else has, as settings."""
    with ExitStack() as held:
        yield _settings(held, 0)


@contextmanager
def claimed_ports() -> Iterator[dict[str, str]]:
    """The usual three ports, or the next three that are free: whoever watches a demo knows where to look."""
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
