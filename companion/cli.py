"""The `tableside` command."""

from __future__ import annotations

import io
import os
import select
import sys
from contextlib import suppress
from typing import Annotated, Any

import typer

from companion import __version__
from companion.commands import app, care, games, monkey, out, rooms, table

WrongUsage: type[Exception] = typer.BadParameter.__bases__[0]
"""What the library raises when words on the command line do not fit; it has no public name of its own."""

__all__ = ["app", "care", "games", "main", "monkey", "rooms", "table"]


def _version(wanted: bool) -> None:
    if wanted:
        out(f"tableside {__version__}")
        raise typer.Exit


@app.callback()
def top(version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True)] = False) -> None:
    """A companion for board games played with real components."""


def _one_line(wrong: Any) -> int:
    """What does not fit, and where to read how it is used."""
    line, verb = wrong.format_message(), wrong.ctx.command_path if wrong.ctx is not None else "tableside"
    if line.startswith("Usage"):  # nothing was asked for: the whole list is the answer
        sys.stderr.write(line.rstrip() + "\n")
    else:
        sys.stderr.write(f"{verb}: {' '.join(line.split()).rstrip('.')}. See: {verb} --help\n")
    return 2


def _nobody_reads() -> bool:
    """Whoever read what is said here has seen enough; another pipe that breaks is a fault of ours."""
    gone = select.poll()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            gone.register(stream.fileno(), 0)
    return any(what & select.POLLERR for _, what in gone.poll(0))


def main() -> None:
    """Entry point; a broken pipe is the reader's business, a terminal without ł shows a question mark, and a game that fails is
    said in one line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        sys.exit(app(standalone_mode=False) or 0)
    except WrongUsage as wrong:
        sys.exit(_one_line(wrong))
    except typer.Abort:
        sys.exit(1)
    except BrokenPipeError:
        if not _nobody_reads():
            raise
        os._exit(0)
    except Exception as wrong:
        from companion.core.guard import PackFailedError

        if not isinstance(wrong, PackFailedError):
            raise
        sys.exit(f"tableside: {wrong}")


if __name__ == "__main__":
    main()
