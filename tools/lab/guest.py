"""Commands inside the machine, over ssh through its forwarded port; one connection serves them all."""

from __future__ import annotations

import io
import subprocess
import tarfile
import time
from collections.abc import Iterable
from pathlib import Path

from tools.lab.machine import Machine
from tools.lab.place import LabError, cache

SLOW = 1800.0
"""Seconds a machine may take over anything: on a busy host an emulated one is given little, and is only late."""


class Guest:
    """Root's shell in a running machine."""

    def __init__(self, machine: Machine) -> None:
        running = machine.running
        if running is None:
            raise LabError("no machine is running: scripts/lab.py start")
        self.machine, self.ports = machine, running.ports
        self._ssh = [
            *("ssh", "-q", "-i", str(cache() / "key"), "-p", str(running.ports["ssh"])),
            *("-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "ConnectTimeout=300"),
            *("-o", "ControlMaster=auto", "-o", f"ControlPath={machine.socket('ssh')}", "-o", "ControlPersist=600"),
        ]

    def run(self, command: str, *, given: str | bytes = b"", check: bool = True, seconds: float = SLOW) -> str:
        """Its standard output; `LabError` when it fails."""
        plain = given.encode() if isinstance(given, str) else given
        try:
            done = subprocess.run(
                [*self._ssh, "root@127.0.0.1", command], input=plain, capture_output=True, timeout=seconds, check=False
            )
        except subprocess.TimeoutExpired as late:
            raise LabError(f"not within {seconds:.0f} s: {command}") from late
        if check and done.returncode:
            raise LabError(
                f"{command}: {done.returncode}: {(done.stderr + done.stdout).decode(errors='replace')[-1500:]}"
            )
        return done.stdout.decode(errors="replace")

    def until_up(self, seconds: float = SLOW) -> float:
        """Wait until somebody can come in; how many seconds of wall time that took."""
        start, last = time.monotonic(), time.monotonic() + seconds
        self.machine.socket("ssh").unlink(missing_ok=True)
        while time.monotonic() < last:
            if self.machine.running is None:
                raise LabError("the machine went off while it started; see console.log")
            try:
                if "up" in self.run("echo up", check=False, seconds=300):
                    return time.monotonic() - start
            except LabError:
                pass
            time.sleep(0.5)
        raise LabError(f"nobody could come in within {seconds:.0f} s; see console.log")

    def put(self, files: Iterable[Path], below: Path, target: str) -> None:
        """Files into the machine, in one go: each order of its own costs it seconds."""
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w") as archive:
            for path in files:
                archive.add(path, str(path.relative_to(below)))
        self.run(f"mkdir -p {target} && tar -C {target} -x", given=packed.getvalue())

    def forward(self, port: int, inside: int) -> subprocess.Popen[bytes]:
        """A port of this machine that is the loopback's in there; ends with the returned process."""
        command = [*self._ssh, "-o", "ControlMaster=no", "-o", "ControlPath=none", "-N"]
        return subprocess.Popen([*command, "-L", f"127.0.0.1:{port}:127.0.0.1:{inside}", "root@127.0.0.1"])

    def shell(self, command: str = "") -> int:
        """For a person."""
        return subprocess.call(
            [*self._ssh, *(() if command else ("-t",)), "root@127.0.0.1", *([command] if command else ())]
        )
