"""A process under the filters of its unit, without systemd: what the unit forbids is noted, then answered as systemd would.

As a program (`confinement.py UNIT HANDLE COMMAND...`) it puts itself under the unit's filters and becomes the command. All that
the kernel's seccomp can express is there: `SystemCallFilter`, `RestrictAddressFamilies`, `MemoryDenyWriteExecute`,
`RestrictNamespaces`, `RestrictSUIDSGID`; and the limits (`LimitNOFILE`, `LimitDATA`). The kernel tells whoever started it of
each forbidden call, and waits for what to answer.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import pwd
import re
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from tests.conftest import PATIENCE

ALLOW, NOTIFY, ERRNO = 0x7FFF0000, 0x7FC00000, 0x00050000
EQUAL, MASKED = 4, 7
WRITE, EXECUTE = 2, 4
NAMESPACES = 0x7E020080
"""CLONE_NEW* of every kind."""
SUID_SGID = 0o6000
LIMITS = {"LimitNOFILE": resource.RLIMIT_NOFILE, "LimitDATA": resource.RLIMIT_DATA}
NOTICE, REPLY = struct.Struct("=QIIiIQ6Q"), struct.Struct("=Qqii")
RECEIVE, ANSWER = 0xC0502100, 0xC0182101
"""`struct seccomp_notif`, `seccomp_notif_resp` and their ioctls."""
SIZES = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}


class Unit:
    """A unit file, as far as it confines."""

    def __init__(self, path: Path) -> None:
        self._text = path.read_text()
        self._lines = [
            (key, value.strip())
            for key, sign, value in (line.partition("=") for line in self._text.splitlines())
            if sign and not key.startswith("#")
        ]

    def all(self, key: str) -> list[str]:
        """Every value given for a key, in order."""
        return [value for name, value in self._lines if name == key]

    def one(self, key: str) -> str:
        """The last value given; empty: none."""
        return next(reversed(self.all(key)), "")

    def calls(self) -> set[str]:
        """System calls it permits, by name; groups taken apart as systemd does it."""
        permitted = set(expanded("@default"))
        for value in self.all("SystemCallFilter"):
            words = expanded(*value.removeprefix("~").split())
            permitted = permitted - words if value.startswith("~") else permitted | words
        return permitted

    def lived_with(self) -> set[str]:
        """Forbidden calls it says a library may try, each with its reason."""
        said = re.search(r"^# refused, and lived with: (.*(?:\n# .*)*)", self._text, re.MULTILINE)
        return set(re.findall(r"([a-z0-9_]+(?:\(AF_\w+\))?) \(", said.group(1))) if said else set()

    def limits(self) -> dict[int, int]:
        """What the kernel holds it to."""
        found = {}
        for key, which in LIMITS.items():
            if (size := re.fullmatch(r"(\d+)([KMG]?)", self.one(key))) is not None:
                found[which] = int(size.group(1)) * SIZES[size.group(2)]
        return found

    def environment(self) -> dict[str, str]:
        """What it sets."""
        words = [word for value in self.all("Environment") for word in value.split()]
        return dict(word.split("=", 1) for word in words)


@cache
def groups() -> dict[str, list[str]]:
    """The groups of this machine's systemd."""
    said = subprocess.run(["systemd-analyze", "syscall-filter"], capture_output=True, text=True, check=True).stdout
    found: dict[str, list[str]] = {}
    for line in said.splitlines():
        if line.startswith("@"):
            members = found[line.strip()] = []
        elif line.startswith("    ") and not line.lstrip().startswith("#"):
            members.append(line.strip())
    return found


def expanded(*words: str) -> set[str]:
    """Calls instead of groups."""
    found: set[str] = set()
    for word in words:
        found |= expanded(*groups()[word]) if word.startswith("@") else {word}
    return found


class _Comparison(ctypes.Structure):
    _fields_ = (("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64))


def _library() -> Any:
    library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_syscall_resolve_num_arch.restype = ctypes.c_char_p
    return library


class Filter:
    """The kernel's filter, made from a unit."""

    def __init__(self, unit: Unit) -> None:
        self._library = _library()
        self._context = ctypes.c_void_p(self._library.seccomp_init(ctypes.c_uint32(NOTIFY)))
        self._special(unit)
        for name in unit.calls() - self._done:
            self._rule(name)

    def _rule(self, name: str, *conditions: tuple[int, int, int, int], action: int = ALLOW) -> None:
        number = self._library.seccomp_syscall_resolve_name(name.encode())
        if number < 0:
            return  # of another architecture, or unknown to this library
        compared = (_Comparison * max(1, len(conditions)))(*(_Comparison(*one) for one in conditions))
        wrong = self._library.seccomp_rule_add_array(
            self._context, ctypes.c_uint32(action), number, len(conditions), compared
        )
        if wrong:
            raise OSError(-wrong, f"{name}: {os.strerror(-wrong)}")

    def _special(self, unit: Unit) -> None:
        """Calls that are permitted with some arguments only."""
        self._done = {"socket", "clone", "clone3", "chmod", "fchmod", "fchmodat", "mkdir", "mkdirat"}
        for family in unit.one("RestrictAddressFamilies").split():
            self._rule("socket", (0, EQUAL, getattr(socket, family), 0))
        self._rule("clone", (0, MASKED, NAMESPACES, 0))
        self._rule(
            "clone3", action=ERRNO | errno.ENOSYS
        )  # its flags cannot be seen; the C library then takes the other
        for name, mode in (("chmod", 1), ("fchmod", 1), ("fchmodat", 2), ("mkdir", 1), ("mkdirat", 2)):
            self._rule(name, (mode, MASKED, SUID_SGID, 0))
        if unit.one("MemoryDenyWriteExecute") == "yes":
            self._done |= {"mmap", "mprotect", "pkey_mprotect"}
            for protection in (0, WRITE, EXECUTE):
                self._rule("mmap", (2, MASKED, WRITE | EXECUTE, protection))
            self._rule("mprotect", (2, MASKED, EXECUTE, 0))

    def load(self) -> int:
        """From here on it holds; the handle tells of every call it stops."""
        wrong = self._library.seccomp_load(self._context)
        if wrong:
            raise OSError(-wrong, os.strerror(-wrong))
        return int(self._library.seccomp_notify_fd(self._context))


class Confined:
    """A command under its unit's filters; `denied` fills while it runs."""

    def __init__(self, path: Path, command: list[str], environment: dict[str, str], **more: Any) -> None:
        self.unit, self.denied = Unit(path), Counter[str]()
        ours, its = socket.socketpair()
        launcher = [sys.executable, __file__, str(path), str(its.fileno()), *command]
        self.process = subprocess.Popen(
            launcher, env=self.unit.environment() | environment, pass_fds=(its.fileno(),), **more
        )
        its.close()
        self._thread = threading.Thread(target=self._listen, args=(ours,), daemon=True)
        self._thread.start()

    def _listen(self, ours: socket.socket) -> None:
        with ours:
            _, handles, _, _ = socket.recv_fds(ours, 1, 1)
        if not handles:
            return  # it did not come so far
        watch = select.poll()
        watch.register(handles[0], select.POLLIN)
        while not (found := watch.poll()[0][1]) & select.POLLHUP:
            if found & select.POLLIN:
                self._forbid(handles[0])
        os.close(handles[0])

    def _forbid(self, handle: int) -> None:
        """One call that was stopped: note it, then let it fail, or the process end, as systemd would."""
        notice = bytearray(NOTICE.size)
        try:
            fcntl.ioctl(handle, RECEIVE, notice)
        except FileNotFoundError:
            return  # ended meanwhile
        number, pid, _, call, arch, _, first, *_ = NOTICE.unpack(notice)
        name = _library().seccomp_syscall_resolve_num_arch(ctypes.c_uint32(arch), call).decode()
        permitted, answer = name in self.unit.calls(), errno.EPERM
        if name == "socket":
            name, answer = f"socket({socket.AddressFamily(first).name})", errno.EAFNOSUPPORT
        elif not permitted and not self.unit.one("SystemCallErrorNumber"):
            os.kill(pid, signal.SIGSYS)
        self.denied[name] += 1
        with contextlib.suppress(FileNotFoundError):
            fcntl.ioctl(handle, ANSWER, REPLY.pack(number, 0, -answer, 0))

    def stop(self) -> int:
        """As systemd does; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(PATIENCE)
        self._thread.join(5)
        return code


def main(unit: str, handle: str, *command: str) -> None:
    """Become the command, confined."""
    confined = Unit(Path(unit))
    for which, most in confined.limits().items():
        resource.setrlimit(which, (most, most))
    if user := os.environ.pop("CONFINED_USER", ""):  # as systemd's User=, before the doors close
        found = pwd.getpwnam(user)
        os.setgroups([])
        os.setgid(found.pw_gid)
        os.setuid(found.pw_uid)
    made = Filter(confined)
    with socket.socket(fileno=int(handle)) as starter:
        socket.send_fds(starter, [b"!"], [made.load()])
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
