"""Every room once under its own unit's filters: starts, works on a real broker, stops, and makes no call its unit forbids."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from companion.machine.broker import answers
from companion.wire.messages import DialSeen, Do, Health, JoinInfo, MarketSeen, State
from companion.wire.process import hold
from hall.postgres import Cluster
from tests.conftest import PATIENCE, ROOT, Client, Place, post, until
from tests.e2e.test_thin_loop import truth
from tests.hall import house as hall
from tests.hall.conftest import answers as reaches
from tests.hall.test_evening import RESULT
from tests.systemd.confinement import Confined, Unit
from tests.trust.test_phones_gate import Visitor, reached
from tests.views import view_of
from tools import template_units

ROOMS = ("broker", "gate", "core", "bridge", "vision", "display", "speech")
AS_ROOT = {"fchown"} if os.geteuid() == 0 else set()
"""SQLite keeps the owner of its files, but only when it may: as the table's user it does not try."""


CALLBACK = {"mmap"}
"""psycopg lets libpq call it back through libffi, which would like memory that is written and run; refused, it maps it twice."""


def unit(room: str) -> Path:
    return ROOT / "systemd" / f"tableside-{room}.service"


class House:
    """All units of a table, as systemd would start them, with programs and folders that exist here."""

    def __init__(self, place: Place, rooms: tuple[str, ...] = ROOMS, unit: Callable[[str], Path] = unit) -> None:
        self.place, self.config, self._unit = place, place.config(), unit
        self.rooms: dict[str, Confined] = {}
        for room in rooms:
            for command in Unit(unit(room)).all("ExecStartPre"):
                before = self._confined(room, command)
                assert before.process.wait(PATIENCE) == 0
                assert not before.denied
            self.rooms[room] = self._confined(room, Unit(unit(room)).one("ExecStart"))
            if room == "broker":
                until(lambda: answers("127.0.0.1", self.config.broker.port), 20, "the broker")

    def _confined(self, room: str, command: str) -> Confined:
        state = str(self.config.state_dir)
        words = shlex.split(command.replace("/var/lib/tableside-tables/%i", state).replace("/var/lib/tableside", state))
        program = {"python": [sys.executable], "tableside": [sys.executable, "-m", "companion.cli"]}
        words = [*program.get(Path(words[0]).name, words[:1]), *words[1:]]
        return Confined(self._unit(room), words, self.place.full_environment)

    def stop(self) -> dict[str, int]:
        """Rooms first, the broker last; exit codes."""
        return {room: self.rooms[room].stop() for room in reversed(self.rooms)}


@pytest.fixture
def house(place: Place) -> Iterator[House]:
    place.environment |= {
        "TABLESIDE_BROKER_WEBSOCKET_HOST": "",
        "TABLESIDE_DIAL_SOURCE": "virtual",
        "TABLESIDE_CAMERA_SOURCE": "virtual",
        "TABLESIDE_CAMERA_ROWS": "2",
        "TABLESIDE_CAMERA_WIDTH": "1280",
        "TABLESIDE_CAMERA_HEIGHT": "720",
        "TABLESIDE_DISPLAY_SPEECH": "full",
    }
    made = House(place)
    yield made
    for room in made.rooms.values():
        if room.process.poll() is None:
            room.process.kill()
            room.process.wait()


def test_no_room_makes_a_call_its_unit_forbids(house: House) -> None:
    """A phone sits down and plays, the camera reads a die, the dial turns, the screen draws, everybody goes home."""
    config = house.config
    host = Client.room(config, "host").listen("state", "join", "answer/host", "sensor/+", "health/+").start()
    hands = Client.room(config, "virtual").start()
    host.until(lambda: host.last(State), 90, "a core that listens")
    host.new_game("scorepad")
    code = host.until(lambda: host.last(JoinInfo)).code
    _, me = post(config, "/join", {"code": code, "seat": 1, "name": "Zofia", "language": "pl"})
    until(lambda: reached("127.0.0.1", config.broker.websocket_port), 60, "an open gate")
    until(lambda: Visitor(config, me["user"], me["password"]).comes_in(), what="the phone")
    assert host.move({"kind": "points", "seat": 0, "points": 3}, cause="touch").ok
    die = {"colour": "sun", "face": 4, "x": 0.4, "y": 0.5, "angle": 20.0}
    hands.bus.publish("virtual/table", truth(1.0, die))
    host.until(lambda: (seen := host.last(MarketSeen)) and seen.state == "ready", 90, "a market that was read")
    host.until(
        lambda: (seen := host.last(DialSeen)) and seen.state == "unconfirmed", what="a dial that waits for its zero"
    )
    assert host.ask("do/firmware_bridge", Do(id="zero", client="host", command="confirm", args={"position": 0})).ok
    hands.bus.publish("virtual/table", truth(2.0, die, dial=config.dial.counts_per_revolution // 6))
    host.until(lambda: (seen := host.last(DialSeen)) and seen.position == 1, 90, "a dial that was turned")
    assert host.ask("do/vision", Do(id="live", client="host", command="live"), 60).ok
    host.until(
        lambda: any(isinstance(m, Health) and m.figures.get("frames") for _, m in host.heard), 20, "a drawn screen"
    )
    assert view_of(host.last(State))["players"][0]["points"] == 3
    for client in (host, hands):
        client.bus.stop()
    assert house.stop() == dict.fromkeys(reversed(ROOMS), 0)
    for name, room in house.rooms.items():
        assert set(room.denied) <= room.unit.lived_with() | AS_ROOT, name


def test_a_further_table_makes_no_call_its_units_forbid(place: Place) -> None:
    """`tableside@club1.target`: broker, gate and core from the template units; a phone sits down and plays."""
    place.environment |= {"TABLESIDE_BROKER_WEBSOCKET_HOST": ""}
    rooms = tuple(template_units.ROOMS)
    house = House(place, rooms, lambda room: ROOT / "systemd" / f"tableside-{room}@.service")
    config = house.config
    host = Client.room(config, "host").listen("state", "join", "answer/host").start()
    host.until(lambda: host.last(State), PATIENCE, "a core that listens")
    host.new_game("scorepad")
    code = host.until(lambda: host.last(JoinInfo)).code
    _, me = post(config, "/join", {"code": code, "seat": 1, "name": "Zofia", "language": "pl"})
    until(lambda: reached("127.0.0.1", config.broker.websocket_port), PATIENCE, "an open gate")
    assert Visitor(config, me["user"], me["password"]).comes_in()
    assert host.move({"kind": "points", "seat": 0, "points": 3}, cause="touch").ok
    host.bus.stop()
    assert house.stop() == dict.fromkeys(reversed(rooms), 0)
    for name, room in house.rooms.items():
        assert set(room.denied) <= room.unit.lived_with() | AS_ROOT, name


TRIES = {
    "sched_setaffinity": "import os; os.sched_setaffinity(0, {0})",
    "socket(AF_PACKET)": "import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "mmap": "import mmap; mmap.mmap(-1, 4096, prot=mmap.PROT_WRITE | mmap.PROT_EXEC)",
    "chmod": "import os; os.chmod('.', 0o4755)",
}


@pytest.mark.parametrize(("call", "code"), TRIES.items())
def test_a_forbidden_call_is_noticed(call: str, code: str, tmp_path: Path) -> None:
    """A filter that let everything through would find every room blameless."""
    process = Confined(unit("core"), [sys.executable, "-c", code], dict(os.environ), cwd=tmp_path, stderr=-3)
    assert process.process.wait(PATIENCE) == 1
    assert dict(process.denied) == {call: 1}


def test_without_a_number_to_answer_a_forbidden_call_is_deadly(tmp_path: Path) -> None:
    """As it was with systemd: killed by SIGSYS, again and again."""
    stern = tmp_path / "tableside-stern.service"
    stern.write_text(unit("core").read_text().replace("SystemCallErrorNumber=EPERM\n", ""))
    process = Confined(stern, [sys.executable, "-c", TRIES["sched_setaffinity"]], dict(os.environ))
    assert process.process.wait(PATIENCE) == -signal.SIGSYS


def test_the_hall_makes_no_call_its_unit_forbids(tmp_path: Path) -> None:
    """PostgreSQL, both brokers and the page: a table is invited and tells a result, which is stored and exported."""
    with tempfile.TemporaryDirectory(prefix="tableside-test-") as place:
        Path(place).chmod(0o711)
        cluster = Cluster(Path(place) / "postgres")
        cluster.make(fsync="off")
        owner = {"CONFINED_USER": cluster.user.pw_name} if cluster.user else {}
        server = Confined(unit("hall"), cluster.command(), dict(os.environ) | owner, cwd="/", stderr=-3)
        until(lambda: reaches(cluster.dsn), PATIENCE, "PostgreSQL")
        with ExitStack() as held:
            ports = [held.enter_context(hold()).getsockname()[1] for _ in range(3)]
            house = hall.House(tmp_path / "hall", cluster.dsn, (ports[0], ports[1], ports[2]))
            words = Unit(unit("hall")).one("ExecStart").split()[1:]
            confined = Confined(unit("hall"), [sys.executable, "-P", *words], house.environment)
            until(lambda: all(answers("127.0.0.1", port, tls=True) for port in house.ports), PATIENCE, "both brokers")
            invited = house.invite("club-1")
            table = house.stranger("club-1", invited.key)
            table.say("tables/club-1/result", msgspec.json.encode(RESULT))
            until(house.store.results, PATIENCE, "the result")
            assert house.command("export", "csv").stdout.count("club-1") == 1
            table.close()
            house.store.close()
            assert confined.stop() == 0
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(PATIENCE) == 0
        for one in (server, confined):
            assert set(one.denied) <= one.unit.lived_with() | AS_ROOT | CALLBACK
