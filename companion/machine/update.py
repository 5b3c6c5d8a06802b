"""A newer version from a stick: what such an archive must be, and root's half of putting it in place.

The table's own user may not replace its code. It looks an archive up, copies it beside the games and leaves a mark; a unit of
root's (`update-tableside.path`) sees the mark and runs this file with the system's Python, alone: it imports nothing of ours, so
that it goes on while our own code is exchanged. Nothing the table's user wrote is believed: the archive is copied out of reach,
and every name, size and hash must stand in a manifest that the maker has signed. How far it is stands in `update.json`.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import pwd
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

FORMAT = "tableside-update-1"
NAME = re.compile(r"tableside-update-(\d{1,4}\.\d{1,4}\.\d{1,4})\.zip")
MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
MAX_ARCHIVE, MAX_TEXT, MAX_FILES, PIECE = 200_000_000, 1_000_000, 100, 1 << 20
KINDS = (
    (r"wheel/tableside-[0-9.]+-py3-none-any\.whl", MAX_ARCHIVE),
    (r"(scripts/install\.sh|companion/machine/update\.py|README\.md|release\.pub)", MAX_TEXT),
    (r"requirements(-camera|-build)?\.lock", MAX_TEXT),
    (r"systemd/[A-Za-z0-9@.-]{1,64}", MAX_TEXT),
)
"""What an update may hold, and how long each may be."""
BROKEN = (zipfile.BadZipFile, zipfile.LargeZipFile, OSError, EOFError, KeyError, ValueError, RuntimeError, TypeError)
STEPS = 16
"""Lines an update by the installer says, about: what its progress is measured by."""


class UpdateError(Exception):
    """It was not done; `code` names the sentence that says why."""

    def __init__(self, code: str, why: str = "") -> None:
        super().__init__(why or code)
        self.code, self.why = code, why


class Update(NamedTuple):
    """What an archive says it is, once that is believed."""

    version: str
    files: dict[str, tuple[int, str]]
    """Size and SHA-256 of each."""


def numbers(version: str) -> tuple[int, ...]:
    """As versions are compared."""
    return tuple(int(part) for part in version.split("."))


# ---- an archive from elsewhere


def signed(manifest: bytes, signature: bytes, key: Path) -> bool:
    """The maker of this table's code has written this manifest (Ed25519, by the system's openssl)."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in (MANIFEST, SIGNATURE)]
        for path, data in zip(paths, (manifest, signature), strict=True):
            path.write_bytes(data)
        command = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", str(key), "-rawin", "-in", str(paths[0])]
        done = subprocess.run([*command, "-sigfile", str(paths[1])], capture_output=True, check=False, timeout=20)
    return done.returncode == 0


def look(archive: Path, key: Path, present: str) -> Update:
    """What the archive holds, by its signed manifest; raises `UpdateError`. Its files are compared when they are unpacked."""
    if not key.is_file():
        raise UpdateError("no-key")
    try:
        with zipfile.ZipFile(archive) as found:
            manifest, signature = (_small(found, name) for name in (MANIFEST, SIGNATURE))
            names = found.namelist()
    except BROKEN as wrong:
        raise UpdateError("not-one", str(wrong)) from wrong
    if not signed(manifest, signature, key):
        raise UpdateError("not-signed")
    update = _read(manifest)
    if sorted(names) != sorted([*update.files, MANIFEST, SIGNATURE]):
        raise UpdateError("not-one", "it holds other files than it says")
    if numbers(update.version) <= numbers(present):
        raise UpdateError("older", update.version)
    return update


def _small(found: zipfile.ZipFile, name: str) -> bytes:
    if found.getinfo(name).file_size > MAX_TEXT or len(found.namelist()) > MAX_FILES:
        raise ValueError(f"{name} is too long")
    with found.open(name) as file:
        return file.read(MAX_TEXT)


def _read(manifest: bytes) -> Update:
    try:
        told: Any = json.loads(manifest)
        files = {str(name): (int(one["size"]), str(one["sha256"])) for name, one in told["files"].items()}
        version = str(told["version"])
        if told["format"] != FORMAT or not re.fullmatch(r"\d{1,4}(\.\d{1,4}){2}", version):
            raise ValueError("another format")
        for name, (size, _) in files.items():
            limit = next((limit for kind, limit in KINDS if re.fullmatch(kind, name)), -1)
            if not 0 <= size <= limit:
                raise ValueError(f"{name} has no place in an update")
    except BROKEN as wrong:
        raise UpdateError("not-one", str(wrong)) from wrong
    return Update(version, files)


def unpack(archive: Path, update: Update, into: Path) -> None:
    """Every file that was promised and no other, compared while it is written."""
    try:
        with zipfile.ZipFile(archive) as found:
            for name, (size, promised) in update.files.items():
                target = into / name
                target.parent.mkdir(parents=True, exist_ok=True)
                with found.open(name) as source, target.open("wb") as file:
                    if copied(source, file, size) != promised:
                        raise UpdateError("damaged", name)
    except BROKEN as wrong:
        raise UpdateError("damaged", str(wrong)) from wrong


def copied(source: IO[bytes], target: IO[bytes], most: int, told: Callable[[float], None] = lambda share: None) -> str:
    """Copy at most this many bytes, and their SHA-256; one more is an error."""
    seen, done = hashlib.sha256(), 0
    while piece := source.read(PIECE):
        done += len(piece)
        if done > most:
            raise UpdateError("damaged", "longer than it says")
        seen.update(piece)
        target.write(piece)
        told(done / max(1, most))
    return seen.hexdigest()


# ---- root's half


class Machine:
    """Where things are; `root`: below another folder, for who wants to see it work."""

    def __init__(self, root: str = "") -> None:
        self.root = root
        self.opt, self.asked = Path(f"{root}/opt/tableside"), Path(f"{root}/var/lib/tableside/update")
        self.key, self.status = Path(f"{root}/etc/tableside/release.pub"), self.opt / "update.json"

    def say(self, **told: Any) -> None:
        """How far it is, for the screen: root's own file, which everybody may read."""
        draft = self.status.with_suffix(".new")
        draft.write_text(json.dumps(told))
        draft.chmod(0o644)
        draft.replace(self.status)

    def installer(self, script: Path, *arguments: str) -> Iterator[str]:
        """Run it, line by line; raises `UpdateError` with its last words when it fails."""
        command = ["sh", str(script), *arguments, *(("--root", self.root, "--environment") if self.root else ())]
        last: list[str] = []
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as running:
            for line in running.stdout or ():
                last = [*last, line.strip()][-3:]
                yield line
        if running.returncode:
            raise UpdateError("failed", " ".join(last)[-200:])

    def kiosk(self) -> tuple[str, ...]:
        """The screen stays as it was installed."""
        if Path(f"{self.root}/etc/xdg/autostart/tableside.desktop").exists():
            mine = Path(f"{self.root}/var/lib/tableside-screen")
            whose = pwd.getpwuid(mine.stat().st_uid).pw_name if mine.exists() else ""
            return ("--kiosk", "desktop", *(("--user", whose) if whose else ()))
        shown = Path(f"{self.root}/etc/systemd/system/tableside-display.service").exists()
        return ("--kiosk", "kms" if shown else "none")


@contextlib.contextmanager
def belonging_to_others(folder: Path, name: str) -> Iterator[IO[bytes]]:
    """A plain file in a folder whose owner may be anybody's puppet: no link is followed on the way."""
    where = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=where)
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise UpdateError("not-one", f"{name} is not a plain file")
            yield file
    finally:
        os.close(where)


def carry_out(machine: Machine) -> int:
    """What the mark asks for, once."""
    with belonging_to_others(machine.asked, "wanted") as file:
        what, _, name = file.read(200).decode("ascii", "replace").strip().partition(" ")
    where = os.open(machine.asked, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    os.unlink("wanted", dir_fd=where)  # once: what cannot be done is not tried for ever
    os.close(where)
    mine = {"id": name if re.fullmatch(r"[0-9a-f]{16}", name) else "", "what": what}

    def progress(number: int) -> None:
        machine.say(**mine, percent=min(99, round(100 * number / STEPS)))

    try:
        work = {"update": newer, "back": back}.get(what)
        if work is None:
            raise UpdateError("not-one", "an unknown wish")
        version = work(machine, progress)
        machine.say(**mine, done=True, version=version)
    except UpdateError as wrong:
        machine.say(**mine, done=True, wrong=wrong.code, why=wrong.why)
        return 1
    except OSError as wrong:
        machine.say(**mine, done=True, wrong="failed", why=f"{wrong.filename}: {wrong.strerror}")
        return 1
    return 0


def newer(machine: Machine, progress: Callable[[int], None]) -> str:
    """Check, unpack out of everybody's reach, and have the installer of that version do the rest."""
    place = machine.opt / "incoming"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(mode=0o700)
    progress(0)
    try:
        archive = place / "update.zip"
        with belonging_to_others(machine.asked, "incoming.zip") as source, archive.open("wb") as target:
            copied(source, target, MAX_ARCHIVE)
        update = look(archive, machine.key, version_of(machine))
        unpack(archive, update, place / "tree")
        wheel = next((place / "tree" / "wheel").iterdir())
        script = place / "tree" / "scripts" / "install.sh"
        said = machine.installer(script, "--update", "--wheel", str(wheel), *machine.kiosk())
        for number, _ in enumerate(said, 1):
            progress(number)
        if version_of(machine) != update.version:
            raise UpdateError("failed", "it is not the version it was said to be")
        return update.version
    finally:
        shutil.rmtree(place, ignore_errors=True)


def back(machine: Machine, progress: Callable[[int], None]) -> str:
    """The version from before the last update."""
    for number, _ in enumerate(machine.installer(machine.opt / "share" / "scripts" / "install.sh", "--rollback"), 1):
        progress(number)
    return version_of(machine)


def version_of(machine: Machine) -> str:
    """What is installed now."""
    asked = [str(machine.opt / "venv" / "bin" / "python"), "-P", "-c", "import companion; print(companion.__version__)"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=60, cwd="/")
    return done.stdout.strip() or "0.0.0"


def main() -> int:
    """Called by the unit; `--root` is for trying it."""
    parser = argparse.ArgumentParser(
        description="Does what the table's screen asked for: a newer version, or the one before."
    )
    parser.add_argument("--root", default="", help="everything below this folder")
    return carry_out(Machine(parser.parse_args().root))


if __name__ == "__main__":
    sys.exit(main())
