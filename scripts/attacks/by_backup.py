"""What somebody who hands over a backup could do. Each attack answers what got through, or nothing."""

from __future__ import annotations

import io
import json
import re
import shutil
import signal
import subprocess
import time
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from stand import Checkout, Table


def _archive(checkout: Checkout, files: Mapping[str, bytes], manifest: bytes | None = None) -> Path:
    """A backup as this version's `backup` would sign it."""
    path, made = checkout.corner / "backup.zip", io.BytesIO()
    sizes = {name: len(data) for name, data in files.items()}
    told = {"format": "tableside-backup-1", "version": "0.1.0", "made": 1.0, "files": sizes}
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
        archive.writestr("manifest.json", json.dumps(told).encode() if manifest is None else manifest)
    path.write_bytes(made.getvalue())
    return path


SETTINGS = """
[broker]
tls = true
ca_file = "/x"
cert_file = "/y"
key_file = "/z\\nplugin {library}"
websocket_host = "127.0.0.1\\nplugin {library}"
"""


def backup_runs_code(checkout: Checkout) -> str:
    """A line break in a restored setting becomes a `plugin` line in the broker's configuration."""
    library = checkout.state / "cards" / "B1a.png"
    settings = SETTINGS.format(library=library).encode()
    archive = _archive(checkout, {"state/settings.toml": settings, "state/cards/B1a.png": b"\x7fELF"})
    checkout.command("restore", "--yes", str(archive))
    free = {"TABLESIDE_BROKER_WEBSOCKET_HOST": "(not set)"}
    checkout.command("broker-files", **free)  # as the broker's unit does it
    words = ["-m", "companion.cli", "run", "--without", "vision,display,firmware_bridge"]
    process = subprocess.Popen(
        [str(checkout.python), "-P", *words],
        env=checkout.environment(**free),
        cwd=checkout.corner / "here",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        end = time.monotonic() + 8
        while time.monotonic() < end:
            for made in checkout.state.rglob("mosquitto.conf"):
                with suppress(OSError):
                    if re.search(rf"^\s*(plugin|auth_plugin)\s+{library}", made.read_text(), re.MULTILINE):
                        return f"`plugin .../{library.name}` stands in mosquitto.conf"
            time.sleep(0.1)
    finally:
        process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(15)
    return ""


def chosen_passwords(checkout: Checkout) -> str:
    """A backup chooses the rooms' passwords."""
    known = "chosen-by-a-stranger-0000"
    rooms = ("companion", "firmware_bridge", "vision", "display", "host", "virtual", "beside", "broker-admin")
    files = {"state/secrets.json": json.dumps(dict.fromkeys(rooms, known)).encode()}
    files |= {f"state/secrets/{room}": known.encode() for room in rooms}
    for one in ({"state/secrets.json": files["state/secrets.json"]}, files):
        checkout.command("restore", "--yes", str(_archive(checkout, one)))
    with checkout.table():
        return "table-host has the backup's password" if checkout.password("host") == known else ""


def manifest_bomb(checkout: Checkout) -> str:
    """A manifest of 1.5 GB in 1.5 MB."""
    archive = _archive(checkout, {}, b" " * 1_500_000_000)
    return checkout.command("restore", "--yes", str(archive), patience=60).badly


def entries_bomb(checkout: Checkout) -> str:
    """Five files of 199 MB in 1 MB."""
    files = {f"state/cards/B{number}a.png": bytes(199_000_000) for number in range(1, 6)}
    ended = checkout.command("restore", "--yes", str(_archive(checkout, files)), patience=90)
    written = sum(path.stat().st_size for path in checkout.state.rglob("*") if path.is_file()) // 1_000_000
    return f"{ended.megabytes} MB of memory, {written} MB written" if ended.megabytes > 600 or written > 600 else ""


def folders_for_files(checkout: Checkout) -> str:
    """Folders where files belong, and the next start."""
    stopped = []
    for name in ("run.lock/x", "secrets.json/x", "secrets/host/x", "broker/access.json/x", "games/journal.db/x"):
        shutil.rmtree(checkout.state, ignore_errors=True)
        checkout.state.mkdir()
        checkout.command("restore", "--yes", str(_archive(checkout, {f"state/{name}": b"x"})))
        if not _starts(checkout):
            stopped.append(name.rpartition("/")[0])
    return f"the table does not start after {', '.join(stopped)}" if stopped else ""


def _starts(checkout: Checkout) -> bool:
    table = Table(checkout, {})
    try:
        end = time.monotonic() + 12
        while time.monotonic() < end and table.process.poll() is None:
            if b"companion is ready" in table.log.read_bytes()[-3000:]:
                return True
            time.sleep(0.1)
        return False
    finally:
        table.log.unlink(missing_ok=True)
        table.end()


def state_is_a_file(checkout: Checkout) -> str:
    """The name `state/.` on a fresh machine."""
    shutil.rmtree(checkout.state)
    checkout.command("restore", "--yes", str(_archive(checkout, {"state/.": b"x"})))
    return "the state folder is a file" if checkout.state.is_file() else ""


def many_empty_files(checkout: Checkout) -> str:
    """100,000 empty files."""
    files = {f"state/cards/c{number:06}.png": b"" for number in range(100_000)}
    ended = checkout.command("restore", "--yes", str(_archive(checkout, files)), patience=20)
    return ended.badly


def link_is_followed(checkout: Checkout) -> str:
    """A link that lies in the state folder already."""
    outside = checkout.corner / "photos"
    outside.mkdir()
    (checkout.state / "cards").symlink_to(outside)
    checkout.command(
        "restore", "--yes", str(_archive(checkout, {"state/cards/B1a.png": b"\x89PNG\r\n\x1a\n" + b"x" * 30}))
    )
    return "a file was written beside the state folder" if any(outside.iterdir()) else ""


ATTACKS: dict[str, Callable[[Checkout], str]] = {
    "a backup runs code": backup_runs_code,
    "a manifest of 1.5 GB": manifest_bomb,
    "five files of 199 MB": entries_bomb,
    "folders where files belong": folders_for_files,
    "chosen passwords": chosen_passwords,
    "the name state/.": state_is_a_file,
    "100,000 empty files": many_empty_files,
    "a link in the state folder": link_is_followed,
}
