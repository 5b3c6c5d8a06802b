"""Where the lab keeps its things, and what it needs of the machine it runs on."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = tuple(sorted(re.findall(r"tableside-(\w+)\.service", (ROOT / "systemd" / "tableside.target").read_text())))
"""Everything that a table wants."""
PROGRAMS = {
    "qemu-system-x86_64": "qemu-system-x86",
    "debootstrap": "debootstrap",
    "mke2fs": "e2fsprogs",
    "nbdkit": "nbdkit",
    "/usr/lib/*/nbdkit/plugins/nbdkit-python-plugin.so": "nbdkit-plugin-python",
    "ssh": "openssh-client",
    "nbdfuse": "libnbd-bin",
    "fusermount3": "fuse3",
    "socat": "socat",
    "ip": "iproute2",
    "/usr/src/linux-source-6.12.tar.xz": "linux-source-6.12",
    "gcc": "gcc",
    "make": "make",
    "flex": "flex",
    "bison": "bison",
    "bc": "bc",
    "xz": "xz-utils",
    "depmod": "kmod",
}
"""What must be installed, and the Debian package that has it."""
FOREIGN = {"debootstrap": "debootstrap", "/usr/lib/binfmt.d/qemu-aarch64.conf": "qemu-user-static"}
"""The same for Raspberry Pi's architecture: of QEMU only what runs single programs."""
SYSTEM = "/usr/sbin:/sbin"
"""Where an ordinary person's search path does not look."""


class LabError(Exception):
    """The lab cannot do this; the message is for the person who asked."""


def cache() -> Path:
    """Images and machines lie outside the sources: they are large, and made again by command."""
    given = os.environ.get("TABLESIDE_LAB_CACHE")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tableside-lab"


def need(*, building: bool) -> None:
    """Say in one line what is missing."""
    _present(PROGRAMS if building else {name: PROGRAMS[name] for name in ("qemu-system-x86_64", "ssh")})
    if building and os.geteuid() != 0:
        raise LabError("building the lab's disk needs root (debootstrap and chroot): sudo make lab")


def need_foreign() -> None:
    """The same for programs of another architecture."""
    _present(FOREIGN)
    if os.geteuid() != 0:
        raise LabError(
            "a Debian of another architecture needs root (debootstrap and chroot): sudo scripts/lab.py arm64"
        )


def _present(programs: dict[str, str]) -> None:
    if packages := _lacking(programs):
        raise LabError(f"the lab needs {', '.join(packages)}: sudo apt-get install {' '.join(packages)}")


def _lacking(wanted: dict[str, str]) -> list[str]:
    return sorted({package for program, package in wanted.items() if not _found(program)})


def _found(program: str) -> bool:
    if program.startswith("/"):
        return any(Path("/").glob(program[1:]))
    return shutil.which(program, path=f"{os.environ.get('PATH', '')}:{SYSTEM}") is not None
