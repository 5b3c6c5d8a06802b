"""`tableside demo`: a whole game with no hardware, on a table of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from companion.bots import BOTS
from companion.bots.skyrise import Auctioneer
from companion.core.registry import pack as find_pack
from companion.game import Text
from companion.virtual.folder import kindly, own_folder
from companion.virtual.gathering import StalledError
from companion.virtual.own_table import OwnTable, end
from companion.virtual.play import Chooser, Demo
from companion.virtual.ports import claimed_ports
from companion.virtual.result import Result, passed, report
from companion.virtual.spent import Spent
from companion.wire.config import Config
from companion.wire.room import connection
from companion.wire.words import Words

__all__ = ["BOTS", "StalledError", "passed", "report", "run"]

OPTIONS: dict[str, dict[str, Any]] = {
    "skyrise": {"deal": "physical", "board": "table", "auction": "quick"},
    "scorepad": {"rounds": 3},
}
USUAL = {"scorepad": "random"}
"""Who plays unless somebody else is asked for; points on a pad are no goal a greedy bot ever has enough of."""
FAST = {
    "TABLESIDE_CAMERA_WIDTH": "1280",
    "TABLESIDE_CAMERA_HEIGHT": "720",
    "TABLESIDE_CAMERA_FPS": "6",
    "TABLESIDE_CAMERA_VIRTUAL_SPEED": "20",
    "TABLESIDE_DIAL_VIRTUAL_SPEED": "20",
    "TABLESIDE_DIAL_VIRTUAL_PACE": "4",
}


def settings(
    game: str,
    players: int,
    ports: Mapping[str, str],
    *,
    fast: bool,
    headless: bool,
    state: Path,
    language: str = "",
    camera: bool = True,
    bots: int = 0,
) -> dict[str, str]:
    """The environment of the demo's own table; what the caller has set already stands."""
    pack = find_pack(game)
    source = "virtual" if camera and pack.mat(players) is not None else "none"
    dial = "virtual" if pack.dial() is not None else "none"
    chosen = {
        "TABLESIDE_STATE_DIR": str(state),
        "TABLESIDE_CAMERA_SOURCE": source,
        "TABLESIDE_DIAL_SOURCE": dial,
        "TABLESIDE_DISPLAY_WELCOMED": "true",
        "TABLESIDE_WEB_MDNS": "false",  # nobody looks for a demo by its name
    }
    if headless:
        chosen["TABLESIDE_DISPLAY_DRIVER"] = "dummy"
    else:
        chosen["TABLESIDE_DEMO"] = "beside" if source != "none" else "alone"
    if language:
        chosen["TABLESIDE_TABLE_LANGUAGE"] = language
    if fast:
        chosen |= FAST
        if not headless:  # whoever watches would be told all the time that dice are small in a small picture
            chosen = {k: v for k, v in chosen.items() if k not in ("TABLESIDE_CAMERA_WIDTH", "TABLESIDE_CAMERA_HEIGHT")}
    given = {k: v for k, v in os.environ.items() if k.startswith("TABLESIDE_") and k not in chosen}
    told = {"TABLESIDE_PRINT_JOIN": "" if headless else "1", "TABLESIDE_PRINT_JOIN_AFTER": str(bots)}
    return {**told, **chosen, **ports, **given}


def run(
    game: str,
    players: int,
    seed: int,
    *,
    fast: bool = False,
    headless: bool = False,
    mistakes: float = 0.0,
    humans: frozenset[int] = frozenset(),
    bot: str = "",
    light: Mapping[str, Any] | None = None,
    limit: int = 0,
    language: str = "",
    camera: bool = True,
) -> Result | None:
    """Start a table, play a game on it, end it. `light` is what lamp and lens do to the picture.

    Without `camera` everything it would have seen is told on phones.

    With a screen it goes on, game after game, until a window is closed: then the last finished game counts, if there is one.
    """
    find_pack(game)  # an unknown game is said before anything is started
    with kindly(), own_folder() as place, claimed_ports() as ports:
        bots = players - len(humans)
        chosen = settings(
            game, players, ports, fast=fast, headless=headless, state=place, language=language, camera=camera, bots=bots
        )
        own = OwnTable(chosen)
        table = _start(own, headless=headless)
        window: subprocess.Popen[bytes] | None = None
        try:
            own.until_broker(table)
            demo = bots_at(
                own.config(),
                game,
                players=players,
                seed=seed,
                bot=bot,
                mistakes=mistakes,
                pause=0.0 if fast else 0.8,
                humans=humans,
                limit=limit,
                attended=not headless,
            )
            demo.pieces.light = dict(light or {})
            demo.spent = Spent(table.pid)
            if headless:
                demo.people.attend = round_by_round(demo)
                return demo.play()
            window = _beside(own, game)
            return _as_long_as_somebody_watches(demo, [table, *([window] if window else [])])
        finally:
            if window is not None:
                window.terminate()
            end(table)


def one_after_another(game: str, players: int, seeds: Sequence[int]) -> Iterator[Result]:
    """Fast games without a screen, all on one table: what each was like."""
    with kindly(), own_folder() as place, claimed_ports() as ports:
        own = OwnTable(settings(game, players, ports, fast=True, headless=True, state=place))
        table = _start(own, headless=True)
        try:
            own.until_broker(table)
            demo = bots_at(own.config(), game, players=players, seed=0)
            demo.spent = Spent(table.pid)
            for seed in seeds:
                demo.chance.seed(seed)
                demo.result = Result(game=game, players=players, seed=seed)
                demo.people.clear_table([seat["colour"] for seat in demo.seats])
                yield demo.one_game(demo.begin)
            demo.people.leave()
        finally:
            end(table)


class _Standing(msgspec.Struct):
    """What a line in the terminal tells of a game; one without rounds or points tells none."""

    round: int = 0
    players: list[_Points] = []


class _Points(msgspec.Struct):
    name: str = ""
    points: int = 0


def round_by_round(demo: Demo) -> Callable[[], None]:
    """Without a screen the terminal is told how the game goes: one line a round."""
    told = [0, 0]

    def attend() -> None:
        state = demo.people.ears.state
        if state is None or state.seq == told[0]:
            return
        told[0] = state.seq
        with suppress(msgspec.DecodeError):
            now = msgspec.json.decode(state.view, type=_Standing)
            if now.round > told[1]:
                told[1] = now.round
                points = ", ".join(f"{player.name} {player.points}" for player in now.players)
                sys.stderr.write(f"Round {now.round}: {points}\n")

    return attend


class _LeftError(Exception):
    """A window was closed, or the table has ended."""


def _as_long_as_somebody_watches(demo: Demo, processes: list[subprocess.Popen[bytes]]) -> Result | None:
    """Games until somebody has seen enough: closes a window, or stops us. What the last finished one was like."""

    def attend() -> None:
        if any(process.poll() is not None for process in processes):
            raise _LeftError

    demo.people.attend = attend
    last: Result | None = None
    with suppress(_LeftError, KeyboardInterrupt):
        for last in demo.play_again_and_again():
            if last.problem:
                sys.stderr.write(f"The game stopped: {last.problem}\n")
            sys.stderr.write("The game is over. *Next game* plays again; close a window to end the demo.\n")
    return last


def bots_at(
    config: Config,
    game: str,
    *,
    players: int,
    seed: int,
    bot: str = "",
    options: dict[str, Any] | None = None,
    mistakes: float = 0.0,
    pause: float = 0.0,
    humans: frozenset[int] = frozenset(),
    limit: int = 0,
    attended: bool = False,
) -> Demo:
    """Bots and virtual pieces for a table that runs here; `play` them, or make them `begin` and `step`."""
    return Demo(
        config,
        find_pack(game),
        lambda user: connection(config, user),
        players=players,
        seed=seed,
        options=OPTIONS.get(game, {}) if options is None else options,
        choose=_hands(game, config, chooser(bot or USUAL.get(game, "greedy"))),
        mistakes=mistakes,
        pause=pause,
        humans=humans,
        limit=limit,
        attended=attended,
        you=Words(config.table.language).say(Text("demo/you", {"name": "{name}"})),
    )


def _hands(game: str, config: Config, choose: Chooser) -> Chooser:
    """What a camera can see must be done with pieces."""
    return Auctioneer(choose) if game == "skyrise" and config.camera.source != "none" else choose


def chooser(bot: str) -> Chooser:
    """How the bots decide."""
    player = BOTS[bot]()
    return lambda pack, state, moves, chance: player.choose(pack, state, chance)


def _start(own: OwnTable, *, headless: bool) -> subprocess.Popen[bytes]:
    """The table in a process of its own, with the rooms this game has work for."""
    config = own.config()
    needless = {
        "vision": config.camera.source == "none",
        "firmware_bridge": config.dial.source == "none",
        "display": headless,
    }
    without = ",".join(room for room, left_out in needless.items() if left_out)
    return own.start("companion.cli", "run", "--without", without, log=sys.stderr.fileno())


def _beside(own: OwnTable, game: str) -> subprocess.Popen[bytes] | None:
    """A window with the pieces and what the camera sees of them, where there is something to see."""
    if own.config().camera.source == "none":
        return None
    return own.start("display", "beside", log=sys.stderr.fileno())
