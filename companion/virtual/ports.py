"""Ports for a demo's own table, so that it disturbs neither the table that runs here nor another demo."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from companion.virtual.gathering import StalledError

FIRST, LAST = 8780, 8879
NAMES = ("TABLESIDE_WEB_PORT", "TABLESIDE_BROKER_WEBSOCKET_PORT", "TABLESIDE_BROKER_PORT")


@contextmanager
def claimed_ports() -> Iterator[dict[str, str]]:
    """The usual three ports, or the next three that are free, as settings.

    A free port says little: another demo may have looked at the same moment and start its table there first. So a name of
    the port is taken as well, which the kernel gives to one of them only and takes back when the demo ends, however it ends.
    """
    for first in range(FIRST, LAST, len(NAMES)):
        ports = range(first, first + len(NAMES))
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as claim:
            if _taken(claim, f"\0tableside-demo-{first}") or not all(_free(port) for port in ports):
                continue
            yield {name: str(port) for name, port in zip(NAMES, ports, strict=True)}
            return
    raise StalledError(f"no three ports next to each other are free between {FIRST} and {LAST}")


def _taken(claim: socket.socket, name: str) -> bool:
    try:
        claim.bind(name)
    except OSError:
        return True
    return False


def _free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
