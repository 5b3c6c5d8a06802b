"""The attacks of the first security audit, on any checkout: what gets through there, and what is held.

`python scripts/attacks/run.py CHECKOUT [PART OF A NAME...] [--json FILE]`

CHECKOUT is a folder with this product and its `.venv`; each attack gets a table, or a folder, of its own. Everything goes
over sockets, MQTT, commands and files, so that the same attack can be tried on the version it was found in and on this
one (docs/security.md, "What was found, and what holds it now"). Exits 1 when something got through.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import by_backup
import by_broker
import by_file
import by_page
import by_phone
from stand import Checkout

PARTS = (by_phone, by_page, by_broker, by_backup, by_file)
ATTACKS = {name: attack for part in PARTS for name, attack in part.ATTACKS.items()}


def main() -> int:
    """Each attack that was asked for."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("checkout", type=Path)
    ask.add_argument("part", nargs="*", help="of an attack's name; none: all of them")
    ask.add_argument("--json", type=Path, help="write what was seen there as well; goes on where it was")
    asked = ask.parse_args()
    seen: dict[str, str] = json.loads(asked.json.read_text()) if asked.json and asked.json.exists() else {}
    for name, attack in ATTACKS.items():
        if name in seen or (asked.part and not any(part in name for part in asked.part)):
            continue
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="tableside-attack-") as corner:
            try:
                found = attack(Checkout(asked.checkout.resolve(), Path(corner)))
            except Exception as wrong:  # noqa: BLE001 - an attack that breaks says nothing about the table
                traceback.print_exc()
                sys.stdout.write(f"{name}: NOT TRIED, {type(wrong).__name__} {wrong}\n")
                continue
        seen[name] = found
        sys.stdout.write(f"{name}: {'GOT THROUGH: ' + found if found else 'held'} ({time.monotonic() - start:.0f} s)\n")
        sys.stdout.flush()
        if asked.json:
            asked.json.write_text(json.dumps(seen, indent=2) + "\n")
    return 1 if any(seen.values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())
