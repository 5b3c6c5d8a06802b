"""Starting a table, real or virtual, and looking after it: run, demo, doctor, config, bench."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from companion.commands import app, fail, out, say, spoken, to_json, writable

Set = Annotated[list[str] | None, typer.Option("--set", help="A setting for this run: section.key=value")]
config_app = typer.Typer(help="Look at the settings.", no_args_is_help=True)
app.add_typer(config_app, name="config")


def _overrides(settings: list[str] | None) -> dict[str, str]:
    from companion.wire.config import SECTIONS

    chosen = {}
    for setting in settings or []:
        key, equals, value = setting.partition("=")
        section, dot, _ = key.partition(".")
        if not equals or not dot:
            raise typer.BadParameter(f"{setting!r}: write it as section.key=value")
        if section not in SECTIONS:
            raise typer.BadParameter(f"{setting!r}: sections are {', '.join(SECTIONS)}")
        chosen[key] = value
    return chosen


@app.command()
def run(
    without: Annotated[str, typer.Option(help="Rooms to leave out: vision,display,firmware_bridge")] = "",
    settings: Set = None,
) -> None:
    """Start the table on this machine and keep it alive."""
    from companion.machine.broker import BrokerMissingError
    from companion.machine.supervisor import ROOMS, CannotStart, Supervisor
    from companion.wire.config import load
    from companion.wire.process_log import start_logging

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
    game: Annotated[str, typer.Option(help="Any game installed here")] = "skytopia",
    players: Annotated[int, typer.Option(min=1, max=4)] = 3,
    seed: Annotated[int, typer.Option(help="The same seed plays the same game")] = 1,
    fast: Annotated[bool, typer.Option("--fast", help="No pauses, a quick clock")] = False,
    headless: Annotated[bool, typer.Option("--headless", help="Without a screen")] = False,
    report: Annotated[Path | None, typer.Option(help="Write the report as JSON here")] = None,
    mistakes: Annotated[float, typer.Option(min=0, max=1, help="How often a hand errs, 0 to 1")] = 0.0,
    human: Annotated[list[int] | None, typer.Option(help="A seat (1 to 4) you play yourself")] = None,
    bot: Annotated[str, typer.Option(help="random, greedy or planner; greedy unless the game has no goal")] = "",
    language: Annotated[str, typer.Option(help="en, pl or fr; else the table's")] = "",
) -> None:
    """Play whole games without hardware: bots and virtual pieces, the real code of camera, dial and broker."""
    from companion.virtual import demo as virtual

    if bot and bot not in virtual.BOTS:
        raise typer.BadParameter(f"{bot}: bots are {', '.join(virtual.BOTS)}")
    _can_be_played(game, players, human or [])
    if report is not None:
        writable(report)
    if not headless:
        headless = not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
        if headless:
            say("No screen was found: the demo goes on without one; phones can watch.")
            os.environ["TABLESIDE_PRINT_JOIN"] = "1"
    humans = frozenset(seat - 1 for seat in human or [])
    language = spoken(language)
    if not headless:
        say(f"A game takes about {'two minutes' if fast else 'ten minutes; --fast: two'}. Close a window to end it.")
    try:
        result = virtual.run(
            game,
            players,
            seed,
            fast=fast,
            headless=headless,
            mistakes=mistakes,
            humans=humans,
            bot=bot,
            language=language,
        )
    except virtual.StalledError as wrong:
        raise fail(str(wrong)) from wrong
    except KeyboardInterrupt:
        result = None
    if not headless or result is None:
        say("The demo has ended.")
    if result is None:
        raise typer.Exit(0)
    written = to_json(virtual.report(result))
    try:
        if report is not None:
            report.write_text(written, encoding="utf-8")
    except OSError as wrong:
        out(written)  # the game was played: its report is not thrown away
        raise fail(f"{report}: cannot be written: {wrong.strerror}") from wrong
    if headless:  # whoever watched has seen the tally
        out(written)
    if not virtual.passed(result):
        raise fail(result.problem or "the tallies differ or a reading was wrong")


def _can_be_played(game: str, players: int, humans: list[int]) -> None:
    """There is such a game, for this many players, and people sit on chairs that exist."""
    from companion.core.registry import UnknownGameError, pack

    try:
        fewest, most = pack(game).players
    except UnknownGameError as wrong:
        raise fail(str(wrong)) from wrong
    if not fewest <= players <= most:
        raise typer.BadParameter(f"{game} is for {fewest} to {most} players", param_hint="--players")
    if any(not 1 <= seat <= players for seat in humans):
        raise typer.BadParameter(f"seats are 1 to {players}", param_hint="--human")


@app.command()
def doctor(json: Annotated[bool, typer.Option("--json")] = False) -> None:
    """Say what works here, what does not, and what to do about it."""
    from companion.machine.doctor import examine, report

    findings = examine()
    out(to_json(findings) if json else report(findings))
    if any(finding.status == "bad" for finding in findings):
        raise typer.Exit(1)


@config_app.command("show")
def config_show() -> None:
    """The settings in force, secrets masked."""
    from companion.wire.config import load, shown

    config = load()
    out(to_json(shown(config) | {"problems": list(config.problems)}))


@config_app.command("check")
def config_check() -> None:
    """Look for mistakes in the settings."""
    from companion.wire.config import load

    problems = load().problems
    for problem in problems:
        say(problem)
    if problems:
        raise typer.Exit(1)
    say("The settings are fine.")


@config_app.command("path")
def config_path() -> None:
    """Where the settings are read from."""
    from companion.wire.config import config_dir

    out(str(config_dir() / "tableside.toml"))


@app.command()
def bench(
    names: Annotated[
        list[str] | None, typer.Argument(help="core rules dial vision display phones loop touches hall")
    ] = None,
    json: Annotated[bool, typer.Option("--json")] = False,
    games: Annotated[int, typer.Option(min=0, help="rules: this many complete random games")] = 0,
    photos: Annotated[Path | None, typer.Option(help="vision: a folder of labelled photos")] = None,
) -> None:
    """Measure what the design promises, on this machine."""
    from benches import BENCHES, measure
    from benches.figures import report

    wanted = names or list(BENCHES)
    unknown = [name for name in wanted if name not in BENCHES]
    if unknown:
        raise typer.BadParameter(f"{', '.join(unknown)}: known are {', '.join(BENCHES)}")
    if photos is not None and not photos.is_dir():
        raise fail(f"{photos}: there is no such folder")
    rows = measure(wanted, games=games, photos=photos)
    out(to_json(rows) if json else report(rows))
    if any(row.get("ok") is False for row in rows):
        raise typer.Exit(1)


@app.command("broker-files", hidden=True)
def broker_files() -> None:
    """Write the broker's configuration and access rules; systemd calls this before it starts Mosquitto."""
    from companion.machine import preflight
    from companion.machine.broker import BrokerMissingError, prepare
    from companion.wire.config import load

    config = load()
    obstacle = preflight.obstacle(config)
    if obstacle:
        raise fail(obstacle)
    try:
        prepare(config)
    except (BrokerMissingError, OSError) as wrong:
        raise fail(str(wrong)) from wrong
