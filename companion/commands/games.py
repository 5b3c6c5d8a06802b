"""Games as files: tally, replay, box, history, export."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from companion.commands import app, fail, out, say, to_json
from companion.commands.rooms import pass_on

MAX_DOCUMENT = 1_000_000


def _document(path: Path) -> dict[str, Any]:
    """A JSON object from a file, with one clear line for everything it is not."""
    try:
        if path.stat().st_size > MAX_DOCUMENT:
            raise fail(f"{path}: larger than 1 MB; a final position is a small file")
        found = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except FileNotFoundError as wrong:
        raise fail(f"{path}: there is no such file") from wrong
    except OSError as wrong:
        raise fail(f"{path}: cannot be read: {wrong.strerror}") from wrong
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise fail(f"{path}: not a JSON object: {wrong}") from wrong
    return found


@app.command()
def tally(
    game: str,
    file: Annotated[Path | None, typer.Argument(help="The final position as JSON")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON")] = False,
    example: Annotated[bool, typer.Option("--example", help="Print a filled input")] = False,
    schema: Annotated[bool, typer.Option("--schema", help="Print the input's JSON Schema")] = False,
    language: Annotated[str, typer.Option(help="en, pl or fr")] = "en",
) -> None:
    """Score a final position, line by line."""
    from companion.owner import Owner
    from companion.registry import UnknownGameError, pack

    try:
        rules = pack(game)
    except UnknownGameError as wrong:
        raise fail(str(wrong)) from wrong
    if example or schema:
        out(to_json(rules.example() if example else rules.schema()))
        return
    if file is None:
        raise typer.BadParameter("give a FILE, --example or --schema")
    from companion.config import state_dir
    from companion.tallies import as_json, as_table

    try:
        result = rules.score(_document(file), Owner(state_dir()).box(game))
    except ValueError as wrong:
        raise fail(f"{file}: {wrong}") from wrong
    out(to_json(as_json(result)) if json else as_table(result, language))


@app.command()
def replay(
    file: Path,
    json: Annotated[bool, typer.Option("--json", help="One JSON line a move")] = False,
    language: Annotated[str, typer.Option(help="en, pl or fr")] = "en",
    readings: Annotated[bool, typer.Option("--readings", help="Run kept readings through the reader again")] = False,
) -> None:
    """Show a recorded game, move by move, and its tally."""
    if readings:
        pass_on("vision", ["replay", str(file)])
    from companion.record import RecordError, read
    from companion.tallies import as_json, as_table, narrate

    try:
        record = read(file.read_bytes())
        final = record.pack.new(record.options, record.box)
        for number, (_, move, outcome) in enumerate(record.steps(), 1):
            final = outcome.state
            line = (
                msgspec.json.encode({"n": number, "move": move}).decode()
                if json
                else narrate(record, number, outcome, language)
            )
            if line:
                out(line)
    except OSError as wrong:
        raise fail(f"{file}: cannot be read: {wrong.strerror}") from wrong
    except RecordError as wrong:
        raise fail(f"{file}: {wrong}") from wrong
    result = record.pack.tally(final)
    out(msgspec.json.encode({"tally": as_json(result)}).decode() if json else as_table(result, language))
    if record.tally is not None and msgspec.json.decode(msgspec.json.encode(result)) != record.tally:
        raise fail(f"{file}: the tally differs from the recorded one")


@app.command()
def box(
    game: str,
    json: Annotated[bool, typer.Option("--json", help="Print all values with their sources")] = False,
    settings: Annotated[list[str] | None, typer.Option("--set", help="key=value (JSON), without asking")] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Ask about every unconfirmed value, not only the first ones")
    ] = False,
) -> None:
    """Check printed numbers against your own copy."""
    from companion.boxes import BoxError, confirm

    try:
        confirm(game, json=json, settings=settings or [], every=every)
    except BoxError as wrong:
        raise fail(str(wrong)) from wrong


def _journal() -> Any:
    """The games of this table; a running core may go on writing."""
    from companion.config import state_dir
    from companion.journal import Journal, JournalFullError

    place = state_dir() / "games"
    if not (place / "journal.db").exists():
        raise fail(f"no games have been played here yet ({place})")
    try:
        return Journal.reading(place)
    except (JournalFullError, OSError) as wrong:
        raise fail(str(wrong)) from wrong


@app.command()
def history(
    json: Annotated[bool, typer.Option("--json")] = False,
    plots: Annotated[Path | None, typer.Option(help="Write plots as SVG into this folder")] = None,
) -> None:
    """Finished games, and what they say about the players."""
    from companion import history as past
    from companion.plots import write_plots

    journal = _journal()
    found = past.plays(journal)
    figures = past.statistics(found)
    if plots is not None:
        for path in write_plots(found, plots):
            say(f"wrote {path}")
    if json:
        out(to_json({"plays": past.to_json(found, journal), "statistics": figures}))
        return
    for play in found:
        names = {player.seat: player for player in play.tally.players}
        winners = ", ".join(names[seat].name for seat in play.tally.winners)
        scores = "  ".join(f"{player.name} {player.total}" for player in play.tally.players)
        date = time.strftime("%Y-%m-%d %H:%M", time.localtime(play.began))
        out(f"{date}  {play.game:9} {play.minutes:4} min  {scores}   won by {winners}   [{play.id}]")
    for name, figure in figures["players"].items():
        out(f"{name}: {figure['wins']} of {figure['plays']} won")


@app.command()
def export(
    what: Annotated[str, typer.Argument(help="csv, statistics, json, bgstats, or the id of one game")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="A file; else standard output")] = None,
) -> None:
    """Finished games as CSV (scores, or points per round and source), JSON or BG Stats links; one game as JSON lines."""
    from companion import history as past
    from companion.record import write

    journal = _journal()
    found = past.plays(journal)
    if what == "csv":
        text = past.to_csv(found)
    elif what == "statistics":
        text = past.to_statistics_csv(found, journal)
    elif what == "json":
        text = to_json(past.to_json(found, journal)) + "\n"
    elif what == "bgstats":
        text = "".join(past.bg_stats_link(play) + "\n" for play in found)
    else:
        if not any(first.game == what for first, _ in journal.games()):
            raise fail(f"{what}: neither csv, statistics, json, bgstats nor a game; see `tableside history`")
        one = past.record(journal, what)
        text = write(one.game, one.options, one.box, one.moves, one.tally).decode()
    if output is None:
        out(text)
    else:
        output.write_text(text, encoding="utf-8")
        say(f"wrote {output}")
