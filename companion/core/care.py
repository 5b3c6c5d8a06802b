"""Care of the table by touch: a backup to a stick and back, a bundle for asking for help, another version and the way back.

It works in a thread of its own, tells how far it is, and never twice at once. A restore needs the games closed: the archive is
copied beside them and looked at, a mark is left, and the core ends; the next one, before it opens anything, puts it in place and
says how that went. Whoever starts cores (our supervisor, systemd) needs to know nothing of it.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from companion.core.refusals import RefusedError, refusal
from companion.core.updates import ABANDONED, Updates
from companion.game import Text
from companion.journal.rows import UNREADABLE
from companion.machine.archive import MAX_ARCHIVE, CareError, opened
from companion.machine.backup import backup, bundle, restore
from companion.machine.sticks import sticks
from companion.wire.config import Config
from companion.wire.files import own_folder, read_file, write_private
from companion.wire.replies import CareTold

if TYPE_CHECKING:
    from companion.core.table import Table

AGAIN = 75
"""A core ends with this when it wants to be started again at once."""
INCOMING, WANTED, OUTCOME = "incoming.zip", "restore.wanted", "restore.done"
NOTICE = "care"
TOLD_EVERY = 0.3
PIECE = 1 << 20


class Outcome(msgspec.Struct, frozen=True):
    """How a restore went, for the core that starts after it."""

    files: int = 0
    wrong: str = ""


class Care:
    """One helper for one table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.restart = False
        """The core ends, and is started again."""
        self._worker = ThreadPoolExecutor(1, "care")
        self._busy = False
        self._told = 0.0
        self.updates = Updates(table.config)
        self._say_outcome()

    def look(self) -> CareTold:
        """What is plugged in, and which versions there are."""
        return CareTold(tuple(sticks(self.table.config.table.sticks)), self._busy, self.updates.offered())

    def begin(self, what: str, stick: str, archive: str = "") -> CareTold:
        """Start one; raises `RefusedError` when the stick is gone or something else is being done."""
        found = next((one for one in sticks(self.table.config.table.sticks) if one.path == stick), None)
        if self._busy:
            raise RefusedError(refusal("care-busy"))
        known = {
            "restore": {one.name for one in found.backups} if found else set(),
            "update": {one.name for one in found.updates} if found else set(),
        }
        if (found is None and what != "back") or archive not in known.get(what, {archive}):
            raise RefusedError(refusal("no-stick"))
        code = self.updates.offered()
        if (what == "update" and not code.able) or (what == "back" and not code.before):
            raise RefusedError(refusal("not-installed"))
        work: Callable[[], Text] = {
            "backup": lambda: self._backup(Path(stick)),
            "bundle": lambda: self._bundle(Path(stick)),
            "restore": lambda: self._fetch(Path(stick) / archive),
            "update": lambda: self.updates.fetch(Path(stick) / archive, partial(self._progress, "update")),
            "back": lambda: self.updates.ask("back", partial(self._progress, "back")),
        }[what]
        self._busy, self._told = True, 0.0
        self._say(Text(f"care/doing/{what}", {"percent": 0}), "info")
        self._worker.submit(self._do, what, work)
        return self.look()

    def close(self) -> None:
        """The evening is over: what was begun is finished first, but for what ends the evening itself."""
        self.updates.close()
        self._worker.shutdown()

    # -- in the thread -----------------------------------------------------------------------------------------------

    def _do(self, what: str, work: Callable[[], Text]) -> None:
        try:
            said = work()
            kind = "warn" if said.key.startswith("care/update/") else "info"
        except CareError as wrong:
            said, kind = Text("care/failed", {"why": str(wrong)[:200]}), "warn"
        except OSError as wrong:
            said, kind = Text("care/failed", {"why": f"{wrong.filename or ''}: {wrong.strerror}"[:200]}), "warn"
        self.table.bus.call(lambda: self._done(what, said, kind))

    def _backup(self, stick: Path) -> Text:
        name = f"tableside-{time.strftime('%Y%m%d-%H%M%S')}.zip"
        path = backup(self.table.config, stick / name, told=lambda share: self._progress("backup", share))
        return Text("care/backed-up", {"name": path.name})

    def _bundle(self, stick: Path) -> Text:
        name = f"tableside-bundle-{time.strftime('%Y%m%d-%H%M%S')}.zip"
        return Text("care/bundled", {"name": bundle(self.table.config, stick / name).name})

    def _fetch(self, source: Path) -> Text:
        """The archive beside the games, looked at: a stick may be pulled out from then on."""
        with opened(source):
            pass
        incoming = self.table.config.state_dir / "backups" / INCOMING
        own_folder(incoming.parent)
        size, done = min(source.stat().st_size, MAX_ARCHIVE), 0
        with source.open("rb") as file, _private(incoming) as target:
            while piece := file.read(PIECE):
                target.write(piece)
                done += len(piece)
                self._progress("restore", done / max(1, size))
            target.flush()
            os.fsync(target.fileno())
        with opened(incoming):
            pass
        write_private(self.table.config.state_dir / WANTED, b"")
        return Text("care/restoring")

    def _progress(self, what: str, share: float) -> None:
        now = time.monotonic()
        if now - self._told >= TOLD_EVERY:
            self._told = now
            said = Text(f"care/doing/{what}", {"percent": min(99, round(100 * share))})
            self.table.bus.call(lambda: self._say(said, "info"))

    # -- in the core's thread ----------------------------------------------------------------------------------------

    def _done(self, what: str, said: Text, kind: str) -> None:
        self._busy = False
        self._say(said, kind)
        self.restart = what == "restore" and said.key == "care/restoring"

    def _say(self, text: Text, kind: Any) -> None:
        self.table.notice(NOTICE, text, kind)
        self.table.publish(())

    def _say_outcome(self) -> None:
        """What the core before this one was asked to restore, or to be exchanged for."""
        if (done := self.updates.outcome()) is not None:
            self.table.notice("care-updated", done, "warn" if done.key.startswith("care/update/") else "info")
        elif name := self.updates.awaited():
            self._busy = True
            follow = partial(self.updates.follow, name, partial(self._progress, "update"), ABANDONED)
            self._worker.submit(self._do, "update", follow)
        path = self.table.config.state_dir / OUTCOME
        with contextlib.suppress(OSError, *UNREADABLE):
            found = msgspec.json.decode(read_file(path), type=Outcome)
            path.unlink()
            said = (
                Text("care/failed", {"why": found.wrong}) if found.wrong else Text("care/restored", {"n": found.files})
            )
            self.table.notice("care-restored", said, "warn" if found.wrong else "info")


def _private(path: Path) -> Any:
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def restore_if_wanted(config: Config) -> None:
    """Called by a core that has the games to itself and has not opened them: what the one before it was asked for."""
    mark, incoming = config.state_dir / WANTED, config.state_dir / "backups" / INCOMING
    if not mark.exists():
        return
    try:
        mark.unlink()  # once: an archive that cannot be restored must not keep the table from starting
        outcome = Outcome(files=restore(config, incoming, alone=True).files)
    except CareError as wrong:
        outcome = Outcome(wrong=str(wrong)[:200])
    except OSError as wrong:
        outcome = Outcome(wrong=f"{wrong.filename}: {wrong.strerror}"[:200])
    with contextlib.suppress(OSError):
        write_private(config.state_dir / OUTCOME, msgspec.json.encode(outcome))
        incoming.unlink(missing_ok=True)
