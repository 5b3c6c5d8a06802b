"""Games of their own distributions, built and installed as a stranger would do it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def install(source: Path, place: Path) -> None:
    """`pip install` into a folder of its own; the build backend comes from the cache where there is no network."""
    command = [
        sys.executable,
        "-m",
        "uv",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        str(place),
        str(source),
    ]
    for more in (["--offline"], []):
        done = subprocess.run([*command, *more], capture_output=True, text=True, timeout=200, check=False)
        if done.returncode == 0:
            return
    raise AssertionError(done.stderr)
