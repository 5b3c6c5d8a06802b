"""Mosquitto as our own child: configuration and access rules made anew at every start.

Everybody is refused by default, in both directions; each room says and hears what its work needs. A phone gets a role of
its own when it joins (`admit`), because the plugin does not fill `%u` into patterns. The journal is the truth about
seats: what the broker knows is derived from it and may be thrown away at any time.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging
import os
import resource
import secrets as chance
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from companion.machine import bridge
from companion.wire.config import Config
from companion.wire.files import write_private
from companion.wire.mosquitto import BrokerFilesError, BrokerMissingError, answers, every_broker, find_mosquitto, line
from companion.wire.secrets import client_id, password_of, room_passwords, user_of

MEMORY = {"MALLOC_MMAP_THRESHOLD_": "4096", "MALLOC_TRIM_THRESHOLD_": "131072"}
"""Environment of the broker: every phone gets a copy of its own of each state, and the C library would never give
that memory back (ten states to 200 watchers: 67 MB held for ever; with this 6 MB a moment later). The unit says the same."""
FOREIGN = ("Mosquitto should not be run as root",)
"""What it says before it reads that it should be quiet, to people who did not start it."""
LIMITS = {resource.RLIMIT_DATA: 192 * 2**20}
"""What the kernel holds broker and gate to: more than all phones need at their worst. The units say the same."""
log = logging.getLogger("tableside.broker")

__all__ = ["BrokerFilesError", "BrokerMissingError", "answers", "find_mosquitto", "prepare"]

PUBLIC = ("state", "event/+", "log/+", "health/+")
PHONES = ("state", "event/+", "log/+", "health/companion")
"""What every phone hears, in the words it subscribes with: a filter of its own making is refused, however it is written. One
that merely fits `event/+` may be 60 kB long, and the broker would keep thousands of them."""

# room -> (may say, may hear), relative topics
RIGHTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "companion": (
        (
            "state",
            "join",
            "event/+",
            "log/+",
            "seat/+/private",
            "knock/+",
            "answer/+",
            "lamp",
            "health/companion",
            "score",
            "result",
        ),
        ("move/+", "here/+", "admin", "sensor/dial", "sensor/market", *bridge.IN),
    ),
    "phones": ((), ("move/+", "here/+")),  # the core's second line
    "firmware_bridge": (
        ("sensor/dial", "sensor/knob", "answer/+", "health/firmware_bridge"),
        ("do/firmware_bridge", "lamp", "state", "virtual/table"),
    ),
    "vision": (
        ("sensor/market", "answer/+", "picture/+", "health/vision"),
        ("do/vision", "state", "virtual/table"),
    ),
    "display": (
        ("move/display", "do/+", "admin", "health/display"),
        (*PUBLIC, "join", "sensor/dial", "sensor/market", "answer/display", "picture/+"),
    ),
    "speech": (
        ("move/speech", "admin", "health/speech"),
        ("state", "event/+", "log/+", "sensor/knob", "answer/display", "answer/speech"),
    ),
    "host": (("move/host", "do/+", "admin"), (*PUBLIC, "join", "sensor/+", "answer/host")),
    "virtual": (("virtual/table", "health/virtual"), (*PUBLIC, "sensor/market", "virtual/hand")),
    "beside": (("virtual/hand", "do/vision"), ("state", "virtual/table", "health/virtual", "picture/live")),
}


def _acl(kind: str, topic: str) -> dict[str, Any]:
    return {"acltype": kind, "topic": topic, "priority": 0, "allow": True}


def rights(base: str, say: Iterable[str], hear: Iterable[str], *, literal: bool = False) -> list[dict[str, Any]]:
    """Access rules of one role in the plugin's words; `literal`: it may subscribe with these very words and no others."""
    rules = [_acl("publishClientSend", base + topic) for topic in say]
    for topic in hear:
        rules.append(_acl("publishClientReceive", base + topic))
        rules.append(_acl("subscribePattern" if "+" in topic and not literal else "subscribeLiteral", base + topic))
    return rules


def _hashed(password: str) -> dict[str, Any]:
    salt = chance.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, 101)
    return {"password": base64.b64encode(digest).decode(), "salt": base64.b64encode(salt).decode(), "iterations": 101}


def access_file(config: Config) -> bytes:
    """The plugin's file: the rooms of this table, nobody else."""
    base, table = f"tableside/{config.table.id}/", config.table.id
    passwords = room_passwords(config.state_dir)
    roles = [
        {
            "rolename": f"{table}-{room}",
            "acls": rights(base, say, hear)
            + (
                [_acl("publishClientSend", "$CONTROL/#"), *rights("", (), ("$CONTROL/dynamic-security/v1/response",))]
                if room == "companion"
                else []
            ),
        }
        for room, (say, hear) in RIGHTS.items()
    ]
    roles.append({"rolename": f"{table}-spectator", "acls": rights(base, (), PHONES, literal=True)})
    clients = [
        {
            "username": user_of(table, room),
            "clientid": client_id(table, user_of(table, room)),
            "roles": [{"rolename": f"{table}-{room}"}],
            **_hashed(passwords[room]),
        }
        for room in RIGHTS
    ]
    access = dict.fromkeys(("publishClientSend", "publishClientReceive", "subscribe"), False) | {"unsubscribe": True}
    return msgspec.json.encode({"defaultACLAccess": access, "clients": clients, "groups": [], "roles": roles})


def phones_socket(config: Config) -> Path:
    """Where the broker hears phones, behind the gate: a file nobody but the table's user may open. It lies in memory, not on
    the card, which may be full or read-only; and its name is short and without spaces, however the table's folder is called."""
    shared = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else Path(tempfile.gettempdir())
    place, mine = shared / f"tableside-{os.geteuid()}", Path(os.environ.get("XDG_RUNTIME_DIR") or "/nowhere")
    if "RUNTIME_DIRECTORY" in os.environ:  # systemd's
        place = Path(os.environ["RUNTIME_DIRECTORY"])
    elif mine.is_dir() and mine.stat().st_uid == os.geteuid():
        place = mine
    return place / f"{hashlib.sha256(os.fsencode(config.state_dir.absolute())).hexdigest()[:12]}.phones"


def _private(directory: Path) -> None:
    """A folder of our own; whoever made one of this name before us would see every phone's password."""
    directory.mkdir(mode=0o700, exist_ok=True)
    found = directory.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
        raise BrokerFilesError(f"{directory} belongs to somebody else. Remove it, then start again.")


def configuration(config: Config, directory: Path, plugin: str) -> str:
    """mosquitto.conf for this table."""
    broker = config.broker
    files = {"cafile": broker.ca_file, "certfile": broker.cert_file, "keyfile": broker.key_file}
    tls = "".join(line(key, file) for key, file in files.items()) if broker.tls else ""
    # `max_packet_size`: before anything is kept of it, also of CONNECT; Mosquitto's WebSocket listener never looks
    # `max_inflight_*`: each one is a copy kept for a phone that does not read; 400 sleepers must fit into a Pi
    # `memory_limit` is not set: beside the plugin 2.0.11 counts wrongly, and refuses everything after a few joins
    return f"""\
{every_broker()}max_packet_size 525000
max_inflight_messages 50
max_inflight_bytes 65536
max_queued_messages 2000
max_queued_bytes 4194304
{line("plugin", plugin)}{line("plugin_opt_config_file", directory / "access.json")}

listener {broker.port} 127.0.0.1
{tls}
{line("listener", f"0 {phones_socket(config)}")}use_username_as_clientid true
{bridge.connections(config)}"""


def prepare(config: Config) -> list[str]:
    """Write configuration and access rules; returns the command that starts the broker."""
    program, plugin = find_mosquitto()
    directory = config.state_dir.absolute() / "broker"
    _private(phones_socket(config).parent)
    path = directory / "mosquitto.conf"
    try:
        write_private(directory / "access.json", access_file(config))
        write_private(path, configuration(config, directory, plugin).encode())
    except OSError as wrong:
        if not _whole(directory):
            raise BrokerFilesError(
                f"{directory} cannot be written: {wrong.strerror}. Free some space on the card, then start again."
            ) from wrong
        log.warning("%s cannot be written (%s): the broker starts with what is there", directory, wrong.strerror)
    return [program, "-c", str(path)]


def _whole(directory: Path) -> bool:
    """Both files are there from an earlier start; the rooms' passwords in them still hold."""
    try:
        msgspec.json.decode((directory / "access.json").read_bytes())
        return (directory / "mosquitto.conf").stat().st_size > 0
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return False


def phone_password(state_dir: Path, client: str) -> str:
    """A phone's password follows from the table's secret: nothing to store, nothing to lose."""
    key = password_of(state_dir, "broker-admin").encode()
    return base64.urlsafe_b64encode(hmac.digest(key, client.encode(), "sha256")).decode().rstrip("=")


def admit(table: str, client: str, seat: int | None, password: str, again: bool = False) -> list[dict[str, Any]]:
    """Commands that give one phone its own user and, at a seat, its own role; `again`: it is back, with a new password."""
    base, role = f"tableside/{table}/", f"{table}-{client}" if seat is not None else f"{table}-spectator"
    commands: list[dict[str, Any]] = []
    if seat is not None:
        hear = (*PHONES, f"answer/{client}", f"knock/{client}", f"seat/{seat}/private")
        acls = rights(base, (f"move/{client}", f"here/{client}"), hear, literal=True)
        commands.append({"command": "createRole", "rolename": role, "acls": acls})
    user: dict[str, Any] = {"command": "createClient", "username": client, "clientid": client, "password": password}
    user["roles"] = [{"rolename": role}]
    if again:
        commands.append({"command": "deleteClient", "username": client})
    return [*commands, user]


def dismiss(table: str, client: str) -> list[dict[str, Any]]:
    """Commands that show a phone the door; the broker ends its connection."""
    return [
        {"command": "deleteClient", "username": client},
        {"command": "deleteRole", "rolename": f"{table}-{client}"},
    ]
