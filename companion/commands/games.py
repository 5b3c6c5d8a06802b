"""Games as files: tally, replay, box, history, export."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from companion.commands import app, fail, out, say, spoken, to_json, writable
from companion.commands.rooms import pass_on
from companion.wire.files import read_file

Language = Annotated[str, typer.Option(help="en, pl or fr; else the table's")]


def _document(path: Path) -> dict[str, Any]:
    """A JSON object from a file, with one clear line for everything it is not."""
    try:
        data = read_file(path)
        if not data.strip():
            raise fail(f"{path}: the file is empty; --example shows what belongs in it")
        found = msgspec.json.decode(data, type=dict[str, Any])
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
    example: Annotated[bool, typer.Option("--example", help="Print an example to start from")] = False,
    schema: Annotated[bool, typer.Option("--schema", help="Print the input's JSON Schema")] = False,
    language: Language = "",
) -> None:
    """Score a final position, line by line."""
    language = spoken(language)
    from companion.box.owner import Owner
    from companion.core.registry import UnknownGameError, pack

    try:
        rules = pack(game)
    except UnknownGameError as wrong:
        raise fail(str(wrong)) from wrong
    if example or schema:
        out(to_json(rules.example() if example else rules.schema()))
        return
    if file is None:
        raise typer.BadParameter("give a FILE, --example or --schema")
    from companion.past.tallies import as_json, as_table
    from companion.wire.config import state_dir

    try:
        result = rules.score(_document(file), Owner(state_dir()).box(game))
    except ValueError as wrong:
        raise fail(f"{file}: {wrong}") from wrong
    out(to_json(as_json(result)) if json else as_table(result, language))


@app.command()
def replay(
    file: Path,
    json: Annotated[bool, typer.Option("--json", help="One JSON line per move")] = False,
    language: Language = "",
    readings: Annotated[bool, typer.Option("--readings", help="Run kept readings through the reader again")] = False,
) -> None:
    """Show a recorded game, move by move, and its tally."""
    if readings:
        pass_on("vision", ["evidence", str(file)])
    language = spoken(language)
    from companion.journal.recorded import MAX_BYTES, RecordError, read
    from companion.past.tallies import as_json, as_table, narrate

    try:
        record = read(read_file(file, MAX_BYTES))
    except OSError as wrong:
        raise fail(f"{file}: cannot be read: {wrong.strerror}") from wrong
    except RecordError as wrong:
        raise fail(f"{file}: {wrong}") from wrong
    try:
        final = record.begin()
        for number, (_, move, outcome) in enumerate(record.steps(), 1):
            final = outcome.state
            line = (
                msgspec.json.encode({"n": number, "move": move}).decode()
                if json
                else narrate(record, number, outcome, language)
            )
            if line:
                out(line)
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
    from companion.box.terminal import BoxError, confirm

    try:
        shown = confirm(game, json=json, settings=settings or [], every=every)
    except BoxError as wrong:
        raise fail(str(wrong)) from wrong
    except OSError as wrong:
        raise fail(f"{wrong.filename}: cannot be written: {wrong.strerror}") from wrong
    if shown:
        out(shown)


@contextmanager
def _journal() -> Iterator[Any]:
    """The games of this table; a running core may go on writing."""
    from companion.journal.rows import UNREADABLE
    from companion.journal.store import DAMAGED, Journal, JournalUnusableError
    from companion.wire.config import state_dir

    place = state_dir() / "games"
    try:
        if not (place / "journal.db").exists():
            raise fail(f"no games have been played here yet ({place})")
        journal = Journal.reading(place)
        yield journal
        if journal.unreadable:
            say(f"left out because they are damaged: {', '.join(sorted(journal.unreadable))}; a backup may hold them")
    except JournalUnusableError as wrong:
        raise fail(str(wrong)) from wrong
    except OSError as wrong:
        raise fail(f"{wrong.filename or place}: cannot be read: {wrong.strerror}") from wrong
    except (*DAMAGED, *UNREADABLE, TypeError, LookupError) as wrong:
        raise fail(f"{place}/journal.db is damaged: {wrong}; start the table once to mend it") from wrong


@app.command()
def history(
    json: Annotated[bool, typer.Option("--json")] = False,
    plots: Annotated[Path | None, typer.Option(help="Write plots as SVG into this folder")] = None,
) -> None:
    """Finished games, and what they say about the players."""
    from companion.past import history as past
    from companion.past.plots import write_plots

    with _journal() as journal:
        found = past.plays(journal)
        told = past.to_json(found, journal) if json else []
        try:
            written = write_plots(found, plots, journal) if plots is not None else []
        except OSError as wrong:
            raise fail(f"{wrong.filename}: cannot be written: {wrong.strerror}") from wrong
    figures = past.statistics(found)
    for path in written:
        say(f"wrote {path}")
    if json:
        out(to_json({"plays": told, "statistics": figures}))
        return
    if not found:
        say("No game has been played to its end here yet.")
    for play in found:
        names = {player.seat: player for player in play.tally.players}
        winners = ", ".join(names[seat].name for seat in play.tally.winners)
        scores = "  ".join(f"{player.name} {player.total}" for player in play.tally.players)
        date = time.strftime("%Y-%m-%d %H:%M", time.localtime(play.began))
        out(f"{date}  {play.called:16} {play.minutes:4} min  {scores}   won by {winners}   [{play.id}]")
    for name, figure in figures["players"].items():
        out(f"{name}: {figure['wins']} of {figure['plays']} won")


@app.command()
def export(
    what: Annotated[str, typer.Argument(help="csv, statistics, json, bgstats, or the id of one game")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="A file; else standard output")] = None,
) -> None:
    """Finished games as CSV (scores, or points per round and source), JSON or BG Stats links; one game as JSON lines."""
    if output is not None:
        writable(output)
    with _journal() as journal:
        text = _exported(journal, what)
    if output is None:
        out(text)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as wrong:
        raise fail(f"{output}: cannot be written: {wrong.strerror}") from wrong
    say(f"wrote {output}")


def _exported(journal: Any, what: str) -> str:
    """All finished games in one form, or one game."""
    from companion.core.registry import UnknownGameError
    from companion.journal.recorded import write
    from companion.past import bgstats
    from companion.past import history as past

    found = past.plays(journal)
    if what == "csv":
        return past.to_csv(found)
    if what == "statistics":
        return past.to_statistics_csv(found, journal)
    if what == "json":
        return to_json(past.to_json(found, journal)) + "\n"
    if what == "bgstats":
        return "".join(bgstats.link(play) + "\n" for play in found)
    if not any(first.game == what for first, _ in journal.games()):
        raise fail(f"{what}: neither csv, statistics, json, bgstats nor a game; see `tableside history`")
    if not journal.rows(what):
        raise fail(f"{what}: this game is damaged from its first row on; a backup may hold it")
    try:
        one = past.record(journal, what)
    except UnknownGameError as wrong:
        raise fail(str(wrong)) from wrong
    if one.redacted:
        say("The game is not over: what is still secret was left out, so it can be read but not replayed.")
    return write(one.game, one.options, one.box, one.moves, one.tally).decode()
