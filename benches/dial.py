"""The dial's figures on this machine, with gpiozero's own encoder beside ours on the same edges."""

from __future__ import annotations

import logging
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from benches.figures import Row, row, show
from companion.machine.broker import BrokerMissingError
from companion.virtual.own_table import end, own_table
from companion.wire.config import Config, DialConfig
from companion.wire.memory import MemoryBroker, MemoryBus
from companion.wire.messages import DialSeen
from companion.wire.room import Room
from firmware_bridge.backend import Backend, Moved, PoweredOn
from firmware_bridge.room import PERIOD, Bridge
from firmware_bridge.serial_link import SerialDial
from firmware_bridge.virtual import Hand, VirtualDial, VirtualFactory
from firmware_bridge.virtual_board import VirtualBoard, VirtualSerialDial, board_levels, micropython_here

DETENTS = 10_000
TURNS = 200
"""So many that the slowest hundredth is more than one hiccup of the machine."""
IDLE_SECONDS = 8.0


def turns(detents: int, longest: int) -> list[int]:
    """Both directions with reversals, in counts, the same for everybody."""
    chance, left, found = random.Random(11), detents, []
    while left:
        size = min(left, chance.randint(1, longest))
        left -= size
        found.append(4 * size * chance.choice((-1, 1)))
    return found


# -- lost steps


def edges(pace: float) -> list[tuple[float, int]]:
    """Ten thousand detents with bounce: when, and how A and B stand then."""
    hand, now = Hand(pace, random.Random(5)), 0.0
    made: list[tuple[float, int]] = []
    for turn in turns(DETENTS, 60):
        hand.target += turn
        while hand.busy:
            now += 0.02
            made.extend(hand.due(now))
    return made


def lost_on_pins() -> list[Row]:
    """Ours and gpiozero's `RotaryEncoder` on the same edges, at three revolutions a second."""
    from gpiozero import RotaryEncoder

    config, made, truth = DialConfig(), edges(3 * 96), sum(turns(DETENTS, 60))
    clock = [0.0]
    dial = VirtualDial(config, clock=lambda: clock[0])
    dial.start()
    a, b = dial.factory.pin(config.pin_a), dial.factory.pin(config.pin_b)
    begun = time.process_time()
    counts = 0
    for i, (stamp, levels) in enumerate(made):
        clock[0] = stamp
        a.drive(bool(levels & 2))
        b.drive(bool(levels & 1))
        if i % 16 == 0 or i == len(made) - 1:
            counts = next((news.counts for news in dial.poll() if isinstance(news, Moved)), counts)
    ours = time.process_time() - begun
    dial.stop()

    factory = VirtualFactory(lambda: clock[0])
    peer = RotaryEncoder(config.pin_a, config.pin_b, max_steps=0, pin_factory=factory)
    a, b = factory.pin(config.pin_a), factory.pin(config.pin_b)
    begun = time.process_time()
    for stamp, levels in made:
        clock[0] = stamp
        a.drive(bool(levels & 2))
        b.drive(bool(levels & 1))
    theirs = time.process_time() - begun
    peer_lost = abs(abs(peer.steps) - abs(truth) // 4)
    peer.close()
    per = 1e6 / len(made)
    name = "gpiozero RotaryEncoder"
    return [
        row("dial lost steps, pins, bounce", abs(truth - counts) / 4, "detents", 0, n=DETENTS, peers={name: peer_lost}),
        row("dial work per edge, pins", ours * per, "µs", 50, n=len(made), peers={name: round(theirs * per, 3)}),
    ]


def damage(seed: int, share: float) -> Callable[[bytes], bytes]:
    """Drops or flips this share of all frames."""
    chance = random.Random(seed)

    def hurt(frame: bytes) -> bytes:
        if chance.random() >= share:
            return frame
        at = chance.randrange(len(frame))
        return chance.choice((b"", frame[:at] + bytes([frame[at] ^ 1 << chance.randrange(8)]) + frame[at + 1 :]))

    return hurt


def lost_on_the_line(share: float, lines: int = 600) -> Row:
    """An encoder at three revolutions a second in real time, through the real firmware at 115,200 baud."""
    config = DialConfig(counts_per_revolution=4 * lines)
    dial = VirtualSerialDial(config, damage(3, share), bounce=random.Random(3), pace=3 * 4 * lines)
    dial.start()
    counts, up = 0, False
    end = time.monotonic() + 5
    plan, truth = turns(DETENTS, 700), sum(turns(DETENTS, 700))
    while time.monotonic() < end:
        for news in dial.poll():
            if isinstance(news, Moved | PoweredOn):
                counts, up = news.counts, True
        if up and not dial.hand.busy and plan:
            dial.nudge(plan.pop(0))
        if plan or dial.hand.busy:
            end = time.monotonic() + 1.5
        elif up and counts == truth:
            break
        time.sleep(0.002)
    dial.stop()
    name = f"dial lost steps, firmware on a line, {lines} a turn" + (
        f", {share:.0%} of frames damaged" if share else ""
    )
    return row(name, abs(truth - counts) / 4, "detents", 0, n=DETENTS)


# -- the room


def bench_room(dial: DialConfig, folder: str) -> tuple[Room, MemoryBroker]:
    """A room on a corridor in memory."""
    broker = MemoryBroker()
    return Room("firmware_bridge", Config(dial=dial, state_dir=Path(folder)), broker.bus("firmware_bridge")), broker


def first_detent(backend: Backend, drive: Callable[[], None], name: str, budget: float = 20.0) -> list[Row]:
    """Somebody else drives the pins after a rest; how long until the corridor has it, and how much is said."""
    with tempfile.TemporaryDirectory() as folder:
        room, broker = bench_room(DialConfig(settle_ms=40, positions=24), folder)
        room.bus.start()
        ear = broker.bus("ear")
        ear.subscribe("sensor/dial", lambda topic, seen: None)
        ear.start()
        heard: list[tuple[float, DialSeen]] = []
        bridge = Bridge(room, backend)
        bridge.start()
        chance, waits = random.Random(9), []

        def listen() -> None:
            ear.subscribe("sensor/dial", lambda topic, seen: heard.append((time.monotonic(), seen)))
            limit = time.monotonic() + 5
            while not bridge.dial.present and time.monotonic() < limit:
                time.sleep(0.05)
            bridge.dial.set_zero()
            bridge.wake()
            for _ in range(TURNS):
                rest_until(ear, heard, 0.08 + chance.random() * 0.05)
                heard.clear()
                begun = time.monotonic()
                drive()
                while not heard and time.monotonic() - begun < 1:
                    ear.pump(0.01)
                waits.append((heard[0][0] if heard else begun + 1) - begun)
            room.stopping = True

        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        room.run(bridge.check, PERIOD)
        thread.join(5)
        bridge.stop()
    waits.sort()
    return [
        row(f"dial first detent to the corridor, {name}, p99", p99(waits) * 1000, "ms", budget, n=len(waits)),
        row(
            f"dial first detent to the corridor, {name}, median", waits[len(waits) // 2] * 1000, "ms", 20, n=len(waits)
        ),
    ]


def rest_until(ear: MemoryBus, heard: list[tuple[float, DialSeen]], quiet: float) -> None:
    """A dial at rest: ready, and nothing said for a while."""
    limit = time.monotonic() + 3
    while time.monotonic() < limit:
        ear.pump(0.01)
        if heard and heard[-1][1].state == "ready" and time.monotonic() - heard[-1][0] > quiet:
            return


def latency_on_pins() -> list[Row]:
    """Pins driven by another thread, at times the room cannot know."""
    config = DialConfig()
    dial = VirtualDial(config)
    hand = Hand(1e6, random.Random(2))

    def drive() -> None:
        hand.target += 4
        while hand.busy:
            for _, levels in hand.due(dial.clock()):
                dial.factory.pin(config.pin_a).drive(bool(levels & 2))
                dial.factory.pin(config.pin_b).drive(bool(levels & 1))

    peers = {"gpiozero RotaryEncoder, to its callback only": peer_latency()}
    worst, median = first_detent(dial.gpio, drive, "pins")
    return [{**worst, "peers": peers}, median]


def peer_latency() -> float:
    """The same first detents on gpiozero's encoder, whose callback runs in the edge's own thread; p99 in ms."""
    from gpiozero import RotaryEncoder

    config, waits = DialConfig(), []
    factory = VirtualFactory(time.monotonic)
    peer = RotaryEncoder(config.pin_a, config.pin_b, max_steps=0, pin_factory=factory)
    called: list[float] = []
    peer.when_rotated = lambda: called.append(time.monotonic())
    hand = Hand(1e6, random.Random(2))
    for _ in range(TURNS):
        called.clear()
        begun = time.monotonic()
        hand.target += 4
        while hand.busy:
            for _, levels in hand.due(time.monotonic()):
                factory.pin(config.pin_a).drive(bool(levels & 2))
                factory.pin(config.pin_b).drive(bool(levels & 1))
        waits.append((called[0] if called else begun + 1) - begun)
    peer.close()
    return round(p99(waits) * 1000, 3)


def p99(waits: list[float]) -> float:
    """The value all but a hundredth stay below."""
    return sorted(waits)[max(0, int(len(waits) * 0.99) - 1)]


def latency_on_the_line() -> list[Row]:
    """The firmware's pins driven by another thread; the line takes its time."""
    board, hand = VirtualBoard(), Hand(1e6, random.Random(2))

    def drive() -> None:
        hand.target += 4
        while hand.busy:
            board.drive([board_levels(levels) for _, levels in hand.due(time.monotonic())])

    try:
        return first_detent(SerialDial(board.cable.port), drive, "firmware on a line", 15.0)
    finally:
        board.close()


def chatter() -> Row:
    """Five seconds of turning: how many messages in the busiest second."""
    with tempfile.TemporaryDirectory() as folder:
        config = DialConfig(source="virtual", virtual_pace=3.0)
        room, broker = bench_room(config, folder)
        room.bus.start()
        ear, times = broker.bus("ear"), []
        ear.subscribe("sensor/dial", lambda topic, seen: times.append(time.monotonic()))
        ear.start()
        dial = VirtualDial(config, bounce=random.Random(1))
        bridge = Bridge(room, dial)
        dial.start()
        bridge.step(time.monotonic())
        bridge.dial.set_zero()
        dial.nudge(3 * 96 * 5)

        def step(now: float) -> None:
            bridge.step(now)
            ear.pump(0.0)
            room.stopping = bridge.dial.state == "ready" and not dial.hand.busy

        room.run(step, 0.01)
        dial.stop()
    busiest = max(sum(1 for other in times if 0 <= other - one < 1.0) for one in times)
    return row("dial messages in the busiest second of turning", busiest, "messages", 20, n=len(times))


def idle() -> Row:
    """The whole process at rest, its connection included: share of one core."""
    with own_table(TABLESIDE_DIAL_SOURCE="virtual") as table:
        broker = table.start_broker()
        room = table.start("firmware_bridge")
        time.sleep(2.5)
        before = _used(room.pid)
        time.sleep(IDLE_SECONDS)
        used = _used(room.pid) - before
        if room.poll() is not None:
            raise RuntimeError(f"the idle room ended by itself with {room.returncode}")
        for process in (room, broker):
            end(process)
    return row("dial room idle", used / IDLE_SECONDS * 100, "% of one core", 1.0, n=1)


def _used(pid: int) -> float:
    """Seconds of processor all threads of a process have used, from the kernel's scheduler."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks) / 1e9


def long_rows() -> list[Row]:
    """The same detents as a hand feels them: 24 per turn, which takes more than two minutes each."""
    return [lost_on_the_line(share, lines=24) for share in (0.0, 0.05)]


def rows() -> list[Row]:
    """Every figure; those that need MicroPython or Mosquitto are left out, loudly, where it is missing."""
    logging.getLogger("tableside").setLevel(logging.ERROR)
    found = [*latency_on_pins(), *lost_on_pins(), chatter()]
    if micropython_here():
        found += [*latency_on_the_line(), lost_on_the_line(0.0), lost_on_the_line(0.05)]
    else:
        sys.stderr.write("MicroPython is not installed: the firmware's figures are missing.\n")
    try:
        found.append(idle())
    except BrokerMissingError:
        sys.stderr.write("Mosquitto is not installed: the idle share is missing.\n")
    return found


if __name__ == "__main__":
    sys.exit(show(long_rows() if "--long" in sys.argv else rows(), as_json="--json" in sys.argv))
