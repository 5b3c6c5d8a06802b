"""The pair of Mosquitto brokers: certificate, configuration, who may say what. Both carry everything; either is enough.

Tables are let in by Mosquitto's own password file, made from the store, and by one access list: `%u` is the table's name, so each
may write below its own prefix and nowhere else. A changed file is read on SIGHUP; a revoked table is sent away at that moment.
"""

from __future__ import annotations

import base64
import hashlib
import secrets as chance
import ssl
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from companion.wire.files import own_folder, read_text, write_private
from companion.wire.messages import RoomName
from companion.wire.mosquitto import every_broker, find_mosquitto, line
from hall.home import BIRTH, USER
from hall.settings import CannotStartError, Settings

HALL = "hall"
"""The hall's own user; no table may be called so."""
OPENSSL = ("openssl", "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
OWN = ("score", "result", "here", *(f"health/{room}" for room in get_args(RoomName) if room != "broker"))
"""All that a table says."""
MEMORY = 400_000_000
"""Bytes of one broker: ten times what a thousand tables need."""
ROUNDS = 101
"""Of PBKDF2: keys are 80 random bits, and a thousand tables come back at once."""


def certificate(folder: Path) -> bytes:
    """The hall's own certificate (DER), made on first use and good for thirty years: tables know it and nothing else."""
    cert, key = folder / "hall.pem", folder / "hall.key"
    if not (cert.exists() and key.exists()):
        own_folder(folder)
        made = subprocess.run(
            [
                *OPENSSL,
                "-subj",
                "/CN=tableside-hall",
                "-days",
                "10950",
                "-keyout",
                "/dev/stdout",
                "-out",
                "/dev/stdout",
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode:
            raise CannotStartError(f"openssl made no certificate: {made.stderr.strip()[-200:]}")
        begin = made.stdout.index("-----BEGIN CERTIFICATE-----")
        write_private(key, made.stdout[:begin].encode())
        write_private(cert, made.stdout[begin:].encode())
    return ssl.PEM_cert_to_DER_cert(read_text(cert))


def own_password(folder: Path) -> str:
    """Of the hall's own user."""
    path = folder / "secrets" / HALL
    if not path.exists():
        write_private(path, chance.token_urlsafe(24).encode())
    return read_text(path).strip()


def hashed(password: str) -> str:
    """As Mosquitto's password file has it."""
    salt = chance.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    return f"$7${ROUNDS}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


def write_passwords(folder: Path, invited: Mapping[str, str]) -> bool:
    """Who may come; says whether that changed anything."""
    path = folder / "passwords"
    tables = "".join(line(f"{name}:{password}", "") for name, password in sorted(invited.items()))
    present = read_text(path, 10_000_000) if path.exists() else ""
    own, _, rest = present.partition("\n")
    if own.startswith(f"{HALL}:") and rest == tables:
        return False
    write_private(path, (line(f"{HALL}:{hashed(own_password(folder))}", "") + tables).encode())
    return True


def access() -> str:
    """The access list: a table says its own and hears its own; nobody else says or hears anything."""
    heard = ("here", "stored", "pairing", "call", "message")
    says = "".join(f"pattern write tables/%u/{topic}\n" for topic in OWN)
    hears = "".join(f"pattern read hall/{whose}/{topic}\n" for topic in heard for whose in ("%u", "all"))
    # Home Assistant comes in as a table would, and only looks: hall/home.py
    looks = "".join(f"topic read {topic}\n" for topic in ("homeassistant/#", "home/#"))
    home = f"user {USER}\n{looks}topic write {BIRTH}\n"
    own = "topic readwrite tables/#\ntopic write hall/#\ntopic write home/#\ntopic readwrite homeassistant/#\n"
    return f"{says}{hears}\n{home}\nuser {HALL}\n{own}"


def prepare(settings: Settings, folder: Path, number: int) -> list[str]:
    """Write one broker's files; returns the command that starts it."""
    program, _ = find_mosquitto()
    certificate(folder)
    here = folder.absolute() / f"broker-{number}"
    write_private(here / "access", access().encode())
    host = f" {settings.host}" if settings.host else ""
    # `max_packet_size`: nothing a table says is larger; `max_queued_messages`: for a hall that does not read for a while
    # `memory_limit`: whoever fills it, by a million subscriptions for instance, is hung up on, and what they took is free again
    text = f"""\
{every_broker()}max_packet_size 20000
max_inflight_messages 1000
max_queued_messages 20000
max_queued_bytes 40000000
memory_limit {MEMORY}
{line("password_file", folder.absolute() / "passwords")}{line("acl_file", here / "access")}
{line("listener", f"{settings.ports[number]}{host}")}use_username_as_clientid false
{line("certfile", folder.absolute() / "hall.pem")}{line("keyfile", folder.absolute() / "hall.key")}"""
    write_private(here / "mosquitto.conf", text.encode())
    return [program, "-c", str(here / "mosquitto.conf")]
