"""The `tableside` command's common ground: data on stdout, talk on stderr; 0 done, 1 could not, 2 wrong usage."""

from __future__ import annotations

import sys
from typing import Any

import msgspec
import typer

app = typer.Typer(
    help="A companion for board games played with real components.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def fail(line: str) -> typer.Exit:
    """One line that says what is wrong and what to do."""
    sys.stderr.write(f"tableside: {line}\n")
    return typer.Exit(1)


def out(text: str) -> None:
    """Data."""
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def say(text: str) -> None:
    """Talk."""
    sys.stderr.write(text + "\n")


def to_json(value: Any) -> str:
    """Readable JSON."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
