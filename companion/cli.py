"""The `tableside` command."""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated

import typer

from companion import __version__
from companion.commands import app, care, games, monkey, out, rooms, table

__all__ = ["app", "care", "games", "main", "monkey", "rooms", "table"]


def _version(wanted: bool) -> None:
    if wanted:
        out(f"tableside {__version__}")
        raise typer.Exit


@app.callback()
def top(version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True)] = False) -> None:
    """A companion for board games played with real components."""


def main() -> None:
    """Entry point; a broken pipe is the reader's business, a terminal without ł shows a question mark, and a game that fails is
    said in one line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app()
    except BrokenPipeError:
        os._exit(0)
    except Exception as wrong:
        from companion.core.guard import PackFailedError

        if not isinstance(wrong, PackFailedError):
            raise
        sys.exit(f"tableside: {wrong}")


if __name__ == "__main__":
    main()
