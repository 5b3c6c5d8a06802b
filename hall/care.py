"""Backup and restore of a hall: PostgreSQL's own dump, with the settings and the certificate tables know it by."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from pathlib import Path

from companion.wire.files import open_file, read_file, write_private
from hall.database import Database
from hall.postgres import program
from hall.settings import FILE, CannotStartError

DUMP = "results.dump"
FILES = (FILE, "hall.pem", "hall.key", "secrets/hall")
LARGEST = 2_000_000_000


def backup(folder: Path, dsn: str, output: Path) -> None:
    """One archive, readable by its owner only."""
    done = subprocess.run([program("pg_dump"), "--format=custom", "--dbname", dsn], capture_output=True, check=False)
    if done.returncode:
        raise CannotStartError(f"PostgreSQL made no dump: {done.stderr.decode(errors='replace').strip()[-200:]}")
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        _put(archive, DUMP, done.stdout)
        for name in FILES:
            if (folder / name).exists():
                _put(archive, name, read_file(folder / name))
    try:
        write_private(output.absolute(), buffer.getvalue())
    except OSError as wrong:
        raise CannotStartError(f"{output}: {wrong.strerror}; no backup was made") from wrong


def restore(folder: Path, dsn: str, archive: Path) -> None:
    """Put a backup in place. The hall is then another: tables tell what it may have forgotten."""
    found: dict[str, bytes] = {}
    try:
        with open_file(archive, LARGEST) as file, tarfile.open(fileobj=file, mode="r:gz") as opened:
            for member in opened:
                kept = opened.extractfile(member) if member.isfile() and member.name in (DUMP, *FILES) else None
                if kept is not None:
                    found[member.name] = kept.read(LARGEST)
    except (OSError, tarfile.TarError, EOFError) as wrong:
        raise CannotStartError(
            f"{archive}: {getattr(wrong, 'strerror', None) or 'it is not a backup of a hall'}"
        ) from wrong
    if DUMP not in found:
        raise CannotStartError(f"{archive}: it is not a backup of a hall")
    command = [program("pg_restore"), "--clean", "--if-exists", "--no-owner", "--single-transaction", "--dbname", dsn]
    done = subprocess.run(command, input=found.pop(DUMP), capture_output=True, check=False)
    if done.returncode:
        why = done.stderr.decode(errors="replace").strip()[-200:]
        raise CannotStartError(f"PostgreSQL refused this backup, and nothing was changed: {why}")
    for name, content in found.items():
        write_private(folder / name, content)
    store = Database(dsn)
    store.another_hall()
    store.close()


def _put(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.uid = len(content), 0o600, os.geteuid()
    archive.addfile(member, io.BytesIO(content))
