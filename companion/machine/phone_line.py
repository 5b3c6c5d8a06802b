"""One phone's line through the gate: TLS, WebSocket and the head of every packet on this side, the broker on the other."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Coroutine

from companion.machine.broker import RIGHTS, phones_socket
from companion.machine.gatekeeper import GRACE, GREETING, WATCHES, Keeper, Packets
from companion.machine.websocket import CLOSE, CONNACK, Broken, Frames, frame, welcome
from companion.wire.config import Config
from companion.wire.secrets import user_of

SIP, GULP, HELD = 4096, 32_768, 65_536
"""Bytes read at once from a phone (others want their turn) and from the broker; kept for a phone that does not read, before
the broker has to wait as well."""
ESTABLISHED = 1
"""In the kernel's words: neither side has hung up."""


class Gate(Keeper):
    """What all lines share."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.broker = str(phones_socket(config))
        self.rooms = {user_of(config.table.id, room) for room in RIGHTS}
        """They have a line of their own: a leaked password of theirs is of no use from outside."""
        self.buffer = memoryview(bytearray(GULP))
        """One for all: what is read is handled before anybody reads again."""
        self.tls: ssl.SSLContext | None = None
        if config.broker.tls:
            self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.tls.minimum_version = ssl.TLSVersion.TLSv1_2
            self.tls.load_cert_chain(config.broker.cert_file, config.broker.key_file)


class Line(asyncio.BufferedProtocol):
    """One phone, from its first byte to its last."""

    def __init__(self, gate: Gate) -> None:
        self.gate, self._loop = gate, asyncio.get_running_loop()
        self.address, self.watches = "", False
        self._phone: asyncio.Transport | None = None
        self._broker: asyncio.Transport | None = None
        self._work: asyncio.Task[None] | None = None
        self._deadline = self._loop.call_later(GRACE, self.hang_up)
        self._said, self._greeting, self._greeted = 0, b"", False
        """Bytes so far; what a browser says before it speaks WebSocket."""
        self._frames, self._packets = Frames(), Packets()
        self._waits: set[str] = set()
        """Why nothing is read from the phone at the moment."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._phone, self.address = transport, transport.get_extra_info("peername")[0]
        self.gate.enter(self)
        transport.set_write_buffer_limits(HELD)
        if self.gate.tls is not None:
            transport.pause_reading()  # the first word belongs to TLS
            self._do(self._encrypt(transport, self.gate.tls))

    @property
    def progress(self) -> int:
        """How far a stranger has come: nothing said, greeted, introduced."""
        return self._greeted + (self._packets.user is not None)

    async def _encrypt(self, plain: asyncio.Transport, tls: ssl.SSLContext) -> None:
        self._phone = await self._loop.start_tls(plain, self, tls, server_side=True)
        if self._phone is None or plain.is_closing():
            raise ConnectionResetError
        self._phone.set_write_buffer_limits(HELD)
        self._hear(self._greet(b""))

    async def _call_broker(self) -> None:
        self._broker, _ = await self._loop.create_unix_connection(lambda: Wire(self), self.gate.broker)
        self._pass_on()
        self.wait("broker", False)

    def _do(self, work: Coroutine[None, None, None]) -> None:
        """What takes a moment; when it fails, so does the line."""

        async def guarded() -> None:
            try:
                await work
            except (OSError, Broken):
                self.hang_up()

        self._work = self._loop.create_task(guarded())

    def hang_up(self) -> None:
        """At once, whatever was still to be said."""
        for side in (self._phone, self._broker):
            if side is not None:
                side.abort()
        self.connection_lost(None)

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        self.gate.leave(self)
        if self._broker is not None:
            self._broker.close()  # with what was said before

    def wait(self, why: str, on: bool) -> None:
        """Read nothing from the phone while there is a reason not to."""
        (self._waits.add if on else self._waits.discard)(why)
        if self._phone is not None and not self._phone.is_closing():
            (self._phone.pause_reading if self._waits else self._phone.resume_reading)()

    def pause_writing(self) -> None:
        if self._broker is not None:
            self._broker.pause_reading()

    def resume_writing(self) -> None:
        if self._broker is not None:
            self._broker.resume_reading()

    def get_buffer(self, sizehint: int) -> memoryview:
        return self.gate.buffer[:SIP]

    def buffer_updated(self, nbytes: int) -> None:
        data = bytes(self.gate.buffer[:nbytes])
        self._said += nbytes
        try:
            if self._packets.allowance is None and self._said > GREETING:
                raise Broken("a stranger who talks")
            self._hear(data if self._greeted else self._greet(data))
        except Broken:
            self.hang_up()

    def _greet(self, data: bytes) -> bytes:
        """Until the empty line; what stands behind it is WebSocket."""
        self._greeting += data
        head, end, rest = self._greeting.partition(b"\r\n\r\n")
        if not end or self._phone is None or (self.gate.tls and not self._phone.get_extra_info("sslcontext")):
            return b""  # a quick phone may greet before we know that TLS is settled
        self._phone.write(welcome(head))
        self._greeted = True
        return rest

    def _hear(self, data: bytes) -> None:
        goodbye = False
        for kind, content in self._frames.feed(data):
            self._packets.add(content if kind < CLOSE else b"")
            goodbye = goodbye or kind == CLOSE
        if self._broker is not None:
            self._pass_on()
        elif self._packets.user is None and self._packets.introduced():
            if self._packets.user in self.gate.rooms:
                raise Broken("a room at the phones' gate")
            self.watches = str(self._packets.user).startswith(WATCHES)
            self.wait("broker", True)
            self._do(self._call_broker())
        if goodbye and self._phone is not None:
            self._phone.write(frame(b"", CLOSE))
            self._phone.close()

    def _pass_on(self) -> None:
        """As much as is allowed by now."""
        if self._broker is None or "allowance" in self._waits:
            return
        passed, seconds = self._packets.take(self._loop.time())
        self._broker.write(passed)
        if seconds:
            self.wait("allowance", True)
            self._loop.call_later(seconds, self._go_on)

    def _go_on(self) -> None:
        assert self._phone is not None
        try:
            line = self._phone.get_extra_info("socket")
            if line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] != ESTABLISHED:
                raise ConnectionResetError  # what it left behind is nobody's wish any more
            self.wait("allowance", False)
            self._pass_on()
        except (OSError, Broken):
            self.hang_up()

    def from_broker(self, data: bytes) -> None:
        """What the broker says goes to the phone as it is; its welcome makes a guest of a stranger."""
        assert self._phone is not None
        if self._packets.allowance is None and data[0] == CONNACK and data[3:4] == b"\0":
            if not self.gate.admit(self):
                self.hang_up()
                return
            self._deadline.cancel()
            self._packets.allowance = self.gate.allowance(str(self._packets.user), self._loop.time())
        self._phone.write(frame(data))

    def broker_gone(self) -> None:
        """Its last words still reach the phone."""
        if self._phone is not None:
            self._phone.close()


class Wire(asyncio.BufferedProtocol):
    """The same line on the broker's side."""

    def __init__(self, line: Line) -> None:
        self._line = line

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.set_write_buffer_limits(HELD)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._line.gate.buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._line.from_broker(bytes(self._line.gate.buffer[:nbytes]))

    def pause_writing(self) -> None:
        self._line.wait("broker", True)

    def resume_writing(self) -> None:
        self._line.wait("broker", False)

    def connection_lost(self, exc: Exception | None) -> None:
        self._line.broker_gone()
