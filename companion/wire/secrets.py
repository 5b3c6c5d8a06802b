"""Passwords of the rooms: made once, kept in one file only the owner can read."""

from __future__ import annotations

import secrets as chance
from pathlib import Path

import msgspec

from companion.wire.files import read_file, write_private

ROOMS = ("companion", "phones", "firmware_bridge", "vision", "display", "host", "virtual", "beside", "broker-admin")


def room_passwords(state_dir: Path) -> dict[str, str]:
    """Every room's password; made on first use."""
    path = state_dir / "secrets.json"
    try:
        known = msgspec.json.decode(read_file(path), type=dict[str, str])
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
