"""`tableside hall`: many tables, one scoreboard (docs/hall.md)."""

from __future__ import annotations

import argparse
import sys

from companion.wire.mosquitto import BrokerMissingError
from hall import terminal
from hall.messages import table_name
from hall.postgres import PostgresMissingError
from hall.settings import CannotStartError
from hall.store import StoreAwayError


def parser() -> argparse.ArgumentParser:
    """What can be typed."""
    top = argparse.ArgumentParser(prog="tableside hall", description=__doc__)
    top.add_argument("--demo", action="store_true", help="two brokers, PostgreSQL and virtual tables that really play")
    top.add_argument("--tables", type=int, default=20, help="how many, in the demo")
    top.set_defaults(act=terminal.run)
    verbs = top.add_subparsers(metavar="VERB")

    def verb(name: str, act: object, told: str) -> argparse.ArgumentParser:
        found = verbs.add_parser(name, help=told, description=told)
        found.set_defaults(act=act)
        return found

    verb("serve", terminal.serve, "run the hall's process alone, with brokers that run elsewhere")
    invite = verb("invite", terminal.invite, "let a table in: shows its invitation, to be typed or scanned")
    invite.add_argument("name", type=table_name)
    revoke = verb("revoke", terminal.revoke, "keep a table out from now on; the others notice nothing")
    revoke.add_argument("name")
    verb("tables", terminal.tables, "list who is invited")
    join = verb("join", terminal.join, "at a table: come to the hall whose invitation this is")
    join.add_argument("invitation", nargs="?", default="", help="as the hall shows it")
    join.add_argument("--photo", default="", help="a picture with the QR code; `camera` looks through the table's own")
    verb("leave", terminal.leave, "at a table: leave the hall")
    export = verb("export", terminal.export, "print every result that stands")
    export.add_argument("format", choices=("csv", "json", "bgstats"))
    backup = verb("backup", terminal.backup, "write everything the hall keeps into one file")
    backup.add_argument("output")
    restore = verb("restore", terminal.restore, "put a backup in place; tables then report what it lacks")
    restore.add_argument("archive")
    restore.add_argument("--yes", action="store_true", help="do not ask")
    return top


def main(argv: list[str] | None = None) -> int:
    """Do what was typed; 0 done, 1 it could not be done, 2 wrong usage."""
    wanted = parser().parse_args(argv)
    try:
        return int(wanted.act(wanted) or 0)
    except (CannotStartError, PostgresMissingError, BrokerMissingError) as wrong:
        sys.stderr.write(f"tableside: {wrong}\n")
    except StoreAwayError as wrong:
        sys.stderr.write(
            f"tableside: the hall's PostgreSQL does not answer ({wrong}). Start the hall first: tableside hall\n"
        )
    except KeyboardInterrupt:
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
