"""Passwords of the rooms: made once, each in a file of its own, and each room is handed its own alone.

Whoever starts a room gives it its password: systemd as a credential, our supervisor in the environment. Only a command that its
owner types, and the core's helper that writes the broker's files, look into the folder itself.
"""

from __future__ import annotations

import os
import re
import secrets as chance
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from companion.wire.files import read_file, read_text, write_private

ROOMS = (
    "companion",
    "phones",
    "firmware_bridge",
    "vision",
    "display",
    "speech",
    "host",
    "virtual",
    "beside",
    "broker-admin",
)
NEEDS = {"companion": ("companion", "phones", "broker-admin")}
"""The core has a second line for what phones say, and makes their passwords; every other room needs only its own."""
FOLDER, BEFORE = "secrets", "secrets.json"
PASSWORD = re.compile(r"[A-Za-z0-9_-]{20,64}")
_handed: dict[str, str] = {}


def room_passwords(state_dir: Path) -> dict[str, str]:
    """Every room's password; made on first use, taken over from the one file of an earlier version."""
    before = _before(state_dir)
    passwords = {room: _kept(state_dir, room) or before.get(room) or chance.token_urlsafe(24) for room in ROOMS}
    for room, password in passwords.items():
        if _kept(state_dir, room) != password:
            write_private(state_dir / FOLDER / room, password.encode())
    with suppress(OSError):
        (state_dir / BEFORE).unlink(missing_ok=True)
    return passwords


def password_of(state_dir: Path, room: str) -> str:
    """One room's password, as it was handed over; else out of its own file."""
    variable, given = _variable(room), os.environ.get("CREDENTIALS_DIRECTORY")
    if variable in os.environ:
        _handed[room] = os.environ.pop(variable)  # not for whatever this process may start
    if room in _handed:
        return _handed[room]
    with suppress(OSError):
        if given:
            return read_text(Path(given) / room).strip()
    return _kept(state_dir, room) or _before(state_dir).get(room) or room_passwords(state_dir)[room]


def handed_to(room: str, passwords: Mapping[str, str]) -> dict[str, str]:
    """The environment that hands a room what it needs and nothing more."""
    return {_variable(name): passwords[name] for name in NEEDS.get(room, (room,))}


def _variable(room: str) -> str:
    return f"TABLESIDE_PASSWORD_{room.replace('-', '_').upper()}"


def _kept(state_dir: Path, room: str) -> str:
    """What a room's file holds; nothing when it is damaged or not there: the broker's files are made from it, so it can be
    made anew."""
    try:
        found = read_text(state_dir / FOLDER / room).strip()
    except PermissionError:
        raise
    except OSError:
        return ""
    return found if PASSWORD.fullmatch(found) else ""


def _before(state_dir: Path) -> dict[str, str]:
    """What an earlier version kept in one file for all."""
    try:
        return msgspec.json.decode(read_file(state_dir / BEFORE), type=dict[str, str])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}


def user_of(table: str, room: str) -> str:
    """The broker's user name of a room at a table."""
    return f"{table}-{room.replace('_', '-')}"


def client_id(table: str, user: str) -> str:
    """The id a user connects with: a phone's is its name. A room's is not, and the phones' port makes every id the user's
    name: a room's password opens nothing there."""
    return f"room:{user}" if user in {user_of(table, room) for room in ROOMS} else user
