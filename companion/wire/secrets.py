"""Passwords of the rooms: made once, kept in one file only the owner can read."""

from __future__ import annotations

import os
import secrets as chance
from pathlib import Path

import msgspec

ROOMS = ("companion", "firmware_bridge", "vision", "display", "host", "virtual", "beside", "broker-admin")


def write_private(path: Path, data: bytes) -> None:
    """Put a file in place atomically, readable by its owner only; an `OSError` names it, not what it is made from."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        _put_in_place(path, data)
    except OSError as wrong:
        raise OSError(wrong.errno, wrong.strerror, str(path)) from wrong


def _put_in_place(path: Path, data: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def room_passwords(state_dir: Path) -> dict[str, str]:
    """Every room's password; made on first use."""
    path = state_dir / "secrets.json"
    try:
        known = msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except FileNotFoundError:
        known = {}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        known = {}  # a damaged file holds nothing that cannot be made anew: the broker's file is derived from it
    missing = [room for room in ROOMS if not known.get(room)]
    if missing:
        known |= {room: chance.token_urlsafe(24) for room in missing}
        write_private(path, msgspec.json.encode(known))
    return known


def user_of(table: str, room: str) -> str:
    """The broker's user name (and client id) of a room at a table."""
    return f"{table}-{room.replace('_', '-')}"
