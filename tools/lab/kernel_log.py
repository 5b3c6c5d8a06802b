"""What the machine's kernel noted: calls that a unit's filter stopped, and processes it ended for one."""

from __future__ import annotations

import ctypes
import ctypes.util
import re
from collections import Counter

from tools.lab.guest import Guest
from tools.lab.place import ROOMS, ROOT

STOPPED = re.compile(r"(?:type=1326|SECCOMP) .*?\bpid=(?P<pid>\d+) .*?\bsig=(?P<sig>\d+) .*?\bsyscall=(?P<call>\d+)")
"""The record of a stopped call; the signal is 0 when it was only refused."""
SYSTEMD = "clone3"
"""Refused to everybody by `RestrictNamespaces`, whose filter cannot see its flags; the C library then takes `clone`."""
LIVED_WITH = re.compile(r"^# refused, and lived with:((?:[^\n]|\n# (?!a library))*)", re.MULTILINE)


def stopped(guest: Guest) -> dict[str, Counter[str]]:
    """Every stopped call since the machine started, by room; one that ended its process is marked deadly."""
    pids = guest.run("; ".join(f"systemctl show -P MainPID tableside-{room}.service" for room in ROOMS)).split()
    names = dict(zip(pids, ROOMS, strict=True))
    text = guest.run("journalctl -b --no-pager -o short | grep -E 'type=1326|SECCOMP' || true", seconds=300)
    found: dict[str, Counter[str]] = {}
    for match in STOPPED.finditer(text):
        room = names.get(match["pid"], f"process {match['pid']}")
        deadly = "" if match["sig"] == "0" else " (deadly)"
        found.setdefault(room, Counter())[call_name(int(match["call"])) + deadly] += 1
    return found


def unexpected(found: dict[str, Counter[str]]) -> dict[str, list[str]]:
    """Those no unit says it lives with."""
    known = {
        room: "".join(LIVED_WITH.findall((ROOT / "systemd" / f"tableside-{room}.service").read_text()))
        for room in ROOMS
    }
    everybody = "".join(known.values())  # a room that was started anew is known by its old number alone
    wrong = {
        room: sorted(
            call
            for call in calls
            if call != SYSTEMD and not re.search(rf"\b{re.escape(call)}(?!\w)", known.get(room, everybody))
        )
        for room, calls in found.items()
    }
    return {room: calls for room, calls in wrong.items() if calls}


def call_name(number: int) -> str:
    """As the kernel's headers call it."""
    library = ctypes.CDLL(ctypes.util.find_library("seccomp") or "libseccomp.so.2")
    library.seccomp_syscall_resolve_num_arch.restype = ctypes.c_char_p
    name = library.seccomp_syscall_resolve_num_arch(0xC000003E, number)
    return name.decode() if name else str(number)
