"""The broker's pulse. Mosquitto gives no sign of life of its own, so it is asked: one that is silent is ended, and whoever
started it, systemd or our supervisor, starts it again. The gate asks, because it runs beside every broker of ours."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import struct
from pathlib import Path

from companion.wire.mosquitto import CONNECT, WELCOME

EVERY, PATIENCE, MISSED = 1.0, 0.75, 2
log = logging.getLogger("tableside.gate")


class Pulse:
    """Of the broker that listens on this socket."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._missed = 0
        self._broker = 0
        """The process that listens, as the kernel says; 0 while nobody does."""

    async def watch(self) -> None:
        """For ever."""
        while True:
            await asyncio.sleep(EVERY)
            await self.feel()

    async def feel(self) -> None:
        """Ask once."""
        try:
            answered = await self._ask()
        except OSError:  # nobody listens: whoever started it has noticed
            self._broker = self._missed = 0
            return
        self._missed = 0 if answered else self._missed + 1
        if self._missed >= MISSED and self._broker:
            log.warning("the broker does not answer; ending it, so that it is started again")
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._broker, signal.SIGKILL)
            self._broker = self._missed = 0

    async def _ask(self) -> bool:
        reader, writer = await asyncio.open_unix_connection(self._place)
        try:
            line = writer.get_extra_info("socket")
            pid, _, _ = struct.unpack("3i", line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
            if pid > 1:  # else so many callers wait already that this one is not even let in
                self._broker = pid
            writer.write(CONNECT)
            with contextlib.suppress(OSError):
                return (await asyncio.wait_for(reader.read(4), PATIENCE))[:1] == WELCOME
            return False
        finally:
            writer.close()
