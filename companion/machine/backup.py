"""Care: backup and restore that really restore, and a bundle for asking for help that gives nothing away."""

from __future__ import annotations

import contextlib
import io
import itertools
import logging
import os
import platform
import re
import shutil
import sqlite3
import sys
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion import __version__
from companion.journal.store import RESTORED
from companion.machine import swap
from companion.machine.archive import FORMAT, CareError, Manifest, kind_of, opened, unpacked
from companion.wire.config import Config, as_toml, screen_settings, shown
from companion.wire.files import open_file, own_folder, read_file, read_text, write_private

__all__ = ["FORMAT", "CareError", "Restored", "backup", "bundle", "masked", "restore"]

log = logging.getLogger("tableside.care")
PRIVATE = re.compile(rb'("?(?:password|token|secret|pin|code|key)"?\s*[:=]\s*)"[^"]*"', re.IGNORECASE)
OWN = {"broker": None, "web": None, "hall": None, "table": {"id"}, "display": {"pin", "lock"}}
"""Settings a backup does not bring along: how this machine is reached, and who may unlock it. By section; `None`: all of it."""


# ---- backup


def _kept(root: Path) -> Iterator[tuple[str, Path]]:
    """Every file worth keeping; a folder that may not be looked into is an error, not an empty one."""
    for place, folders, names in os.walk(root, onerror=_refused):
        folders[:] = sorted({"games", "box", "cards"}.intersection(folders)) if Path(place) == root else []
        for path in (Path(place) / name for name in sorted(names)):
            name = path.relative_to(root).as_posix()
            if kind_of(f"state/{name}") and path.is_file() and not path.is_symlink() and not name.endswith("-wal"):
                yield name, path


def _refused(wrong: OSError) -> None:
    if not isinstance(wrong, FileNotFoundError):  # what has just gone need not be kept
        raise wrong


def _settings(place: Path) -> Iterator[tuple[str, Path]]:
    """The owner's files."""
    for path in (place / "tableside.toml", *sorted((place / "conf.d").glob("*.toml"))):
        name = path.relative_to(place).as_posix()
        if path.is_file() and kind_of(f"config/{name}"):
            yield name, path


def _copies(name: str, path: Path, scratch: Path) -> Iterator[tuple[str, Path]]:
    """What to put into the archive for a file. A database SQLite cannot read (damaged, or set aside because it was) goes
    along as it lies, with its tail: it may be all that is left of a game."""
    if path.suffix != ".db":
        yield name, path
        return
    try:
        copy = scratch / "copy.db"
        copy.unlink(missing_ok=True)
        reading = contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True))
        with reading as source, contextlib.closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        yield name, copy
    except sqlite3.Error:
        yield name, path
        yield f"{name}-wal", Path(f"{path}-wal")


def _unused(folder: Path) -> Path:
    """A name of this second that no backup has yet: the one made before a restore must not replace the one restored."""
    stem = f"tableside-{time.strftime('%Y%m%d-%H%M%S')}"
    names = (f"{stem}.zip" if not n else f"{stem}-{n}.zip" for n in itertools.count())
    return next(folder / name for name in names if not (folder / name).exists())


def backup(config: Config, output: Path | None = None, told: Callable[[float], None] = lambda share: None) -> Path:
    """One archive of plain files: games, settings, box, calibration, cards; no passwords. Only its owner reads it: it knows
    who played and what was dealt. `told` hears how much of it is done."""
    root = config.state_dir
    if not root.is_dir():
        raise CareError(f"{root}: there is nothing to back up yet")
    path = output or _unused(root / "backups")
    kept = [(f"state/{name}", file) for name, file in _kept(root)]
    kept += [(f"config/{name}", file) for name, file in _settings(config.config_dir)]
    with _draft(path) as draft, zipfile.ZipFile(draft, "w") as archive:
        files: dict[str, int] = {}
        for number, (name, file) in enumerate(copy for entry in kept for copy in _copies(*entry, draft.parent)):
            told(min(1.0, number / max(1, len(kept))))
            with contextlib.suppress(FileNotFoundError):  # a running table has just thrown it away
                if _sound(name, file):
                    files[name] = _put(archive, name, file)
        manifest = Manifest(FORMAT, __version__, round(time.time(), 3), files)
        archive.writestr(_entry("manifest.json"), msgspec.json.encode(manifest), zipfile.ZIP_DEFLATED)
    return path


@contextlib.contextmanager
def _draft(path: Path) -> Iterator[Path]:
    """A file nobody else reads, in a folder of its own; it becomes `path` when everything went well."""
    own_folder(path.parent)
    try:
        folder = tempfile.TemporaryDirectory(prefix=".backup-", dir=path.parent)
    except OSError as wrong:
        raise OSError(wrong.errno, wrong.strerror, str(path)) from wrong
    with folder as place:
        draft = Path(place) / "backup.zip"
        draft.touch(0o600)
        yield draft
        with draft.open("rb") as written:
            os.fsync(written.fileno())
        try:
            draft.replace(path)
        except OSError as wrong:
            raise OSError(wrong.errno, wrong.strerror, str(path)) from wrong


def _sound(name: str, path: Path) -> bool:
    """Worth keeping: what a restore would refuse, because it is damaged, is left out and said. Not so a damaged journal."""
    kind = kind_of(name)
    try:
        if kind is not None and path.suffix != ".db":
            kind.fits(path)
    except ValueError as wrong:
        log.warning("%s is left out of the backup: %s", path, wrong)
        return False
    return True


def _put(archive: zipfile.ZipFile, name: str, path: Path) -> int:
    """One file more; its length."""
    kind = kind_of(name)
    assert kind is not None
    with open_file(path, kind.limit) as file, archive.open(_entry(name), "w") as target:
        shutil.copyfileobj(file, target, 1 << 20)
    return archive.getinfo(name).file_size


def _entry(name: str) -> zipfile.ZipInfo:
    """Its place in the archive, which knows no year before 1980; a Pi that has not heard the time yet does."""
    entry = zipfile.ZipInfo(name, max(time.localtime()[:6], (1980, 1, 1, 0, 0, 0)))
    entry.external_attr, entry.compress_type = 0o600 << 16, zipfile.ZIP_DEFLATED
    return entry


# ---- restore


class Restored(msgspec.Struct, frozen=True):
    """What a restore did."""

    files: int
    before: Path | None
    """The backup of what was there."""
    aside: tuple[tuple[Path, Path], ...] = ()
    """Settings that only root may put in their place: where they lie, and where they belong."""
    foreign: tuple[tuple[Path, Path], ...] = ()
    """The same for those that say how another machine is reached, or how it is unlocked."""


def restore(config: Config, source: Path, *, alone: bool = False) -> Restored:
    """Put a backup in place, also on another machine; what was there before is kept as a backup of its own. Passwords, the
    PIN and how this machine is reached stay the machine's own. `alone`: whoever calls has the games to itself."""
    from companion.machine.supervisor import in_use

    state = config.state_dir
    if not alone and in_use(state):
        raise CareError("the table is running; stop it first (sudo systemctl stop tableside.target, or Ctrl-C)")
    swap.finish(state)
    with opened(source) as (archive, entries), contextlib.ExitStack() as leave:
        _room_for(state, sum(entry.file_size for entry in entries))
        if not state.exists():
            leave.callback(_remove_empty, state)
        leave.callback(swap.forget, state)
        place = swap.begin(state)
        unpacked(archive, entries, place)
        plan = _plan(state, place / swap.NEW, [entry.filename for entry in entries])
        before = backup(config) if any(_kept(state)) else None
        try:
            with contextlib.ExitStack() as way_back:
                aside, foreign = _settings_back(config, place / "config", way_back)
                swap.exchange(state, plan)
                way_back.pop_all()
        except OSError as wrong:
            kept = f"; what was there before is in {before}" if before else ""
            raise CareError(f"{wrong.filename}: {wrong.strerror}; nothing was restored{kept}") from wrong
    return Restored(len(entries), before, tuple(aside), tuple(foreign))


def _room_for(state: Path, size: int) -> None:
    """A disk that fills half-way helps nobody."""
    place = next(folder for folder in (state, *state.parents) if folder.is_dir())
    free = shutil.disk_usage(place).free
    if size > free:
        raise CareError(f"the backup takes {size // 1_000_000} MB and {place} has {free // 1_000_000}; make room first")


def _remove_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()


def _plan(state: Path, new: Path, files: list[str]) -> swap.Plan:
    """What comes and what goes; refused when something stands in the way.

    SQLite's own tail of the journal before, and the spare copies of games that were open, would be read into the restored
    journal: they go.
    """
    # not everything that lies there: SQLite leaves a file beside a journal it has looked into
    put = [name.removeprefix("state/") for name in sorted(files) if name.startswith("state/")]
    mark = f"games/{RESTORED}"
    own_folder((new / mark).parent)
    write_private(new / mark, b"")
    put.append(mark)
    stale = (path for pattern in ("journal.db-*", "open-*") for path in (state / "games").glob(pattern))
    take = [name for name in (path.relative_to(state).as_posix() for path in stale) if name not in put]
    obstacle = swap.obstacles(state, put)
    if obstacle:
        raise CareError(f"{obstacle}; nothing was restored")
    screen = new / "settings.toml"
    if screen.exists():
        write_private(screen, _our_lock(state, screen).encode())
    return swap.Plan(put, take)


def _our_lock(state: Path, screen: Path) -> str:
    """The backup's settings of the screen, with the PIN and the lock this machine has."""
    document: dict[str, dict[str, Any]] = {"display": {}} | screen_settings(read_text(screen))
    ours: dict[str, Any] = {}
    with contextlib.suppress(OSError, ValueError):
        ours = screen_settings(read_text(state / "settings.toml")).get("display", {})
    kept = {key: value for key, value in document["display"].items() if key not in ("pin", "lock")}
    return as_toml(document | {"display": kept | {key: ours[key] for key in ("pin", "lock") if key in ours}})


Places = list[tuple[Path, Path]]


def _settings_back(config: Config, new: Path, way_back: contextlib.ExitStack) -> tuple[Places, Places]:
    """The owner's files, each in its place; else beside the games, when only root may, or when it says how some machine is
    reached: whoever wants that here reads it and copies it."""
    aside, foreign = Places(), Places()
    for path in sorted(new.rglob("*.toml")):
        belongs, content = config.config_dir / path.relative_to(new), read_file(path)
        present = read_file(belongs) if belongs.is_file() else None
        if present == content:
            continue
        left = foreign
        if _own_part(content) == (_own_part(present or b"") or _own_part(b"")):
            try:
                _setting_back(belongs, content, present, way_back)
                continue
            except PermissionError:
                left = aside
        lies = config.state_dir / "backups" / f"{path.name}.restored"
        write_private(lies, content)
        left.append((lies, belongs))
    return aside, foreign


def _own_part(content: bytes) -> dict[str, Any] | None:
    """What a file of settings says about this one machine; `None` when it cannot be read."""
    try:
        document = tomllib.loads(content.decode())
    except (ValueError, RecursionError):
        return None
    found: dict[str, Any] = {}
    for section, keys in OWN.items():
        table = document.get(section, {})
        if isinstance(table, dict):
            found[section] = {key: value for key, value in table.items() if keys is None or key in keys}
        else:
            found[section] = table
    return found


def _setting_back(path: Path, content: bytes, present: bytes | None, way_back: contextlib.ExitStack) -> None:
    """Put the owner's file back with the rights it has; a link on the way is not followed."""
    if path.parent.is_symlink():
        raise PermissionError(1, "it lies behind a link", str(path))
    mode = path.stat().st_mode & 0o777 if present is not None else 0o600
    write_private(path, content)
    way_back.callback(path.unlink if present is None else lambda: write_private(path, present))
    path.chmod(mode)


# ---- bundle


def bundle(config: Config, output: Path, *, picture: bytes | None = None) -> Path:
    """Everything a helper needs, nothing that is secret: versions, findings, settings, the end of the journal."""
    from companion.machine.doctor import examine

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
        "settings.json": msgspec.json.encode(shown(config)),
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
    from companion.journal.store import DAMAGED, Journal, JournalUnusableError

    try:
        with contextlib.closing(Journal.reading(games)) as journal:
            tails = {
                first.game: [
                    {"seq": row.seq, "kind": row.kind, "cause": row.cause, "ts": row.ts}
                    for row in journal.rows(first.game)[-50:]
                ]
                for first, _ in journal.games()[:3]
            }
    except (JournalUnusableError, OSError, *DAMAGED, *UNREADABLE, TypeError, LookupError) as wrong:
        return msgspec.json.encode({"cannot be read": str(wrong)})
    return msgspec.json.encode(tails)


def masked(text: bytes) -> bytes:
    """The same text with every secret starred out."""
    return PRIVATE.sub(rb'\1"****"', text)
