"""A folder with a Debian in it: commands run there as if it were the whole machine, the table installed by its own installer."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from scripts.release import CARRIED, own_key
from tools.lab.place import ROOT, LabError, cache

CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
PRODUCT = ("companion", "firmware_bridge", "vision", "display", "speech", "hall", "benches", "pyproject.toml")
"""What the package is made of."""


def install(root: Path) -> None:
    """The project's own installer, run inside; it is made to be repeated."""
    source = root / "src"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir()
    run([sys.executable, "-m", "uv", "build", "--quiet", "--wheel", "--out-dir", str(source), str(ROOT)])
    (wheel,) = source.glob("*.whl")
    for path in carried():
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, source / path)
    own_key(cache() / "release.key", source / "release.pub")
    trust(root)
    with mounted(root):
        inside(root, "sh", "/src/scripts/install.sh", "--kiosk", "kms", "--wheel", f"/src/{wheel.name}")


def carried() -> list[Path]:
    """What the installer needs beside the package, as a release carries it; the key is the lab's own."""
    found = {path.relative_to(ROOT) for name in CARRIED for path in ROOT.glob(name)}
    return sorted(found - {Path("release.pub")})


def sources(of: object) -> str:
    """What an installed table is made of, with whatever else its recipe says."""
    found = hashlib.sha256(repr(of).encode())
    for whole in (*(ROOT / name for name in PRODUCT), *(ROOT / path for path in carried())):
        files = sorted(whole.rglob("*")) if whole.is_dir() else [whole]
        for path in files:
            if path.is_file() and not {"__pycache__", "node_modules", "dist"} & set(path.parts):
                found.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return found.hexdigest()


def commit() -> str:
    """Of the sources, for whoever reads later what was seen; with a plus where they had been changed."""
    asked = ["git", "-C", str(ROOT), "describe", "--always", "--dirty=+"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()


def trust(root: Path) -> None:
    """Whom this machine trusts when it fetches packages is handed on, not written down."""
    shutil.copy(CERTIFICATES, root / CERTIFICATES[1:])
    with suppress(FileNotFoundError):
        shutil.copy("/etc/pip.conf", root / "etc/pip.conf")


@contextmanager
def mounted(root: Path) -> Iterator[None]:
    """With processes to look at."""
    run(["mount", "-t", "proc", "proc", str(root / "proc")])
    try:
        yield
    finally:
        run(["umount", str(root / "proc")])


def inside(root: Path, *command: str) -> None:
    """Run it in there."""
    run(["chroot", str(root), *command], surroundings())


def surroundings() -> dict[str, str]:
    """What a command in there finds around it: a plain machine, this one's way to the packages, QEMU's choice of processor."""
    named = ("http_proxy", "https_proxy", "no_proxy", "qemu_cpu")
    handed = {name: value for name, value in os.environ.items() if name.lower() in named}
    clean = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8"}
    clean |= {"PIP_CERT": CERTIFICATES, "DEBIAN_FRONTEND": "noninteractive"}
    return clean | handed


def run(command: list[str], environment: dict[str, str] | None = None) -> None:
    """What it says goes to a file; when it fails the end of it is shown."""
    log = cache() / "build.log"
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    with log.open("ab") as file:
        file.write(f"\n$ {' '.join(command)}\n".encode())
        file.flush()
        done = subprocess.run(
            command, env=environment or os.environ | {"PATH": path}, stdout=file, stderr=file, check=False
        )
    if done.returncode:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-8:])
        raise LabError(f"{Path(command[0]).name} failed ({log}):\n{tail}")
