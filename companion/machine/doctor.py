"""`tableside doctor`: what works here, what does not, what to do."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Literal

import msgspec

from companion.core.registry import unusable, usable
from companion.door.page_server import page_files
from companion.machine import broker, preflight, tables
from companion.machine.supervisor import pid_of_running
from companion.wire.config import Config, load
from companion.wire.files import own_folder, read_text
from companion.wire.process import own_address


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at."""

    name: str
    status: Literal["ok", "warn", "bad"]
    say: str
    do: str = ""


def examine() -> list[Finding]:
    """Everything the table needs, one finding each."""
    config = load()
    found = [_python(), *_settings(config), *_pins(config), _state(config), _broker(config), _page(), _games()]
    found += [_dial(config), _camera(config), _screen(config), _address(config), *_tls(config)]
    return found + further(config, list(tables.others()))


def further(config: Config, others: list[tuple[str, Config]]) -> list[Finding]:
    """The other tables of this machine: their settings, their ports, whether they run."""
    every = [("this table", config), *others]
    found = []
    clashing = list(tables.clashes(every))
    for name, other in others:
        wrong = [f"{setting} is {owner}'s already" for late, setting, owner in clashing if late == name]
        if wrong or other.problems:
            broker_port, line, page = tables.free(every)
            do = f"Mend {other.config_dir / 'tableside.toml'}; free here: {broker_port}, {line}, {page}."
            found.append(Finding(f"table {name}", "bad", "; ".join((*other.problems, *wrong)), do))
        elif broker.answers(other.broker.host, other.broker.port, tls=other.broker.tls):
            found.append(Finding(f"table {name}", "ok", f"runs, page on port {other.web.port}"))
        else:
            start = f"Start it with: sudo systemctl enable --now tableside@{name}.target"
            found.append(Finding(f"table {name}", "warn", "is set up and does not run", start))
    return found


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    return Finding("python", "ok", f"Python {version}")


def _settings(config: Config) -> list[Finding]:
    if not config.problems:
        return [Finding("settings", "ok", f"read from {config.config_dir}")]
    return [
        Finding("settings", "bad", problem, "Mend this line; until then the default is used.")
        for problem in config.problems
    ]


def _pins(config: Config) -> list[Finding]:
    """A PIN in a file everybody may read keeps nobody out."""
    found = []
    files = (config.config_dir / "tableside.toml", *(config.config_dir / "conf.d").glob("*.toml"))
    for path in (*files, config.state_dir / "settings.toml"):
        with contextlib.suppress(OSError, tomllib.TOMLDecodeError, RecursionError):
            display = tomllib.loads(read_text(path)).get("display")
            if isinstance(display, dict) and display.get("pin") and path.stat().st_mode & 0o044:
                say = f"others on this machine can read the PIN in {path}"
                found.append(Finding("pin", "warn", say, "Take the line away, and set a new PIN on the screen."))
    return found


def _state(config: Config) -> Finding:
    place = config.state_dir
    try:
        own_folder(place)
        free = shutil.disk_usage(place).free // 1_000_000
    except OSError as wrong:
        return Finding("disk", "bad", f"{place}: {wrong.strerror}", "Set TABLESIDE_STATE_DIR to a place you may write.")
    if not os.access(place, os.W_OK):
        return Finding("disk", "bad", f"{place} cannot be written", "Set TABLESIDE_STATE_DIR to a place you may write.")
    if place.stat().st_mode & 0o077:
        return Finding("disk", "warn", f"others on this machine can look into {place}", f"Run: chmod 700 {place}")
    if free < 50:
        return Finding("disk", "warn", f"{free} MB free in {place}", "Make room: a full disk refuses moves.")
    return Finding("disk", "ok", f"{free} MB free in {place}")


def _broker(config: Config) -> Finding:
    running = pid_of_running(config.state_dir)
    if running and broker.answers(config.broker.host, config.broker.port, tls=config.broker.tls):
        return Finding("broker", "ok", f"the table is running (process {running})")
    try:
        program, _ = broker.find_mosquitto()
    except broker.BrokerMissingError as wrong:
        return Finding("broker", "bad", "Mosquitto or its plugin is missing", str(wrong))
    return Finding("broker", "ok", program)


def _page() -> Finding:
    if len(page_files()) > 1:
        return Finding("phone page", "ok", f"{len(page_files())} files")
    return Finding("phone page", "bad", "the phone page is not built", "Run: make setup")


def _games() -> Finding:
    packs, wrong = usable(), unusable()
    if wrong:
        told = "; ".join(f"{one.game} cannot be used: {one.brief}" for one in wrong)
        return Finding("games", "warn", told, "Install a mended version; the others can be played.")
    return Finding("games", "ok", ", ".join(packs))


def _dial(config: Config) -> Finding:
    source = config.dial.source
    if source == "none":
        return Finding("dial", "warn", "no dial is set up", "Set [dial] source to gpio or serial, or play by touch.")
    if source == "gpio" and not any(Path("/dev").glob("gpiochip*")):
        return Finding("dial", "bad", "this machine has no GPIO pins", "Use [dial] source = serial or virtual.")
    if source == "gpio" and importlib.util.find_spec("lgpio") is None:
        return Finding("dial", "bad", "lgpio is missing", "Run: sudo apt-get install python3-lgpio")
    if source == "serial" and not (config.dial.port or any(Path("/dev").glob("serial/by-id/*"))):
        return Finding("dial", "bad", "no serial board is plugged in", "Plug it in, or name [dial] port.")
    return Finding("dial", "ok", source)


def _camera(config: Config) -> Finding:
    source = config.camera.source
    if source == "none":
        return Finding("camera", "warn", "no camera is set up", "Set [camera] source, or play by touch.")
    if source == "picamera2" and importlib.util.find_spec("picamera2") is None:
        return Finding("camera", "bad", "picamera2 is missing", "Run: sudo apt-get install python3-picamera2")
    if source == "v4l2" and not Path(config.camera.device).exists():
        return Finding(
            "camera", "bad", f"{config.camera.device} is not there", "Plug the camera in, or name [camera] device."
        )
    return Finding("camera", "ok", source)


def _screen(config: Config) -> Finding:
    driver = config.display.driver
    if driver == "auto" and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or Path("/dev/dri").exists()
    ):
        return Finding("screen", "warn", "no screen was found", "The table works without: use phones.")
    return Finding("screen", "ok", driver)


def _address(config: Config) -> Finding:
    address = config.web.address or own_address()
    if address.startswith("127."):
        return Finding(
            "network", "warn", "this machine has no address on a network", "Connect it, so that phones can join."
        )
    scheme = "https" if config.web.tls else "http"
    return Finding("network", "ok", f"phones join at {scheme}://{address}:{config.web.port}")


def _tls(config: Config) -> list[Finding]:
    """Encryption is all or nothing: browsers refuse an open socket from a closed page."""
    settings = config.broker
    if not settings.tls and not config.web.tls:
        return []
    if settings.tls != config.web.tls:
        return [Finding("tls", "bad", "page and broker differ in tls", "Set [broker] tls and [web] tls to the same.")]
    wrong = preflight.tls(config)
    if wrong:
        return [Finding("tls", "bad", wrong, "See docs/security.md.")]
    if Path(settings.key_file).stat().st_mode & 0o077:
        return [Finding("tls", "warn", f"others can read {settings.key_file}", f"Run: chmod 600 {settings.key_file}")]
    return [Finding("tls", "ok", "page and broker speak TLS")]


def report(findings: list[Finding]) -> str:
    """For people: one line each, what to do below it."""
    sign = {"ok": "ok  ", "warn": "look", "bad": "BAD "}
    lines = []
    for finding in findings:
        lines.append(f"{sign[finding.status]}  {finding.name:11} {finding.say}")
        if finding.do:
            lines.append(f"{'':19}{finding.do}")
    return "\n".join(lines)
