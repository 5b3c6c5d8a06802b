"""The sd_notify protocol, both ends: a room tells whoever started it that it is ready and alive.

systemd and our own supervisor speak the same words, so one mechanism serves both.
"""

from __future__ import annotations

import os
import socket
import time


class Notifier:
    """Feeds the watchdog from the main loop; does nothing when nobody asked for it."""

    def __init__(self) -> None:
        self._address = os.environ.get("NOTIFY_SOCKET", "")
        limit = int(os.environ.get("WATCHDOG_USEC") or 0) / 1e6
        pid = os.environ.get("WATCHDOG_PID")
        self._every = limit / 3 if limit and pid in (None, str(os.getpid())) else 0.0
        self._next = 0.0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) if self._address else None

    def send(self, words: str) -> None:
        """Say one thing, for example `READY=1`."""
        if self._socket is None:
            return
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            self._socket.sendto(words.encode(), address)
        except OSError:
            return  # whoever started us is gone or busy; the next beat will tell

    def ready(self) -> None:
        """Up, with everything this process needs to be useful."""
        self.send("READY=1")

    def alive(self) -> None:
        """Called in every round of the main loop; sends a beat when one is due."""
        if self._every and time.monotonic() >= self._next:
            self._next = time.monotonic() + self._every
            self.send("WATCHDOG=1")

    def stopping(self) -> None:
        """A clean farewell."""
        self.send("STOPPING=1")
