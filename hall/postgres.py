"""PostgreSQL in a folder of the hall's own: Debian's programs, no port, reached through a socket only this user can open.

A hall that has a PostgreSQL already (`[database] dsn`) does not need this.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

NAME = "tableside"
"""User and database."""
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "20",
    "shared_buffers": "32MB",
    "synchronous_commit": "on",
    "jit": "off",  # no query here is worth compiling, and the unit lets nobody write code
}


LONGEST = 80
"""Bytes of a folder's name in which a socket still has room: the kernel takes 107."""


class PostgresMissingError(Exception):
    """PostgreSQL cannot be had here; the message says what to do."""


def program(name: str) -> str:
    """One of PostgreSQL's programs; Debian keeps them out of the path, a version beside the other."""
    found = [*Path("/usr/lib/postgresql").glob(f"*/bin/{name}")]
    found.sort(key=lambda path: [int(part) for part in path.parts[4].split(".") if part.isdigit()])
    where = str(found[-1]) if found else shutil.which(name)
    if where is None:
        raise PostgresMissingError("PostgreSQL is not installed. Run: sudo apt-get install postgresql")
    return where


class Cluster:
    """PostgreSQL's files in one folder, and how its server is started."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        self.user = _user()

    @property
    def socket(self) -> Path:
        """Where it is reached, in a folder nobody else may open: beside its files, unless that name is too long for a socket."""
        beside = self.folder.with_name(f"{self.folder.name}.socket")
        if len(os.fsencode(beside)) < LONGEST:
            return beside
        short = hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:12]
        return Path(tempfile.gettempdir()) / f"tableside-hall-{short}"

    @property
    def dsn(self) -> str:
        """What a client connects with."""
        return f"host={self.socket} user={NAME} dbname={NAME}"

    def make(self, **settings: str) -> None:
        """The files, once; `settings` as in postgresql.conf."""
        self.make_socket()
        if (self.folder / "PG_VERSION").exists():
            return
        self.make_folder()
        # `trust`: there is no port, and the socket lies where only this user comes
        wanted = ["--username", NAME, "--auth-local=trust", "--auth-host=reject", "--encoding=UTF8", "--locale=C"]
        if settings.get("fsync") == "off":
            wanted.append("--no-sync")  # who does not keep what is written need not wait for the disk now either
        made = self._run(program("initdb"), "--pgdata", str(self.folder), *wanted, "--no-instructions")
        if made.returncode:
            raise PostgresMissingError(f"PostgreSQL's folder cannot be made: {made.stderr.strip().splitlines()[-1]}")
        lines = "".join(f"{key} = '{value}'\n" for key, value in (SETTINGS | settings).items())
        with (self.folder / "postgresql.conf").open("a") as file:
            file.write(lines)
        done = self._run(
            program("postgres"), "--single", "-D", str(self.folder), "postgres", told=f"CREATE DATABASE {NAME}\n"
        )
        if done.returncode:
            raise PostgresMissingError(f"PostgreSQL's folder cannot be filled: {done.stderr.strip()[-200:]}")

    def make_socket(self) -> None:
        """The folder it is reached in; it may have gone with the last start of the machine."""
        self._own(self.socket)

    def make_folder(self) -> None:
        """Empty, and its own."""
        self._own(self.folder)

    def command(self) -> list[str]:
        """What starts the server; it has to run as `user`."""
        return [program("postgres"), "-D", str(self.folder), "-k", str(self.socket)]

    def as_user(self) -> dict[str, Any]:
        """For `subprocess`: PostgreSQL refuses to run as root."""
        if self.user is None:
            return {}
        return {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []}

    def _own(self, path: Path) -> None:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.user is not None:
            os.chown(path, self.user.pw_uid, self.user.pw_gid)
        path.chmod(0o700)
        seen = path.lstat()
        if seen.st_uid != (self.user.pw_uid if self.user else os.geteuid()) or path.is_symlink():
            raise PostgresMissingError(f"{path} belongs to somebody else. Remove it, then start again.")

    def _run(self, *command: str, told: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, input=told, capture_output=True, text=True, check=False, cwd="/", **self.as_user()
        )


def _user() -> pwd.struct_passwd | None:
    """Whom the server runs as: ourselves, unless we are root."""
    if os.geteuid():
        return None
    try:
        return pwd.getpwnam("postgres")
    except KeyError as wrong:
        raise PostgresMissingError("PostgreSQL is not installed. Run: sudo apt-get install postgresql") from wrong
