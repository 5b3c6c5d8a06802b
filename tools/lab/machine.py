"""The emulated machine: started, looked at, switched off properly, or cut from its power.

Plain emulation (TCG), so that it runs wherever QEMU does. The disk hangs on a server of its own (nbdkit) that holds back what
the machine has not flushed, as a card with a cache of its own does; a cut takes both away, and what was held back is lost.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from tools.lab.place import LabError, cache

MEMORY, PROCESSORS = 2048, 2
PROCESSOR = "Nehalem"
"""The oldest that the wheels run on: newer ones have wide registers, which are slow to emulate."""
STEADY = ("-accel", "tcg,thread=single,tb-size=512", "-smp", "1", "-icount", "shift=1,sleep=on")
"""One processor of 500 million instructions a second of its own time: less than one core of any Pi that has four."""
SCREEN = (800, 480)
"""The official 7-inch touchscreen's."""
INSIDE = {"ssh": 22, "page": 8780, "gate": 8781, "broker": 8782, "hands": 4567}
"""Ports of the machine that are reached from outside; the broker's by way of ssh alone."""
AUDIT = "audit=1 audit_backlog_limit=0 SYSTEMD_LOG_SECCOMP=1"
"""The kernel notes every call that a filter of systemd's stops, also those that are only refused."""
PLUGIN = Path(__file__).with_name("volatile_disk.py")


class Running(msgspec.Struct, frozen=True):
    """What is known of a started machine; kept in a file, so that another command can go on with it."""

    processes: dict[str, tuple[int, int]]
    """QEMU and the disk's server: process and when it was born, so that no other is ever taken for it."""
    ports: dict[str, int]
    started: float


class Machine:
    """One machine in one folder."""

    def __init__(self, name: str = "machine") -> None:
        self.folder = cache() / name
        self._note = self.folder / "running.json"

    # the disk --------------------------------------------------------------------------------------------------

    def fresh(self, disk: Path) -> None:
        """A new machine: everything written to it from here on lies in a file of its own."""
        self.folder.mkdir(parents=True, exist_ok=True)
        _copy(disk, self.disk)
        self._note.unlink(missing_ok=True)

    @property
    def disk(self) -> Path:
        return self.folder / "disk.img"

    # on and off ------------------------------------------------------------------------------------------------

    def start(self, *, append: str = "", asleep: Path | None = None, steady: bool = False) -> Running:
        """Switch it on, or wake what was put to sleep into this file; returns at once.

        `steady`: its clock counts its own instructions, so that a busy host makes it slower but never late.
        """
        if self.running is not None:
            raise LabError("a machine is running already: scripts/lab.py stop")
        ports = {name: free_port() for name in INSIDE if name != "broker"}
        for name in ("disk", "control"):
            self.socket(name).unlink(missing_ok=True)
        disk = self._serve()
        wake = [] if asleep is None else ["-incoming", f"exec:cat {asleep}"]
        qemu = self._start([*self._command(ports, append, steady=steady), *wake], "qemu.log")
        processes = {name: (pid, _born(pid)) for name, pid in (("disk", disk), ("qemu", qemu.pid))}
        running = Running(processes=processes, ports=ports, started=time.time())
        self._note.write_bytes(msgspec.json.encode(running))
        self._wait(lambda: self.socket("control").exists(), 10, "QEMU", qemu)
        if asleep is not None:
            if not _until(lambda: self.control("query-status")["status"] == "paused", 120):
                raise LabError("the machine did not wake; see qemu.log")
            self.control("cont")
        return running

    def _serve(self) -> int:
        """The disk's server; it listens when this returns. In the foreground it would end with whoever started it."""
        note = self.folder / "disk.pid"
        note.unlink(missing_ok=True)
        command = ["nice", "-n", "10", "nbdkit", "--unix", str(self.socket("disk")), "--pidfile", str(note)]
        command += ["python", str(PLUGIN), f"disk={self.disk}"]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, start_new_session=True, check=False
        )
        if done.returncode or not _until(lambda: note.exists() and note.read_text().strip() != "", 10):
            raise LabError(f"the disk's server did not start: {done.stderr.decode(errors='replace').strip()[-600:]}")
        return int(note.read_text())

    def _start(self, command: list[str], log: str) -> subprocess.Popen[bytes]:
        with (self.folder / log).open("wb") as file:
            return subprocess.Popen(
                ["nice", "-n", "10", *command],
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,
            )

    def _command(self, ports: dict[str, int], append: str, *, steady: bool) -> list[str]:
        place = cache()
        engine = STEADY if steady else ("-accel", "tcg,thread=multi,tb-size=512", "-smp", str(PROCESSORS))
        forwards = ",".join(f"hostfwd=tcp:127.0.0.1:{port}-:{INSIDE[name]}" for name, port in ports.items())
        words = f"root=/dev/vda rw console=tty0 console=ttyS0 net.ifnames=0 mitigations=off loglevel=4 {AUDIT} {append}"
        return [
            *("qemu-system-x86_64", *engine, "-cpu", PROCESSOR),
            *("-m", str(MEMORY), "-nodefaults", "-display", "none", "-no-reboot"),
            *("-device", f"virtio-gpu-pci,xres={SCREEN[0]},yres={SCREEN[1]}"),
            *("-serial", f"file:{self.folder / 'console.log'}"),
            *("-qmp", f"unix:{self.socket('control')},server=on,wait=off"),
            *("-kernel", str(place / "vmlinuz"), "-initrd", str(place / "initrd.img"), "-append", words.strip()),
            *("-drive", f"file=nbd+unix:///?socket={self.socket('disk')},if=virtio,format=raw,cache=writeback"),
            *("-nic", f"user,model=virtio-net-pci,{forwards}", "-device", "virtio-rng-pci"),
        ]

    def socket(self, name: str) -> Path:
        """A socket in this machine's folder."""
        return self.folder / f"{name}.sock"

    @property
    def running(self) -> Running | None:
        """What is running, if it is."""
        with suppress(OSError, msgspec.DecodeError):
            found = msgspec.json.decode(self._note.read_bytes(), type=Running)
            if _alive(*found.processes["qemu"]):
                return found
        return None

    def sleep(self, memory: Path, disk: Path) -> None:
        """Its memory and its disk of this instant into files; it runs on afterwards."""
        self.control("stop")  # flushes the disk, too
        self.control("migrate", uri=f"exec:cat > {memory}.part")
        while (state := self.control("query-migrate")["status"]) not in ("completed", "failed"):
            time.sleep(0.2)
        if state == "failed":
            raise LabError("the machine could not be put to sleep; see qemu.log")
        _copy(self.disk, disk)
        memory.with_name(f"{memory.name}.part").replace(memory)
        self.control("cont")

    def stop(self, seconds: float = 60.0) -> bool:
        """As with the button: the machine shuts down by itself. `False`: it had to be cut."""
        running = self.running
        if running is None:
            return True
        with suppress(OSError):
            self.control("system_powerdown")
        gone = _until(lambda: not _alive(*running.processes["qemu"]), seconds)
        self.cut()
        return gone

    def cut(self) -> None:
        """The plug is pulled: machine and disk end in the same instant, and what the disk held back is gone."""
        try:
            found = msgspec.json.decode(self._note.read_bytes(), type=Running)
        except (OSError, msgspec.DecodeError):
            return
        for one in found.processes.values():
            if _alive(*one):
                os.kill(one[0], signal.SIGKILL)
        _until(lambda: not any(_alive(*one) for one in found.processes.values()), 10)
        self._note.unlink(missing_ok=True)

    # from outside ----------------------------------------------------------------------------------------------

    def control(self, command: str, **arguments: Any) -> Any:
        """One command to QEMU itself (QMP)."""
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(30)
            line.connect(str(self.socket("control")))
            file = line.makefile("rwb")
            file.readline()
            for order in ({"execute": "qmp_capabilities"}, {"execute": command, "arguments": arguments}):
                file.write(json.dumps(order).encode() + b"\n")
                file.flush()
                answer: dict[str, Any] = {"event": ""}
                while "event" in answer:
                    answer = json.loads(file.readline() or b'{"error": {"desc": "QEMU hung up"}}')
                if "error" in answer:
                    raise LabError(f"{command}: {answer['error']['desc']}")
        return answer["return"]

    def shot(self, path: Path) -> Path:
        """What the machine's graphics card shows."""
        if self.running is None:
            raise LabError("no machine is running: scripts/lab.py start")
        path.parent.mkdir(parents=True, exist_ok=True)
        self.control("screendump", filename=str(path.resolve()), format="png")
        return path

    def console(self) -> str:
        """What kernel and systemd wrote on the serial line."""
        return (self.folder / "console.log").read_text(errors="replace")

    def _wait(self, done: Callable[[], bool], seconds: float, what: str, process: subprocess.Popen[bytes]) -> None:
        if not _until(lambda: done() or process.poll() is not None, seconds) or process.poll() is not None:
            said = "".join(
                path.read_text(errors="replace")[-600:] for path in self.folder.glob("*.log") if path.stem != "console"
            )
            raise LabError(f"{what} did not start: {said.strip() or 'no word of it'}")


def _copy(source: Path, target: Path) -> None:
    """Holes stay holes."""
    target.unlink(missing_ok=True)
    subprocess.run(["cp", "--sparse=always", "--reflink=auto", str(source), str(target)], check=True)


def _born(pid: int) -> int:
    """In the kernel's ticks; 0: there is no such process, or it has ended."""
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return 0 if state == "Z" else int(fields[18])


def _alive(pid: int, born: int) -> bool:
    """This process, not another that was given its number."""
    return born != 0 and _born(pid) == born


def _until(done: Callable[[], bool], seconds: float) -> bool:
    last = time.monotonic() + seconds
    while not done():
        if time.monotonic() > last:
            return False
        time.sleep(0.05)
    return True


def free_port() -> int:
    """A port the kernel says nobody has."""
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


def tell(what: str) -> None:
    """A word to whoever waits."""
    sys.stderr.write(f"lab: {what}\n")
