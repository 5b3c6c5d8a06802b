"""The plug of the lab's machine is pulled in mid-game, again and again: no answered move is lost, none is there twice.

After each cut the native machine is started from the very disk it was cut from. `--emulated`: QEMU's instead, with Debian's own
kernel, which is started again after every tenth. Resumable: every cut is noted when it is over, and a run that was stopped goes
on with the next; two of them may run side by side, each with a `--name` for its machine. Needs what `make lab` needs.
usage: machine_cuts.py [--cuts 200] [--as-it-is] [--name cuts | --emulated [--every 10]]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tools.lab.command import cut_emulated_until, cut_until
from tools.lab.place import LabError


def main(arguments: list[str]) -> int:
    """0 when nothing acknowledged was lost."""
    parser = argparse.ArgumentParser(prog="machine_cuts.py")
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--emulated", action="store_true", help="the machine QEMU emulates, with Debian's own kernel")
    parser.add_argument(
        "--every", type=int, default=10, help="cuts after which it is also started again from the cut disk"
    )
    parser.add_argument(
        "--as-it-is",
        action="store_true",
        help="the disk or the sleeping machine there is, whatever the sources are now",
    )
    parser.add_argument("--name", default="cuts", help="of the native machine that is cut")
    given = parser.parse_args(arguments)
    try:
        if given.emulated:
            return 0 if cut_emulated_until(given.cuts, given.every, as_it_is=given.as_it_is) else 1
        return 0 if cut_until(given.cuts, as_it_is=given.as_it_is, name=given.name) else 1
    except LabError as wrong:
        sys.stderr.write(f"machine_cuts: {wrong}\n")
        return 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
