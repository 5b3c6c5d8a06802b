"""Cores in memory for every test of this folder."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core import registry
from companion.core.guard import Guarded
from companion.core.watch import PACK_SECONDS, Watch, watch
from companion.journal.store import Journal
from tests.companion import toy
from tests.companion.desk import Desk
from tests.companion.ledger import Ledger
from tests.companion.troubles import Fault, trouble


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Desk:
    """A desk where the toy game can be played."""
    monkeypatch.setattr(registry, "usable", lambda: {"toy": toy.guarded})
    monkeypatch.setattr("companion.core.session.find_pack", lambda name: toy.guarded)
    return Desk(tmp_path)


@pytest.fixture
def on_watch() -> Iterator[Watch]:
    """Somebody watches over packs as in the core; the test runner's own alarm waits meanwhile. The games are loaded before: the
    first test of a worker would otherwise import them all by the watch's clock, and what was late once is unusable to the end."""
    registry.usable()
    ringing, left = signal.getsignal(signal.SIGALRM), signal.setitimer(signal.ITIMER_REAL, 0)
    watch.stand()
    try:
        yield watch
    finally:
        watch.patience = PACK_SECONDS
        watch.relieve()
        signal.signal(signal.SIGALRM, ringing)
        signal.setitimer(signal.ITIMER_REAL, *left)


@pytest.fixture
def in_memory() -> Iterator[Path]:
    """A state directory in memory: hundreds of games are begun, and no power cut is played here."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as directory:
        yield Path(directory)


@pytest.fixture
def fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, on_watch: Watch) -> Fault:
    """A table with the game beside its own, and somebody on watch."""
    monkeypatch.setenv("TROUBLE", str(tmp_path / "fault"))
    assert registry.unusable() == ()
    packs = {"trouble": Guarded("trouble", lambda: trouble.pack), "scorepad": registry.pack("scorepad")}
    monkeypatch.setattr(registry, "usable", lambda: packs)
    monkeypatch.setattr("companion.core.session.find_pack", packs.__getitem__)
    return Fault(tmp_path / "fault")


@pytest.fixture
def ledger(monkeypatch: pytest.MonkeyPatch) -> Ledger:
    """Games are of this one."""
    pack = Ledger()
    guarded = Guarded("ledger", lambda: pack)
    monkeypatch.setattr("companion.core.session.find_pack", lambda name: guarded)
    return pack


@pytest.fixture
def journal(in_memory: Path) -> Journal:
    """A journal in memory."""
    return Journal(in_memory / "games")
