"""A process and the machine it is on: ended with whoever started it, and where others find it."""

from __future__ import annotations

import ctypes
import fcntl
import os
import resource
import signal
import socket
import struct
from collections.abc import Callable

PR_SET_PDEATHSIG = 1


def dies_with(
    parent: int, ending: signal.Signals = signal.SIGKILL, limits: dict[int, int] | None = None
) -> Callable[[], None]:
    """For the child, between fork and exec: the kernel ends it when we end, however we end, and holds it to its limits."""
    libc = ctypes.CDLL(None)

    def prepare() -> None:
        libc.prctl(PR_SET_PDEATHSIG, ending)
        for what, most in (limits or {}).items():
            resource.setrlimit(what, (most, most))
        if os.getppid() != parent:
            os._exit(1)

    return prepare


def own_address() -> str:
    """This machine's address on the local network, asked of the kernel, not of the network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        for _, name in socket.if_nameindex():
            if name.startswith(("lo", "docker", "veth", "br-")):
                continue
            try:
                answer = fcntl.ioctl(any_socket, 0x8915, struct.pack("256s", name.encode()[:15]))
            except OSError:
                continue
            return socket.inet_ntoa(answer[20:24])
    return "127.0.0.1"


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
