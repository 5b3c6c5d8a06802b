"""The same installation in a container: real systemd and units at this machine's own speed, but no kernel and drivers of its own.

What an emulated machine takes an evening for is seen here in minutes: a whole game under the units' filters, a second table,
care by touch, another version and the way back. Camera and dial are the virtual ones; there is no screen.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import zipfile
from collections import Counter
from pathlib import Path
from types import TracebackType

from tools.lab.kernel_log import STOPPED, call_name, unexpected
from tools.lab.place import LabError, cache
from tools.lab.world import until

UNIFIED = Path("/sys/fs/cgroup/unified")
"""Where a machine of mixed control groups keeps the new ones; systemd of today knows no others."""
STICK = "/media/tableside-lab"
VIRTUAL = '[dial]\nsource = "virtual"\n\n[camera]\nsource = "virtual"\nwidth = 1280\nheight = 720\n'
CLUB = '[table]\nid = "club1"\n\n[broker]\nport = 8792\nwebsocket_port = 8793\n\n[web]\nport = 8791\n'


class Box:
    """One container; `with` starts it and takes it away again."""

    def __init__(self, source: Path) -> None:
        if shutil.which("systemd-nspawn") is None:
            raise LabError("the container needs systemd-container: sudo apt-get install systemd-container")
        self.source, self.root = source, cache() / "box"
        self.leader = 0

    def __enter__(self) -> Box:
        shutil.rmtree(self.root, ignore_errors=True)
        subprocess.run(["cp", "-a", "--reflink=auto", str(self.source), str(self.root)], check=True)
        for slow in self.root.glob("etc/systemd/system/tableside-*.d/slow.conf"):
            slow.unlink()
        (self.root / "etc/tableside/tableside.toml").write_text(VIRTUAL)
        club = self.root / "etc/tableside/tables/club1/tableside.toml"
        club.parent.mkdir(parents=True)
        club.write_text(CLUB)
        self._kernel = os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK)
        os.lseek(self._kernel, 0, os.SEEK_END)
        command = ["systemd-nspawn", "-b", "-D", str(self.root), "--register=no", "--keep-unit", "--private-network"]
        command += ["--setenv=SYSTEMD_LOG_SECCOMP=1", "--machine=tableside-lab", "--console=pipe"]
        with (cache() / "box.log").open("wb") as log:
            self._process = subprocess.Popen(
                ["nice", "-n", "10", *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=os.environ | {"SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"},
                preexec_fn=_own_group,  # noqa: PLW1509  # one thread, and nothing but a write
            )
        try:
            until(self._up, 300, "systemd in the container; see box.log")
        except LabError:
            self._process.kill()
            raise
        return self

    def _up(self) -> bool:
        if self._process.poll() is not None:
            raise LabError(f"the container ended: {(cache() / 'box.log').read_text(errors='replace')[-300:]}")
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        self.leader = int(children[0]) if children else 0
        return self.leader != 0 and self.run("systemctl is-system-running", check=False).strip() == "running"

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.run("systemctl poweroff", check=False)
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(10)
        os.close(self._kernel)

    def run(self, command: str, *, check: bool = True) -> str:
        """As root in there."""
        enter = ["nsenter", "-t", str(self.leader), "-m", "-u", "-i", "-n", "-p", "env", "-i"]
        enter += ["PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "sh", "-c", command]
        done = subprocess.run(enter, capture_output=True, text=True, check=False, timeout=600)
        if check and done.returncode:
            raise LabError(f"{command}: {(done.stdout + done.stderr).strip()[-600:]}")
        return done.stdout

    def come_in(self) -> None:
        """This process hears and speaks on the container's network from here on: only there is the table's broker."""
        with open(f"/proc/{self.leader}/ns/net") as net:  # noqa: PTH123
            if ctypes.CDLL(None, use_errno=True).setns(net.fileno(), 0x40000000):
                raise LabError(f"the container's network: {os.strerror(ctypes.get_errno())}")

    def plug(self, *files: Path) -> None:
        """A stick with these on it, plugged in under tables that run."""
        self.run(f"mkdir -p {STICK} && mount -t tmpfs -o uid=$(id -u tableside),mode=700 tmpfs {STICK}")
        for path in files:
            shutil.copy(path, f"/proc/{self.leader}/root{STICK}/")

    def active(self) -> dict[str, int]:
        """Every unit of ours that should run, and how often it was started again; `LabError` names one that does not run."""
        units = self.run("systemctl list-units --all --plain --no-legend 'tableside-*.service'").splitlines()
        states = {line.split()[0]: line.split()[2] for line in units}
        states.pop("tableside-display.service", None)  # there is nothing to show it on
        if down := [name for name, state in states.items() if state != "active"]:
            raise LabError(f"not running: {', '.join(down)}")
        return {name: int(self.run(f"systemctl show -P NRestarts {name}")) for name in states}

    def stopped(self) -> dict[str, Counter[str]]:
        """Calls that filters stopped since it was started, as the kernel noted them."""
        found: Counter[str] = Counter()
        while True:
            try:
                record = os.read(self._kernel, 8192).decode(errors="replace")
            except BlockingIOError:
                return {"container": found} if found else {}
            except BrokenPipeError:
                raise LabError("the kernel's log was longer than it can hold") from None
            for match in STOPPED.finditer(record):
                found[call_name(int(match["call"])) + ("" if match["sig"] == "0" else " (deadly)")] += 1

    def unexpected(self) -> dict[str, list[str]]:
        """Those that no unit says it lives with."""
        return unexpected(self.stopped())


def _own_group() -> None:
    """A control group of its own, where the machine has the new ones beside the old."""
    if UNIFIED.is_dir():
        group = UNIFIED / "tableside-lab"
        group.mkdir(exist_ok=True)
        (group / "cgroup.procs").write_text(str(os.getpid()))


def another_version(wheel: Path, version: str, folder: Path) -> Path:
    """The same package under another number."""
    old = wheel.name.split("-")[1]
    made = folder / wheel.name.replace(old, version, 1)
    with zipfile.ZipFile(wheel) as source, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            data = source.read(name)
            if name == "companion/__init__.py":
                data = re.sub(rb'__version__ = "[^"]+"', f'__version__ = "{version}"'.encode(), data)
            if name.endswith((".dist-info/METADATA", ".dist-info/RECORD")):
                data = data.replace(f"Version: {old}\n".encode(), f"Version: {version}\n".encode())
                data = data.replace(f"tableside-{old}.dist-info".encode(), f"tableside-{version}.dist-info".encode())
            target.writestr(name.replace(f"tableside-{old}.dist-info", f"tableside-{version}.dist-info"), data)
    return made
