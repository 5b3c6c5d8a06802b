"""A foreign game that goes wrong beside the table's own, over real processes: the score pad plays on within ten seconds."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.watch import FORBEARANCE, GRACE, PACK_SECONDS, TICK
from companion.machine.supervisor import BACKOFF
from companion.virtual.ports import some_ports
from companion.wire.messages import Admin, MoveRequest, State
from tests.companion.troubles import PLAYED, Fault
from tests.conftest import ALONE, ROOT, Client, Place, Run
from tests.distributions import install
from tests.views import view_of

SOON = 10.0
"""Seconds from the fault to a point on the score pad, for who has the machine alone."""


class Host:
    """Somebody at a running table who plays whatever is there."""

    def __init__(self, place: Place, run: Run, packs: Path, fault: Fault) -> None:
        self.run, self.packs, self.fault = run, packs, fault
        self.config = place.config()
        self.client = Client.room(self.config, "host").listen("state", "answer/host").start()
        self.client.until(lambda: self.client.last(State), 20, "a core that listens")
        self.core = run.children()["companion"]

    @property
    def state(self) -> State:
        self.client.bus.pump(0.0)
        found: State = self.client.last(State)
        return found

    def admin(self, command: Any, **args: Any) -> Any:
        name = f"a{time.monotonic_ns()}"
        return self.client.ask("admin", Admin(id=name, client="host", command=command, args=args))

    def begin(self, game: str) -> Any:
        return self.admin("new game", game=game, seats=[{"name": "Ada"}, {"name": "Ben"}])

    def put(self, face: int) -> Any:
        return self.client.move({"kind": "put", "seat": 0, "face": face}, cause="touch")

    def the_pad_is_played(self, since: float) -> None:
        """A game of the score pad, its first point no later than it must be."""
        assert self.begin("scorepad").ok
        assert self.client.move({"kind": "points", "seat": 0, "points": 7}, cause="touch").ok
        assert not ALONE or time.monotonic() - since < SOON
        self.client.until(lambda: self.state.game == "scorepad" and view_of(self.state)["players"][0]["points"] == 7)
        assert self.admin("end game").ok

    def restart(self) -> None:
        """The core is killed, and another is there."""
        os.kill(self.run.children()["companion"], signal.SIGKILL)
        self.comes_back()

    def comes_back(self) -> None:
        """Another core says how things stand."""
        before, heard = self.core, len(self.client.heard)
        self.client.until(lambda: self.run.children().get("companion", before) != before, what="another core")
        self.client.until(lambda: any(isinstance(m, State) for _, m in self.client.heard[heard:]), what="its state")
        self.core = self.run.children()["companion"]


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """`tableside run` without a window, with the game installed beside the real ones."""
    root = tmp_path_factory.mktemp("packs")
    install(ROOT / "tests" / "trouble", root / "installed")
    with some_ports() as ports:
        place = Place(root, ports)
        place.environment |= {"PYTHONPATH": f"{root / 'installed'}:{ROOT}", "TROUBLE": str(root / "fault")}
        run = Run(place, "--without", "vision,firmware_bridge").start()
        try:
            yield Host(place, run, root / "installed", Fault(root / "fault"))
        finally:
            run.stop()


@pytest.fixture(autouse=True)
def sound_afterwards(host: Host) -> Iterator[None]:
    """Each test leaves a table at rest, and only those that must have cost it a core or a screen."""
    yield
    host.fault.clear()
    if host.state.phase != "lobby":
        assert host.admin("end game").ok


def test_what_a_game_may_cost_by_the_clock_is_bounded() -> None:
    """Whatever it does: it is ended, or ends the core, which is begun again and leaves it out; three seconds stay for that."""
    assert PACK_SECONDS + FORBEARANCE + GRACE + BACKOFF[1] + 2 * TICK <= SOON - 2.5


@pytest.mark.parametrize("moment", ["new", "during", "at the end"])
def test_it_goes_wrong_in_play(host: Host, moment: str) -> None:
    """In each function of the game, by an exception and by nonsense: one refusal, and no process ends for it."""
    before = host.run.children()
    for number, where in enumerate(PLAYED):
        if moment != "new":
            assert host.begin("trouble").ok
            assert host.put(4).ok
        host.fault.set(where, ("exit", "generator", "object")[number % 3])
        began = time.monotonic()
        if moment == "new":
            host.begin("trouble")
        elif moment == "during":
            host.put(2)
        else:
            host.client.move({"kind": "end"}, cause="touch")
        host.the_pad_is_played(began)
        host.fault.clear()
    assert host.run.children() == before


@pytest.mark.parametrize("fault", ["new hang", "play sleep", "view grow"])
def test_it_does_not_come_to_an_end(host: Host, fault: str) -> None:
    """A pack that works for ever, sleeps for ever or takes ever more memory is ended; the core is not."""
    before = host.run.children()
    where, how = fault.split()
    if where != "new":
        assert host.begin("trouble").ok
    host.fault.set(where, how)
    began = time.monotonic()
    answer = host.begin("trouble") if where == "new" else host.put(3)
    assert answer.refusal is not None
    assert answer.refusal.code == "table/pack-failed"
    assert answer.refusal.say.params["why"].key == ("pack/memory" if how == "grow" else "pack/slow")
    host.the_pad_is_played(began)
    assert host.run.children() == before


@pytest.mark.parametrize("fault", ["ask error", "play hang", "title object"])
def test_it_goes_wrong_when_it_is_taken_up(host: Host, fault: str) -> None:
    """The next core puts it away, says so, and is not started a third time; mended, the game goes on where it was."""
    assert host.begin("trouble").ok
    game = host.state.game_id
    assert host.put(4).ok
    host.fault.set(*fault.split())
    began = time.monotonic()
    host.restart()
    assert "put-away" in {notice.id for notice in host.state.notices}
    host.the_pad_is_played(began)
    assert host.run.children()["companion"] == host.core
    host.fault.clear()
    host.restart()
    assert host.admin("resume", game=game).ok
    host.client.until(lambda: host.state.game == "trouble")
    assert view_of(host.state)["players"][0]["points"] == 4


@pytest.mark.parametrize("fault", ["play stubborn", "view loop in C", "title abort"])
def test_it_takes_the_core_with_it(host: Host, fault: str) -> None:
    """One core dies, the next does without that game until another version of it is installed."""
    where, _, how = fault.partition(" ")
    assert host.begin("trouble").ok
    game = host.state.game_id
    assert host.put(4).ok
    host.fault.set(where, how)
    began = time.monotonic()
    if where == "title":
        host.restart()
    else:
        move = {"kind": "put", "seat": 0, "face": 2}
        host.client.bus.publish("move/host", MoveRequest(id=f"last-{where}", move=move, cause="touch"))
        host.comes_back()
    assert "trouble" not in host.state.games
    assert {"put-away", "pack-trouble"} <= {notice.id for notice in host.state.notices}
    host.the_pad_is_played(began)
    assert host.run.children()["companion"] == host.core
    host.fault.clear()
    if where == "title":
        host.restart()
        assert "trouble" not in host.state.games
    with (host.packs / "trouble" / "__init__.py").open("a") as mended:
        mended.write("# mended\n")
    host.restart()
    assert "trouble" in host.state.games
    assert host.admin("resume", game=game).ok
    host.client.until(lambda: host.state.game == "trouble")
    assert view_of(host.state)["players"][0]["points"] == 4
