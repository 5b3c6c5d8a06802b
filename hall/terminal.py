"""What a person types to a hall: each verb one function. Data on stdout, talk on stderr."""

from __future__ import annotations

import argparse
import asyncio
import signal
import subprocess
import sys
import time
from pathlib import Path

from companion.wire.config import load as load_table
from companion.wire.invitation import Invitation, fingerprint, new_key, read
from companion.wire.names import printable
from companion.wire.process import own_address
from companion.wire.process_log import start_logging
from hall import care, joining
from hall import export as exporting
from hall.brokers import certificate, hashed
from hall.database import Database
from hall.home import Home
from hall.page import Page
from hall.postgres import Cluster
from hall.service import Service
from hall.settings import CannotStartError, Settings, folder_of_hall, load
from hall.standings import with_entered
from hall.supervisor import Supervisor


def say(text: str) -> None:
    """Talk."""
    sys.stderr.write(printable(text) + "\n")
    sys.stderr.flush()


def _dsn(settings: Settings, folder: Path) -> str:
    return settings.database or Cluster(folder / "postgres").dsn


def run(wanted: argparse.Namespace) -> int:
    """The whole hall, or its demo."""
    start_logging()
    if wanted.demo:
        from hall.demo import demo

        return demo(wanted.tables)
    folder = folder_of_hall()
    settings = load(folder)
    supervisor = Supervisor(settings, folder)
    say(f"The hall is in {folder}. Let tables in with: tableside hall invite NAME. Ctrl-C ends it.")
    return supervisor.run()


def serve(wanted: argparse.Namespace) -> int:
    """The hall's process."""
    start_logging()
    folder = folder_of_hall()
    settings = load(folder)
    dsn = _dsn(settings, folder)
    page = Page(
        Database(dsn),
        port=settings.web_port,
        host=settings.web_host,
        pin=settings.pin,
        name=settings.name,
        names=settings.addresses,
    )
    asyncio.run(_serve(Service(settings, folder, dsn), page))
    return 0


async def _serve(service: Service, page: Page) -> None:
    service.hears.append(page.hear)
    service.stored.append(page.changed)
    service.gone.append(page.forget)
    home = Home(service.publish, service.settings.language)
    service.gone.append(home.forget)
    service.born.append(home.born)
    service.hears.append(home.hear if service.settings.home_assistant else home.clear)
    page.start()
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    await service.start()
    watching = asyncio.create_task(service.watch_store())
    await ended.wait()
    watching.cancel()
    page.stop()
    service.stop()


def invitation(settings: Settings, folder: Path, name: str) -> Invitation:
    """A new one, not yet in the store."""
    addresses = settings.addresses or (own_address(),)
    both = tuple(f"{addresses[number % len(addresses)]}:{port}" for number, port in enumerate(settings.ports))
    return Invitation(name, both, new_key(), fingerprint(certificate(folder)))


def invite(wanted: argparse.Namespace) -> int:
    """Let a table in."""
    folder = folder_of_hall()
    settings = load(folder)
    made = invitation(settings, folder, wanted.name)
    store = Database(_dsn(settings, folder))
    store.invite(made.name, hashed(made.key))
    store.close()
    sys.stdout.write(made.text + "\n")
    if sys.stderr.isatty():
        import segno

        segno.make(made.text, micro=False).terminal(out=sys.stderr, compact=True, border=2)
    say(f"At the table: tableside hall join '{made.text}'")
    return 0


def revoke(wanted: argparse.Namespace) -> int:
    """Show one table the door."""
    folder = folder_of_hall()
    store = Database(_dsn(load(folder), folder))
    there = store.revoke(wanted.name)
    store.close()
    if not there:
        raise CannotStartError(f"no table called {wanted.name} is invited; who is: tableside hall tables")
    say(f"{wanted.name} is kept out from now on.")
    return 0


def tables(wanted: argparse.Namespace) -> int:
    """Who is invited."""
    folder = folder_of_hall()
    store = Database(_dsn(load(folder), folder))
    sys.stdout.write("".join(f"{name}\n" for name in store.invited()))
    store.close()
    return 0


def join(wanted: argparse.Namespace) -> int:
    """At a table: come to the hall."""
    text = wanted.invitation
    if wanted.photo:
        seen = subprocess.run(
            [sys.executable, "-P", "-m", "vision", "code", wanted.photo], stdout=subprocess.PIPE, text=True, check=False
        )
        text = seen.stdout.strip()
        if seen.returncode or not text:
            raise CannotStartError("no QR code was seen. Hold it flat and near, or type what stands beside it.")
    try:
        invited = read(text)
    except ValueError as wrong:
        raise CannotStartError(str(wrong)) from wrong
    config = load_table()
    joining.join(config, invited)
    say(f"This table is {invited.name} now. Start it again and it is in the hall.")
    return 0


def leave(wanted: argparse.Namespace) -> int:
    """At a table: leave the hall."""
    if not joining.leave(load_table().state_dir):
        raise CannotStartError("this table does not belong to a hall")
    say("This table no longer belongs to a hall; start it again.")
    return 0


def export(wanted: argparse.Namespace) -> int:
    """Every result that stands."""
    folder = folder_of_hall()
    store = Database(_dsn(load(folder), folder))
    held = with_entered((event for event, _ in store.events()), store.results())
    store.close()
    made = {"csv": exporting.to_csv, "json": exporting.to_json, "bgstats": exporting.to_bgstats}[wanted.format](held)
    sys.stdout.write(made)
    return 0


def backup(wanted: argparse.Namespace) -> int:
    """Everything the hall keeps, into one file."""
    folder = folder_of_hall()
    care.backup(folder, _dsn(load(folder), folder), Path(wanted.output))
    sys.stdout.write(f"{wanted.output}\n")
    return 0


def restore(wanted: argparse.Namespace) -> int:
    """Put a backup in place; what was there before is kept as a backup of its own."""
    folder = folder_of_hall()
    dsn = _dsn(load(folder), folder)
    if not wanted.yes and not (sys.stdin.isatty() and input(f"Replace what the hall in {folder} knows? [y/N] ") == "y"):
        raise CannotStartError("nothing was restored; add --yes to go on")
    before = folder / "backups" / time.strftime("before-%Y%m%d-%H%M%S.hall")
    care.backup(folder, dsn, before)
    care.restore(folder, dsn, Path(wanted.archive))
    say(f"Restored. What was there before is in {before}. Start the hall again.")
    return 0
