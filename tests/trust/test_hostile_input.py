"""Everything that reads what others wrote, fed with what hypothesis makes of good input; the long run is scripts/fuzz.py."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import random
import sqlite3
import struct
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.journal import ledger
from companion.journal.store import Journal
from companion.machine import backup
from companion.wire.config import Config
from tests.conftest import ROOT
from vision.reader.files import MAX_PIXELS, NoPicture, decoded, size_in_header


def _scripts(name: str) -> Any:
    """A module beside the scripts, which are no package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


fuzz = _scripts("fuzz_targets")
TARGETS: dict[str, Any] = {}
SLOW = {"journal files": 20, "backups": 25, "recorded games": 20, "settings": 40}


@pytest.fixture(autouse=True)
def surroundings() -> Iterator[None]:
    """Settings are read from the environment: what a target puts there does not stay."""
    before = dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(before)


def target(name: str) -> Any:
    """Made once, on first use."""
    if not TARGETS:
        TARGETS.update(fuzz.targets())
    return TARGETS[name]


NAMES = [
    *("messages", "move requests", "serial frames", "join requests", "box files", "settings", "photos"),
    *("journal files", "backups", "catalogues", "recorded games"),
    *(f"{what} {game}" for what in ("tally", "moves") for game in fuzz.GAMES),
]


def test_every_target_is_tried() -> None:
    """A new reader in the table is a new case here."""
    target("messages")
    assert sorted(NAMES) == sorted(TARGETS)
    assert 0.95 <= sum(one.share for one in TARGETS.values()) <= 1.05


def test_the_guided_search_knows_its_targets_and_reads_what_it_is_told() -> None:
    """Six kinds of input are searched whenever nobody says otherwise; its figures come from the search's own words."""
    guided = _scripts("fuzz_guided")
    kinds = {"messages", "serial frames", "journal files", "box files", "tally skytopia", "join requests"}
    assert kinds <= set(guided.USUAL) <= set(NAMES)
    said = "#2 INITED cov: 27 ft: 27 corp: 2/46b\n#9 NEW    cov: 34 ft: 40\nDone 221 runs in 21 second(s)\n"
    assert guided.DONE.search(said).groups() == ("221", "21")
    assert guided.REACHED.findall(said) == ["27", "34"]


@pytest.mark.parametrize("name", NAMES)
def test_good_input_is_taken_and_bent_input_refused_properly(name: str) -> None:
    """Never an error that is not a refusal of its own, never a hang."""
    reader = target(name)
    for seed in reader.seeds:
        try:
            reader.read(seed)
        except reader.refusals:
            assert name in ("messages", "join requests")  # each seed is for one topic or one token only

    @settings(
        max_examples=SLOW.get(name, 80),
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.sampled_from(reader.seeds), st.integers(0, 2**32), st.binary(max_size=200), st.booleans())
    def try_one(seed: bytes, number: int, noise: bytes, raw: bool) -> None:
        data = noise if raw and name != "journal files" else fuzz.mutated(seed, random.Random(number))
        with contextlib.suppress(*reader.refusals):
            reader.read(data)

    try_one()


# ---- what the long run once found


def _archive() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("manifest.json", b"{}")
    return buffer.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        _archive()[:40] + _archive()[60:],
        _archive().replace(b"PK\x01\x02", b"PK\x01\x02\xff\xff\xff"),
        b"PK\x05\x06" + bytes(12) + b"\xff\xff\xff\xff\0\0",
    ],
)
def test_a_forged_archive_is_refused_in_one_line(tmp_path: Path, data: bytes) -> None:
    """The standard library raises half a dozen kinds of errors on them."""
    source = tmp_path / "x.zip"
    source.write_bytes(data)
    with pytest.raises(backup.CareError):
        backup.restore(Config(state_dir=tmp_path / "s", config_dir=tmp_path / "c"), source)


@pytest.mark.parametrize("name", ["manifest.json", "state", "config/", "state/"])
def test_a_manifest_that_names_no_file_is_refused(tmp_path: Path, name: str) -> None:
    """Nothing is written over a folder."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("state", b"x")
        archive.writestr(
            "manifest.json", f'{{"format":"{backup.FORMAT}","version":"0","made":0,"files":{{"{name}":1}}}}'
        )
    source = tmp_path / "x.zip"
    source.write_bytes(buffer.getvalue())
    with pytest.raises(backup.CareError, match="incomplete"):
        backup.restore(Config(state_dir=tmp_path / "s", config_dir=tmp_path / "c"), source)


def test_a_complaint_that_quotes_broken_text_is_damage_like_any_other(tmp_path: Path) -> None:
    """SQLite's message about a broken schema need not be UTF-8."""
    journal = Journal(tmp_path)
    journal.append("g1", "new", {"pack": "scorepad"})
    journal.close()
    data = (tmp_path / "journal.db").read_bytes()
    assert data.count(b"CREATE TABLE rows") == 1
    (tmp_path / "journal.db").write_bytes(data.replace(b"CREATE TABLE rows", b"CREATE TABL\xff rows"))
    mended = Journal(tmp_path)
    assert mended.damage is not None
    assert len(mended.rows("g1")) == 1


def test_a_row_without_a_number_is_left_out(tmp_path: Path) -> None:
    """A flipped bit in a record's header makes a number into nothing."""
    journal = Journal(tmp_path)
    with pytest.raises(msgspec.ValidationError):
        ledger.row_of(("g1", None, "move", "{}", "", "", "", 0.0, ""))
    journal.close()
    db = sqlite3.connect(tmp_path / "journal.db")
    db.execute("INSERT INTO rows VALUES ('g2', 'x', 'new', '{}', '', '', '', 0, '')")
    db.commit()
    db.close()
    assert Journal(tmp_path).rows("g2") == []


def _png(width: int = 40, height: int = 30) -> bytes:
    return cv2.imencode(".png", np.zeros((height, width, 3), np.uint8))[1].tobytes()


def test_a_png_whose_part_claims_gigabytes_is_refused_before_it_is_unpacked() -> None:
    """1.7 kB on disk, 1.7 GB in memory."""
    data = _png()
    at = data.index(b"IDAT") - 4
    liar = data[:at] + struct.pack(">I", 0x6380_0006) + data[at + 4 :]
    with pytest.raises(NoPicture, match="damaged"):
        decoded(liar)
    assert decoded(data).shape == (30, 40, 3)


@pytest.mark.parametrize(
    ("kind", "quality"), [(".webp", 80), (".webp", 101), (".png", 0), (".jpg", 90), (".bmp", 0), (".tiff", 0)]
)
def test_the_size_is_known_before_unpacking(kind: str, quality: int) -> None:
    """Of every kind that is read at all; a picture too large for a Pi is refused by its header."""
    options = {".webp": [cv2.IMWRITE_WEBP_QUALITY, quality], ".jpg": [cv2.IMWRITE_JPEG_QUALITY, quality]}.get(kind, [])
    data = cv2.imencode(kind, np.zeros((30, 40, 3), np.uint8), options)[1].tobytes()
    assert size_in_header(data) == (40, 30)
    assert decoded(data).shape == (30, 40, 3)


@pytest.mark.parametrize("kind", [".ppm", ".hdr", ".sr", ".pfm"])
def test_kinds_nobody_photographs_in_are_not_unpacked(kind: str) -> None:
    """Each further unpacker is one more way in."""
    dtype = np.float32 if kind in (".hdr", ".pfm") else np.uint8
    data = cv2.imencode(kind, np.zeros((30, 40, 3), dtype))[1].tobytes()
    with pytest.raises(NoPicture):
        decoded(data)


def test_an_enormous_picture_is_refused_by_its_header() -> None:
    """Lossless WebP says its size in 28 bits."""
    side = 16_000
    bits = (side - 1) | (side - 1) << 14
    data = b"RIFF\x20\0\0\0WEBPVP8L\x14\0\0\0\x2f" + struct.pack("<I", bits) + bytes(20)
    assert size_in_header(data) == (side, side)
    assert side * side > MAX_PIXELS
    with pytest.raises(NoPicture, match="too many"):
        decoded(data)
    assert size_in_header(b"RIFF\x20\0\0\0WEBPXXXX" + bytes(40)) is None
    assert size_in_header(b"II*\0\xff\xff\xff\xff") is None
    assert size_in_header(b"MM\0*" + struct.pack(">IH", 8, 0)) is None
