"""The dial's place on disk, while the power is off."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from companion.wire.config import Config
from companion.wire.files import own_folder, read_file
from firmware_bridge.dial import Memory


def memory_file(config: Config) -> Path:
    """Where the dial's zero is kept."""
    return config.state_dir / "dial.json"


def read_memory(file: Path) -> Memory | None:
    """What was kept; nothing when it cannot be read, for then the player is asked."""
    try:
        return msgspec.json.decode(read_file(file), type=Memory)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def write_memory(file: Path, memory: Memory) -> None:
    """Keep it whole or not at all; a disk that refuses costs the player one confirmation, no more."""
    draft = file.with_suffix(f".{os.getpid()}")
    try:
        own_folder(file.parent)
        draft.write_bytes(msgspec.json.encode(memory))
        draft.replace(file)
    except OSError:
        return
