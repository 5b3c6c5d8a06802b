"""The kernel of the native machine, from Debian's own source: User Mode Linux with the drivers a table's parts need.

Debian has a kernel of this kind, too (user-mode-linux), but without GPIO lines, cameras, touchscreens and graphics cards.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools.lab.place import LabError, cache

SOURCE = Path("/usr/src/linux-source-6.12.tar.xz")
WANTED = Path(__file__).with_name("native.config")
LINUX = "kernel/linux"
MODULES = "kernel/lib/modules"
LOG = "kernel.log"
MAKE = ("make", "-s", "ARCH=um")
DISK = "arch/um/drivers/ubd_kern.c"
EACH = "for (i = 0; !req->error && i < req->desc_cnt; i++)"
FLUSHED = f"if (!req->desc_cnt)\n\t\t\t\tdo_io(req, NULL);\n\t\t\t{EACH}"
"""Its disk answers a flush without doing it: that has no pieces, and only pieces are gone through. A cut would lose all."""


def recipe() -> str:
    """What it is made from."""
    if not SOURCE.exists():
        raise LabError("the kernel's source is missing: sudo apt-get install linux-source-6.12")
    source = SOURCE.stat()
    return hashlib.sha256(
        repr((WANTED.read_text(), FLUSHED, source.st_size, int(source.st_mtime))).encode()
    ).hexdigest()


def ready() -> Path:
    """The kernel, made when it is missing or its recipe is another."""
    place = cache()
    place.mkdir(parents=True, exist_ok=True)
    made, noted, known = place / LINUX, place / "kernel.stamp", recipe()
    if made.exists() and noted.exists() and noted.read_text() == known:
        return made
    noted.unlink(missing_ok=True)
    sys.stderr.write("lab: the kernel of the native machine, some minutes ...\n")
    work = place / "kernel-work"
    for folder in (work, made.parent):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    (place / LOG).unlink(missing_ok=True)
    _run(["tar", "-xJf", str(SOURCE), "--strip-components=1", "-C", str(work)])
    disk = (work / DISK).read_text()
    if disk.count(EACH) != 1:
        raise LabError(f"this kernel's {DISK} is not the one that was mended: look whether it flushes")
    (work / DISK).write_text(disk.replace(EACH, FLUSHED))
    _settle(work)
    _run([*MAKE, "-C", str(work), f"-j{os.cpu_count()}", "linux", "modules"])
    # not in the way of depmod, which would look for modules beside the system's own
    _run([*MAKE, "-C", str(work), "modules_install", f"INSTALL_MOD_PATH={made.parent}", "INSTALL_MOD_STRIP=1"])
    for link in made.parent.glob("lib/modules/*/build"):
        link.unlink()
    shutil.copy(work / "linux", made)
    _run(["strip", "--strip-debug", str(made)])
    shutil.rmtree(work)
    noted.write_text(known)
    return made


def _settle(work: Path) -> None:
    """The configuration: what this kind of kernel has by default, and what is wanted beside it; all of that must be had."""
    _run([*MAKE, "-C", str(work), "x86_64_defconfig"])
    merge = ["scripts/kconfig/merge_config.sh", "-m", ".config", str(WANTED)]
    _run(merge, work)
    _run([*MAKE, "-C", str(work), "olddefconfig"])
    had = set((work / ".config").read_text().splitlines())
    missed = [line for line in WANTED.read_text().splitlines() if line.startswith("CONFIG_") and line not in had]
    if missed:
        raise LabError(f"the kernel cannot have {', '.join(missed)}")


def _run(command: list[str], folder: Path | None = None) -> None:
    log = cache() / LOG
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    with log.open("ab") as file:
        done = subprocess.run(
            command, cwd=folder, env=os.environ | {"PATH": path}, stdout=file, stderr=file, check=False
        )
    if done.returncode:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-8:])
        raise LabError(f"{Path(command[0]).name} failed ({log}):\n{tail}")
