"""The journal: every accepted move, on disk before anybody hears of it.

SQLite in WAL mode with `synchronous=FULL`, append-only. Each row's checksum chains to the one before it in the same game, so a
changed, missing or swapped row is seen. Beside the database lies a spare copy of the open game, one JSON line per row, synced
as well: whichever of the two holds the longer unbroken chain is believed, and how many moves are gone is said.
"""

from __future__ import annotations

import errno
import itertools
import os
import sqlite3
import time
from collections.abc import Container, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from companion.journal import ledger
from companion.journal.ledger import DAMAGED, SCHEMA
from companion.journal.rows import UNREADABLE, Kind, Row, chain_of, longest_prefix
from companion.journal.spare_copy import Copy, Spare
from companion.wire.files import own_folder

__all__ = [
    "DAMAGED",
    "RESTORED",
    "SCHEMA",
    "Damage",
    "Entry",
    "Journal",
    "JournalUnusableError",
    "Kind",
    "Row",
    "chain_of",
    "longest_prefix",
]

RESTORED = "restored"
"""A file beside the journal: it came out of a backup, and nobody has looked at it since."""
REFUSED = frozenset({"SQLITE_FULL", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_BUSY", "SQLITE_NOMEM"})
"""What the disk does, not what is in the file: such a journal is whole and must be left as it is."""
UNWRITABLE = tuple(f"SQLITE_IOERR_{what}" for what in ("WRITE", "FSYNC", "SHM", "TRUNCATE", "DELETE"))


class Damage(msgspec.Struct, frozen=True):
    """What opening a damaged journal found."""

    lost: int
    """Moves known to have existed that no longer can be read."""
    kept: int
    moved_to: str = ""


class Entry(msgspec.Struct, frozen=True):
    """What is to become a row."""

    game: str
    kind: Kind
    body: dict[str, Any]
    sender: str = ""
    cause: str = ""
    request: str = ""


class JournalUnusableError(Exception):
    """The journal cannot be opened, read or written as things are: the disk is full or read-only, or the file is of a
    later version. Nothing was changed; `code` says what to do."""

    @property
    def code(self) -> str:
        """Which refusal to give: `card` when nothing can be written there, `newer` for a file of the future, else `disk`."""
        cause = self.__cause__
        if cause is None or isinstance(cause, ledger.NewerError):
            return "newer"
        read_only = isinstance(cause, OSError) and cause.errno in (errno.EROFS, errno.EACCES, errno.EPERM)
        return "card" if read_only or _name(cause).startswith("SQLITE_READONLY") else "disk"


def _name(wrong: BaseException | None) -> str:
    """SQLite's own name of an error; empty when it came from elsewhere."""
    return str(getattr(wrong, "sqlite_errorname", None) or "")


def disk_refuses(wrong: BaseException) -> bool:
    """The machine refuses to open or write the file; that says nothing against what is in it."""
    name = _name(wrong)
    return name.startswith(UNWRITABLE) or "_".join(name.split("_")[:2]) in REFUSED


class Journal:
    """All games of one table."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        _keep_to_ourselves(directory)
        self.path = directory / "journal.db"
        self.damage: Damage | None = None
        self.unreadable: set[str] = set()
        self._spare = Spare(directory)
        self._sync = True
        self._chains: dict[str, tuple[int, str]] = {}
        self._marked = True  # the mark of a journal in use is ours to take away
        self.unclean = self._count_unclean()
        try:
            self._open()
        except sqlite3.Error as wrong:
            cause: Exception = wrong
            if not os.access(directory, os.W_OK):  # SQLite says only that it cannot open the file
                cause = OSError(errno.EROFS, os.strerror(errno.EROFS))
            raise JournalUnusableError(f"{self.path} cannot be opened: {cause}") from cause

    @classmethod
    def reading(cls, directory: Path) -> Journal:
        """The same games for looking at only: nothing is checked, mended or counted, a running core is not disturbed."""
        journal = cls.__new__(cls)
        journal.directory, journal.path = directory, directory / "journal.db"
        journal.damage, journal.unclean, journal.unreadable = None, 0, set()
        journal._spare, journal._sync, journal._chains, journal._marked = Spare(directory), True, {}, False
        try:
            journal._db = ledger.reading(journal.path)
        except ledger.NewerError as wrong:
            raise JournalUnusableError(f"{journal.path} {wrong}") from wrong
        except DAMAGED as wrong:
            raise JournalUnusableError(
                f"{journal.path} cannot be read: {wrong}; start the table once to mend it"
            ) from wrong
        return journal

    # opening ---------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        """Open what is there, or what can be saved of it; raises `sqlite3.Error` when the disk refuses."""
        if self._rebuilt.exists() and not self.path.exists():
            self._rebuilt.replace(self.path)  # the power went between the last two steps of a rebuild
        try:
            self._db = ledger.connect(self.path)
            self._check_open_games()
        except ledger.NewerError as newer:
            raise JournalUnusableError(f"{self.path} {newer}") from newer
        except DAMAGED as wrong:
            if disk_refuses(wrong):
                raise
            self._rebuild()

    @property
    def _rebuilt(self) -> Path:
        return self.directory / "journal.rebuilt.db"

    def _check_open_games(self) -> None:
        """Verify every game still in play: database and spare copy must tell the same unbroken story."""
        self._spare.sweep()
        for game in self._spare.games():
            stored, copy = self._stored(game), self._copy(game)
            whole, told = len(longest_prefix(stored)) == len(stored), longest_prefix(copy.rows)
            count = self._db.execute("SELECT count(*) FROM rows WHERE game = ?", (game,)).fetchone()[0]
            if not whole or count != len(stored) or copy.lines > max(len(stored), len(told)):
                raise sqlite3.DatabaseError("the chain of the open game is broken")
            more = told[len(stored) :]
            if more:
                # one row more is a power cut between the two writes; several mean the database lost its tail
                with _transaction(self._db):
                    for row in more:
                        ledger.insert(self._db, row)
                if len(more) > 1:
                    self.damage = Damage(lost=0, kept=len(told))
            if copy.torn:
                self._spare.cut(game, copy.length)  # the next row must not be written behind half of another
            rows = [*stored, *more]
            if len(told) != len(rows) or not rows or rows[-1].kind == "end":
                self._renew(game, rows)

    def _copy(self, game: str) -> Copy:
        """The spare copy; one that cannot be read at all says nothing."""
        try:
            return self._spare.read(game)
        except OSError:
            return Copy()

    def _renew(self, game: str, rows: list[Row]) -> None:
        """A spare copy that tells the same as the database; none of a game that is over, or never began."""
        if rows and rows[-1].kind != "end":
            self._spare.write(game, rows)
        else:
            self._spare.drop(game)

    def _rebuild(self) -> None:
        """Set the damaged file aside and start a new one from everything that still can be read."""
        games = ledger.salvage(self.path)
        lost = kept = 0
        for game in {*games, *self._spare.games()}:
            stored, copy = sorted(games.get(game, []), key=lambda row: row.seq), self._copy(game)
            best = max(longest_prefix(stored), longest_prefix(copy.rows), key=len)
            existed = max(copy.lines, *(row.seq + 1 for row in (*stored, *copy.rows)), len(best))
            lost, kept = lost + existed - len(best), kept + len(best)
            games[game] = best
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self._rebuilt}{suffix}").unlink(missing_ok=True)
        order = {game: number for number, game in enumerate(ledger.order(self.path))}
        with closing(ledger.connect(self._rebuilt)) as new, _transaction(new):
            for rows in sorted(games.values(), key=lambda rows: _age(rows, order)):
                for row in rows:
                    ledger.insert(new, row)
        aside = self._aside()
        for suffix in ("", "-wal", "-shm"):
            old = Path(f"{self.path}{suffix}")
            if old.exists():
                old.replace(f"{aside}{suffix}")
        self._rebuilt.replace(self.path)
        self._db = ledger.connect(self.path)
        for game in self._spare.games():
            self._renew(game, games.get(game, []))
        self.damage = Damage(lost=lost, kept=kept, moved_to=aside.name)

    def _aside(self) -> Path:
        """A name for the damaged file that no earlier one has, whatever the clock says."""
        number = 1 + len(list(self.directory.glob("journal.damaged-*.db")))
        while (path := self.directory / f"journal.damaged-{number}.db").exists():
            number += 1
        return path

    # writing ---------------------------------------------------------------------------------------------------

    def append(
        self, game: str, kind: Kind, body: dict[str, Any], *, sender: str = "", cause: str = "", request: str = ""
    ) -> Row:
        """Put one row on disk; when this returns it survives a power cut."""
        row = _row(Entry(game, kind, body, sender, cause, request), *self._tip(game))
        try:
            if row.seq and not self._spare.has(game):
                self._spare.write(game, self._stored(game))
            length = self._spare.append(row, sync=self._sync)
            try:
                ledger.insert(self._db, row)
            except sqlite3.Error:
                self._spare.cut(game, length)
                raise
        except (sqlite3.Error, OSError) as wrong:
            raise JournalUnusableError(f"the journal could not be written: {wrong}") from wrong
        self._chains[game] = (row.seq + 1, row.chain)
        if kind == "end":
            with suppress(OSError):  # it is ended all the same: what is left is taken away at the next start
                self._spare.drop(game)
        return row

    def together(self, *entries: Entry) -> list[Row]:
        """Rows of several games, on disk all of them or none: a game is put away and another begun in one step.

        The database alone decides: copies of games that go on are written beside, and put in place once it has all rows.
        A power cut in between leaves a game without its copy, which gets one with its next row.
        """
        rows: dict[str, list[Row]] = {}
        for entry in entries:
            done = rows.setdefault(entry.game, [])
            done.append(_row(entry, *((done[-1].seq + 1, done[-1].chain) if done else self._tip(entry.game))))
        going_on = [game for game, new in rows.items() if new[-1].kind != "end"]
        try:
            for game in going_on:
                self._spare.draft(game, [*self._stored(game), *rows[game]])
            with _transaction(self._db):
                for row in itertools.chain(*rows.values()):
                    ledger.insert(self._db, row)
        except (sqlite3.Error, OSError) as wrong:
            self._spare.sweep()
            raise JournalUnusableError(f"the journal could not be written: {wrong}") from wrong
        for game, new in rows.items():
            self._chains[game] = (new[-1].seq + 1, new[-1].chain)
            with suppress(OSError):
                self._spare.settle(game) if game in going_on else self._spare.drop(game)
        return [*itertools.chain(*rows.values())]

    def _tip(self, game: str) -> tuple[int, str]:
        if game not in self._chains:
            # a file from elsewhere may hold rows whose number is none, or has no next one
            numbered = "game = ? AND typeof(seq) = 'integer' AND seq < 1e15"
            found = self._db.execute(f"SELECT seq, chain FROM rows WHERE {numbered} ORDER BY seq DESC LIMIT 1", (game,))
            last = found.fetchone()
            self._chains[game] = (last[0] + 1, str(last[1])) if last else (0, "")
        return self._chains[game]

    @contextmanager
    def unsynced(self) -> Iterator[None]:
        """For filling a journal whose loss would not matter (imports, measurements): disk order is not waited for."""
        self._db.execute("PRAGMA synchronous=OFF")
        self._sync = False
        try:
            yield
        finally:
            self._sync = True
            self._db.execute("PRAGMA synchronous=FULL")

    # reading ---------------------------------------------------------------------------------------------------

    def _stored(self, game: str) -> list[Row]:
        return list(ledger.walk(self._db, game))

    def rows(self, game: str) -> list[Row]:
        """All rows of a game whose chain holds."""
        return longest_prefix(self._stored(game))

    def games(self) -> list[tuple[Row, Row | None]]:
        """Every game, newest first: its first row and, unless it is still open, the row that closed it."""
        return list(self.each_game())

    def each_game(self, but: Container[str] = ()) -> Iterator[tuple[Row, Row | None]]:
        """The same one by one, without those somebody knows already. A game that cannot be read is left out and named in
        `unreadable`: it must not take the others, or the table, with it."""
        for fields in (first for first in self._firsts() if first[0] not in but):
            last = self._db.execute(
                "SELECT * FROM rows WHERE game = ? AND kind IN ('end', 'resume') ORDER BY seq DESC LIMIT 1", fields[:1]
            ).fetchone()
            try:
                yield ledger.row_of(fields), ledger.row_of(last) if last and last[2] == "end" else None
            except (*UNREADABLE, TypeError):
                self.unreadable.add(str(fields[0]))

    def _firsts(self) -> list[tuple[Any, ...]]:
        """The first row of every game, newest first; an older file read by `reading` has no order but the clock's."""
        by_clock = "ts DESC, game DESC"
        try:
            return self._db.execute(
                "SELECT rows.* FROM rows LEFT JOIN played USING (game) WHERE seq = 0"
                f" ORDER BY number IS NULL DESC, number DESC, {by_clock}"
            ).fetchall()
        except sqlite3.OperationalError:
            return self._db.execute(f"SELECT * FROM rows WHERE seq = 0 ORDER BY {by_clock}").fetchall()

    @property
    def version(self) -> int:
        """Another number after each row that somebody else has written."""
        return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    # closing ---------------------------------------------------------------------------------------------------

    def _count_unclean(self) -> int:
        """How often this journal was left without a farewell; a disk that refuses the count costs only the count."""
        mark, count = self.directory / "running", self.directory / "unclean-shutdowns"
        try:
            number = int(count.read_text()) if count.exists() else 0
        except (OSError, ValueError):
            number = 0
        number += mark.exists()
        with suppress(OSError):
            if mark.exists():
                count.write_text(f"{number}\n")
            mark.write_text(f"{os.getpid()}\n")
        return number

    def close(self) -> None:
        """A clean end."""
        self._spare.close()
        with suppress(sqlite3.Error):
            self._db.close()
        if self._marked:
            with suppress(OSError):
                (self.directory / "running").unlink(missing_ok=True)


def _row(entry: Entry, seq: int, before: str) -> Row:
    """The entry as the row that follows `before`."""
    fields = (entry.kind, entry.body, entry.sender, entry.cause, entry.request, round(time.time(), 3))
    plain = Row(entry.game, seq, *fields)
    return msgspec.structs.replace(plain, chain=chain_of(plain, before))


def _transaction(db: sqlite3.Connection) -> sqlite3.Connection:
    """Everything in the `with` or nothing."""
    db.execute("BEGIN IMMEDIATE")
    return db


def _age(rows: list[Row], order: dict[str, int]) -> tuple[int, float, str]:
    """Where a game stands among the others: as the damaged file had them, then by the clock."""
    return (order.get(rows[0].game, len(order)), rows[0].ts, rows[0].game) if rows else (0, 0.0, "")


def _keep_to_ourselves(directory: Path) -> None:
    """Dealt cards and names are nobody else's business: also in a folder that an earlier version made."""
    own_folder(directory)
    with suppress(OSError):
        for path in (directory, *directory.iterdir()):
            if path.stat(follow_symlinks=False).st_mode & 0o077 and not path.is_symlink():
                path.chmod(0o700 if path.is_dir() else 0o600)
