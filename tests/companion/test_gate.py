"""The phones' gate without sockets: WebSocket taken apart, packets read, and who has to go when it is full."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as some

from companion.machine import gatekeeper
from companion.machine.gatekeeper import (
    BURST,
    PACKET,
    RATE,
    STRANGERS,
    STRANGERS_EACH,
    WATCHERS,
    WATCHERS_EACH,
    Allowance,
    Keeper,
    Packets,
)
from companion.machine.websocket import BINARY, CLOSE, CONTINUED, Broken, Frames, frame, welcome


def browser_frame(content: bytes, kind: int = BINARY, mask: bytes = b"\x12\x34\x56\x78") -> bytes:
    """As a browser sends it: masked."""
    whole = frame(content, kind)
    start = len(whole) - len(content)
    masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(content))
    return whole[:1] + bytes([whole[1] | 0x80]) + whole[2:start] + mask + masked


def mqtt(kind: int, body: bytes) -> bytes:
    """One packet."""
    length, rest = b"", len(body)
    while True:
        rest, low = divmod(rest, 128)
        length += bytes([low | (128 if rest else 0)])
        if not rest:
            return bytes([kind]) + length + body


def text(words: str) -> bytes:
    return len(words.encode()).to_bytes(2, "big") + words.encode()


def connect(user: str, *, version: int = 5, will: bool = False) -> bytes:
    """A CONNECT as the page makes it, or as an older client does."""
    properties = b"\x05\x11\x00\x00\x00\x0a" if version == 5 else b""
    body = text("MQTT") + bytes([version, 0xC2 | (4 if will else 0), 0, 15]) + properties + text("id")
    if will:
        body += (b"\x00" if version == 5 else b"") + text("tableside/table/here/x") + text("gone")
    return mqtt(0x10, body + text(user) + text("secret"))


def guest(allowance: Allowance | None = None) -> Packets:
    """A phone the broker has let in."""
    packets = Packets()
    packets.add(connect("phone"))
    assert packets.introduced()
    packets.take(0.0)
    packets.allowance = allowance or Allowance()
    return packets


def cut(data: bytes, sizes: list[int]) -> Iterator[bytes]:
    """The same bytes in pieces, as a network delivers them."""
    sizes = sizes or [len(data)]
    at, turn = 0, 0
    while at < len(data):
        yield data[at : at + sizes[turn % len(sizes)]]
        at, turn = at + sizes[turn % len(sizes)], turn + 1


def test_a_browser_is_welcomed_in_the_words_of_the_standard() -> None:
    """The example of RFC 6455, and MQTT as the language spoken."""
    head = b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: WebSocket\r\nSec-WebSocket-Version: 13\r\n"
    head += b"Sec-WebSocket-Protocol: mqttv3.1, mqtt\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    answer = welcome(head)
    assert answer.startswith(b"HTTP/1.1 101 ")
    assert b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n" in answer
    assert b"Sec-WebSocket-Protocol: mqtt\r\n" in answer


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: x",
        b"POST / HTTP/1.1\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13",
        b"GET / HTTP/1.1\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13",
        b"GET / HTTP/1.1\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Protocol: mqtt",
        b"\x16\x03\x01\x02\x00\x01",
    ],
)
def test_whoever_wants_something_else_is_not_welcomed(head: bytes) -> None:
    """A page's reader, a scanner, TLS where none is spoken."""
    with pytest.raises(Broken):
        welcome(head)


@given(
    contents=some.lists(some.sampled_from([0, 1, 5, 125, 126, 300, 65_535, 65_536]), min_size=1, max_size=4),
    sizes=some.lists(some.integers(1, 5000), max_size=5),
)
def test_frames_come_out_whole_however_they_are_cut(contents: list[int], sizes: list[int]) -> None:
    """Short and long ones, one byte at a time or all at once."""
    said = [bytes(range(256)) * (size // 256) + bytes(size % 256) for size in contents]
    wire = b"".join(browser_frame(content, CONTINUED if at else BINARY) for at, content in enumerate(said))
    frames, heard = Frames(), b""
    for piece in cut(wire + browser_frame(b"\x03\xe8", CLOSE), sizes):
        for kind, content in frames.feed(piece):
            if kind == CLOSE:
                assert content == b"\x03\xe8"
            else:
                heard += content
    assert heard == b"".join(said)


@pytest.mark.parametrize(
    "wire",
    [
        frame(b"not masked"),
        browser_frame(b"words", kind=1),
        browser_frame(b"ping", kind=9),
        browser_frame(b"x" * 126, kind=CLOSE),
        b"\xf2" + browser_frame(b"compressed")[1:],
    ],
)
def test_frames_no_browser_of_ours_sends_end_the_line(wire: bytes) -> None:
    """Unmasked, text, a ping (which would have to be answered for ever), a long goodbye, extensions nobody agreed on."""
    with pytest.raises(Broken):
        Frames().feed(wire)


@pytest.mark.parametrize("version", [4, 5])
@pytest.mark.parametrize("will", [False, True])
def test_the_gate_reads_who_calls(version: int, will: bool) -> None:
    """With and without a last will, in both versions of MQTT; not before all of it has come."""
    whole, packets = connect("phone-s1-0123456789ab", version=version, will=will), Packets()
    for at in range(len(whole)):
        packets.add(whole[at : at + 1])
        assert packets.introduced() == (at == len(whole) - 1)
    assert packets.user == "phone-s1-0123456789ab"
    assert packets.take(0.0) == (whole, 0.0)


@given(some.binary(max_size=300))
def test_nothing_a_stranger_says_is_more_than_a_broken_line(noise: bytes) -> None:
    """Whatever comes, the gate knows no other end of it."""
    for data in (noise, connect("x")[:12] + noise, mqtt(0x10, noise)):
        packets = Packets()
        packets.add(data)
        with contextlib.suppress(Broken):
            packets.introduced()
        with contextlib.suppress(Broken):
            Frames().feed(data)


@given(sizes=some.lists(some.integers(1, 3000), max_size=5))
def test_what_a_guest_says_passes_unchanged(sizes: list[int]) -> None:
    """In any pieces: nothing is lost, doubled or put in another order."""
    packets, passed = guest(), b""
    said = mqtt(0x82, b"\0\1" + text("state") + b"\1") + mqtt(0x32, b"x" * 5000) + mqtt(0x40, b"\0\1") + mqtt(0xC0, b"")
    for piece in cut(said, sizes):
        packets.add(piece)
        some_of_it, wait = packets.take(0.0)
        assert wait == 0.0
        passed += some_of_it
    assert passed == said


@pytest.mark.parametrize(
    "said",
    [
        b"\x10\xff\xff\xff\x7f",
        b"\x30\xff\xff\xff\x7f",
        mqtt(0x82, b"x" * 60_000)[:9],
        connect("again"),
        b"\x30" + b"\xff" * 4,
    ],
)
def test_a_packet_no_phone_needs_ends_the_line_at_its_first_bytes(said: bytes) -> None:
    """Claims of 268 MB, filters of 60 kB, a second CONNECT, a length without end."""
    packets = guest()
    packets.add(said)
    with pytest.raises(Broken):
        packets.take(0.0)


def test_a_claim_of_268_megabytes_is_no_introduction() -> None:
    """Nothing is kept for it, and the broker is not even called."""
    packets = Packets()
    packets.add(b"\x10\xff\xff\xff\x7f")
    with pytest.raises(Broken):
        packets.introduced()


def test_a_phone_may_say_much_at_once_but_not_for_ever() -> None:
    """Twenty moves pass, then fifteen a second; large ones count for more, answers to the table's own words for nothing."""
    mine, move, thanks = Allowance(), mqtt(0x32, b"x" * 100), mqtt(0x40, b"\0\1")
    packets = guest(mine)
    packets.add(move * 1000)
    passed, wait = packets.take(0.0)
    assert len(passed) == BURST * len(move)
    assert wait == pytest.approx(1 / RATE)
    passed, _ = packets.take(1.001)
    assert len(passed) == RATE * len(move)
    again = guest(mine)
    again.add(thanks * 500)
    assert again.take(1.0) == (thanks * 500, 0.0)
    large = Allowance()
    assert [large.take(PACKET, 0.0) == 0.0 for _ in range(3)] == [True, False, False]


def test_calling_again_brings_no_new_allowance() -> None:
    """It belongs to the user; and who has been quiet is forgotten."""
    keeper = Keeper()
    mine = keeper.allowance("phone-s0-a", 0.0)
    while not mine.take(1, 0.0):
        pass
    assert keeper.allowance("phone-s0-a", 0.0).take(1, 0.0) > 0
    for number in range(5000):
        keeper.allowance(f"phone-w-{number}", 100.0)
    assert len(keeper._allowances) <= 2 * WATCHERS + 1


class Caller:
    """A line in name only."""

    def __init__(self, keeper: Keeper, address: str, *, watches: bool = True) -> None:
        self.keeper, self.address, self.watches = keeper, address, watches
        self.here, self.progress = True, 0
        keeper.enter(self)

    def hang_up(self) -> None:
        self.here = False
        self.keeper.leave(self)


def test_silence_locks_nobody_out() -> None:
    """Thousands who say nothing, from one address or from many: the last to come always finds room, from another address as
    well, and the first of the fullest address goes."""
    keeper = Keeper()
    quiet = [Caller(keeper, "1.1.1.1") for _ in range(2500)]
    assert sum(one.here for one in quiet) == STRANGERS_EACH
    assert quiet[-1].here
    phone = Caller(keeper, "2.2.2.2")
    crowd = [Caller(keeper, f"3.3.{number // 250}.{number % 250}") for number in range(STRANGERS)]
    assert len(keeper.strangers) == STRANGERS
    assert not any(one.here for one in quiet[:-1])
    assert phone.here or crowd[0].here
    Caller(keeper, "4.4.4.4")
    assert crowd[-1].here


def test_who_has_greeted_stays_before_who_says_nothing() -> None:
    """A phone behind the same router as two thousand idle lines has said a word by the time they push."""
    keeper = Keeper()
    phone = Caller(keeper, "1.1.1.1")
    phone.progress = 1
    for _ in range(2500):
        Caller(keeper, "1.1.1.1")
    assert phone.here


def test_a_stranger_of_a_full_address_does_not_push_others_out() -> None:
    """Who brings the crowd pays for it."""
    keeper = Keeper()
    neighbour = Caller(keeper, "2.2.2.2")
    for _ in range(1000):
        Caller(keeper, "1.1.1.1")
    assert neighbour.here


def test_there_are_places_for_so_many_who_watch_and_always_one_for_a_seat() -> None:
    """Sixty-four watch from one address, four hundred in all; then a seat's phone still comes in."""
    keeper = Keeper()
    assert sum(keeper.admit(Caller(keeper, "1.1.1.1")) for _ in range(100)) == WATCHERS_EACH
    rest = [keeper.admit(Caller(keeper, f"2.2.2.{number % 200}")) for number in range(WATCHERS)]
    assert sum(rest) == WATCHERS - WATCHERS_EACH
    seat = Caller(keeper, "1.1.1.1", watches=False)
    assert keeper.admit(seat)
    assert seat in keeper.guests
    assert gatekeeper.WATCHES == "phone-w-"
