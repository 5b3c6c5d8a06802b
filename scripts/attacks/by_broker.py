"""What somebody on the same network could do to the broker. Each attack answers what got through, or nothing."""

from __future__ import annotations

import os
import resource
import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Any

from stand import HERE, Checkout, Line, Table, resident

GREETING = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n"
)
ENDLESS = b"\x82\xff" + (2**40).to_bytes(8, "big") + b"\0\0\0\0"
"""The head of a WebSocket frame with room for everything."""
NOISE = b"x" * 60_000
MUCH = 100
"""Megabytes above rest that nobody without a seat may cost."""


def _string(text: str) -> bytes:
    return len(text.encode()).to_bytes(2, "big") + text.encode()


def _packet(head: int, body: bytes) -> bytes:
    length, left = b"", len(body)
    while True:
        left, digit = left // 128, left % 128
        length += bytes([digit | (128 if left else 0)])
        if not left:
            return bytes([head]) + length + body


def _pour(line: socket.socket, megabytes: int, seconds: float) -> None:
    line.settimeout(1.0)
    end = time.monotonic() + seconds
    with suppress(OSError):
        for _ in range(megabytes * 1_000_000 // len(NOISE)):
            if time.monotonic() > end:
                return
            line.sendall(NOISE)


def _enter(line: socket.socket, me: dict[str, Any]) -> None:
    names = _string(me["client"]) + _string(me["user"]) + _string(me["password"])
    line.sendall(GREETING + ENDLESS + _packet(0x10, _string("MQTT") + b"\x04\xc2\0\0" + names))
    heard = b""
    while b"\x20\x02\0\0" not in heard:
        more = line.recv(4096)
        if not more:
            raise ConnectionResetError
        heard += more


def _filled(table: Table, pour: Callable[[], None]) -> str:
    """How much more the broker (and the gate before it) needs while somebody pours."""
    rest = _broker(table)
    done = threading.Thread(target=pour, daemon=True)
    done.start()
    most = rest
    while done.is_alive():
        most = max(most, _broker(table))
        time.sleep(0.05)
    most = max(most, _broker(table))
    return f"the broker grew from {rest} to {most} MB" if most > rest + MUCH else ""


def _broker(table: Table) -> int:
    return sum(resident(pid) for name, pid in table.pids.items() if name in ("broker", "gate"))


def claimed_connect(checkout: Checkout) -> str:
    """CONNECT of 268 MB, no password."""
    with checkout.table() as table, socket.create_connection((HERE, checkout.sockets), 5) as line:
        line.sendall(GREETING)
        line.recv(4096)
        with suppress(OSError):
            line.sendall(ENDLESS + b"\x10\xff\xff\xff\x7f")
        return _filled(table, lambda: _pour(line, 250, 12))


def huge_publish(checkout: Checkout) -> str:
    """A watcher, who may publish nothing, publishes 250 MB."""
    with checkout.table() as table, socket.create_connection((HERE, checkout.sockets), 5) as line:
        table.begin("scorepad", 2, rounds=0)
        me = table.join(None)
        _enter(line, me)
        line.sendall(b"\x30\x80\xe5\x9a\x77" + _string(f"{me['base']}move/{me['client']}"))
        return _filled(table, lambda: _pour(line, 249, 12))


def many_subscriptions(checkout: Checkout) -> str:
    """A watcher subscribes to 2,500 topics of 60 kB that fit `event/+`."""
    with checkout.table() as table, socket.create_connection((HERE, checkout.sockets), 5) as line:
        table.begin("scorepad", 2, rounds=0)
        me = table.join(None)
        _enter(line, me)

        def subscribe() -> None:
            with suppress(OSError):
                line.settimeout(20)
                for number in range(2500):
                    topic = f"{me['base']}event/{number:07}" + "x" * 60_000
                    line.sendall(_packet(0x82, b"\0\1" + _string(topic) + b"\1"))

        return _filled(table, subscribe)


def idle_lines(checkout: Checkout) -> str:
    """2,500 lines that say nothing; somebody with a seat comes back."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(1024, hard), hard))
    with checkout.table() as table, ExitStack() as lines:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
        table.begin("scorepad", 2, rounds=0)
        me = table.join(0)
        broker = table.pids["broker"]
        kept = [os.open(os.devnull, os.O_RDONLY) for _ in range(64)]  # low numbers: paho cannot wait for higher ones
        for _ in range(2500):
            with suppress(OSError):
                lines.enter_context(socket.create_connection((HERE, checkout.sockets), 1))
        for handle in kept:
            os.close(handle)
        start = time.monotonic()
        try:
            phone = Line(checkout.sockets, me["user"], me["password"], me["base"], me["client"], web=True)
            table.lines.append(phone)
            phone.listen("state")
            table.until(lambda: phone.last("state"), "the seated phone", 30)
        except TimeoutError:
            return "the seated phone could not come back in 30 s"
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        if table.pids.get("broker") != broker:
            return "the broker was started again"
        took = time.monotonic() - start
    return f"the seated phone came back after {took:.0f} s" if took > 5 else ""


def room_at_the_phones_port(checkout: Checkout) -> str:
    """The user of a room comes in by the phones' port."""
    with checkout.table() as table:
        password = checkout.password("host")
        line = Line(checkout.sockets, "table-host", password, "tableside/table/", "table-host", web=True)
        table.lines.append(line)
        with suppress(TimeoutError):
            table.until(lambda: line.entered, "an answer", 6)
    return "table-host was let in" if line.entered and not line.entered[0].is_failure else ""


def every_interface(checkout: Checkout) -> str:
    """`[broker] websocket_host = "127.0.0.1"`, and the port is asked for on another address."""
    with checkout.table():
        for family, address in ((socket.AF_INET, "127.0.0.2"), (socket.AF_INET6, "::1")):
            with socket.socket(family) as line:
                line.settimeout(2)
                with suppress(OSError):
                    line.connect((address, checkout.sockets))
                    return f"{address} is answered, too"
    return ""


ATTACKS: dict[str, Callable[[Checkout], str]] = {
    "a CONNECT of 268 MB": claimed_connect,
    "a watcher publishes 250 MB": huge_publish,
    "a watcher subscribes to long topics": many_subscriptions,
    "2,500 silent lines to the phones' port": idle_lines,
    "the phones' port on one address": every_interface,
    "a room's user at the phones' port": room_at_the_phones_port,
}
