"""What a backup may hold, and archives from elsewhere that must hold nothing else.

One table says it for both sides: a backup keeps what stands in `KINDS`, a restore takes nothing that does not. An archive is
looked at before it is unpacked and unpacked piece by piece, beside the games and not into them.
"""

from __future__ import annotations

import contextlib
import lzma
import os
import re
import sqlite3
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

import msgspec

from companion.journal import ledger
from companion.journal.rows import UNREADABLE
from companion.wire.config import screen_settings
from companion.wire.files import SMALL, open_file, own_folder, read_file, read_text

FORMAT = "tableside-backup-1"
MAX_FILES, MAX_ARCHIVE, MAX_ENTRY, MAX_ALL = 2_000, 1_000_000_000, 500_000_000, 1_000_000_000
DENSEST = 100
"""Times its packed size a file may have: games and pictures never come near, a bomb does."""
PIECE = 1 << 20
PIXELS = 4_000_000
"""Of a taught card's picture."""
BROKEN = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(OSError, EOFError, KeyError, ValueError, RuntimeError),
)
"""Everything the standard library's archive reader raises on an archive that somebody damaged or forged."""


class CareError(Exception):
    """It could not be done; the message says why and what to do."""


class Manifest(msgspec.Struct, forbid_unknown_fields=True):
    """What a backup says about itself."""

    format: str
    version: str
    made: float
    files: dict[str, int]


# ---- what a backup may hold


def _anything(path: Path) -> None:
    """Read as a stranger's whenever it is read."""


def _json(kind: Any) -> Callable[[Path], None]:
    def fits(path: Path) -> None:
        try:
            msgspec.json.decode(read_file(path), type=kind)
        except UNREADABLE as wrong:
            raise ValueError(f"it is damaged: {wrong}") from wrong

    return fits


def _text(path: Path) -> None:
    read_text(path)


def _screen(path: Path) -> None:
    screen_settings(read_text(path))


def _card(path: Path) -> None:
    with path.open("rb") as file:
        head = file.read(24)
    width, height = struct.unpack(">II", head[16:24].ljust(8, b"\xff"))
    if head[:8] != b"\x89PNG\r\n\x1a\n" or width * height > PIXELS:
        raise ValueError("it is not a picture of a card")


def _journal(path: Path) -> None:
    """A journal of ours, or one so damaged that nothing in it can do anything: the next start saves what is left of it."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        try:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            version = db.execute("PRAGMA user_version").fetchone()[0]
        except ledger.DAMAGED:
            return
        if version > ledger.SCHEMA:
            raise ValueError("it is from a newer Tableside; please update")
        try:
            ledger.ours(db)
        except ledger.DAMAGED as wrong:
            raise ValueError(str(wrong)) from wrong


class Kind(msgspec.Struct, frozen=True):
    """One kind of file: what it is called, how long it may be, and what must not be wrong with it."""

    name: str
    limit: int
    fits: Callable[[Path], None] = _anything


KINDS = (
    Kind(r"state/games/journal\.db", MAX_ENTRY, _journal),
    Kind(r"state/games/journal\.(damaged-\d{1,6}|rebuilt)\.db", MAX_ENTRY),
    Kind(r"state/games/journal\.(damaged-\d{1,6}\.|rebuilt\.)?db-wal", MAX_ENTRY),
    Kind(r"state/games/open-[A-Za-z0-9-]{1,80}\.jsonl", MAX_ENTRY),
    Kind(r"state/games/unclean-shutdowns", 100),
    Kind(r"state/box/[a-z0-9-]{1,64}\.json", SMALL, _json(dict[str, Any])),
    Kind(r"state/box/[a-z0-9-]{1,64}\.damaged", SMALL),
    Kind(r"state/(players|people|pads)\.json", SMALL, _json(list[dict[str, Any]])),
    Kind(r"state/groups\.json", SMALL, _json(list[list[dict[str, Any]]])),
    Kind(r"state/(calibration\.json(\.bak)?|dial\.json)", SMALL, _json(dict[str, Any])),
    Kind(r"state/cards/[A-Za-z0-9][A-Za-z0-9._-]{0,63}\.png", 4 * SMALL, _card),
    Kind(r"state/settings\.toml", SMALL, _screen),
    Kind(r"config/(tableside|conf\.d/[A-Za-z0-9_-][A-Za-z0-9._-]{0,63})\.toml", SMALL, _text),
)
PASSED_OVER = re.compile(
    r"state/(secrets\.json|secrets/[a-z_-]{1,32}|settings\.new|dial\.[0-9]{1,8}|games/open-[A-Za-z0-9-]{1,80}\.new)"
)
"""What backups of earlier versions also hold: the machine keeps its own passwords, and half-written files are nothing."""


def kind_of(name: str) -> Kind | None:
    """What a file of this name is, when a backup may hold it."""
    return next((kind for kind in KINDS if re.fullmatch(kind.name, name)), None)


# ---- an archive from elsewhere


@contextlib.contextmanager
def opened(source: Path) -> Iterator[tuple[zipfile.ZipFile, list[zipfile.ZipInfo]]]:
    """An archive that may be restored as far as it can be told from outside, and its files; `CareError` in one line."""
    try:
        file = open_file(source, MAX_ARCHIVE)
    except PermissionError as wrong:
        raise CareError(f"{source}: may not be read by this user; copy it to /tmp and restore it from there") from wrong
    except OSError as wrong:
        raise CareError(f"{source}: cannot be read: {wrong.strerror}") from wrong
    with file:
        try:
            _short_list(file)
            archive = zipfile.ZipFile(file)
        except BROKEN as wrong:
            raise CareError(f"{source}: not a backup archive: {wrong}") from wrong
        with archive:
            yield archive, _checked(archive)


def _short_list(file: BinaryIO) -> None:
    """The list at an archive's end is read whole by whoever opens it: how long it is stands behind it."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - 70_000))
    tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or at + 22 > len(tail):
        return  # not an archive; its opening says so
    count, length = struct.unpack("<HI", tail[at + 10 : at + 16])
    # the longer form of the list, for more than 65,535 files or 4 GB
    if count > MAX_FILES or length > MAX_FILES * 500 or b"PK\x06\x07" in tail[max(0, at - 20) : at]:
        raise CareError("the archive holds more files than a backup of a table; nothing was restored")


def _checked(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Refuse everything that is not one of our archives, before a single file is written."""
    manifest = _manifest(archive)
    entries = {entry.filename: entry for entry in archive.infolist()}
    if len(entries) != len(archive.infolist()):
        raise CareError("the archive holds a file twice; nothing was restored")
    del entries["manifest.json"]
    for name, entry in entries.items():
        _fit_to_unpack(entry)
        if PurePosixPath(name).parts[:1] not in (("state",), ("config",)) or ".." in name or "\\" in name:
            raise CareError(f"{name!r} would be written outside the table's folders; nothing was restored")
    for name in manifest.files:
        if name not in entries or "/" not in name:
            raise CareError(f"the archive is incomplete: {name} is missing; nothing was restored")
    total = 0
    for name, entry in entries.items():
        kind = kind_of(name)
        if kind is None and not PASSED_OVER.fullmatch(name):
            raise CareError(f"{name!r} does not belong in a backup of a table; nothing was restored")
        total += entry.file_size
        if entry.file_size > (kind.limit if kind else SMALL) or total > MAX_ALL:
            raise CareError(f"{name} makes the archive too large for a backup of a table; nothing was restored")
        if manifest.files.get(name) != entry.file_size:
            raise CareError(f"{name} is not the file the backup's manifest names; nothing was restored")
    return [entry for name, entry in entries.items() if kind_of(name) is not None]


def _manifest(archive: zipfile.ZipFile) -> Manifest:
    try:
        entry = archive.getinfo("manifest.json")
    except KeyError as wrong:
        raise CareError("this is not a Tableside backup: it has no manifest; nothing was restored") from wrong
    _fit_to_unpack(entry)
    if entry.file_size > SMALL:
        raise CareError("the backup's manifest is too large; nothing was restored")
    try:
        manifest = msgspec.json.decode(archive.read(entry), type=Manifest)
    except BROKEN as wrong:
        raise CareError("the backup's manifest cannot be read; it is damaged, or from a newer Tableside") from wrong
    if manifest.format != FORMAT:
        raise CareError(f"the backup has the format {manifest.format!r}; this version reads {FORMAT!r}")
    return manifest


def _fit_to_unpack(entry: zipfile.ZipInfo) -> None:
    """A plain file, packed as we pack, no larger than such packing can be honest about."""
    name, kind = entry.filename, entry.external_attr >> 28
    if kind == 0xA:
        raise CareError(f"{name!r} is a link; nothing was restored")
    if kind not in (0, 8) or entry.is_dir() or entry.flag_bits & 0x1:
        raise CareError(f"{name!r} is not a plain file; nothing was restored")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise CareError(f"{name!r} is packed in a way no backup is; nothing was restored")
    if entry.file_size > DENSEST * entry.compress_size + SMALL:
        raise CareError(f"{name!r} would unpack to something too large for its size; nothing was restored")


def unpacked(archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], folder: Path) -> None:
    """The files of an archive below `folder`, each looked into; `CareError` when one is not what its name says."""
    try:
        for entry in entries:
            path = folder / entry.filename
            own_folder(path.parent)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as target, archive.open(entry) as packed:
                while piece := packed.read(PIECE):
                    target.write(piece)
                target.flush()
                os.fsync(target.fileno())
    except BROKEN as wrong:
        raise CareError(f"{archive.filename or 'the archive'}: damaged: {wrong}; nothing was restored") from wrong
    for entry in entries:
        kind = kind_of(entry.filename)
        assert kind is not None
        try:
            kind.fits(folder / entry.filename)
        except (ValueError, OSError) as wrong:
            raise CareError(f"{entry.filename} cannot be taken: {wrong}; nothing was restored") from wrong
