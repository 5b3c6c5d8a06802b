"""The crowd of simulated phones: who was hung up on before the welcome calls again, as phones do."""

from __future__ import annotations

import socket
import threading

from benches.phones import Crowd
from tests.conftest import PATIENCE, until

SESSION = {"client": "phone-w-1", "user": "phone-w-1", "password": "x", "base": "tableside/table/"}
WELCOME = b"HTTP/1.1 101 Switching Protocols\r\n\r\n"
SUBSCRIBED = b"\x82\x05\x90\x03\x00\x01\x01"


def _busy(gate: socket.socket) -> None:
    """Hangs up on the first at once and on the second after its greeting; the third is let in."""
    gate.accept()[0].close()
    for let_in in (False, True):
        line, _ = gate.accept()
        with line:
            line.settimeout(PATIENCE)
            line.recv(4096)
            line.sendall(WELCOME)
            if let_in:
                line.recv(4096)
                line.sendall(SUBSCRIBED)
                until(lambda line=line: not line.recv(4096), what="the end of the crowd")


def test_a_phone_that_was_never_let_in_calls_again() -> None:
    """A gate gives a stranger five seconds, which on a busy machine may pass before the broker's welcome."""
    with socket.create_server(("127.0.0.1", 0)) as gate:
        gate.settimeout(PATIENCE)
        serving = threading.Thread(target=_busy, args=(gate,), daemon=True)
        serving.start()
        crowd = Crowd(gate.getsockname()[1])
        crowd.add(SESSION)
        until(lambda: crowd.phones[0].subscribed, what="the welcome")
        crowd.leave()
        serving.join(PATIENCE)
        assert not serving.is_alive()
