"""Many tables on one machine: each a folder below `/etc/tableside/tables`, run by `tableside@<name>.target`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from companion.wire.config import PREFIX, Config, load

SETTINGS, STATE = Path("/etc/tableside/tables"), Path("/var/lib/tableside-tables")
NAME = re.compile(r"[a-z0-9-]{1,32}")


def others(settings: Path = SETTINGS, state: Path = STATE) -> Iterator[tuple[str, Config]]:
    """Every further table this machine has settings for, by name."""
    if not settings.is_dir():
        return
    for folder in sorted(settings.iterdir()):
        if folder.is_dir() and NAME.fullmatch(folder.name):
            environment = {
                f"{PREFIX}CONFIG_DIR": str(folder),
                f"{PREFIX}STATE_DIR": str(state / folder.name),
                "HOME": "/",
            }
            yield folder.name, load(environment=environment)


def ports(config: Config) -> dict[str, int]:
    """What a table listens on, by the setting's name."""
    return {
        "broker.port": config.broker.port,
        "broker.websocket_port": config.broker.websocket_port,
        "web.port": config.web.port,
    }


def clashes(tables: list[tuple[str, Config]]) -> Iterator[tuple[str, str, str]]:
    """Ports two tables want: the later one, its setting, and who has it already. And names two tables have."""
    taken: dict[int, str] = {}
    ids: dict[str, str] = {}
    for name, config in tables:
        for setting, port in ports(config).items():
            if port in taken:
                yield name, f"{setting} = {port}", taken[port]
            taken.setdefault(port, name)
        if config.table.id in ids:
            yield name, f"table.id = {config.table.id}", ids[config.table.id]
        ids.setdefault(config.table.id, name)


def free(tables: list[tuple[str, Config]]) -> tuple[int, int, int]:
    """Three ports no table of this machine has: broker, phones' line, page."""
    taken = {port for _, config in tables for port in ports(config).values()}
    start = next(first for first in range(20_000, 60_000, 10) if not taken & set(range(first, first + 3)))
    return start, start + 1, start + 2
