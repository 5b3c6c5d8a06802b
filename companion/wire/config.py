"""Settings: TOML with clear errors, and a table that starts even when they are broken.

Highest first: command line, environment (`TABLESIDE_SECTION_KEY`), what was changed on the screen
(`settings.toml` in the state directory), the owner's file, drop-ins `conf.d/*.toml` in order, defaults. A value that
cannot be used is left out and named in `problems` with file, line, key and what is allowed: the table then runs in safe
mode with the defaults and shows them.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from companion.wire.allowed import allowed, line_of, nearest, short
from companion.wire.files import read_text
from companion.wire.names import clean
from companion.wire.sections import (
    BrokerConfig,
    CameraConfig,
    DialConfig,
    DisplayConfig,
    HallConfig,
    Section,
    TableConfig,
    WebConfig,
)

__all__ = [
    "BrokerConfig",
    "CameraConfig",
    "Config",
    "DialConfig",
    "DisplayConfig",
    "HallConfig",
    "TableConfig",
    "WebConfig",
    "load",
]


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """All settings, where they came from, and what was wrong with them."""

    table: TableConfig = TableConfig()
    broker: BrokerConfig = BrokerConfig()
    web: WebConfig = WebConfig()
    dial: DialConfig = DialConfig()
    camera: CameraConfig = CameraConfig()
    display: DisplayConfig = DisplayConfig()
    hall: HallConfig = HallConfig()
    state_dir: Path = Path()
    config_dir: Path = Path()
    problems: tuple[str, ...] = ()

    @property
    def safe(self) -> bool:
        """Something in the settings was wrong: the table runs with defaults and says so."""
        return bool(self.problems)


SECTIONS: dict[str, type[Section]] = {
    "table": TableConfig,
    "broker": BrokerConfig,
    "web": WebConfig,
    "dial": DialConfig,
    "camera": CameraConfig,
    "display": DisplayConfig,
    "hall": HallConfig,
}
HALL = "hall.toml"
"""Where `tableside hall join` keeps its section, beside the games."""
SCREEN: dict[str, tuple[str, ...]] = {
    "table": ("language",),
    "web": ("mdns",),
    "dial": ("source", "browse"),
    "camera": ("source", "device"),
    "display": (
        "text_size",
        "theme",
        "palette",
        "brightness",
        "volume",
        "speech",
        "say_prompts",
        "say_events",
        "say_refusals",
        "reduced_motion",
        "hints",
        "count_hints",
        "clocks",
        "nudge",
        "lock",
        "pin",
        "welcomed",
    ),
}
"""What can be changed on the screen, and is kept in `settings.toml` beside the games."""
SECRET = frozenset({"pin", "key"})
"""Settings whose value is never shown."""
PREFIX = "TABLESIDE_"
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""No setting holds these: a line break would be a line of its own in whatever is made from the settings."""


def state_dir(environment: Mapping[str, str] = os.environ) -> Path:
    """Where games and secrets live: systemd's directory, ours if named, else XDG."""
    named = environment.get(f"{PREFIX}STATE_DIR") or environment.get("STATE_DIRECTORY", "").split(":")[0]
    if named:
        return Path(named)
    return Path(environment.get("XDG_STATE_HOME") or Path.home() / ".local/state") / "tableside"


def config_dir(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the owner's file lives."""
    named = environment.get(f"{PREFIX}CONFIG_DIR") or environment.get("CONFIGURATION_DIRECTORY", "").split(":")[0]
    if named:
        return Path(named)
    own = Path(environment.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "tableside"
    site = Path("/etc/tableside")
    return site if site.is_dir() and not own.is_dir() else own


class _Reader:
    """Collects usable values and the problems of the others."""

    def __init__(self) -> None:
        self.values: dict[str, dict[str, Any]] = {name: {} for name in SECTIONS}
        self.problems: list[str] = []
        self.places: dict[tuple[str, str], str] = {}
        """Where each value was read."""

    def take(self, section: str, key: str, value: Any, where: str) -> None:
        """Lay one value on top of what is there, or say what is wrong with it."""
        kind = SECTIONS.get(section)
        if kind is None:
            self.problems.append(f"{where}: [{section}] is not a section{nearest(section, SECTIONS)}")
            return
        hints = get_type_hints(kind, include_extras=True)
        if key not in hints:
            self.problems.append(f"{where}: [{section}] {key} is not a setting{nearest(key, hints)}")
            return
        try:
            taken = msgspec.convert(value, hints[key])
            if any(CONTROL.search(text) for text in _texts(taken)):
                self.problems.append(f"{where}: [{section}] {key} cannot be used; it holds a control character")
                return
            self.values[section][key], self.places[section, key] = taken, where
        except msgspec.ValidationError:
            # problems are shown on the screen, on phones and in bundles: a mistyped PIN is still most of a PIN
            given = "" if key in SECRET else f" = {short(value)}"
            self.problems.append(f"{where}: [{section}] {key}{given} cannot be used; {allowed(hints[key])}")

    def together(self) -> None:
        """What is right by itself and wrong beside another setting: all of it goes back to what is known to work."""
        web, broker = WebConfig(**self.values["web"]), BrokerConfig(**self.values["broker"])
        if not broker.own:
            return
        if broker.host not in ("127.0.0.1", "localhost"):
            self._drop("broker", "host", "our own broker is on this machine; for another set own = false")
        if len({web.port, broker.port, broker.websocket_port}) < 3:
            why = f"[web] port, [broker] port and websocket_port must differ ({web.port}, {broker.port}, {broker.websocket_port})"
            for section, key in (("web", "port"), ("broker", "port"), ("broker", "websocket_port")):
                self._drop(section, key, why)

    def _drop(self, section: str, key: str, why: str) -> None:
        if key in self.values[section]:
            del self.values[section][key]
            self.problems.append(f"{self.places[section, key]}: [{section}] {key} cannot be used; {why}")

    def take_file(self, path: Path) -> None:
        """All values of one TOML file."""
        try:
            text = read_text(path)
            document = tomllib.loads(text)
        except FileNotFoundError:
            return
        except tomllib.TOMLDecodeError as wrong:
            self.problems.append(f"{path}: not valid TOML: {wrong}")
            return
        except RecursionError:
            self.problems.append(f"{path}: cannot be read: its lists or tables are nested too deeply")
            return
        except OSError as wrong:
            self.problems.append(f"{path}: cannot be read: {wrong.strerror}")
            return
        for section, table in document.items():
            if not isinstance(table, dict):
                self.problems.append(f"{path}:{line_of(text, '', section)}: {section} stands outside a [section]")
                continue
            for key, value in table.items():
                self.take(section, key, value, f"{path}:{line_of(text, section, key)}")


def load(overrides: Mapping[str, Any] | None = None, environment: Mapping[str, str] = os.environ) -> Config:
    """The settings of this table; never raises, see `Config.problems`. `environment`: of a table that is not this process's."""
    reader = _Reader()
    place, state = config_dir(environment), state_dir(environment)
    for drop_in in _drop_ins(place):
        reader.take_file(drop_in)
    named = environment.get(f"{PREFIX}CONFIG")
    if named and not Path(named).exists():
        reader.problems.append(f"{named}: cannot be read: there is no such file")
    reader.take_file(Path(named) if named else place / "tableside.toml")
    reader.take_file(state / HALL)
    reader.take_file(state / "settings.toml")
    for section, key, text in _environment(environment):
        reader.take(section, key, _parse(section, key, text), f"{PREFIX}{section.upper()}_{key.upper()}")
    for dotted, value in (overrides or {}).items():
        section, _, key = dotted.partition(".")
        reader.take(section, key, _parse(section, key, value) if isinstance(value, str) else value, f"--{dotted}")
    if "name" in reader.values["table"]:
        reader.values["table"]["name"] = clean(reader.values["table"]["name"])
    reader.together()
    sections: dict[str, Any] = {name: kind(**reader.values[name]) for name, kind in SECTIONS.items()}
    problems = tuple(CONTROL.sub("?", problem) for problem in reader.problems)  # shown on terminals and screens
    return Config(**sections, state_dir=state, config_dir=place, problems=problems)


def shown(config: Config) -> dict[str, dict[str, Any]]:
    """All settings as they may be shown: what is secret is masked."""
    sections = {name: msgspec.to_builtins(getattr(config, name)) for name in SECTIONS}
    return {
        name: {key: "****" if value and key in SECRET else value for key, value in section.items()}
        for name, section in sections.items()
    }


def screen_settings(text: str) -> dict[str, dict[str, Any]]:
    """What was changed on the screen, out of its file's text; `ValueError` when it holds anything a screen cannot change."""
    try:
        document = tomllib.loads(text)
    except RecursionError as wrong:
        raise ValueError("it is nested too deeply") from wrong
    reader = _Reader()
    for section, table in document.items():
        for key, value in table.items() if isinstance(table, dict) else [("", table)]:
            if key not in SCREEN.get(section, ()):
                raise ValueError(f"{section}.{key} cannot be changed on a screen")
            reader.take(section, key, value, "it")
    if reader.problems:
        raise ValueError(reader.problems[0])
    return document


def as_toml(document: Mapping[str, Mapping[str, Any]]) -> str:
    """Sections of plain values as a file."""
    lines = ["# Changed on the screen; the owner's file is tableside.toml."]
    for section, table in document.items():
        lines += ["", f"[{section}]"]
        lines += [f"{name} = {msgspec.json.encode(value).decode()}" for name, value in table.items()]
    return "\n".join(lines) + "\n"


def _drop_ins(place: Path) -> list[Path]:
    try:
        return sorted((place / "conf.d").glob("*.toml"))
    except OSError:
        return []


def _environment(environment: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for name, text in sorted(environment.items()):
        if name.startswith(PREFIX):
            section, _, key = name[len(PREFIX) :].lower().partition("_")
            if section in SECTIONS and key:
                yield section, key, text


def _parse(section: str, key: str, text: str) -> Any:
    """A value given as text, in the type its setting has."""
    kind = SECTIONS.get(section)
    hint = get_type_hints(kind, include_extras=True).get(key) if kind else None
    try:
        return msgspec.convert(text, hint, strict=False) if hint is not None else text
    except msgspec.ValidationError:
        return text


def _texts(taken: Any) -> list[str]:
    """The texts in a setting's value."""
    return [taken] if isinstance(taken, str) else list(taken) if isinstance(taken, dict) else []
