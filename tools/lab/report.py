"""The lab's part of docs/figures.md, written from its notes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tools.lab import arm64_trials
from tools.lab.arm64 import SUITES
from tools.lab.first_frame import words as first_frame_words
from tools.lab.lost_rooms import words as lost_rooms_words
from tools.lab.native import Native
from tools.lab.pico import words as pico_words
from tools.lab.place import ROOT, LabError, cache
from tools.lab.turned import words as turned_words

PAGE = ROOT / "docs" / "figures.md"
HEADING = "## In the lab"
NEXT = "\n## "


def write(page: Path = PAGE) -> Path:
    """Put the section where it was, or at the end."""
    notes = cache() / "proof.json"
    if not notes.exists():
        raise LabError("nothing was tried yet: make lab")
    text = page.read_text(encoding="utf-8")
    seen = lines(json.loads(notes.read_text()), before(text))
    page.write_text(placed(text, "\n".join(seen)), encoding="utf-8")
    return page


def before(page: str) -> dict[str, str]:
    """The rows that stand there: what was not tried again here keeps its own, with its day."""
    section = page.partition(HEADING)[2].partition(NEXT)[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    return {row.split(" | ")[0].removeprefix("| "): row for row in rows}


def placed(page: str, section: str) -> str:
    """The page with this section in its place: where it was, else before the other sections."""
    first, *rest = page.split(NEXT)
    others = [one for one in rest if not one.startswith(HEADING.removeprefix("## "))]
    return NEXT.join([first.rstrip("\n") + "\n", section.removeprefix("## ") + "\n", *others])


def lines(notes: dict[str, Any], known: dict[str, str]) -> list[str]:
    """What was tried, what was seen; `known`: rows of before."""
    told = [
        HEADING,
        "",
        "Made by `scripts/lab.py report` from what `make lab` and `make soak` saw: do not edit by hand.",
    ]
    told += [
        "An emulated machine (QEMU, TCG, two processors) with Debian's kernel, on a host that had other work; never a Pi.",
        "*native*: the same disk under a kernel of the same version that runs as a process of the host (User Mode Linux), on one",
        "processor at the host's own speed, with the same drivers but for the graphics card, which is the kernel's virtual one.",
        "How long something took there, and how fast edges may come, says nothing about a Pi. *container*: the same installation",
        "under a real systemd at the host's own speed (`scripts/lab.py box`), on the host's kernel and without drivers.",
        "*arm64*: the installation in a Debian for Raspberry Pi's architecture (`scripts/lab.py arm64`), on a processor emulated",
        "by QEMU's user mode on the host's kernel; seconds are those of the host's processor.",
        "",
    ]
    told += ["| tried | when | sources | seen | held |", "|---|---|---|---|---|"]
    rows = dict(known)
    for name, seen in notes.items():
        held = "yes" if seen["ok"] else "**no**"
        rows[name] = f"| {name} | {seen['when']} | {seen.get('commit', '')} | {_plain(name, seen)} | {held} |"
    return [*told, *rows.values()]


def _plain(name: str, seen: dict[str, Any]) -> str:
    if seen.get("why"):
        return str(seen["why"]).splitlines()[0][:200].replace("|", "\\|")
    words = WORDS.get(name.removesuffix(Native.kind))
    return (words(seen) if words else "") + (f"; {seen['remark']}" if seen.get("remark") else "")


def _units(seen: dict[str, Any]) -> str:
    rooms = seen["rooms"].values()
    restarts = sum(one["restarts"] for one in rooms)
    last = max(one["up"] for one in rooms)
    calls = sorted({call for room in seen["stopped"].values() for call in room})
    return (
        f"kernel {seen['kernel']}, systemd {seen['systemd']}: {len(seen['rooms'])} units active, {restarts} restarts, the last "
        f"{last:.0f} s after the kernel's start; exposure at most {max(one['exposure'] for one in rooms)}; "
        f"calls refused and lived with: {', '.join(calls) or 'none'}"
    )


def _dial(seen: dict[str, Any]) -> str:
    paces = [(int(pace), one) for pace, one in seen.items() if pace.isdigit()]
    clock = "on a machine whose clock counts its own instructions, 500 million per second, so a busy host cannot make it late: "
    shared = "one processor for who turns and who counts: "
    return (clock if seen.get("steady") else shared) + "; ".join(
        f"{pace:,} edges per second asked for, {one['really']:,} made: {one['lost']} lost"
        for pace, one in sorted(paces)
    )


def _game(seen: dict[str, Any]) -> str:
    return (
        f"Skytopia, {seen['players']} players: {seen['moves']} moves ({seen['seen']} seen by camera and dial, {seen['told']} "
        f"told by phone, {seen['touched']} by touch), {seen['misreads']} misread; tallies "
        f"{'equal' if seen['equal'] else 'differ'}"
    )


def _container(seen: dict[str, Any]) -> str:
    return (
        f"{_game(seen).replace('camera and dial', 'the virtual camera and dial')}, questions: {seen['questions']}; systemd "
        f"{seen['systemd']}, {len(seen['units'])} units running, {sum(seen['units'].values())} started again by themselves; "
        "menu, backup, bundle, a second table, another version by touch and the way back; no other call stopped"
        + (f"; {lost_rooms_words(seen['lost rooms'])}" if "lost rooms" in seen else "")
    )


def _cuts(seen: dict[str, Any]) -> str:
    told = (
        f"{seen['cuts']} cuts, {seen['acknowledged']} acknowledged moves: {seen['lost']} lost, {seen['doubled']} doubled; disk "
        f"mended by its journal {seen['mended']} times, broken {seen['broken']}; started again {seen['started']} times"
    )
    if not seen.get("deaf"):
        return told
    return (
        f"{told}, each time from the disk as it was cut: back by itself in the same game with every row {seen['back']} times; "
        f"to a playable table at most {seen['busiest_start']:.0f} seconds of its processor ({seen['slowest_start']:.0f} by "
        f"its clock, on a host with other work); judged the same way, a disk that does not flush lost {seen['deaf']} of "
        f"{seen['deaf_of']}; without camera, screen and voice"
    )


def _card(seen: dict[str, Any]) -> str:
    return (
        f"{seen['move_bytes'] / 1000:.1f} kB and {seen['move_flushes']:.1f} flushes a move over {seen['moves']} moves; "
        f"at rest {seen['idle_bytes_hour'] / 1e6:.2f} MB and {seen['idle_flushes_hour']:.0f} flushes an hour "
        f"(from {seen['idle_seconds']:.0f} s)"
    )


WORDS = {
    "units": _units,
    "doctor": lambda seen: "; ".join(" ".join(line.split()) for line in seen["said"]).replace("|", "\\|"),
    "screen": lambda seen: "drawn through KMS; a finger on the glass (uinput) changed the picture",
    "turned": turned_words,
    "dial": _dial,
    "pico": pico_words,
    "camera": lambda seen: (
        f"V4L2: a die read through the unit; unplugged, said after {seen['gone']:.0f} s, back after {seen['back']:.0f} s"
    ),
    "menu": lambda seen: (
        f"{', '.join(seen['orders'])}, backup: each done by its room under its unit, no other call stopped"
    ),
    "game": _game,
    "read-only": lambda seen: (
        f"the system under a layer in memory, the state on a disk of its own: cut in mid-game, back by itself; of "
        f"{seen['acknowledged']} acknowledged moves {seen['lost']} lost; {seen['written']} sectors written to the system's disk"
    ),
    "first frame": first_frame_words,
    "lost rooms": lost_rooms_words,
    "shut down": lambda seen: "the menu's order: the core is gone and stays away; started again by hand",
    "container": _container,
    "power cuts": _cuts,
    **{arm64_trials.row(suite): arm64_trials.words for suite in SUITES},
    "card": _card,
}
