"""Every room killed and frozen in mid-game: all come back, screen and phone show the same, nothing is left behind."""

from __future__ import annotations

import os
import random
import signal
import socket
import time
from pathlib import Path

import pytest

from companion.wire.messages import Health, JoinInfo, State
from tests.conftest import ALONE, Client, Place, Run, post, until
from tests.views import view_of

ROUNDS = int(os.environ.get("TABLESIDE_KILLS", "6"))
VICTIMS = ("display", "vision", "firmware_bridge", "companion", "broker", "supervisor")


@pytest.mark.timeout(7200)
@pytest.mark.long(25)
def test_each_room_killed_and_frozen_comes_back(place: Place) -> None:
    """Virtual dial and camera, real broker; a phone and a host watch; the supervisor is killed and frozen like the rest."""
    place.environment |= {"TABLESIDE_DIAL_SOURCE": "virtual", "TABLESIDE_CAMERA_SOURCE": "virtual"}
    run = Run(place).start()
    chance = random.Random(7)
    config = place.config()
    try:
        host = Client.room(config, "host").listen("state", "join", "answer/host", "health/+").start()
        host.new_game("scorepad")
        code = host.until(lambda: host.last(JoinInfo)).code
        status, me = post(config, "/join", {"code": code, "seat": 1, "name": "Bea", "language": "pl"})
        assert status == 200
        phone = Client(config, me["user"], me["password"])
        phone.name = me["client"]
        phone.listen("state", f"answer/{me['client']}").start()
        phone.until(lambda: phone.last(State), what="the row to answer")
        points = 0

        def point(number: int) -> int:
            """One more for the phone's seat, as the page asks for it: naming the row it shows."""
            return phone.insist(f"a{number}", {"kind": "points", "seat": 1, "points": 1}, seq=phone.last(State).seq)

        for number in range(ROUNDS):
            victim = VICTIMS[number % len(VICTIMS)]
            how = signal.SIGKILL if chance.random() < 0.6 else signal.SIGSTOP
            began, before = time.monotonic(), run.begun_again(victim)
            if victim == "supervisor":
                _supervisor(run, how)
                points += point(number)
            else:
                pid = until(lambda v=victim: run.children().get(v), 20, victim)
                host.heard.clear()
                os.kill(pid, how)
                points += point(number)
                until(lambda v=victim, old=pid: run.children().get(v, old) != old, what=f"{victim} started again")
                _online(host, victim)
                assert run.begun_again(victim) > before
            for client in (host, phone):
                client.until(
                    lambda c=client, n=points: view_of(c.last(State))["players"][1]["points"] == n, 10, "the same state"
                )
            assert not ALONE or time.monotonic() - began < 5.0, f"round {number}: {victim}, {how.name}"
        host.bus.stop()
        phone.bus.stop()
        children = run.children()
    finally:
        assert run.stop() == 0
    assert not any(Path(f"/proc/{pid}").exists() for pid in children.values())
    for port in (config.web.port, config.broker.port, config.broker.websocket_port):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a port that only times out is free
            probe.bind(("127.0.0.1", port))


def _supervisor(run: Run, how: signal.Signals) -> None:
    """Killed, it takes all its children along and whoever started it starts it again; frozen, the game goes on without."""
    assert run.process is not None
    if how == signal.SIGSTOP:
        run.process.send_signal(how)
        time.sleep(1.0)
        run.process.send_signal(signal.SIGCONT)
        return
    children = run.children()
    run.process.kill()
    run.process.wait()
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in children.values()), 5, "no orphan")
    run.start()


def _online(host: Client, room: str) -> None:
    if room == "broker":
        host.until(lambda: host.bus.connected, what="the broker")
        return

    def healthy() -> bool:
        states = [m.status for t, m in host.heard if isinstance(m, Health) and t == f"health/{room}"]
        return bool(states) and states[-1] == "online"

    host.until(healthy, what=f"{room} online")
