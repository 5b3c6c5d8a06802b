"""The disk: Debian with its own kernel, the project installed by its own installer, and a key to come in by.

Three layers, each made again only when what it is made of has changed: the bare Debian, the installed table, the ext4 disk.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.lab import kernel
from tools.lab.place import ROOMS, cache
from tools.lab.root import commit, inside, install, mounted, run, sources, trust

SUITE = "trixie"
DRIVER = Path(__file__).parent / "inside" / "build_drivers.sh"
FIRST = Path(__file__).parent / "inside" / "overlay.sh"
PACKAGES = (
    "systemd-sysv",
    "dbus",
    "udev",
    "kmod",
    "linux-image-amd64",
    "initramfs-tools",
    "openssh-server",
    "ca-certificates",
    "adduser",
    "v4l-utils",
    "python3",
    "procps",
)
MODULES = ("virtio_pci", "virtio_blk", "ext4")
"""All that the first stage needs to find its disk: a small first stage starts sooner."""
SIZE = "6G"
COMMIT = "disk.commit"
FILES = {
    "etc/hostname": "tableside-lab\n",
    "etc/hosts": "127.0.0.1 localhost tableside-lab\n",
    "etc/fstab": "/dev/vda / ext4 defaults,noatime 0 1\n",
    "etc/systemd/network/lab.network": "[Match]\nName=e*\n\n[Network]\nDHCP=yes\n",
    "etc/modules-load.d/lab.conf": "gpio-sim\nuinput\n",
    "etc/initramfs-tools/modules": "".join(f"{name}\n" for name in MODULES),
    "etc/initramfs-tools/conf.d/lab": "MODULES=list\nCOMPRESS=gzip\n",
    "etc/tableside-lab/overlay.sh": FIRST.read_text(),
    # gpiozero asks which Pi this is before it opens a pin: the bridge alone is told of a Pi 4
    "etc/tableside-lab/cpuinfo": "Revision\t: c03114\n",
    "etc/systemd/system/tableside-bridge.service.d/lab.conf": (
        "[Service]\nBindReadOnlyPaths=/etc/tableside-lab/cpuinfo:/proc/cpuinfo\n"
    ),
    # an emulated machine is slow: the units' patience is longer here, everything else of theirs is as installed
    **{
        f"etc/systemd/system/tableside-{room}.service.d/slow.conf": "[Service]\nTimeoutStartSec=900\nWatchdogSec=300\n"
        for room in ROOMS
        if room != "broker"
    },
    "etc/systemd/system/tableside-broker.service.d/slow.conf": "[Service]\nTimeoutStartSec=900\n",
    # calls that a filter stopped come from the kernel as audit records; nobody else wants these here
    "etc/systemd/journald.conf.d/lab.conf": "[Journal]\nAudit=yes\n",
    "etc/tableside/tableside.toml": (
        '[dial]\nsource = "gpio"\nbutton_pin = 23\nindex_pin = 22\n\n'
        '[camera]\nsource = "v4l2"\ndevice = "/dev/video0"\nwidth = 1280\nheight = 720\n\n'
        '[web]\nnames = ["127.0.0.1"]\n'  # phones come through a forwarded port, as through a proxy
    ),
}
"""What makes a bare Debian this lab's machine."""
NEEDLESS = (
    *("apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer", "fstrim.timer"),
    *(
        "systemd-networkd-persistent-storage.service",
        "systemd-networkd-wait-online.service",
        "systemd-hwdb-update.service",
    ),
)
"""What a machine of minutes has no use for."""


def ready() -> Path:
    """The disk, made or mended as needed."""
    place = cache()
    place.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(1) as beside:  # one computes while the other fetches and unpacks
        made = beside.submit(kernel.ready)
        root = _debian(place)
        made.result()
    stamp = sources((FILES, SIZE, SUITE, PACKAGES, kernel.recipe()))
    disk, noted = place / "disk.img", place / "disk.stamp"
    if disk.exists() and noted.exists() and noted.read_text() == stamp:
        return disk
    noted.unlink(missing_ok=True)
    _say("the table, by its own installer")
    install(root)
    _settle(place, root)
    _say("the disk")
    disk.unlink(missing_ok=True)
    run(["mke2fs", "-q", "-t", "ext4", "-L", "tableside", "-d", str(root), str(disk), SIZE])
    noted.write_text(stamp)
    (place / COMMIT).write_text(commit())
    return disk


def _debian(place: Path) -> Path:
    """A bare Debian with kernel; made once for each recipe."""
    recipe = hashlib.sha256(repr((SUITE, PACKAGES, DRIVER.read_text())).encode()).hexdigest()
    root, noted = place / "root", place / "root.stamp"
    if noted.exists() and noted.read_text() == recipe:
        return root
    _say(f"a fresh Debian ({SUITE}), some minutes")
    noted.unlink(missing_ok=True)
    (place / "disk.stamp").unlink(missing_ok=True)
    shutil.rmtree(root, ignore_errors=True)
    packages = place / "packages"
    packages.mkdir(exist_ok=True)
    include = f"--include={','.join(PACKAGES)}"
    run(["debootstrap", "--variant=minbase", f"--cache-dir={packages}", include, SUITE, str(root)])
    _say("drivers that Debian leaves out")
    trust(root)
    shutil.copy(DRIVER, root / "tmp")
    with mounted(root):
        inside(root, "sh", f"/tmp/{DRIVER.name}")
    noted.write_text(recipe)
    return root


def _settle(place: Path, root: Path) -> None:
    """Name, network, key, modules and first stage; kernel and first stage are handed to QEMU beside the disk."""
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for old in root.glob("usr/lib/modules/*-tableside"):
        shutil.rmtree(old)
    shutil.copytree(place / kernel.MODULES, root / "usr/lib/modules", dirs_exist_ok=True)
    key = place / "key"
    if not key.exists():
        run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)])
    keys = root / "root/.ssh"
    keys.mkdir(mode=0o700, exist_ok=True)
    shutil.copy(f"{key}.pub", keys / "authorized_keys")
    with mounted(root):
        wheels = [f"/{path.relative_to(root)}" for path in (root / "opt/tableside-lab").glob("lgpio-*.whl")]
        inside(root, "/opt/tableside/venv/bin/python", "-m", "pip", "install", "-q", "--no-deps", "--no-index", *wheels)
        inside(root, "systemd-machine-id-setup")
        inside(root, "systemctl", "--quiet", "enable", "systemd-networkd", "ssh")
        inside(root, "systemctl", "--quiet", "mask", *NEEDLESS)
        inside(root, "touch", "/etc/.updated", "/var/.updated")  # what a first start would do is done
        inside(root, "update-initramfs", "-u")
    for name in ("vmlinuz", "initrd.img"):
        shutil.copy((root / name).resolve() if (root / name).is_symlink() else root / name, place / name)


def _say(what: str) -> None:
    sys.stderr.write(f"lab: {what} ...\n")
