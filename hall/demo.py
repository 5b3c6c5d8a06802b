"""`tableside hall --demo`: two brokers, PostgreSQL and virtual tables that really play, by one command; Ctrl-C ends all of it."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from companion.wire.files import own_folder, write_private
from companion.wire.process import hold
from hall.brokers import hashed
from hall.settings import FILE, CannotStartError, Settings, load
from hall.supervisor import Supervisor
from hall.terminal import invitation, say
from hall.virtual import VirtualTable, end_all

PIN = "1234"
STARTING = 60.0
AT_ONCE = 3
"""Tables that start at the same time: a start takes a processor for two seconds."""


class Stopped(Exception):  # noqa: N818 - it is no error
    """Somebody has seen enough."""


def demo(count: int) -> int:
    """Until Ctrl-C; everything it made is gone afterwards."""
    if not 1 <= count <= 200:
        raise CannotStartError("a demo has 1 to 200 tables")
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    with tempfile.TemporaryDirectory(prefix=f"tableside-hall-demo-{os.getpid()}-") as place, ExitStack() as held:
        Path(place).chmod(0o711)
        folder = Path(place) / "hall"
        settings = _settings(folder, held)
        supervisor = Supervisor(settings, folder)
        tables: list[VirtualTable] = []
        try:
            _start(supervisor, tables, count, Path(place), held)
            _go_on(supervisor, tables)
        except Stopped:
            say("Ending ...")
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_IGN)
            end_all(tables)
            supervisor.end()
    say("The demo has ended.")
    return 0


def _stop(number: int, frame: object) -> None:
    raise Stopped


def _settings(folder: Path, held: ExitStack) -> Settings:
    own_folder(folder)
    ports = [held.enter_context(hold()).getsockname()[1] for _ in range(2)]
    web = _web_port(held)
    text = f'addresses = ["127.0.0.1"]\nhost = "127.0.0.1"\nports = {ports}\nweb_port = {web}\npin = "{PIN}"\n'
    write_private(folder / FILE, text.encode())
    return load(folder)


def _web_port(held: ExitStack) -> int:
    for port in (8790, 0):
        try:
            return int(held.enter_context(hold(port)).getsockname()[1])
        except OSError:
            continue
    raise CannotStartError("no port is free")


def _start(supervisor: Supervisor, tables: list[VirtualTable], count: int, place: Path, held: ExitStack) -> None:
    say("Starting PostgreSQL and the two brokers ...")
    last = time.monotonic() + STARTING
    while not supervisor.ready():
        supervisor.step()
        if time.monotonic() > last:
            raise CannotStartError("PostgreSQL or a broker will not start; TABLESIDE_HALL_TALK=1 lets them say why")
        time.sleep(0.1)
    say(f"The hall is open. Big screen: http://127.0.0.1:{supervisor.settings.web_port}/   organiser's PIN: {PIN}")
    names = [f"table-{number}" for number in range(1, count + 1)]
    invited = {name: invitation(supervisor.settings, supervisor.folder, name) for name in names}
    for name, made in invited.items():
        supervisor.store.invite(name, hashed(made.key))
    for number, name in enumerate(names, 1):
        table = VirtualTable(name, place / name, held, pace=0.6 + number % 5 * 0.6)
        tables.append(table)
        table.join(invited[name])
        _until_few_start(supervisor, tables)
        sys.stderr.write(f"\rTables at play: {number} of {count}")
        sys.stderr.flush()
    sys.stderr.write("\n")


def _until_few_start(supervisor: Supervisor, tables: list[VirtualTable]) -> None:
    last = time.monotonic() + STARTING
    while sum(table.moves == 0 and table.state is None for table in tables) >= AT_ONCE:
        _step(supervisor, tables)
        if time.monotonic() > last:
            raise CannotStartError("the tables will not start; this machine has too much to do")


def _go_on(supervisor: Supervisor, tables: list[VirtualTable]) -> None:
    say("All tables are playing. Ctrl-C ends everything.")
    told = 0.0
    while True:
        _step(supervisor, tables)
        if time.monotonic() - told > 10:
            told = time.monotonic()
            stored = len(supervisor.store.results())
            say(f"{sum(table.moves for table in tables)} moves, {stored} results stored")


def _step(supervisor: Supervisor, tables: list[VirtualTable]) -> None:
    supervisor.step()
    now = time.monotonic()
    for table in tables:
        table.look(now)
    time.sleep(0.02)
