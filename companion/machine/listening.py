"""Sockets that listen, on every address a setting means."""

from __future__ import annotations

import contextlib
import errno
import socket

NOT_HERE = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)
"""This machine does without IPv6 (or IPv4)."""


def listening(host: str, port: int) -> list[socket.socket]:
    """Bound, not yet taking calls; an empty host means all interfaces, of both kinds. `OSError`: none can be had, or one is
    taken."""
    with contextlib.ExitStack() as undo:
        found: list[socket.socket] = []
        missing: OSError | None = None
        for family, kind, protocol, _, address in socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        ):
            try:
                door = undo.enter_context(socket.socket(family, kind, protocol))
                door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    door.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)  # IPv4 has a socket of its own
                door.bind(address)
            except OSError as wrong:
                if wrong.errno not in NOT_HERE:
                    raise
                missing = wrong
                continue
            found.append(door)
        if missing is not None and not found:
            raise missing
        undo.pop_all()
    return found
