"""Looking for what can stop the table: `tableside monkey`."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.commands import app, fail, out, say, to_json


@app.command()
def monkey(
    game: Annotated[str, typer.Argument(help="The id of a game, or all: each in its turn")],
    games: Annotated[int, typer.Option(min=1, help="How many games")] = 20,
    seed: Annotated[int, typer.Option(help="The same seed plays the same games")] = 1,
    first: Annotated[int, typer.Option("--from", min=0, help="Begin with this game")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON")] = False,
    story: Annotated[bool, typer.Option("--story", help="Tell every step on standard error")] = False,
) -> None:
    """Play whole games as people and phones do, and worse: bent moves, corrections, undo, restarts. Counts what fails."""
    from rich.console import Console
    from rich.progress import Progress

    from companion.core import registry
    from companion.monkey import Report, run, told
    from companion.wire import announced

    try:
        names = announced.names() if game == "all" else (registry.pack(game).id,)
    except registry.UnknownGameError as wrong:
        raise fail(str(wrong)) from wrong
    with Progress(console=Console(stderr=True), disable=story) as bar:
        task = bar.add_task("games", total=games)

        def one_more(report: Report) -> None:
            bar.update(task, completed=report.games, description=f"games, {len(report.faults)} faults")

        report = run(names, games, seed, first, tell=say if story else _silent, done=one_more)
    out(to_json(report.figures()) if json else told(report))
    if report.faults:
        raise typer.Exit(1)


def _silent(line: str) -> None:
    """Nobody asked for the story."""
