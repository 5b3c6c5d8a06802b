"""A disk of a few hundred kilobytes, as a namespace of its own; where the kernel forbids that, a limit on file sizes.

`python -m tests.faults.disk SCENARIO FOLDER` runs one scenario of `tests/faults/on_disk.py` on it and prints what it saw.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

SIZE_KB = 600


@functools.cache
def namespaces() -> bool:
    """May we mount a small tmpfs nobody else sees?"""
    unshare = shutil.which("unshare")
    if unshare is None:
        return False
    probe = [unshare, "--map-root-user", "--mount", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt"]
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0


def command(folder: Path, inner: list[str], *, size_kb: int = SIZE_KB, read_only: bool = False) -> list[str]:
    """`inner` with a small disk mounted at `folder`; read-only: what lies in the folder, but nothing can be written."""
    folder.mkdir(parents=True, exist_ok=True)
    mount = f"mount -t tmpfs -o size={size_kb}k,mode=700 none '{folder}'"
    if read_only:
        mount = f"mount --bind '{folder}' '{folder}' && mount -o remount,bind,ro '{folder}'"
    return ["unshare", "--map-root-user", "--mount", "sh", "-c", f'{mount} && exec "$@"', "sh", *inner]


class Disk:
    """Inside: fills the disk to the last byte and frees it again."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.limited = folder, not namespaces_inside(folder)
        self._before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill(self, leave: int = 0) -> None:
        """Not a byte more fits, but for `leave` of them."""
        if self.limited:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            sizes = [path.stat().st_size for path in self.folder.rglob("*") if path.is_file()]
            resource.setrlimit(resource.RLIMIT_FSIZE, (min([*sizes, leave]), self._before[1]))
            return
        with (self.folder / "filler").open("wb", buffering=0) as filler, contextlib.suppress(OSError):
            for size in (65536, 4096, 512, 64, 1):
                with contextlib.suppress(OSError):
                    while filler.write(b"x" * size) == size:
                        pass
            filler.truncate(max(0, filler.tell() - leave))

    def free(self) -> None:
        """Somebody made room."""
        resource.setrlimit(resource.RLIMIT_FSIZE, self._before)
        (self.folder / "filler").unlink(missing_ok=True)


def namespaces_inside(folder: Path) -> bool:
    """We stand on the small tmpfs."""
    return any(line.split()[1:3] == [str(folder), "tmpfs"] for line in Path("/proc/mounts").read_text().splitlines())


def run(scenario: str, folder: Path, *, read_only: bool = False) -> dict[str, Any]:
    """Run one scenario in a process of its own and bring back what it saw."""
    inner = [sys.executable, "-m", "tests.faults.disk", scenario, str(folder)]
    folder.mkdir(parents=True, exist_ok=True)
    whole = command(folder, inner, read_only=read_only) if namespaces() else inner
    done = subprocess.run(
        whole, capture_output=True, text=True, check=False, timeout=120, cwd=Path(__file__).parents[2], env=os.environ
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def main() -> None:
    """Inside the namespace."""
    from tests.faults import on_disk

    scenario: Callable[[Disk], dict[str, Any]] = getattr(on_disk, sys.argv[1])
    sys.stdout.write(json.dumps(scenario(Disk(Path(sys.argv[2])))))


if __name__ == "__main__":
    main()
