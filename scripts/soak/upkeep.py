"""What each room of a running table needs, noted again and again, and whether it needs more at the end than at the start.

Memory is what a process has written itself (anonymous pages): mapped libraries come and go with the kernel's mood. A phone's
connection is not the table's upkeep (one handle and another to the broker in the gate, one in the broker): what is counted are
the handles held beside those of phones that are alive.
"""

from __future__ import annotations

import os
import statistics
import subprocess
from pathlib import Path
from typing import NamedTuple

from benches.stand import processes

GROWTH = 0.05
"""Of memory, from the hour after the warm-up to the last one."""
WARM_UP = 1.0
"""Hours of table time at least, and until the first game has ended: caches fill, every scene is drawn once, and the longest
list of moves that can be taken back is as long as it gets."""
ESTABLISHED = "01"


class Need(NamedTuple):
    """One process at one moment."""

    own: int
    """Memory in kB that is its own."""
    resident: int
    """The same with everything it has mapped, as `top` shows it."""
    handles: int


class Note(NamedTuple):
    """Everybody at one moment."""

    hour: float
    """Of table time."""
    watching: int
    rooms: dict[str, Need]


def need_of(pid: int, phones: int = 0) -> Need | None:
    """What a process needs now; `phones`: the port whose living connections are not counted. `None`: it has just ended."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        links = [_target(entry) for entry in Path(f"/proc/{pid}/fd").iterdir()]
        fields = {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in _sizes(rollup))}
        alive = _alive(pid, phones) if phones else set()
        return Need(fields["Anonymous"], fields["Rss"], sum(link not in alive for link in links))
    except (OSError, KeyError):
        return None


def _sizes(rollup: str) -> list[str]:
    return [line for line in rollup.splitlines() if line.endswith(" kB")]


def _target(entry: Path) -> str:
    try:
        return str(entry.readlink())
    except OSError:
        return ""  # closed while we looked


def _alive(pid: int, port: int) -> set[str]:
    """Sockets with a living peer on a port of ours, in the words of `/proc/<pid>/fd`."""
    found: set[str] = set()
    for kind in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{kind}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == ESTABLISHED and int(fields[1].rpartition(":")[2], 16) == port:
                found.add(f"socket:[{fields[9]}]")
    return found


class Upkeep:
    """Notes of a whole run."""

    def __init__(self, table: subprocess.Popen[bytes], phones: int) -> None:
        """`phones`: the port they call at."""
        self.table, self.phones = table, phones
        self.pids = self._pids()
        self.notes: list[Note] = []
        self.restarted: list[str] = []

    def _pids(self) -> dict[str, int]:
        found = processes(self.table.pid) | {"supervisor": self.table.pid}
        return {room: pid for room, pid in found.items() if room}  # without a name: ended, its parent has yet to notice

    def note(self, hour: float, watching: int) -> Note:
        """Look at everybody once."""
        rooms: dict[str, Need] = {}
        pids = self._pids()
        lines = len(_alive(os.getpid(), self.phones))
        for room, pid in pids.items():
            if self.pids.setdefault(room, pid) != pid:
                self.restarted.append(room)
                self.pids[room] = pid
            need = need_of(pid, self.phones if room == "gate" else 0)
            if need is not None:
                rooms[room] = need._replace(handles=need.handles - lines) if room in ("gate", "broker") else need
        self.notes.append(Note(hour, watching, rooms))
        return self.notes[-1]


def judged(notes: list[Note], warm: float = WARM_UP) -> dict[str, dict[str, float | list[float]]]:
    """A room each: the median of the first hour after the warm-up beside that of the last hour."""
    end = max((note.hour for note in notes), default=0.0)
    warm = min(warm, end / 2)
    span = min(1.0, (end - warm) / 2)
    early = [note for note in notes if warm <= note.hour < warm + span]
    late = [note for note in notes if note.hour >= end - span]
    found: dict[str, dict[str, float | list[float]]] = {}
    for room in dict.fromkeys(room for note in notes for room in note.rooms):
        before, after = _needs(early, room), _needs(late, room)
        if not before or not after:
            continue
        own, resident, handles = ((_median(before, at), _median(after, at)) for at in range(3))
        found[room] = {
            "mb_early": round(own[0] / 1000, 2),
            "mb_late": round(own[1] / 1000, 2),
            "growth_percent": round(100 * (own[1] / own[0] - 1), 2),
            "resident_mb_early": round(resident[0] / 1000, 2),
            "resident_mb_late": round(resident[1] / 1000, 2),
            "handles_early": handles[0],
            "handles_late": handles[1],
            "mb_by_hour": [round(value / 1000, 2) for value in _by_hour(notes, room, 0)],
            "handles_by_hour": _by_hour(notes, room, 2),
        }
    return found


def _needs(notes: list[Note], room: str) -> list[Need]:
    return [note.rooms[room] for note in notes if room in note.rooms]


def _median(needs: list[Need], at: int) -> float:
    return float(statistics.median(need[at] for need in needs))


def _by_hour(notes: list[Note], room: str, at: int) -> list[float]:
    """The median of every hour: a leak climbs all the way, a warm-up does not."""
    hours: dict[int, list[Need]] = {}
    for note in notes:
        if room in note.rooms:
            hours.setdefault(int(note.hour), []).append(note.rooms[room])
    return [_median(hours[hour], at) for hour in sorted(hours)]


def grown(rooms: dict[str, dict[str, float | list[float]]]) -> list[str]:
    """What must not be."""
    wrong = []
    for room, row in rooms.items():
        growth, early, late = row["growth_percent"], row["handles_early"], row["handles_late"]
        if isinstance(growth, float) and growth > 100 * GROWTH:
            wrong.append(f"{room}: memory grew by {growth} %")
        if isinstance(early, float) and isinstance(late, float) and late > early:
            wrong.append(f"{room}: {early:g} handles became {late:g}")
    return wrong
