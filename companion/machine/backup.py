"""Care: backup and restore that really restore, and a bundle for asking for help that gives nothing away."""

from __future__ import annotations

import contextlib
import io
import itertools
import lzma
import os
import platform
import re
import sqlite3
import struct
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import msgspec

from companion import __version__
from companion.wire.config import SECTIONS, Config
from companion.wire.files import open_file, read_file, write_private

FORMAT = "tableside-backup-1"
LEFT_OUT = frozenset(
    {"broker", "run.lock", "core.lock", "running", "evidence", "backups", "run.log", "last-words", "left-out.json"}
)
"""Made anew at every start, or only of use here."""
MAX_ENTRY, MAX_ALL = 200_000_000, 1_000_000_000
BROKEN = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(OSError, EOFError, KeyError, ValueError, RuntimeError),
)
"""Everything the standard library's archive reader raises on an archive that somebody damaged or forged."""
PRIVATE = re.compile(rb'("?(?:password|token|secret|pin|code)"?\s*[:=]\s*)"[^"]*"', re.IGNORECASE)


class CareError(Exception):
    """It could not be done; the message says why and what to do."""


class Manifest(msgspec.Struct, forbid_unknown_fields=True):
    """What a backup says about itself."""

    format: str
    version: str
    made: float
    files: dict[str, int]


def _kept(root: Path) -> Iterator[tuple[str, Path]]:
    """Every file worth keeping; a folder that may not be looked into is an error, not an empty one."""
    for place, folders, names in os.walk(root, onerror=_refused):
        folders[:] = sorted(set(folders) - LEFT_OUT)
        for path in (Path(place) / name for name in sorted(set(names) - LEFT_OUT)):
            if path.is_file() and not path.is_symlink() and not path.name.startswith("."):
                yield path.relative_to(root).as_posix(), path


def _refused(wrong: OSError) -> None:
    if not isinstance(wrong, FileNotFoundError):  # what has just gone need not be kept
        raise wrong


def _copies(name: str, path: Path) -> Iterator[tuple[str, bytes]]:
    """What a file holds; nothing when a running table has just thrown it away. A database SQLite cannot read (damaged, or
    set aside because it was) goes along as it lies, with its tail: it may be all that is left of a game."""
    with contextlib.suppress(FileNotFoundError):
        if path.suffix != ".db":
            yield name, path.read_bytes()
            return
        try:
            whole = _database(path)
        except sqlite3.Error:
            yield name, path.read_bytes()
            yield f"{name}-wal", Path(f"{path}-wal").read_bytes()
        else:
            yield name, whole


def _database(path: Path) -> bytes:
    """A consistent copy of a database that may be in use."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "copy.db"
        reading = contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True))
        with reading as source, contextlib.closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        return copy.read_bytes()


def _unused(folder: Path) -> Path:
    """A name of this second that no backup has yet: the one made before a restore must not replace the one restored."""
    stem = f"tableside-{time.strftime('%Y%m%d-%H%M%S')}"
    names = (f"{stem}.zip" if not n else f"{stem}-{n}.zip" for n in itertools.count())
    return next(folder / name for name in names if not (folder / name).exists())


def backup(config: Config, output: Path | None = None) -> Path:
    """One archive of plain files: games, settings, box, calibration, cards. It holds secrets, so only its owner reads it."""
    root = config.state_dir
    if not root.is_dir():
        raise CareError(f"{root}: there is nothing to back up yet")
    path = output or _unused(root / "backups")
    buffer = io.BytesIO()
    files: dict[str, int] = {}
    with zipfile.ZipFile(buffer, "w") as archive:
        kept = [(f"state/{name}", file) for name, file in _kept(root) if not name.endswith(("-wal", "-shm"))]
        kept += [(f"config/{name}", file) for name, file in _settings(config.config_dir)]
        for name, data in (copy for entry in kept for copy in _copies(*entry)):
            _put(archive, name, data)
            files[name] = len(data)
        manifest = Manifest(FORMAT, __version__, round(time.time(), 3), files)
        _put(archive, "manifest.json", msgspec.json.encode(manifest))
    write_private(path, buffer.getvalue())
    return path


def _settings(place: Path) -> Iterator[tuple[str, Path]]:
    """The owner's files."""
    for path in (place / "tableside.toml", *sorted((place / "conf.d").glob("*.toml"))):
        if path.is_file():
            yield path.relative_to(place).as_posix(), path


def _put(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """One file more; an archive knows no year before 1980, a Pi that has not heard the time yet does."""
    now = time.localtime()[:6]
    entry = zipfile.ZipInfo(name, max(now, (1980, 1, 1, 0, 0, 0)))
    entry.external_attr = 0o600 << 16
    archive.writestr(entry, data, zipfile.ZIP_DEFLATED)


def _checked(archive: zipfile.ZipFile) -> Manifest:
    """Refuse everything that is not one of our archives, before a single file is written."""
    try:
        manifest = msgspec.json.decode(archive.read("manifest.json"), type=Manifest)
    except KeyError as wrong:
        raise CareError("this is not a Tableside backup: it has no manifest; nothing was restored") from wrong
    except BROKEN as wrong:
        raise CareError("the backup's manifest cannot be read; it is damaged, or of a newer Tableside") from wrong
    if manifest.format != FORMAT:
        raise CareError(f"the backup has the format {manifest.format!r}; this version reads {FORMAT!r}")
    total = 0
    for entry in archive.infolist():
        name = PurePosixPath(entry.filename)
        if (
            name.is_absolute()
            or not name.parts
            or ".." in name.parts
            or "\\" in entry.filename
            or name.parts[0] not in ("state", "config", "manifest.json")
        ):
            raise CareError(f"{entry.filename!r} would be written outside the table's folders; nothing was restored")
        if entry.external_attr >> 28 == 0xA:
            raise CareError(f"{entry.filename!r} is a link; nothing was restored")
        total += entry.file_size
        if entry.file_size > MAX_ENTRY or total > MAX_ALL:
            raise CareError("the archive is too large to be a backup of a table; nothing was restored")
    names = set(archive.namelist())
    for file in manifest.files:
        if file not in names or not file.startswith(("state/", "config/")) or file.endswith("/"):
            raise CareError(f"the archive is incomplete: {file} is missing; nothing was restored")
    return manifest


class Restored(msgspec.Struct, frozen=True):
    """What a restore did."""

    files: int
    before: Path | None
    """The backup of what was there."""
    aside: tuple[tuple[Path, Path], ...] = ()
    """Settings that only root may put in their place: where they lie, and where they belong."""


def restore(config: Config, source: Path) -> Restored:
    """Put a backup in place, also on another machine; what was there before is kept as a backup of its own."""
    from companion.machine.supervisor import in_use

    if in_use(config.state_dir):
        raise CareError("the table is running; stop it first (sudo systemctl stop tableside.target, or Ctrl-C)")
    contents = _contents(source)
    before = backup(config) if config.state_dir.is_dir() and any(_kept(config.state_dir)) else None
    aside = []
    try:
        _make_way(config.state_dir / "games")
        for name, content in contents.items():
            folder, _, rest = name.partition("/")
            if folder == "state":
                write_private(config.state_dir / rest, content)
            elif not _setting_back(config.config_dir / rest, content):
                path = config.state_dir / "backups" / f"{Path(rest).name}.restored"
                write_private(path, content)
                aside.append((path, config.config_dir / rest))
    except OSError as wrong:
        kept = f"; what was there before is in {before}" if before else ""
        raise CareError(f"{wrong.filename}: {wrong.strerror}{kept}") from wrong
    return Restored(len(contents), before, tuple(aside))


def _contents(source: Path) -> dict[str, bytes]:
    """Every file of a backup, or a clear line and not a single one."""
    try:
        archive = zipfile.ZipFile(open_file(source, MAX_ALL))
    except PermissionError as wrong:
        raise CareError(f"{source}: may not be read by this user; copy it to /tmp and restore it from there") from wrong
    except OSError as wrong:
        raise CareError(f"{source}: cannot be read: {wrong.strerror}") from wrong
    except BROKEN as wrong:
        raise CareError(f"{source}: not a backup archive: {wrong}") from wrong
    with archive:
        manifest = _checked(archive)
        try:
            return {name: archive.read(name) for name in manifest.files}
        except BROKEN as wrong:
            raise CareError(f"{source}: damaged: {wrong}; nothing was restored") from wrong


def _setting_back(path: Path, content: bytes) -> bool:
    """Put the owner's file back with the rights it has; `False` when only root may: an installed table does not own it."""
    try:
        if path.is_file() and path.read_bytes() == content:
            return True
        mode = path.stat().st_mode & 0o777 if path.is_file() else 0o600
        write_private(path, content)
        path.chmod(mode)
    except PermissionError:
        return False
    return True


def _make_way(games: Path) -> None:
    """Take away, before anything is written, what would be read into the restored journal: SQLite's own tail of the one
    before, and the spare copies of games that were open."""
    for pattern in ("journal.db-*", "open-*.jsonl"):
        for stale in games.glob(pattern):
            stale.unlink()


def bundle(config: Config, output: Path, *, picture: bytes | None = None) -> Path:
    """Everything a helper needs, nothing that is secret: versions, findings, settings, the end of the journal."""
    from companion.machine.doctor import examine

    shown = {name: msgspec.to_builtins(getattr(config, name)) for name in SECTIONS}
    shown["display"]["pin"] = "****" if shown["display"]["pin"] else ""
    parts: dict[str, bytes] = {
        "versions.json": msgspec.json.encode(
            {
                "tableside": __version__,
                "python": sys.version,
                "machine": platform.platform(),
                "problems": config.problems,
            }
        ),
        "doctor.json": msgspec.json.encode(examine()),
        "settings.json": msgspec.json.encode(shown),
    }
    parts["journal.json"] = _journal_tails(config.state_dir / "games")
    count = config.state_dir / "games" / "unclean-shutdowns"
    with contextlib.suppress(OSError):
        parts["unclean-shutdowns.txt"] = read_file(count) if count.exists() else b"0\n"
    if picture is not None:
        parts["picture.jpg"] = picture
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content if name.endswith(".jpg") else masked(content))
    write_private(output, buffer.getvalue())
    return output


def _journal_tails(games: Path) -> bytes:
    """How the last games went, without what was played; a damaged journal may be why help is asked for, so it says so."""
    from companion.journal.rows import UNREADABLE
    from companion.journal.store import DAMAGED, Journal, JournalFullError

    try:
        with contextlib.closing(Journal.reading(games)) as journal:
            tails = {
                first.game: [
                    {"seq": row.seq, "kind": row.kind, "cause": row.cause, "ts": row.ts}
                    for row in journal.rows(first.game)[-50:]
                ]
                for first, _ in journal.games()[:3]
            }
    except (JournalFullError, OSError, *DAMAGED, *UNREADABLE, TypeError, LookupError) as wrong:
        return msgspec.json.encode({"cannot be read": str(wrong)})
    return msgspec.json.encode(tails)


def masked(text: bytes) -> bytes:
    """The same text with every secret starred out."""
    return PRIVATE.sub(rb'\1"****"', text)
