"""A device this user may not open, and what to type about it."""

from __future__ import annotations

import getpass
import grp
import os
from pathlib import Path

from firmware_bridge.troubles import Trouble, trouble


def no_permission(device: str, usual_group: str) -> Trouble:
    """The device's own group is the one to join; the usual one when it cannot be asked."""
    return trouble("no-permission", port=device, user=_user(), group=_group(device, usual_group))


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())


def _group(device: str, usual: str) -> str:
    try:
        found = grp.getgrgid(Path(device).stat().st_gid).gr_name
    except (KeyError, OSError):
        return usual
    return usual if found == "root" else found


def forbidden(devices: list[str]) -> str:
    """The first of these devices, when there are some and none may be used; else nothing."""
    if not devices or any(os.access(device, os.R_OK | os.W_OK) for device in devices):
        return ""
    return devices[0]
