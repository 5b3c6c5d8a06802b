"""The `tableside` command. Data on stdout, talk on stderr; 0 done, 1 could not, 2 wrong usage."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from companion import __version__

app = typer.Typer(
    help="A companion for board games played with real components.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
config_app = typer.Typer(help="Look at the settings.", no_args_is_help=True)
app.add_typer(config_app, name="config")

MAX_DOCUMENT = 1_000_000


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


def _version(wanted: bool) -> None:
    if wanted:
        out(f"tableside {__version__}")
        raise typer.Exit


@app.callback()
def top(version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True)] = False) -> None:
    """A companion for board games played with real components."""


def _overrides(settings: list[str] | None) -> dict[str, str]:
    chosen = {}
    for setting in settings or []:
        key, equals, value = setting.partition("=")
        if not equals or "." not in key:
            raise typer.BadParameter(f"{setting!r}: write it as section.key=value")
        chosen[key] = value
    return chosen


Set = Annotated[list[str] | None, typer.Option("--set", help="A setting for this run: section.key=value")]


@app.command()
def run(
    without: Annotated[str, typer.Option(help="Rooms to leave out: vision,display,firmware_bridge")] = "",
    settings: Set = None,
) -> None:
    """Start the table on this machine and keep it alive."""
    from companion.broker import BrokerMissingError
    from companion.config import load
    from companion.room import start_logging
    from companion.supervisor import ROOMS, CannotStart, Supervisor

    left_out = frozenset(name.strip() for name in without.split(",") if name.strip())
    unknown = left_out - set(ROOMS)
    if unknown:
        raise typer.BadParameter(f"{', '.join(sorted(unknown))}: rooms are {', '.join(ROOMS)}")
    chosen = _overrides(settings)
    for key, value in chosen.items():
        os.environ["TABLESIDE_" + key.replace(".", "_").upper()] = value
    config = load()
    start_logging()
    for problem in config.problems:
        say(f"tableside: safe mode: {problem}")
    os.environ.setdefault("TABLESIDE_PRINT_JOIN", "1")
    try:
        code = Supervisor(config, left_out).run()
    except (CannotStart, BrokerMissingError) as wrong:
        raise fail(str(wrong)) from wrong
    raise typer.Exit(code)


@app.command()
def demo(
    game: Annotated[str, typer.Option(help="skytopia, praga, skyrise or scorepad")] = "skytopia",
    players: Annotated[int, typer.Option(min=1, max=4)] = 3,
    seed: Annotated[int, typer.Option(help="The same seed plays the same game")] = 1,
    fast: Annotated[bool, typer.Option("--fast", help="No pauses, a quick clock")] = False,
    headless: Annotated[bool, typer.Option("--headless", help="No screen")] = False,
    report: Annotated[Path | None, typer.Option(help="Write the report as JSON here")] = None,
    mistakes: Annotated[float, typer.Option(min=0, max=1, help="How often a hand errs, 0 to 1")] = 0.0,
    human: Annotated[list[int] | None, typer.Option(help="A seat (1 to 4) you play yourself")] = None,
    bot: Annotated[str, typer.Option(help="random, greedy or planner")] = "greedy",
) -> None:
    """Play a whole game with no hardware: bots, virtual pieces, the real camera, dial and broker code."""
    from companion.registry import UnknownGameError
    from companion.virtual import demo as virtual

    if not headless:
        headless = not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
        if headless:
            say("No screen was found: the demo goes on without one; phones can watch.")
            os.environ["TABLESIDE_PRINT_JOIN"] = "1"
    if bot not in virtual.BOTS:
        raise typer.BadParameter(f"{bot}: bots are {', '.join(virtual.BOTS)}")
    humans = frozenset(seat - 1 for seat in human or [])
    try:
        result = virtual.run(
            game, players, seed, fast=fast, headless=headless, mistakes=mistakes, humans=humans, bot=bot
        )
    except UnknownGameError as wrong:
        raise fail(str(wrong)) from wrong
    except virtual.StalledError as wrong:
        raise fail(str(wrong)) from wrong
    except KeyboardInterrupt:
        raise typer.Exit(0) from None
    written = to_json(virtual.report(result))
    if report is not None:
        report.write_text(written)
    out(written)
    if not virtual.passed(result):
        raise fail(result.problem or "the tallies differ or a reading was wrong")


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
        _pass_on("vision", ["replay", str(file)])
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
def doctor(json: Annotated[bool, typer.Option("--json")] = False) -> None:
    """What works here, what does not, what to do."""
    from companion.doctor import examine, report

    findings = examine()
    out(to_json(findings) if json else report(findings))
    if any(finding.status == "bad" for finding in findings):
        raise typer.Exit(1)


@config_app.command("show")
def config_show() -> None:
    """The settings in force, secrets masked."""
    from companion.config import SECTIONS, load

    config = load()
    shown = {name: msgspec.to_builtins(getattr(config, name)) for name in SECTIONS}
    if shown["display"]["pin"]:
        shown["display"]["pin"] = "****"
    out(to_json(shown | {"problems": list(config.problems)}))


@config_app.command("check")
def config_check() -> None:
    """Look for mistakes in the settings."""
    from companion.config import load

    problems = load().problems
    for problem in problems:
        say(problem)
    if problems:
        raise typer.Exit(1)
    say("The settings are fine.")


@config_app.command("path")
def config_path() -> None:
    """Where the settings are read from."""
    from companion.config import config_dir

    out(str(config_dir() / "tableside.toml"))


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


@app.command()
def bench(
    names: Annotated[list[str] | None, typer.Argument(help="core rules dial vision display phones loop")] = None,
    json: Annotated[bool, typer.Option("--json")] = False,
    games: Annotated[int, typer.Option(help="rules: so many complete random games")] = 0,
    photos: Annotated[Path | None, typer.Option(help="vision: a folder of labelled photos")] = None,
) -> None:
    """Measure what the design promises, on this machine."""
    from companion.bench import BENCHES, measure, report

    wanted = names or list(BENCHES)
    unknown = [name for name in wanted if name not in BENCHES]
    if unknown:
        raise typer.BadParameter(f"{', '.join(unknown)}: known are {', '.join(BENCHES)}")
    rows = measure(wanted, games=games, photos=photos)
    out(to_json(rows) if json else report(rows))
    if any(row.get("ok") is False for row in rows):
        raise typer.Exit(1)


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

    found = past.plays(_journal())
    figures = past.statistics(found)
    if plots is not None:
        for path in write_plots(found, plots):
            say(f"wrote {path}")
    if json:
        out(to_json({"plays": past.to_json(found), "statistics": figures}))
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
    what: Annotated[str, typer.Argument(help="csv, json, bgstats, or the id of one game")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="A file; else standard output")] = None,
) -> None:
    """Finished games as CSV, JSON or BG Stats links; one game as JSON lines."""
    from companion import history as past
    from companion.record import write

    journal = _journal()
    found = past.plays(journal)
    if what == "csv":
        text = past.to_csv(found)
    elif what == "json":
        text = to_json(past.to_json(found)) + "\n"
    elif what == "bgstats":
        text = "".join(past.bg_stats_link(play) + "\n" for play in found)
    else:
        if not any(first.game == what for first, _ in journal.games()):
            raise fail(f"{what}: neither csv, json, bgstats nor a game; see `tableside history`")
        one = past.record(journal, what)
        text = write(one.game, one.options, one.box, one.moves, one.tally).decode()
    if output is None:
        out(text)
    else:
        output.write_text(text, encoding="utf-8")
        say(f"wrote {output}")


PASS = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


@app.command()
def backup(output: Annotated[Path | None, typer.Option("-o", "--output", help="Where to write it")] = None) -> None:
    """Write games, settings, box, calibration and cards into one archive."""
    from companion.care import CareError
    from companion.care import backup as write_backup
    from companion.config import load

    try:
        out(str(write_backup(load(), output)))
    except (CareError, OSError) as wrong:
        raise fail(str(wrong)) from wrong


@app.command()
def restore(
    archive: Path,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it would do")] = False,
) -> None:
    """Put a backup in place; what was there before is kept as a backup of its own."""
    from companion.care import CareError
    from companion.care import restore as put_back
    from companion.config import load

    config = load()
    if dry_run:
        say(f"would back up {config.state_dir}, then put the files of {archive} there")
        return
    if not yes and not (sys.stdin.isatty() and typer.confirm(f"Replace what is in {config.state_dir}?", err=True)):
        raise fail("nothing was restored; say --yes to go on")
    try:
        say(f"{put_back(config, archive)} files restored")
    except (CareError, OSError) as wrong:
        raise fail(str(wrong)) from wrong


@app.command()
def bundle(
    output: Annotated[Path, typer.Option("-o", "--output")] = Path("tableside-bundle.zip"),
    picture: Annotated[Path | None, typer.Option(help="One picture of the table, if you agree to send it")] = None,
) -> None:
    """Collect what a helper needs to see; secrets are masked, no picture unless you give one."""
    from companion.care import bundle as collect
    from companion.config import load

    try:
        out(str(collect(load(), output, picture=picture.read_bytes() if picture else None)))
    except OSError as wrong:
        raise fail(f"{wrong.filename}: {wrong.strerror}") from wrong


@app.command("broker-files", hidden=True)
def broker_files() -> None:
    """Write the broker's configuration and access rules; systemd calls this before it starts Mosquitto."""
    from companion.broker import BrokerMissingError, prepare
    from companion.config import load

    try:
        prepare(load())
    except (BrokerMissingError, OSError) as wrong:
        raise fail(str(wrong)) from wrong


def _pass_on(room: str, arguments: list[str]) -> None:
    """The rooms bring their own verbs; the core does not import them."""
    os.execv(sys.executable, [sys.executable, "-m", room, *arguments])


@app.command(context_settings=PASS)
def read(context: typer.Context) -> None:
    """Read the dice in any photo: read PHOTO... [--json]."""
    _pass_on("vision", ["read", *context.args])


@app.command(context_settings=PASS)
def mat(context: typer.Context) -> None:
    """Print the market mat: mat --players 4 --paper a3|a4 -o mat.pdf."""
    _pass_on("vision", ["mat", *context.args])


@app.command(context_settings=PASS)
def cards(context: typer.Context) -> None:
    """Teach the cards of your copy: cards teach."""
    _pass_on("vision", ["cards", *context.args])


@app.command(context_settings=PASS)
def calibrate(context: typer.Context) -> None:
    """Calibrate mat, colours and lamp."""
    _pass_on("vision", ["calibrate", *context.args])


@app.command(context_settings=PASS)
def check(context: typer.Context) -> None:
    """Light, sharpness and view of the camera, with one instruction."""
    _pass_on("vision", ["check", *context.args])


@app.command(context_settings=PASS)
def firmware(context: typer.Context) -> None:
    """Flash or check the board under the dial: firmware flash | check."""
    _pass_on("firmware_bridge", ["firmware", *context.args])


def main() -> None:
    """Entry point; a broken pipe is the reader's business."""
    try:
        app()
    except BrokenPipeError:
        os._exit(0)


if __name__ == "__main__":
    main()
