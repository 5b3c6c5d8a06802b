"""`tableside mat [GAME] --players 4 --paper a3|a4 -o mat.pdf`: a game's mat, true to scale."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from vision.terminal.declared import USUAL, NoMat, mat_of


def main(argv: list[str]) -> int:
    """Write the file; 1 when it cannot be written."""
    ask = argparse.ArgumentParser(prog="tableside mat", description="Print a game's mat, true to scale.")
    ask.add_argument("game", nargs="?", default=USUAL, metavar="GAME", help=f"whose mat; default: {USUAL}")
    ask.add_argument("--players", type=int, choices=range(1, 9), default=4, metavar="N")
    ask.add_argument("--paper", choices=("a3", "a4"), default="a3")
    ask.add_argument("-o", "--out", type=Path, default=Path("mat.pdf"))
    args = ask.parse_args(argv)
    from vision.mat_pdf import pages, pdf

    try:
        mat = mat_of(args.game, args.players)
    except NoMat as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 1
    try:
        args.out.write_bytes(pdf(mat, args.paper))
    except OSError as wrong:
        sys.stderr.write(f"{args.out}: {wrong.strerror or wrong}\n")
        return 1
    sheets = len(pages(mat, args.paper))
    many = "one sheet" if sheets == 1 else f"{sheets} sheets with 10 mm overlap"
    sys.stderr.write(f"{args.out}: {many}; print at 100 %, the line on it must measure 100 mm\n")
    return 0
