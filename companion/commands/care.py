"""Care of a table: backup, restore, bundle."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from companion.commands import app, fail, out, say, writable
from companion.wire.files import read_file

MAX_PICTURE = 64_000_000


@app.command()
def backup(output: Annotated[Path | None, typer.Option("-o", "--output", help="Where to write it")] = None) -> None:
    """Write games, settings, box, calibration and cards into one archive."""
    from companion.machine.backup import CareError
    from companion.machine.backup import backup as write_backup
    from companion.wire.config import load

    if output is not None:
        writable(output)
    try:
        out(str(write_backup(load(), output)))
    except CareError as wrong:
        raise fail(str(wrong)) from wrong
    except OSError as wrong:
        raise fail(f"{wrong.filename or output}: {wrong.strerror}; no backup was made") from wrong


@app.command()
def restore(
    archive: Annotated[Path, typer.Argument(readable=False, help="What `backup` wrote")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it would do")] = False,
) -> None:
    """Put a backup in place; what was there before is kept as a backup of its own."""
    from companion.machine.backup import CareError
    from companion.machine.backup import restore as put_back
    from companion.wire.config import load

    config = load()
    if dry_run:
        say(f"would back up {config.state_dir}, then put the files of {archive} there")
        return
    if not yes and not (sys.stdin.isatty() and typer.confirm(f"Replace what is in {config.state_dir}?", err=True)):
        raise fail("nothing was restored; add --yes to go on")
    try:
        done = put_back(config, archive)
    except CareError as wrong:
        raise fail(str(wrong)) from wrong
    except OSError as wrong:
        raise fail(f"{wrong.filename}: {wrong.strerror}; nothing was restored") from wrong
    files = f"{done.files} file{'' if done.files == 1 else 's'}"
    say(f"{files} restored" + (f"; what was there before is in {done.before}" if done.before else ""))
    for lies, belongs in done.aside:
        say(f"{belongs} may not be written by this user; to put it back: sudo cp {lies} {belongs}")
    for lies, belongs in done.foreign:
        say(
            f"{belongs} stays: the backup's tells the network or the PIN of its machine; read it, then: cp {lies} {belongs}"
        )


@app.command()
def bundle(
    output: Annotated[Path, typer.Option("-o", "--output")] = Path("tableside-bundle.zip"),
    picture: Annotated[Path | None, typer.Option(help="One picture of the table, if you agree to send it")] = None,
) -> None:
    """Collect what a helper needs to see; secrets are masked, no picture unless you give one."""
    from companion.machine.backup import bundle as collect
    from companion.wire.config import load

    try:
        out(str(collect(load(), output, picture=read_file(picture, MAX_PICTURE) if picture else None)))
    except OSError as wrong:
        raise fail(f"{wrong.filename}: {wrong.strerror}") from wrong
