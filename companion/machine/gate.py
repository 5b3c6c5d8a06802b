"""The phones' gate: `python -m companion.machine.gate`, a process of its own in front of the broker.

Mosquitto has no answer to strangers: its WebSocket listener takes in 268 MB before it asks for a password, waits 90 s for
somebody who says nothing, and knows no limit for a phone or an address. So phones come here. TLS and WebSocket end here; the
head of every packet is read; nobody gets near the broker who has not said a whole CONNECT; then bytes are passed on, over a
socket that is a file only the table's user can open. Who may come in, and how much of what: `gatekeeper`.
"""

from __future__ import annotations

import asyncio
import contextlib
import resource
import signal
import socket
import sys

from companion.machine.broker import phones_socket
from companion.machine.gatekeeper import GRACE
from companion.machine.listening import listening
from companion.machine.phone_line import HELD, Gate, Line
from companion.machine.pulse import Pulse
from companion.wire.config import Config, load
from companion.wire.notify import Notifier
from companion.wire.process_log import start_logging

AT_ONCE, QUEUE = 16, 4096
"""Callers taken in before the others have their turn; callers the kernel keeps waiting meanwhile."""
GONE = 20_000
"""Milliseconds after which a phone that takes nothing is hung up on."""


def doors(config: Config) -> list[socket.socket]:
    """Where phones call; every accepted line inherits what is set here."""
    found = listening(config.broker.websocket_host, config.broker.websocket_port)
    for door in found:
        for level, option, value in (
            (socket.SOL_SOCKET, socket.SO_RCVBUF, HELD),  # the kernel would otherwise hold megabytes for each
            (socket.SOL_SOCKET, socket.SO_SNDBUF, HELD),
            (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),  # small messages leave at once
            (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
            (socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, int(GRACE)),  # who says nothing does not even wake us
            (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 60),
            (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 10),
            (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE),
        ):
            door.setsockopt(level, option, value)
    return found


async def serve(config: Config) -> None:
    """Until SIGTERM."""
    loop, end, notifier = asyncio.get_running_loop(), asyncio.Event(), Notifier()
    gate = Gate(config)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end.set)
    for door in doors(config):
        await loop.create_server(lambda: Line(gate), sock=door, backlog=AT_ONCE)
        door.listen(QUEUE)
    pulse = loop.create_task(Pulse(phones_socket(config)).watch())
    notifier.ready()
    while not end.is_set():
        notifier.alive()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(end.wait(), 0.5)
    pulse.cancel()
    notifier.stopping()


def main() -> int:
    """One process, as the supervisor or systemd starts it."""
    start_logging()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 4096), most))
    config = load()
    try:
        asyncio.run(serve(config))
    except OSError as wrong:
        where = f"{config.broker.websocket_host or '*'} {config.broker.websocket_port}"
        sys.stderr.write(f"The phones' door ({where}) cannot be opened: {wrong.strerror or wrong}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
