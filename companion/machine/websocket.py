"""The server's half of WebSocket (RFC 6455) and as much of MQTT as a doorkeeper reads: bytes in, bytes out, no sockets."""

from __future__ import annotations

import base64
import hashlib

MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""Out of the RFC: the same for everybody."""
CONTINUED, BINARY, CLOSE, PONG = 0, 2, 8, 10
"""Kinds of frames a phone may send. No browser pings, and who pings without end would have us write without end."""
CONNECT, CONNACK, PUBLISH, PUBACK = 0x10, 0x20, 0x30, 0x40
MQTT_5 = 5


class Broken(Exception):  # noqa: N818 - said of the line
    """This is not what a phone of ours would send."""


def welcome(head: bytes) -> bytes:
    """The answer to a browser that asks for a WebSocket speaking MQTT."""
    request, *lines = head.split(b"\r\n")
    fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines)}
    key, offered = fields.get(b"sec-websocket-key", b""), fields.get(b"sec-websocket-protocol", b"").split(b",")
    if not request.startswith(b"GET ") or fields.get(b"upgrade", b"").lower() != b"websocket" or not key:
        raise Broken("no WebSocket")
    if fields.get(b"sec-websocket-version") != b"13" or b"mqtt" not in (one.strip() for one in offered):
        raise Broken("no MQTT")
    accept = base64.b64encode(hashlib.sha1(key + MAGIC, usedforsecurity=False).digest())
    return (
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: " + accept + b"\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n"
    )


def frame(content: bytes, kind: int = BINARY) -> bytes:
    """One whole frame from the server."""
    size = len(content)
    if size < 126:
        return bytes((0x80 | kind, size)) + content
    return bytes((0x80 | kind, 126 if size < 65536 else 127)) + size.to_bytes(2 if size < 65536 else 8, "big") + content


def _unmasked(content: bytes, mask: bytes) -> bytes:
    size = len(content)
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(content, "big") ^ int.from_bytes(key, "big")).to_bytes(size, "big")


class Frames:
    """Takes a browser's frames apart as they come. Content is handed on at once: nothing of it is kept here."""

    def __init__(self) -> None:
        self._held = b""
        self._kind, self._rest, self._mask = BINARY, 0, b""

    def feed(self, data: bytes) -> list[tuple[int, bytes]]:
        """Kind and content; long frames in pieces, a control frame whole."""
        data, self._held = self._held + data, b""
        found, at = [], 0
        while at < len(data):
            if not self._rest:
                start = self._begin(data[at : at + 14])
                if not start:
                    break
                at += start
            if self._kind >= CLOSE and len(data) - at < self._rest:
                break
            piece = data[at : at + self._rest]
            found.append((self._kind, _unmasked(piece, self._mask)))
            at, self._rest, turn = at + len(piece), self._rest - len(piece), len(piece) % 4
            self._mask = self._mask[turn:] + self._mask[:turn]
        self._held = data[at:]
        return found

    def _begin(self, data: bytes) -> int:
        """Where the content of the frame starts whose head this is; 0: not enough of it has come."""
        if len(data) < 2:
            return 0
        kind, size, start = data[0] & 15, data[1] & 127, 2
        if not data[1] & 128 or data[0] & 0x70 or kind not in (CONTINUED, BINARY, CLOSE, PONG):
            raise Broken("no frame of a browser")
        if kind >= CLOSE and size > 125:
            raise Broken("a long control frame")
        if size >= 126:
            start = 4 if size == 126 else 10
            size = int.from_bytes(data[2:start], "big")
        if len(data) < start + 4:
            return 0
        self._kind, self._rest, self._mask = kind, size, data[start : start + 4]
        return start + 4


def packet(data: bytes | bytearray, start: int) -> tuple[int, int] | None:
    """Kind and whole length of the MQTT packet that begins there; `None`: its head is not complete."""
    size = shift = 0
    for at in range(start + 1, min(start + 5, len(data))):
        size |= (data[at] & 127) << shift
        if data[at] < 128:
            return data[start] & 0xF0, at + 1 - start + size
        shift += 7
    if len(data) >= start + 5:
        raise Broken("a length without end")
    return None


def user_of_connect(whole: bytes) -> str:
    """Who a CONNECT packet says it is; versions 3.1.1 and 5."""
    at = 1
    while whole[at] & 128:
        at += 1

    def field(start: int) -> tuple[bytes, int]:
        end = start + 2 + int.from_bytes(whole[start : start + 2], "big")
        if end > len(whole):
            raise Broken("a field beyond the end")
        return whole[start + 2 : end], end

    def properties(start: int) -> int:
        """Behind them; there are none before version 5, and 127 bytes are more than a phone's."""
        if version < MQTT_5:
            return start
        if whole[start] & 128:
            raise Broken("many properties")
        return start + 1 + whole[start]

    try:
        _, at = field(at + 1)
        version, flags = whole[at], whole[at + 1]
        _, at = field(properties(at + 4))
        if flags & 4:
            _, at = field(properties(at))
            _, at = field(at)
        return field(at)[0].decode() if flags & 128 else ""
    except (IndexError, UnicodeDecodeError) as wrong:
        raise Broken("no CONNECT") from wrong
