"""The hall's settings: `hall.toml` in its folder, every one with a default that works for one machine in one room."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.wire.config import CONTROL
from companion.wire.files import read_text
from companion.wire.sections import Port

FILE = "hall.toml"
Address = Annotated[str, Meta(pattern=r"^[A-Za-z0-9.-]{1,253}$")]


class CannotStartError(Exception):
    """The hall cannot do it; the message says why and what to do."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All of them."""

    name: Annotated[str, Meta(max_length=80)] = "Tableside"
    """Above the big screen."""
    language: Literal["en", "pl", "fr"] = "en"
    addresses: Annotated[tuple[Address, ...], Meta(max_length=2)] = ()
    """Where tables find the first and the second broker: one machine or two; empty: this machine's own address."""
    ports: Annotated[tuple[Port, ...], Meta(min_length=2, max_length=2)] = (8883, 8884)
    """Of the first and the second broker."""
    brokers: Annotated[tuple[Annotated[int, Meta(ge=0, le=1)], ...], Meta(max_length=2)] = (0, 1)
    """Those this machine runs; a second machine takes `[1]`, the first then `[0]`."""
    host: str = ""
    """Address the brokers listen on; empty: all."""
    database: str = ""
    """How PostgreSQL is reached (`host=... dbname=...`); empty: one in the hall's own folder."""
    web_host: str = ""
    web_port: Port = 8790
    home_assistant: bool = False
    """Describe every table to Home Assistant as well (docs/hall.md)."""
    pin: Annotated[str, Meta(pattern=r"^[0-9]{0,12}$")] = ""
    """Opens the organiser's page; empty: nothing does."""


def folder_of_hall() -> Path:
    """Where the hall keeps its files: ours if named, systemd's, else XDG."""
    named = os.environ.get("TABLESIDE_HALL_DIR") or os.environ.get("STATE_DIRECTORY", "").split(":")[0]
    return (
        Path(named)
        if named
        else Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state") / "tableside-hall"
    )


def load(folder: Path) -> Settings:
    """The settings in a hall's folder; raises `CannotStartError` naming what is wrong."""
    path = folder / FILE
    try:
        document = tomllib.loads(read_text(path))
        settings = msgspec.convert(document, Settings)
    except FileNotFoundError:
        return Settings()
    except (OSError, tomllib.TOMLDecodeError, msgspec.ValidationError, RecursionError) as wrong:
        raise CannotStartError(f"{path}: {getattr(wrong, 'strerror', None) or wrong}") from wrong
    for text in (settings.name, settings.host, settings.database, settings.web_host, *settings.addresses):
        if CONTROL.search(text):
            raise CannotStartError(f"{path}: {text!r} holds a control character")
    return settings
