"""Debian's Chromium as the tests start it."""

from __future__ import annotations

import sys
from pathlib import Path

BROWSER = "/usr/bin/chromium-headless-shell"
"""Chromium's engine without its windows: a phone is opened with half the work."""
CHROMIUM = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
SHIELDED = """#!{python} -IS
import ctypes, errno, os, socket, sys

seccomp = ctypes.CDLL("libseccomp.so.2")
seccomp.seccomp_init.restype = ctypes.c_void_p
ALLOW, REFUSE, EQUAL = 0x7FFF0000, 0x00050000 | errno.EAFNOSUPPORT, 4

class Argument(ctypes.Structure):
    _fields_ = [("place", ctypes.c_uint), ("how", ctypes.c_int), ("one", ctypes.c_uint64), ("two", ctypes.c_uint64)]

rules = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(ALLOW)))
call = seccomp.seccomp_syscall_resolve_name(b"socket")
of_netlink = (Argument * 1)(Argument(0, EQUAL, socket.AF_NETLINK, 0))
wrong = seccomp.seccomp_rule_add_array(rules, ctypes.c_uint32(REFUSE), call, 1, of_netlink) or seccomp.seccomp_load(rules)
if wrong:
    sys.exit(f"no filter for Chromium: {{os.strerror(-wrong)}}")
os.execv({browser!r}, [{browser!r}, *sys.argv[1:]])
"""


def shielded(folder: Path) -> Path:
    """A command that starts Chromium without the kernel's news about network interfaces. It would break off every request, even
    to this machine itself, when an address comes or goes (`ERR_NETWORK_CHANGED`): a virtual machine or container beside the tests
    is enough, and no switch of Chromium's turns that off. Where it hears nothing it takes the network for there."""
    command = folder / "chromium"
    command.write_text(SHIELDED.format(python=sys.executable, browser=BROWSER))
    command.chmod(0o755)
    return command
