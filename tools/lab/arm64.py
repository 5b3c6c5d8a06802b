"""Raspberry Pi's architecture: the table installed in a Debian for arm64, whose programs QEMU runs one by one (user mode).

Debian and its packages are arm64's own, as on Raspberry Pi OS of the same suite; kernel and network are the host's.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.lab.place import LabError, cache, need_foreign
from tools.lab.root import commit, inside, install, mounted, run, sources, surroundings, trust

SUITES = ("bookworm", "trixie")
BARE = ("systemd", "udev", "ca-certificates", "adduser", "python3", "procps")
BROUGHT = (
    *("python3-opencv", "python3-numpy", "python3-pygame", "python3-pil"),
    *("python3-gpiozero", "python3-libgpiod", "python3-serial"),
)
"""What Raspberry Pi OS brings with its desktop and its camera, as far as Debian has it too: the environment sees all of it."""
HANDLERS = Path("/proc/sys/fs/binfmt_misc")
"""Where the kernel is told which program runs which others."""
LINE = Path("/usr/lib/binfmt.d/qemu-aarch64.conf")
"""What it is told, as Debian's package writes it: QEMU is opened once and so is found from inside a root without it."""
PROCESSOR = "cortex-a72"
"""A Pi 4's. QEMU's own choice signs return addresses, as Trixie asks where it can, and computes that eight times slower."""
SPENT = "seconds.json"


class Foreign:
    """One suite's root, in layers: the bare Debian, what Raspberry Pi OS brings, the table."""

    def __init__(self, suite: str) -> None:
        self.suite = suite
        self.place = cache() / f"arm64-{suite}"
        self.root = self.place / "root"

    def ready(self) -> None:
        """Made or mended as needed."""
        need_foreign()
        handled()
        os.environ["QEMU_CPU"] = PROCESSOR
        self.place.mkdir(parents=True, exist_ok=True)
        self._debian()
        stamp, noted = sources(self._recipe()), self.place / "table.stamp"
        if noted.exists() and noted.read_text() == stamp:
            return
        noted.unlink(missing_ok=True)
        with self._timed("the table, by its own installer"):
            install(self.root)
        (self.place / "commit").write_text(commit())
        noted.write_text(stamp)

    def _recipe(self) -> str:
        return hashlib.sha256(repr((self.suite, BARE, BROUGHT)).encode()).hexdigest()

    def _debian(self) -> None:
        noted = self.place / "debian.stamp"
        if noted.exists() and noted.read_text() == self._recipe():
            return
        for old in (noted, self.place / "table.stamp"):
            old.unlink(missing_ok=True)
        shutil.rmtree(self.root, ignore_errors=True)
        packages = cache() / "arm64-packages"
        packages.mkdir(exist_ok=True)
        with self._timed("a fresh Debian"):
            made = ["debootstrap", "--arch=arm64", "--variant=minbase", f"--cache-dir={packages}"]
            run([*made, f"--include={','.join(BARE)}", self.suite, str(self.root)])
        trust(self.root)
        with self._timed("what Raspberry Pi OS brings"), mounted(self.root):
            # nobody waits for the disk of a root that is made again by command
            (self.root / "etc/dpkg/dpkg.cfg.d/lab").write_text("force-unsafe-io\n")
            inside(self.root, "apt-get", "update", "-qq")
            inside(self.root, "apt-get", "install", "-y", "-qq", "--no-install-recommends", *BROUGHT)
        noted.write_text(self._recipe())

    @contextmanager
    def _timed(self, what: str) -> Iterator[None]:
        sys.stderr.write(f"lab: arm64, {self.suite}: {what} ...\n")
        began = Spent()
        yield
        spent = self.spent() | {what: began.seconds()}
        (self.place / SPENT).write_text(json.dumps(spent))

    def spent(self) -> dict[str, list[float]]:
        """Seconds of each stage when it was last made: by the clock, and of a processor."""
        kept = self.place / SPENT
        found: dict[str, list[float]] = json.loads(kept.read_text()) if kept.exists() else {}
        return found

    def commit(self) -> str:
        """Of the sources that are installed."""
        return (self.place / "commit").read_text()

    def told(self, *command: str, seconds: float = 600) -> str:
        """What a command in there says on its output; `LabError` with its complaint when it fails or takes too long."""
        asked = ["chroot", str(self.root), *command]
        try:
            done = subprocess.run(
                asked, env=surroundings(), capture_output=True, text=True, check=False, timeout=seconds
            )
        except subprocess.TimeoutExpired:
            raise LabError(f"{' '.join(command)}: not done after {seconds:.0f} s") from None
        if done.returncode:
            raise LabError(f"{' '.join(command)}: {(done.stderr + done.stdout).strip()[-600:]}")
        return done.stdout


class Spent:
    """Since it was made. The clock of a busy host says little, so the time of processes that have ended is counted as well."""

    def __init__(self) -> None:
        self._clock, self._work = time.monotonic(), self._worked()

    def seconds(self) -> list[float]:
        """By the clock, and of a processor."""
        return [round(time.monotonic() - self._clock, 1), round(self._worked() - self._work, 1)]

    @staticmethod
    def _worked() -> float:
        times = os.times()
        return times.children_user + times.children_system


def handled(handlers: Path = HANDLERS, line: Path = LINE) -> None:
    """The kernel hands programs for arm64 to QEMU: so it does where systemd runs; else it is told here, until the next start."""
    try:
        if not (handlers / "register").exists():
            run(["mount", "-t", "binfmt_misc", "binfmt_misc", str(handlers)])
        if not (handlers / line.stem).exists():
            (handlers / "register").write_text(line.read_text().strip())
    except (OSError, LabError) as wrong:
        raise LabError(f"this kernel hands no programs to QEMU (binfmt_misc): {str(wrong).splitlines()[-1]}") from None
