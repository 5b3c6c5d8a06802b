"""The `tableside` command's common ground: data on stdout, talk on stderr; 0 done, 1 could not, 2 wrong usage."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import msgspec
import typer
from typer.core import TyperGroup

from companion.wire.names import printable

TASKS = {
    "Play": ("demo", "run", "doctor", "config"),
    "Camera, dial and your copy": ("mat", "calibrate", "check", "cards", "box", "firmware"),
    "Games that were played": ("history", "export", "tally", "replay", "evidence"),
    "Care": ("backup", "restore", "bundle"),
    "For the curious": ("read", "bench", "monkey"),
}


class Verbs(TyperGroup):
    """The list of verbs by what somebody wants to do, each with its whole sentence."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """One short section a task; what nobody has sorted in comes last."""
        known = {name for names in TASKS.values() for name in names}
        rest = tuple(name for name in self.list_commands(ctx) if name not in known)
        for task, names in (*TASKS.items(), ("More", rest)):
            found = [(name, self.get_command(ctx, name)) for name in names]
            rows = [
                (name, verb.get_short_help_str(400)) for name, verb in found if verb is not None and not verb.hidden
            ]
            if rows:
                with formatter.section(task):
                    formatter.write_dl(rows)


app = typer.Typer(
    cls=Verbs,
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
    try:
        place = path if path.exists() else path.parent
        if path.is_dir():
            raise fail(f"{path}: is a folder; name a file")
        if not place.exists():
            raise fail(f"{path}: there is no folder {place}")
        if not os.access(place, os.W_OK):
            raise PermissionError
    except PermissionError:  # also of a folder that may not even be looked into, as root's is to the table's own user
        raise fail(f"{path}: cannot be written: Permission denied") from None
