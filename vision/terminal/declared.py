"""The mat a game declares, for commands that run without a table: only they load a game's code in this room."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from companion import sensing
from companion.wire.announced import entries, names
from vision import mat as mats

USUAL, PLAYERS = "skytopia", 4


class NoMat(Exception):  # noqa: N818 - what happened, not an error of the program
    """No mat can be had; the message says why and what to do."""


def mat_of(game: str, players: int) -> mats.Mat:
    """The mat of an announced game for this many players."""
    entry = entries().get(game)
    if entry is None:
        raise NoMat(f"{game}: no such game here. These are: {', '.join(names())}.")
    try:
        pack = entry.load()
        low, high = pack.players
        declared = pack.mat(min(max(players, low), high))
    except Exception as wrong:
        raise NoMat(f"{game}: the game cannot say what its mat is ({wrong!r}).") from wrong
    if not isinstance(declared, sensing.Mat):
        raise NoMat(f"{game} is played without a mat: nothing of it is seen by the camera.")
    return mats.of(declared)


def options(ask: ArgumentParser) -> None:
    """Whose mat lies there, and for how many."""
    ask.add_argument("--game", default=USUAL, help=f"whose mat lies there; default: {USUAL}")
    ask.add_argument("--players", type=int, choices=range(1, 9), default=PLAYERS, metavar="N", help="how many play")


def chosen(ask: ArgumentParser, args: Namespace) -> mats.Mat:
    """The mat these options name; the command ends with one line when there is none."""
    try:
        return mat_of(args.game, args.players)
    except NoMat as wrong:
        ask.error(str(wrong))
