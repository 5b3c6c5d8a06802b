"""The codec: what was packed comes out, what was damaged does not, and MicroPython agrees byte for byte."""

from __future__ import annotations

import binascii
import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.pico import frames
from firmware_bridge.virtual_board import PICO
from tests.conftest import PATIENCE
from tests.firmware_bridge.conftest import need_micropython

bodies = st.binary(max_size=240)


@given(bodies, st.integers(0, 255), st.integers(0, 65535))
def test_a_frame_arrives_as_it_was_sent(body: bytes, kind: int, number: int) -> None:
    """Any body comes out again, and between the ends there is no zero."""
    sent = frames.frame(kind, number, body)
    assert 0 not in sent[1:-1]
    assert [(kind, number, body)] == frames.Splitter().feed(sent)


@given(bodies, st.data())
def test_a_damaged_frame_is_never_believed(body: bytes, data: st.DataObject) -> None:
    """One flipped bit anywhere: nothing comes out, and the next frame does."""
    sent = bytearray(frames.frame(2, 1, body))
    at = data.draw(st.integers(1, len(sent) - 2))
    sent[at] ^= 1 << data.draw(st.integers(0, 7))
    splitter = frames.Splitter()
    assert splitter.feed(bytes(sent)) == []
    assert splitter.feed(frames.frame(3, 2, b"ok")) == [(3, 2, b"ok")]
    assert splitter.bad >= 1


@given(st.lists(st.binary(max_size=600), max_size=5), bodies)
def test_noise_does_not_hide_what_follows(noise: list[bytes], body: bytes) -> None:
    """Noise, half frames and endless garbage before a frame: the frame still arrives."""
    splitter = frames.Splitter()
    for piece in noise:
        splitter.feed(piece)
    assert (2, 9, body) == splitter.feed(frames.frame(2, 9, body))[-1]


def test_another_version_is_counted_apart() -> None:
    """A board of tomorrow is not noise: it is known by its version."""
    splitter = frames.Splitter()
    assert splitter.feed(frames.frame(frames.HELLO, 1, b"?", version=9)) == []
    assert (splitter.bad, splitter.strange, splitter.version) == (0, 1, 9)


@pytest.mark.parametrize("cut", [0, 5, 26])
def test_a_body_of_another_length_is_refused(cut: int) -> None:
    """Counts and greetings have one length each."""
    counts = frames.pack_counts(1, -2, 3, 4, 5, 1, 6, -7, 8)
    assert frames.unpack_counts(counts) == (1, -2, 3, 4, 5, 1, 6, -7, 8)
    with pytest.raises(ValueError, match="counts"):
        frames.unpack_counts(counts[:cut] or b"")
    with pytest.raises(ValueError, match="hello"):
        frames.unpack_hello(frames.pack_hello((1, 2, 3), 24, 77, b"board")[: cut % 10])


def test_micropython_packs_the_same_bytes() -> None:
    """The same file, run by MicroPython, gives the same frame and the same CRC as CPython's own."""
    need_micropython()
    code = (
        "import frames, json\n"
        "body = bytes(range(200))\n"
        "f = frames.frame(2, 65535, body)\n"
        "print(json.dumps([list(f), frames.crc_hqx(b'123456789', 0xFFFF), frames.Splitter().feed(f)[0][:2]]))"
    )
    command = [sys.executable, "-m", "micropython", "-c", code]
    done = subprocess.run(command, cwd=PICO, capture_output=True, text=True, timeout=PATIENCE, check=True)
    told, crc, head = json.loads(done.stdout)
    assert frames.frame(2, 65535, bytes(range(200))) == bytes(told)
    assert (binascii.crc_hqx(b"123456789", 0xFFFF), [2, 65535]) == (crc, head)
