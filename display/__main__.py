"""`python -m display`: the touchscreen's process; with a verb, one of its commands."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m display", description=__doc__)
    parser.add_argument("--replay", type=Path, metavar="FILE", help="draw a recorded game instead of a live one")
    parser.add_argument(
        "--screenshot-dir", type=Path, metavar="DIR", default=Path("out"), help="where the PNG files go"
    )
    parser.add_argument("--size", default="1280x720", help="size of the pictures, for example 800x480")
    parser.add_argument("--language", choices=("en", "pl", "fr"), default="en")
    verbs = parser.add_subparsers(dest="verb")
    pictures = verbs.add_parser("pictures", help="draw every scene once")
    pictures.add_argument("folder", nargs="?", type=Path, default=Path("docs/pictures"))
    pictures.add_argument("--games", type=Path, default=Path("tests/games"), help="recorded games to draw moments of")
    verbs.add_parser("beside", help="the virtual table of a demo, beside its screen")
    bench = verbs.add_parser("bench", help="frame times, idle share, touch to feedback")
    bench.add_argument("--json", action="store_true")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run, or do one thing and end."""
    chosen = _parser().parse_args(arguments)
    if chosen.verb == "pictures":
        os.environ["SDL_VIDEODRIVER"] = "dummy"
        from tools.pictures import make

        made = make(chosen.folder, chosen.games)
        sys.stdout.write(f"{len(made)} pictures in {chosen.folder}\n")
        return 0
    if chosen.verb == "beside":
        from display.beside import run as beside

        return beside()
    if chosen.verb == "bench":
        from benches.screen import report

        return report(as_json=chosen.json)
    if chosen.replay is not None:
        return _replay(chosen)
    from display.app import run

    return run()


def _replay(chosen: argparse.Namespace) -> int:
    from tools.replay import ReplayError, draw_all

    try:
        width, _, height = chosen.size.partition("x")
        count = draw_all(chosen.replay, chosen.screenshot_dir, (int(width), int(height)), chosen.language)
    except (ReplayError, ValueError) as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 1
    sys.stdout.write(f"{count} pictures in {chosen.screenshot_dir}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
