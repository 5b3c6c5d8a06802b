"""What is tried in the container, one thing after the other (`scripts/lab.py box`)."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from companion.virtual.demo import bots_at
from companion.virtual.result import passed, report
from companion.virtual.seat import Voice
from companion.wire.config import Config, load
from companion.wire.messages import Admin, Do, State
from companion.wire.room import connection
from scripts.release import own_key, packed
from tools.lab.box import STICK, Box, another_version
from tools.lab.lost_rooms import each
from tools.lab.place import ROOMS, LabError, cache
from tools.lab.world import PATIENCE, heard, until

NEWER = "99.0.0"
SECOND = "tableside-core@club1.service"
SLOWNESS = 3.0
"""A host that has other work is late, too."""
MENU: tuple[tuple[str, str], ...] = (
    *(("vision", command) for command in ("check", "calibrate", "look again", "cards", "live", "cameras")),
    ("firmware_bridge", "set zero"),
)


class Hand:
    """Somebody at the screen: what they touch, and what is said to them."""

    def __init__(self, config: Config) -> None:
        self.voice = Voice(connection(config, "host"), "host", "touch")
        self.state: State | None = None
        self.voice.bus.subscribe("state", self._heard)
        heard(self.voice.bus, lambda: self.state is not None, 120, "the table")

    def _heard(self, topic: str, message: Any) -> None:
        self.state = message

    def order(self, room: str, command: str, args: dict[str, Any] | None = None) -> None:
        """A room does it."""
        ask = lambda name: Do(id=name, client="host", command=command, args=args or {})  # noqa: E731
        self._answered(self.voice.send(f"do/{room}", ask), command)

    def care(self, what: str, archive: str = "") -> None:
        """From the menu, with the stick."""
        args = {"do": what, "stick": STICK, "archive": archive}
        ask = self.voice.send("admin", lambda name: Admin(id=name, client="host", command="care", args=args))
        self._answered(ask, what)

    def said(self, key: str) -> None:
        """The screen says this sentence."""
        told = lambda: self.state is not None and any(one.text.key == key for one in self.state.notices)  # noqa: E731
        heard(self.voice.bus, told, 600, key)

    def _answered(self, name: str, what: str) -> None:
        heard(self.voice.bus, lambda: name in self.voice.answers, 120, f"an answer to {what}")
        if not (answer := self.voice.answers[name]).ok:
            raise LabError(f"{what} was refused: {answer.refusal}")


def contained(root: Path) -> dict[str, Any]:
    """A whole game, the menu, rooms killed and suspended, a second table, another version and back; what the kernel stopped."""
    with tempfile.TemporaryDirectory(prefix="tableside-lab-") as folder, Box(root) as box:
        update = _update(root, Path(folder))
        box.come_in()
        state = box.root / "var/lib/tableside"
        config = load(
            environment={"TABLESIDE_STATE_DIR": str(state), "TABLESIDE_CONFIG_DIR": str(box.root / "etc/tableside")}
        )
        demo = bots_at(config, "skytopia", players=2, seed=1)
        demo.patience, demo.people.slowness = PATIENCE, SLOWNESS
        result = demo.play()
        box.plug(update)
        hand = Hand(config)
        for room, command in MENU:
            hand.order(room, command)
        for what, said in (("backup", "backed-up"), ("bundle", "bundled")):
            hand.care(what)
            hand.said(f"care/{said}")
        hand.voice.bus.stop()
        lost = each(box, config, [room for room in ROOMS if room != "display"])
        ours, hand = box.active(), Hand(config)
        box.run("systemctl start tableside@club1.target")
        until(lambda: "club1 runs" in box.run("tableside doctor", check=False), 120, "a second table")
        hand.care("update", update.name)
        hand.said("care/updated")
        there = box.run("tableside --version").split()[-1]
        hand.care("back")
        hand.said("care/went-back")
        hand.voice.bus.stop()
        restarts, wrong = box.active(), box.unexpected()
        return {
            **report(result),
            "ok": passed(result) and lost["ok"] and there == NEWER and not wrong and SECOND in restarts,
            "why": result.problem,
            "lost rooms": lost,
            "units": {name: max(0, count - ours.get(name, 0)) for name, count in restarts.items()},
            "unexpected": wrong,
            "systemd": box.run("systemctl --version").split()[1],
        }


def _update(root: Path, folder: Path) -> Path:
    """Another version for a stick, signed with the lab's own key."""
    (wheel,) = (root / "src").glob("*.whl")
    for path in (root / "src").rglob("*"):
        if path.is_file() and path != wheel:
            target = folder / "tree" / path.relative_to(root / "src")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    own_key(cache() / "release.key", folder / "tree/release.pub")
    made = another_version(wheel, NEWER, folder)
    return packed(folder / "tree", made, NEWER, cache() / "release.key")
