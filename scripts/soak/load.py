"""Eight hours at the table at fifty times speed, with all rooms, 24 phones and 200 people who come and go.

`python scripts/soak/load.py [--hours 8] [--speed 50] [--watchers 221] [--report FILE]`

Bots play whole games of Skytopia, one after the other, with the virtual camera, the virtual dial and the screen; the bots'
phones hold the seats. Everybody else watches over the phones' own WebSocket; every second some leave (through the door, by
hanging up, or without a word), others come in, and sleepers come back with their key; at the end of a game all are shown
out. A move stands for 30 seconds of table time: 960 moves are eight hours.

Growth compares the first hour after the warm-up (an hour of table time, and the first game to its end) with the last: the
median of what every room needed in each. No more than five per cent of memory, not one handle.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from crowd import Crowd
from upkeep import WARM_UP, Upkeep, grown, judged

from benches.stand import running
from companion.core.registry import pack
from companion.virtual.demo import FAST, chooser
from companion.virtual.own_table import own_table
from companion.virtual.play import Demo
from companion.virtual.result import Result
from companion.wire.caller import Caller
from companion.wire.config import Config
from companion.wire.messages import Admin
from companion.wire.room import connection

ROOT = Path(__file__).resolve().parents[2]
MOVE = 30.0
"""Seconds of table time a move takes people."""
NOTE_EVERY = 2.0
"""Seconds by the wall."""
ENOUGH = threading.Event()
"""Told to stop: what there is by then is reported."""
SETTINGS = FAST | {
    "TABLESIDE_CAMERA_SOURCE": "virtual",
    "TABLESIDE_DIAL_SOURCE": "virtual",
}


def say(text: str) -> None:
    """Progress for whoever looks at the log."""
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")


class Players(threading.Thread):
    """Bots that play one game after the other until they are told to stop after the present move."""

    def __init__(self, config: Config, pause: float) -> None:
        super().__init__(name="players", daemon=True)
        self.config, self.pause = config, pause
        self.results: list[Result] = []
        self.demo: Demo | None = None
        self.enough = False

    @property
    def moves(self) -> int:
        """Made so far, in all games."""
        present = self.demo.result.moves if self.demo is not None else 0
        return sum(result.moves for result in self.results) + present

    @property
    def warm(self) -> float:
        """Hours of table time until the table had seen everything once: a game to its end, and an hour at least."""
        first = self.results[0].moves if self.results else 0
        return min(max(WARM_UP, first * MOVE / 3600), self.moves * MOVE / 3600 / 2)  # half of a run cut short

    @property
    def code(self) -> str:
        """What the screen shows to phones at this moment."""
        demo = self.demo
        seated = (
            demo is not None and demo.truth is not None
        )  # while the bots sit down every code is good for one of them
        return demo.join.code if demo is not None and seated and demo.join is not None else ""

    def run(self) -> None:
        """One game after the other."""
        while not self.enough:
            demo = Demo(
                self.config,
                pack("skytopia"),
                lambda user: connection(self.config, user),
                players=3,
                seed=len(self.results) + 1,
                options={},
                choose=chooser("greedy"),
                pause=self.pause,
            )
            self.demo = demo
            result = demo.play()
            self.demo = None
            self.results.append(result)
            say(f"game {len(self.results)}: {result.moves} moves, equal {result.equal} {result.problem}")
            self._end_game()

    def _end_game(self) -> None:
        """As at the screen: everybody leaves their seat before the next game."""
        host = Caller(connection(self.config, "host"), "host")
        host.bus.start()
        host.listen(lambda: host.bus.connected, 10)
        host.ask("admin", lambda name: Admin(id=name, client="host", command="end game"))
        host.bus.stop()


def load(hours: float, speed: float, watchers: int) -> dict[str, Any]:
    """One run; the report says what happened and what was wrong with it."""
    wanted = round(hours * 3600 / MOVE)
    with own_table(**SETTINGS) as own, running(own) as table:
        config = own.config()
        began = time.monotonic()
        crowd = Crowd(config, watchers)
        players = Players(config, pause=0.35 * MOVE / speed)
        players.start()
        upkeep = Upkeep(table, config.broker.websocket_port)
        noted = told = began
        while players.moves < wanted and table.poll() is None and players.is_alive() and not ENOUGH.is_set():
            time.sleep(0.2)
            crowd.show(players.code)
            now = time.monotonic()
            if now - noted >= NOTE_EVERY:
                noted = now
                note = upkeep.note(players.moves * MOVE / 3600, crowd.count("watching"))
                if now - told >= 30.0:
                    told = now
                    needs = ", ".join(
                        f"{room} {need.own / 1000:.1f} MB {need.handles}" for room, need in note.rooms.items()
                    )
                    say(f"{players.moves} of {wanted} moves, {note.watching} watch: {needs}")
        wall = time.monotonic() - began
        players.enough = True
        crowd.end()
        log = (config.state_dir / "run.log").read_text(errors="replace")
        wrong = _wrong(players, crowd, upkeep, log)
        if players.moves < wanted:
            wrong.append(f"stopped after {players.moves} of {wanted} moves")
        return _report(players, crowd, upkeep, wall) | {"wrong": wrong}


def _report(players: Players, crowd: Crowd, upkeep: Upkeep, wall: float) -> dict[str, Any]:
    finished = [result for result in players.results if not result.problem]
    return {
        "table_hours": round(players.moves * MOVE / 3600, 2),
        "wall_seconds": round(wall, 1),
        "speed": round(players.moves * MOVE / wall, 1),
        "moves": players.moves,
        "games": len(players.results),
        "games_equal": sum(result.equal for result in finished),
        "most_watching": max((note.watching for note in upkeep.notes), default=0),
        "joined": crowd.count("joined"),
        "returned_with_their_key": crowd.count("returned"),
        "left": crowd.count("left"),
        "dismissed_at_the_end_of_a_game": crowd.count("dropped"),
        "turned_away_by_a_code_just_used": crowd.count("refused"),
        "compared": f"medians of the hour after {players.warm:.2f} h of warm-up and of the last; memory: anonymous pages",
        "samples": len(upkeep.notes),
        "rooms": judged(upkeep.notes, players.warm),
    }


def _wrong(players: Players, crowd: Crowd, upkeep: Upkeep, log: str) -> list[str]:
    """Everything that must not be."""
    wrong = [f"game {result.seed}: {result.problem}" for result in players.results if result.problem]
    wrong += [f"game {result.seed}: the tallies differ" for result in players.results if not result.equal]
    wrong += [f"{room} was started again" for room in upkeep.restarted]
    wrong += grown(judged(upkeep.notes, players.warm))
    if deaf := crowd.count("deaf"):
        wrong.append(f"{deaf} watchers heard nothing for 20 seconds and more")
    if "Traceback" in log:
        wrong.append("a room ended with a traceback: " + log[log.index("Traceback") :][:2000])
    return wrong


def main() -> int:
    """Run, write the report, judge."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--hours", type=float, default=8.0, help="of table time")
    ask.add_argument("--speed", type=float, default=50.0)
    ask.add_argument("--watchers", type=int, default=221, help="phones beside the bots' three")
    ask.add_argument("--report", type=Path, default=ROOT / "out" / "soak" / "load.json")
    asked = ask.parse_args()
    signal.signal(signal.SIGTERM, lambda number, frame: ENOUGH.set())
    report = load(asked.hours, asked.speed, asked.watchers)
    asked.report.parent.mkdir(parents=True, exist_ok=True)
    asked.report.write_text(json.dumps(report, indent=2) + "\n")
    sys.stdout.write(json.dumps(report, indent=2) + "\n")
    return 1 if report["wrong"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
