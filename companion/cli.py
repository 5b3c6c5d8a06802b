"""The `tableside` command."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from companion import __version__
from companion.commands import app, care, games, out, rooms, table

__all__ = ["app", "care", "games", "main", "rooms", "table"]


def _version(wanted: bool) -> None:
    if wanted:
        out(f"tableside {__version__}")
        raise typer.Exit


@app.callback()
def top(version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True)] = False) -> None:
    """A companion for board games played with real components."""


def main() -> None:
    """Entry point; a broken pipe is the reader's business."""
    try:
        app()
    except BrokenPipeError:
        os._exit(0)


if __name__ == "__main__":
    main()
