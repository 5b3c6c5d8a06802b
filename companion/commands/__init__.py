"""The `tableside` command's common ground: data on stdout, talk on stderr; 0 done, 1 could not, 2 wrong usage."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import msgspec
import typer

from companion.wire.names import printable

app = typer.Typer(
    help="A companion for board games played with real components.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def fail(line: str) -> typer.Exit:
    """One line that says what is wrong and what to do."""
    sys.stderr.write(f"tableside: {printable(line)}\n")
    return typer.Exit(1)


def out(text: str) -> None:
    """Data, handed over at once: a disk that takes no more is said; a reader who has seen enough is not an error."""
    try:
        sys.stdout.write(printable(text if text.endswith("\n") else text + "\n"))
        sys.stdout.flush()
    except BrokenPipeError as enough:
        _close_the_tap()
        raise typer.Exit(0) from enough
    except OSError as wrong:
        _close_the_tap()
        raise fail(f"what was asked for cannot be written out: {wrong.strerror}") from wrong


def _close_the_tap() -> None:
    """What is left in the buffer goes nowhere, so that the interpreter does not fail on it once more at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def say(text: str) -> None:
    """Talk."""
    sys.stderr.write(printable(text) + "\n")


def to_json(value: Any) -> str:
    """Readable JSON."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def spoken(language: str) -> str:
    """A language somebody asked for, else the table's."""
    from companion.wire.config import load
    from companion.wire.words import LANGUAGES

    if language and language not in LANGUAGES:
        raise typer.BadParameter(f"{language}: languages are {', '.join(LANGUAGES)}")
    return language or load().table.language


def writable(path: Path) -> None:
    """Say that a file cannot be written before the work is done that should go into it."""
    place = path if path.exists() else path.parent
    if path.is_dir():
        raise fail(f"{path}: is a folder; name a file")
    if not place.exists():
        raise fail(f"{path}: there is no folder {place}")
    if not os.access(place, os.W_OK):
        raise fail(f"{path}: cannot be written: Permission denied")
