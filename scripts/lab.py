"""The table as it is installed, on an emulated machine: real kernel, real systemd, real drivers (docs/build.md).

usage: scripts/lab.py start | shell | shot NAME | cut | stop
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tools.lab.command import main

if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
