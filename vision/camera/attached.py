"""Which cameras could be used here: the Pi's own, where its software is installed, and every camera on USB."""

from __future__ import annotations

import importlib.util
from pathlib import Path

SHELF = Path("/sys/class/video4linux")
NO_CAMERA = ("codec", "isp", "pispbe", "rpivid", "hevc", "unicam")
"""Parts of a Pi's own chips that call themselves video devices."""


def cameras(shelf: Path = SHELF) -> list[dict[str, str]]:
    """Each as the settings name it (`source`, `device`) and as its maker does (`name`)."""
    found = []
    if importlib.util.find_spec("picamera2") is not None:
        found.append({"source": "picamera2", "device": "", "name": ""})
    for place in sorted(shelf.glob("video*"), key=lambda path: (len(path.name), path.name)):
        name, index = _said(place / "name"), _said(place / "index")
        if index in ("", "0") and not any(part in name.lower() for part in NO_CAMERA):
            found.append({"source": "v4l2", "device": f"/dev/{place.name}", "name": name[:60]})
    return found


def _said(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""
