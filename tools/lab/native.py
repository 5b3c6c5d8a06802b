"""The native machine: the same disk under a kernel that runs as a process of this computer (User Mode Linux).

Nothing is emulated but the drivers' hardware, so it computes as fast as the host does: whole games are played here, and a start
takes seconds. Its kernel is made from Debian's source (`kernel`), has one processor, and no graphics card but the virtual one.
"""

from __future__ import annotations

import base64
import subprocess
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

from tools.lab.guest import Guest
from tools.lab.kernel import LINUX
from tools.lab.machine import AUDIT, INSIDE, MEMORY, Machine, Running, free_port, waited
from tools.lab.place import LabError, cache

LINES = 32
"""Machines that can have a network at the same time."""
TICKING = "nohz=off"
"""An edge on a line is handed on by the kernel's next tick; without this there is none while nothing runs."""
PICTURE = Path(__file__).parent / "inside" / "picture.py"


class Native(Machine):
    """One machine in one folder."""

    kind, drive, ticks, slowness = ", native", "ubda", 2, 3.0

    def __init__(self, name: str = "native") -> None:
        super().__init__(name)

    def start(self, *, append: str = "", forgetful: bool = False) -> Running:
        """Switch it on; `forgetful`: with a disk that only says it has flushed, to see that a loss would be noticed."""
        if self.running is not None:
            raise LabError("a machine is running already: scripts/lab.py stop")
        self.cut()
        ports = {name: free_port() for name in INSIDE if name != "broker"}
        line, ours, theirs = _line()
        started = {"disk": self.serve(*(("deaf=1",) if forgetful else ()))}
        self.noted(started | {"machine": started["disk"]}, ports, line)  # from here on a cut takes it all away
        started["machine"] = started["mount"] = self._mount()
        words = f"root=/dev/ubda rw con=null con0=null,fd:1 ssl=null console=tty0 loglevel=4 {AUDIT}"
        words += f" systemd.show_status=no {TICKING}"
        words = f"ip={theirs}::{ours}:255.255.255.252:tableside-lab:vec0:off {words} {append}"
        command = [str(cache() / LINUX), f"mem={MEMORY}M", f"uml_dir={self.folder}", "umid=uml"]
        command += [f"ubd0={self._file}", f"vec0:transport=tap,ifname={line},depth=128,gro=1", *words.split()]
        machine = self.background(command, "console.log")
        started["machine"] = machine.pid
        for name, port in ports.items():
            listen = f"TCP-LISTEN:{port},bind=127.0.0.1,fork,reuseaddr"
            relay = ["socat", listen, f"TCP:{theirs}:{INSIDE[name]},connect-timeout=10"]
            started[name] = self.background(relay, f"{name}.log").pid
        running = self.noted(started, ports, line)
        self.wait((self.folder / "uml").exists, 30, "the kernel", machine)
        return running

    @property
    def _file(self) -> Path:
        return self.folder / "mount" / "disk"

    def _mount(self) -> int:
        """The served disk as a file: that is what this kernel takes for one."""
        _let_go(self._file.parent)
        self._file.parent.mkdir(exist_ok=True)
        server = self.background(["nbdfuse", str(self._file), "--unix", str(self.socket("disk"))], "mount.log")
        self.wait(self._file.exists, 20, "the disk's file", server)
        return server.pid

    def button(self) -> None:
        """As with the button: the machine is asked to shut down."""
        Guest(self).run("systemctl poweroff", check=False, seconds=30)

    def cut(self) -> None:
        """The plug is pulled; file system and network of this machine go with it."""
        last = self.last()
        super().cut()
        if last is not None:
            _let_go(self._file.parent)
            subprocess.run(["ip", "link", "delete", last.line], capture_output=True, check=False)

    def shot(self, path: Path) -> Path:
        """What the virtual graphics card shows; asked for inside, since nothing outside can see it."""
        guest = Guest(self)
        said = guest.run("python3 -", given=PICTURE.read_text())
        width, height, pixels = said.split()
        plain = np.frombuffer(base64.b64decode(pixels), np.uint8).reshape(int(height), int(width), 4)
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), plain[:, :, :3])
        return path

    def busy(self) -> float:
        """Processor seconds this machine has had, its kernel's and those of everything in it."""
        running = self.running
        if running is None:
            raise LabError("no machine is running: scripts/lab.py start")
        pid = running.processes["machine"][0]
        total = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError, ValueError):
                _, _, group, _, *fields = stat.read_text().rpartition(")")[2].split()
                total += int(fields[7]) + int(fields[8]) if int(group) == pid else 0
        return total / 100


def _line() -> tuple[str, str, str]:
    """A network between this computer and one machine: its name, our address and the machine's."""
    for number in range(LINES):
        name, net = f"tableside{number}", f"10.213.{number}"
        if subprocess.run(["ip", "tuntap", "add", name, "mode", "tap"], capture_output=True, check=False).returncode:
            continue
        subprocess.run(["ip", "address", "add", f"{net}.1/30", "dev", name], check=True)
        subprocess.run(["ip", "link", "set", name, "up"], check=True)
        return name, f"{net}.1", f"{net}.2"
    raise LabError("no network for another machine: is /dev/net/tun there?")


def _let_go(folder: Path) -> None:
    """A file system whose server is gone."""
    subprocess.run(["umount", "--lazy", str(folder)], capture_output=True, check=False)
    waited(lambda: str(folder) not in Path("/proc/mounts").read_text(), 5)
