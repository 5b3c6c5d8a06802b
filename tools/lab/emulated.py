"""The emulated machine (QEMU): a whole computer with Debian's own kernel.

Plain emulation (TCG), so that it runs wherever QEMU does; an emulated processor is slow, and very slow at arithmetic.
"""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path
from typing import Any

from tools.lab.machine import AUDIT, INSIDE, MEMORY, Machine, Running, copied, free_port, waited
from tools.lab.place import LabError, cache

PROCESSORS = 2
PROCESSOR = "Nehalem"
"""The oldest that the wheels run on: newer ones have wide registers, which are slow to emulate."""
STEADY = ("-accel", "tcg,thread=single,tb-size=512", "-smp", "1", "-icount", "shift=1,sleep=on")
"""One processor of 500 million instructions a second of its own time: less than one core of any Pi that has four."""
SCREEN = (800, 480)
"""The official 7-inch touchscreen's."""


class Emulated(Machine):
    """One machine in one folder."""

    kind, drive, ticks, slowness = "", "vda", 0, 20.0

    def __init__(self, name: str = "machine") -> None:
        super().__init__(name)

    def start(self, *, append: str = "", asleep: Path | None = None, steady: bool = False) -> Running:
        """Switch it on, or wake what was put to sleep into this file; returns at once.

        `steady`: its clock counts its own instructions, so that a busy host makes it slower but never late.
        """
        if self.running is not None:
            raise LabError("a machine is running already: scripts/lab.py stop")
        ports = {name: free_port() for name in INSIDE if name != "broker"}
        self.socket("control").unlink(missing_ok=True)
        disk = self.serve()
        wake = [] if asleep is None else ["-incoming", f"exec:cat {asleep}"]
        qemu = self.background([*self._command(ports, append, steady=steady), *wake], "qemu.log")
        running = self.noted({"disk": disk, "machine": qemu.pid}, ports)
        self.wait(lambda: self.socket("control").exists(), 10, "QEMU", qemu)
        if asleep is not None:
            if not waited(lambda: self.control("query-status")["status"] == "paused", 120):
                raise LabError("the machine did not wake; see qemu.log")
            self.control("cont")
        return running

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

    def sleep(self, memory: Path, disk: Path) -> None:
        """Its memory and its disk of this instant into files; it runs on afterwards."""
        self.control("stop")  # flushes the disk, too
        self.control("migrate", uri=f"exec:cat > {memory}.part")
        while (state := self.control("query-migrate")["status"]) not in ("completed", "failed"):
            time.sleep(0.2)
        if state == "failed":
            raise LabError("the machine could not be put to sleep; see qemu.log")
        copied(self.disk, disk)
        memory.with_name(f"{memory.name}.part").replace(memory)
        self.control("cont")

    def button(self) -> None:
        """As with the button: the machine is asked to shut down."""
        self.control("system_powerdown")

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
