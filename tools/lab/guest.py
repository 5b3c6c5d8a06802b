"""Commands inside the machine, over ssh through its forwarded port; one connection serves them all."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

from tools.lab.machine import Machine
from tools.lab.place import LabError, cache


class Guest:
    """Root's shell in a running machine."""

    def __init__(self, machine: Machine) -> None:
        running = machine.running
        if running is None:
            raise LabError("no machine is running: scripts/lab.py start")
        self.machine, self.ports = machine, running.ports
        self._ssh = [
            *("ssh", "-q", "-i", str(cache() / "key"), "-p", str(running.ports["ssh"])),
            *("-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "ConnectTimeout=60"),
            *("-o", "ControlMaster=auto", "-o", f"ControlPath={machine.socket('ssh')}", "-o", "ControlPersist=600"),
        ]

    def run(self, command: str, *, given: str | bytes = b"", check: bool = True, seconds: float = 120.0) -> str:
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

    def until_up(self, seconds: float = 240.0) -> float:
        """Wait until somebody can come in; how many seconds of wall time that took."""
        start, last = time.monotonic(), time.monotonic() + seconds
        self.machine.socket("ssh").unlink(missing_ok=True)
        while time.monotonic() < last:
            if self.machine.running is None:
                raise LabError("the machine went off while it started; see console.log")
            try:
                if "up" in self.run("echo up", check=False, seconds=90):
                    return time.monotonic() - start
            except LabError:
                pass
            time.sleep(0.5)
        raise LabError(f"nobody could come in within {seconds:.0f} s; see console.log")

    def put(self, source: Path, target: str) -> None:
        """A file into the machine."""
        self.run(f"mkdir -p {os.path.dirname(target)} && cat > {target}", given=source.read_bytes())  # noqa: PTH120

    def forward(self, port: int, inside: int) -> subprocess.Popen[bytes]:
        """A port of this machine that is the loopback's in there; ends with the returned process."""
        command = [*self._ssh, "-o", "ControlMaster=no", "-o", "ControlPath=none", "-N"]
        return subprocess.Popen([*command, "-L", f"127.0.0.1:{port}:127.0.0.1:{inside}", "root@127.0.0.1"])

    def shell(self, command: str = "") -> int:
        """For a person."""
        return subprocess.call(
            [*self._ssh, *(() if command else ("-t",)), "root@127.0.0.1", *([command] if command else ())]
        )
