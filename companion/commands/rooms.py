"""Verbs the rooms bring themselves; the core does not import them, it hands over."""

from __future__ import annotations

import os
import sys

import typer

from companion.commands import app

PASS = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


def pass_on(room: str, arguments: list[str]) -> None:
    """The rooms bring their own verbs; the core does not import them. `-P`: a folder called like a room where somebody
    happens to stand, the sources of another version for instance, is not the room."""
    os.execv(sys.executable, [sys.executable, "-P", "-m", room, *arguments])


@app.command(context_settings=PASS)
def read(context: typer.Context) -> None:
    """Read the dice in any photo: read PHOTO... [--json]."""
    pass_on("vision", ["read", *context.args])


@app.command(context_settings=PASS)
def mat(context: typer.Context) -> None:
    """Print the market mat: mat --players 4 --paper a3|a4 -o mat.pdf."""
    pass_on("vision", ["mat", *context.args])


@app.command(context_settings=PASS)
def cards(context: typer.Context) -> None:
    """Teach the cards of your copy: cards teach."""
    pass_on("vision", ["cards", *context.args])


@app.command(context_settings=PASS)
def calibrate(context: typer.Context) -> None:
    """Calibrate mat, colours and lamp."""
    pass_on("vision", ["calibrate", *context.args])


@app.command(context_settings=PASS)
def check(context: typer.Context) -> None:
    """Light, sharpness and view of the camera, with one instruction."""
    pass_on("vision", ["check", *context.args])


@app.command(context_settings=PASS)
def evidence(context: typer.Context) -> None:
    """Readings kept with the games: evidence --list | --forget | GAME."""
    pass_on("vision", ["replay", *context.args])


@app.command(context_settings=PASS)
def firmware(context: typer.Context) -> None:
    """Flash or check the board under the dial: firmware flash | check."""
    pass_on("firmware_bridge", ["firmware", *context.args])


@app.command(context_settings=PASS)
def hall(context: typer.Context) -> None:
    """Many tables, one scoreboard: hall [--demo | invite | revoke | join | leave | export | backup | restore]."""
    pass_on("hall", context.args)
