"""The lab's disk: what was flushed outlives a cut, what was not may be lost, and until then nobody can tell the difference."""

from __future__ import annotations

import importlib
import os
import random
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

SIZE = 64 * 4096
FUA = 2


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The plugin as nbdkit loads it, on a disk of zeros."""
    nbdkit = SimpleNamespace(THREAD_MODEL_SERIALIZE_ALL_REQUESTS=2, FUA_NATIVE=2, FLAG_FUA=FUA)
    monkeypatch.setitem(sys.modules, "nbdkit", nbdkit)
    sys.modules.pop("tools.lab.volatile_disk", None)
    made = importlib.import_module("tools.lab.volatile_disk")
    (tmp_path / "disk").write_bytes(bytes(SIZE))
    made.config("disk", str(tmp_path / "disk"))
    made.chance = random.Random(1)  # type: ignore[attr-defined]
    yield made
    os.close(made.disk)


def read(plugin: ModuleType, length: int, offset: int) -> bytes:
    found = bytearray(length)
    plugin.pread(1, found, offset, 0)
    return bytes(found)


def test_what_is_read_is_what_was_written_flushed_or_not(plugin: ModuleType) -> None:
    """Against a plain array, in pieces of every size and place."""
    chance, plain = random.Random(7), bytearray(SIZE)
    for _ in range(400):
        offset = chance.randrange(SIZE - 1)
        data = chance.randbytes(chance.randrange(1, min(20_000, SIZE - offset) + 1))
        plugin.pwrite(1, data, offset, chance.choice((0, 0, FUA)))
        plain[offset : offset + len(data)] = data
        if chance.random() < 0.1:
            plugin.flush(1, 0)
        assert read(plugin, SIZE, 0) == bytes(plain)
    assert plugin.get_size(1) == SIZE


def test_a_cut_takes_what_was_not_flushed(plugin: ModuleType, tmp_path: Path) -> None:
    """Not all of it: some blocks reach the disk early and out of order."""
    plugin.pwrite(1, b"a" * SIZE, 0, 0)
    plugin.flush(1, 0)
    plugin.pwrite(1, b"b" * SIZE, 0, 0)
    there = (tmp_path / "disk").read_bytes()  # as after a kill: the process's own memory is gone
    blocks = [there[at : at + 4096] for at in range(0, SIZE, 4096)]
    assert set(blocks) == {b"a" * 4096, b"b" * 4096}
    assert 0 < blocks.count(b"b" * 4096) < len(blocks) / 2


def test_a_write_that_must_be_there_is_there(plugin: ModuleType, tmp_path: Path) -> None:
    """FUA, also over what was held back before."""
    plugin.pwrite(1, b"old" * 1000, 100, 0)
    plugin.pwrite(1, b"new" * 1000, 100, FUA)
    assert (tmp_path / "disk").read_bytes()[100:3100] == b"new" * 1000
    plugin.flush(1, 0)
    assert (tmp_path / "disk").read_bytes()[100:3100] == b"new" * 1000


def test_a_deaf_disk_only_says_that_it_has_flushed(plugin: ModuleType, tmp_path: Path) -> None:
    """What a machine can read is the same; what a cut leaves is not."""
    plugin.config("deaf", "1")
    plugin.pwrite(1, b"a" * SIZE, 0, FUA)
    plugin.flush(1, 0)
    assert read(plugin, SIZE, 0) == b"a" * SIZE
    there = (tmp_path / "disk").read_bytes()
    assert there.count(b"a" * 4096) < SIZE / 4096 / 2
