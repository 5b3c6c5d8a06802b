"""The words between the dial's board and the table: one file for MicroPython and CPython.

A frame is COBS(version, kind, number, body, CRC-16) between zero bytes. All counts are absolute, so a lost frame
loses nothing: the next one tells it all.
"""

import struct

try:
    from binascii import crc_hqx
except ImportError:  # MicroPython has no crc_hqx: the same polynomial, half a byte at a time
    _NIBBLES = tuple(n * 0x1021 for n in range(16))

    def crc_hqx(data, crc):
        """CRC-16 with polynomial 0x1021, as CPython's `binascii.crc_hqx`."""
        for byte in data:
            crc = ((crc << 4) & 0xFFFF) ^ _NIBBLES[(crc >> 12) ^ (byte >> 4)]
            crc = ((crc << 4) & 0xFFFF) ^ _NIBBLES[(crc >> 12) ^ (byte & 15)]
        return crc


PROTOCOL = 1
FIRMWARE = (1, 0, 1)

# the board speaks
HELLO = 1
COUNTS = 2
# the host speaks
ASK_HELLO = 16
ASK_COUNTS = 17
LIGHT = 18
BEAT = 19
LEAVE = 20

LONGEST = 253
_HEAD = "<BBH"
_COUNTS = "<IiIIHBHiH"
_HELLO = "<BBBBIB"


def stuffed(data: bytes) -> bytes:
    """COBS: the same bytes without a zero among them. At most 253 bytes, so one block is enough."""
    out = bytearray(1)
    mark = 0
    for byte in data:
        if byte:
            out.append(byte)
        else:
            out[mark] = len(out) - mark
            mark = len(out)
            out.append(0)
    out[mark] = len(out) - mark
    return bytes(out)


def unstuffed(data: bytes) -> bytes:
    """COBS undone; `ValueError` when it cannot be."""
    out = bytearray()
    at = 0
    end = len(data)
    while at < end:
        run = data[at]
        if run == 0 or at + run > end:
            raise ValueError("stuffing")
        out.extend(data[at + 1 : at + run])
        at += run
        if at < end:
            out.append(0)
    return bytes(out)


def frame(kind: int, number: int, body: bytes = b"", version: int = PROTOCOL) -> bytes:
    """One frame ready to send."""
    data = struct.pack(_HEAD, version, kind, number & 0xFFFF) + body
    if len(data) + 2 > LONGEST:
        raise ValueError("body too long")
    return b"\0" + stuffed(data + struct.pack(">H", crc_hqx(data, 0xFFFF))) + b"\0"


class Splitter:
    """Finds frames in a stream of bytes and counts what is none."""

    def __init__(self) -> None:
        self.bad = 0
        self.strange = 0
        self.version = PROTOCOL
        self._held = bytearray()
        self._skip = False

    def feed(self, data: bytes) -> list:  # type: ignore[type-arg]
        """All whole frames `(kind, number, body)` that end in `data`."""
        found = []
        for byte in data:
            if byte:
                if len(self._held) > LONGEST:
                    self._skip = True  # noise without an end: keep nothing until the next zero
                else:
                    self._held.append(byte)
                continue
            if self._held:
                one = None if self._skip else self._whole(bytes(self._held))
                if one is not None:
                    found.append(one)
                elif self._skip:
                    self.bad += 1
            self._held = bytearray()
            self._skip = False
        return found

    def _whole(self, data: bytes):  # type: ignore[no-untyped-def]
        try:
            plain = unstuffed(data)
        except ValueError:
            plain = b""
        if len(plain) < 6 or crc_hqx(plain[:-2], 0xFFFF) != plain[-2] << 8 | plain[-1]:
            self.bad += 1
            return None
        version, kind, number = struct.unpack(_HEAD, plain[:4])
        if version != PROTOCOL:
            self.strange += 1
            self.version = version
            return None
        return kind, number, plain[4:-2]


def pack_counts(
    ms: int,
    counts: int,
    impossible: int,
    edge_ms: int,
    presses: int,
    down: int,
    indexed: int,
    index_counts: int,
    boot: int,
) -> bytes:
    """The body of COUNTS: the board's clock, the counter, the clock at its last edge, button, index, power-on."""
    return struct.pack(
        _COUNTS,
        ms & 0xFFFFFFFF,
        counts,
        impossible & 0xFFFFFFFF,
        edge_ms & 0xFFFFFFFF,
        presses & 0xFFFF,
        down,
        indexed & 0xFFFF,
        index_counts,
        boot & 0xFFFF,
    )


def unpack_counts(body: bytes) -> tuple:  # type: ignore[type-arg]
    """`(ms, counts, impossible, edge_ms, presses, down, indexed, index_counts, boot)`; `ValueError` on another length."""
    if len(body) != struct.calcsize(_COUNTS):
        raise ValueError("counts")
    return struct.unpack(_COUNTS, body)


def pack_hello(firmware: tuple, leds: int, boot: int, board: bytes) -> bytes:  # type: ignore[type-arg]
    """The body of HELLO: firmware version, lights, the number of this power-on, the board's own id."""
    return struct.pack(_HELLO, firmware[0], firmware[1], firmware[2], leds, boot, len(board)) + board


def unpack_hello(body: bytes) -> tuple:  # type: ignore[type-arg]
    """`((major, minor, patch), leds, boot, board)`; `ValueError` on another length."""
    size = struct.calcsize(_HELLO)
    if len(body) < size:
        raise ValueError("hello")
    major, minor, patch, leds, boot, length = struct.unpack(_HELLO, body[:size])
    if len(body) != size + length:
        raise ValueError("hello")
    return (major, minor, patch), leds, boot, body[size:]
