"""`python -m display`: the touchscreen's process; with a verb, one of its commands."""

from __future__ import annotations

import argparse
import os
import sys

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m display", description=__doc__)
    verbs = parser.add_subparsers(dest="verb")
    verbs.add_parser("beside", help="the virtual table of a demo, beside its screen")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run, or do one thing and end."""
    if _parser().parse_args(arguments).verb == "beside":
        from display.beside import run as beside

        return beside()
    from display.app import run

    return run()


if __name__ == "__main__":
    sys.exit(main())
