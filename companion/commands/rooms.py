"""Verbs the rooms bring themselves; the core does not import them, it hands over."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import typer

from companion.commands import app

VERBS = {
    "read": ("vision", "Read the dice in any photo: read PHOTO... [--json]."),
    "mat": ("vision", "Print the market mat: mat --players 4 --paper a3|a4 -o mat.pdf."),
    "cards": ("vision", "Teach the cards of your copy: cards teach."),
    "calibrate": ("vision", "Calibrate mat, colours and lamp."),
    "check": ("vision", "Check light, sharpness and view of the camera; says what to do next."),
    "evidence": ("vision", "Readings kept with the games: evidence --list | --forget | GAME."),
    "firmware": ("firmware_bridge", "Flash or check the board under the dial: firmware flash | check."),
    "hall": (
        "hall",
        "Many tables, one scoreboard: hall [--demo | invite | revoke | join | leave | export | backup | restore].",
    ),
}


def pass_on(room: str, arguments: list[str]) -> None:
    """Become that room. `-P`: a folder called like a room where somebody happens to stand, the sources of another version for
    instance, is not the room."""
    os.execv(sys.executable, [sys.executable, "-P", "-m", room, *arguments])


def _handed(room: str, verb: str) -> Callable[[typer.Context], None]:
    def run(context: typer.Context) -> None:
        pass_on(room, [verb, *context.args] if verb != room else context.args)

    return run


for _verb, (_room, _help) in VERBS.items():
    app.command(
        _verb,
        help=_help,
        context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
    )(_handed(_room, _verb))
