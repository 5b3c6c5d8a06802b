"""Which cameras could be used here: the Pi's own, where its software is installed, and every camera on USB."""

from __future__ import annotations

import importlib.util
from collections import Counter
from pathlib import Path

from companion.wire.replies import Camera

SHELF = Path("/sys/class/video4linux")
PATHS = Path("/dev/v4l/by-path")
"""Where udev names every camera by the socket it is plugged into."""
NO_CAMERA = ("codec", "isp", "pispbe", "rpivid", "hevc", "unicam")
"""Parts of a Pi's own chips that call themselves video devices."""


def cameras(shelf: Path = SHELF, paths: Path = PATHS) -> list[Camera]:
    """Those that are plugged in.

    Two of one make are told apart by their sockets: which of them is `/dev/video0` changes from one start to the next.
    """
    places = []
    for place in sorted(shelf.glob("video*"), key=lambda path: (len(path.name), path.name)):
        name, index = _said(place / "name")[:60], _said(place / "index")
        if index in ("", "0") and not any(part in name.lower() for part in NO_CAMERA):
            places.append((place, name))
    alike = Counter(name for _, name in places)
    sockets = _sockets(paths)
    found = []
    if importlib.util.find_spec("picamera2") is not None:
        found.append(Camera("picamera2", "", ""))
    for place, name in places:
        node, twins = place.name, bool(name) and alike[name] > 1
        device = sockets.get(node, f"/dev/{node}") if twins else f"/dev/{node}"
        told = f"{name} ({_socket(place) or node})" if twins else name
        found.append(Camera("v4l2", device, told))
    return found


def _sockets(paths: Path) -> dict[str, str]:
    """Node -> the name it has by its socket."""
    try:
        links = sorted(paths.iterdir())
    except OSError:
        return {}
    # newer systems have two such names for a USB camera: the one that says only `usb` comes first and is the shorter
    return {link.resolve().name: str(link) for link in reversed(links) if link.is_symlink()}


def _socket(place: Path) -> str:
    """The USB socket of a camera, `1-1.2`: bus, then the way through the hubs."""
    device = (place / "device").resolve().name
    return device.partition(":")[0] if ":" in device else ""


def _said(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""
