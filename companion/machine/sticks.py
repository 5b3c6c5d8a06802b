"""USB sticks and what lies on them. A stick is what the system has mounted below one of a few folders; a folder that holds a file
called `tableside-backups` counts as one too, for whoever keeps backups on a network drive."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from companion.machine.update import NAME, numbers
from companion.wire.replies import Backup, Newer, Stick

MARK = "tableside-backups"
BACKUP = re.compile(r"tableside-\d{8}-\d{6}(-\d{1,3})?\.zip")
SHOWN = 20
"""Backups of one stick that are offered, the newest first."""


def sticks(places: tuple[str, ...]) -> list[Stick]:
    """What is plugged in and can be written, by name."""
    found = {folder for place in places for folder in _below(Path(place)) if _is_one(folder)}
    return [stick for folder in sorted(found) if (stick := _told(folder)) is not None]


def _below(place: Path) -> list[Path]:
    """Desktops mount at `/media/<user>/<stick>`, others at `/media/<stick>`."""
    first = _folders(place)
    return [*first, *(inner for one in first for inner in _folders(one))]


def _folders(place: Path) -> list[Path]:
    try:
        return [one for one in sorted(place.iterdir()) if one.is_dir() and not one.is_symlink()][:50]
    except OSError:
        return []


def _is_one(folder: Path) -> bool:
    return os.access(folder, os.W_OK) and (os.path.ismount(folder) or (folder / MARK).is_file())


def _told(folder: Path) -> Stick | None:
    try:
        ours = [one for one in folder.glob("tableside-*.zip") if one.is_file() and not one.is_symlink()]
        kept = [(one, one.stat()) for one in ours if BACKUP.fullmatch(one.name)]
        free = shutil.disk_usage(folder).free // 1_000_000
    except OSError:
        return None  # pulled out in this moment
    kept.sort(key=lambda one: -one[1].st_mtime)
    backups = tuple(Backup(one.name, found.st_mtime) for one, found in kept[:SHOWN])
    newer = [Newer(one.name, found[1]) for one in ours if (found := NAME.fullmatch(one.name))]
    newer.sort(key=lambda one: numbers(one.version), reverse=True)
    return Stick(folder.name, str(folder), free, backups, tuple(newer[:3]))
