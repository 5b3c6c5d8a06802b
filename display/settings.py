"""What was changed on this screen: kept in `settings.toml` of the state directory, laid over the owner's file."""

from __future__ import annotations

import logging
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from companion.wire.config import SCREEN, Config, as_toml
from companion.wire.files import read_text, write_private

log = logging.getLogger("tableside.display.settings")

KEPT = SCREEN["display"]
ELSEWHERE = {
    "language": ("table", "language"),
    "vision": ("camera", "source"),
    "vision_device": ("camera", "device"),
    "firmware_bridge": ("dial", "source"),
    "browse": ("dial", "browse"),
    "mdns": ("web", "mdns"),
}
"""Settings that are not the screen's own: where each is kept. Camera and dial go by the name of their room."""


class Settings:
    """The values in force, and their file."""

    def __init__(self, config: Config) -> None:
        self.path = config.state_dir / "settings.toml"
        known = msgspec.structs.asdict(config.display)
        self.values: dict[str, Any] = {name: known[name] for name in KEPT}
        self.values["language"] = config.table.language
        # what this table does without by choice is not trouble
        self.values |= {"vision": config.camera.source, "firmware_bridge": config.dial.source}
        self.values |= {"vision_device": config.camera.device, "browse": config.dial.browse}
        self.values["mdns"] = config.web.mdns

    def keep(self, changes: dict[str, Any]) -> None:
        """Take changes over and write them down; a full disk costs only the memory of them."""
        self.values = {**self.values, **changes}
        document = _read(self.path)
        for name, value in changes.items():
            section, key = ELSEWHERE.get(name, ("display", name))
            document.setdefault(section, {})[key] = value
        try:
            write_private(self.path, as_toml(document).encode())
        except OSError as wrong:
            log.warning("settings could not be kept: %s", wrong)


def _read(path: Path) -> dict[str, dict[str, Any]]:
    try:
        found = tomllib.loads(read_text(path))
    except (OSError, tomllib.TOMLDecodeError, RecursionError):
        return {}
    return {name: table for name, table in found.items() if isinstance(table, dict)}
