"""`scripts/lab.py`: what a person asks of the lab."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import msgspec

from tools.lab import arm64_trials, image, report
from tools.lab.arm64 import SUITES
from tools.lab.chain import Chain, control
from tools.lab.contained import contained
from tools.lab.cuts import Cut, cut, summary
from tools.lab.emulated import Emulated
from tools.lab.guest import SLOW, Guest
from tools.lab.machine import Machine, tell
from tools.lab.native import Native
from tools.lab.place import LabError, cache, need
from tools.lab.proof import TRIALS, note, prove


def start(machine: Machine, *, boot: bool) -> int:
    """A fresh machine with the table as the sources have it now; an emulated one is woken where one was put to sleep."""
    need(building=True)
    disk = image.ready()
    began = time.monotonic()
    if boot or not isinstance(machine, Emulated):
        machine.cut()
        guest = booted(machine, disk)
    else:
        memory, sleeping = asleep(machine, disk)
        machine.cut()
        machine.fresh(sleeping)
        machine.start(asleep=memory)
        guest = Guest(machine)
        guest.until_up()
        guest.run(f"date -s @{time.time():.0f}")
    tell(f"up after {time.monotonic() - began:.0f} s; page at http://127.0.0.1:{guest.ports['page']}")
    return 0


def asleep(machine: Emulated, disk: Path) -> tuple[Path, Path]:
    """Memory and disk of a table that was started and then put to sleep; made once for each disk."""
    known, memory = disk.with_name("disk.stamp").read_text(), disk.with_name("asleep.memory")
    stamp, sleeping = memory.with_suffix(".stamp"), memory.with_suffix(".img")
    if not stamp.exists() or stamp.read_text() != known:
        stamp.unlink(missing_ok=True)
        tell("the first start from cold ...")
        booted(machine, disk)
        machine.sleep(memory, sleeping)
        machine.cut()
        stamp.write_text(known)
    return memory, sleeping


def everything(machine: Machine) -> int:
    """Start from cold, try it all, write it down, switch off."""
    machine.cut()
    start(machine, boot=True)
    held = prove(Guest(machine), [])
    machine.stop()
    return 0 if held else 1


def cut_until(wanted: int, *, as_it_is: bool = False, name: str = "cuts") -> bool:
    """Cuts of the native machine until there are so many, counting those of earlier runs and of machines of another `name` that
    are cut at the same time; `as_it_is`: of the disk there is."""
    need(building=True)
    disk = cache() / "disk.img" if as_it_is else image.ready()
    machine, notes = Native(name), disk.with_name("cuts-native.jsonl")
    if len(_noted(notes)) >= wanted:
        return bool(summary(_noted(notes))["ok"])
    deaf = control(machine, disk)
    tell(f"a disk that forgets what it says it has flushed: {deaf.lost} of {deaf.acknowledged} acknowledged lost")
    if not deaf.lost:
        raise LabError("a disk that forgets loses nothing: the cuts would prove nothing")
    chain = Chain(machine, disk)
    while (number := len(_noted(notes)) + 1) <= wanted:
        _note(notes, chain.one(seed=f"{name} {number}"), number)
        note(f"power cuts{machine.kind}", {**summary(_noted(notes)), "deaf": deaf.lost, "deaf_of": deaf.acknowledged})
    machine.cut()
    return bool(summary(_noted(notes))["ok"])


def cut_emulated_until(wanted: int, every: int, *, as_it_is: bool = False) -> bool:
    """The same of the emulated machine; `as_it_is`: of the one that is asleep already."""
    need(building=True)
    machine = Emulated("cuts-emulated")
    machine.cut()
    disk = cache() / "disk.img" if as_it_is else image.ready()
    memory, sleeping = asleep(machine, disk)
    notes = disk.with_name("cuts.jsonl")
    done = _noted(notes)
    while len(done) < wanted:
        number = len(done) + 1
        one = cut(machine, memory, sleeping, seed=number, start_again=number % every == 0)
        done.append(one)
        _note(notes, one, number)
        note("power cuts", summary(done))
    return bool(summary(done)["ok"])


def _noted(notes: Path) -> list[Cut]:
    return [msgspec.json.decode(line, type=Cut) for line in notes.read_bytes().splitlines()] if notes.exists() else []


def _note(notes: Path, one: Cut, number: int) -> None:
    with notes.open("ab") as file:
        file.write(msgspec.json.encode(one) + b"\n")
    tell(f"cut {number}: {one.acknowledged} acknowledged, {one.lost} lost, {one.doubled} doubled, disk {one.disk}")


def in_a_container() -> int:
    """The same installation without a machine of its own."""
    need(building=True)
    seen = contained(image.ready().with_name("root"))
    note("container", seen)
    tell(f"container: {'held' if seen['ok'] else 'NOT HELD'} {seen['why'] or seen['unexpected'] or ''}")
    return 0 if seen["ok"] else 1


def booted(machine: Machine, disk: Path) -> Guest:
    """From cold to a table."""
    machine.fresh(disk)
    machine.start()
    guest = Guest(machine)
    guest.until_up(seconds=SLOW)
    guest.run("systemctl is-system-running --wait", check=False, seconds=SLOW)
    return guest


def main(arguments: list[str]) -> int:
    """One word, one thing done."""
    parser = argparse.ArgumentParser(prog="lab.py", description=__doc__)
    parser.add_argument("--emulated", action="store_true", help="the machine QEMU emulates, with Debian's own kernel")
    words = parser.add_subparsers(dest="word", required=True)
    begin = words.add_parser("start", help="build what is missing, then a fresh machine")
    begin.add_argument("--boot", action="store_true", help="from cold, although an emulated one is asleep in the cache")
    shell = words.add_parser("shell", help="a root shell in it, or one command")
    shell.add_argument("command", nargs="?", default="")
    words.add_parser("shot", help="a picture of its screen").add_argument("name", type=Path)
    trials = words.add_parser("try", help="on the running machine: " + ", ".join(TRIALS))
    trials.add_argument("names", nargs="*", choices=[[], *TRIALS])
    words.add_parser("all", help="start and try everything, then write it down (make lab)")
    words.add_parser(
        "box", help="the units in a container: no kernel and drivers of their own, but minutes instead of hours"
    )
    foreign = words.add_parser("arm64", help="the installation on Raspberry Pi's architecture, each program emulated")
    foreign.add_argument("--suite", choices=SUITES, help="one of Debian's suites instead of all")
    words.add_parser("report", help="what was seen, into docs/figures.md")
    words.add_parser("cut", help="pull the plug")
    words.add_parser("stop", help="shut it down")
    given = parser.parse_args(arguments)
    machine: Machine = Emulated() if given.emulated else Native()
    try:
        if given.word == "start":
            return start(machine, boot=given.boot)
        if given.word == "shell":
            return Guest(machine).shell(given.command)
        if given.word == "shot":
            sys.stdout.write(f"{machine.shot(given.name.with_suffix('.png'))}\n")
            return 0
        if given.word == "try":
            return 0 if prove(Guest(machine), given.names) else 1
        if given.word == "all":
            return everything(machine)
        if given.word == "box":
            return in_a_container()
        if given.word == "arm64":
            return arm64_trials.prove([given.suite] if given.suite else SUITES)
        if given.word == "report":
            sys.stdout.write(f"{report.write()}\n")
            return 0
        if given.word == "cut":
            machine.cut()
            return 0
        return 0 if machine.stop() else 1
    except LabError as wrong:
        sys.stderr.write(f"lab: {wrong}\n")
        return 1
