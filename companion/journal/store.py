"""The journal: every accepted move, on disk before anybody hears of it.

SQLite in WAL mode with `synchronous=FULL`, append-only. Each row's checksum chains to the one before it in the same game, so a
changed, missing or swapped row is seen. Beside the database lies a spare copy of the open game, one JSON line a row, synced
as well: whichever of the two holds the longer unbroken chain is believed, and how many moves are gone is said.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections.abc import Container, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from companion.journal.rows import UNREADABLE, Kind, Row, chain_of, longest_prefix, to_json
from companion.journal.spare_copy import Spare

__all__ = ["SCHEMA", "Damage", "Journal", "JournalFullError", "Kind", "Row", "chain_of", "longest_prefix"]

SCHEMA = 1
REFUSED = frozenset({"SQLITE_FULL", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_BUSY", "SQLITE_NOMEM"})
"""What the disk does, not what is in the file: such a journal is whole and must be left as it is."""
UNWRITABLE = tuple(f"SQLITE_IOERR_{what}" for what in ("WRITE", "FSYNC", "SHM", "TRUNCATE", "DELETE"))
DAMAGED = (sqlite3.Error, OverflowError, UnicodeDecodeError)
"""What SQLite raises on a damaged file; the last one when its own complaint quotes broken text."""


class Damage(msgspec.Struct, frozen=True):
    """What opening a damaged journal found."""

    lost: int
    """Moves known to have existed that no longer can be read."""
    kept: int
    moved_to: str = ""


class JournalFullError(Exception):
    """The disk took no more: the move was not accepted."""

    @property
    def code(self) -> str:
        """Which refusal to give: `card` when nothing can be written there, `newer` for a file of the future, else `disk`."""
        cause = self.__cause__
        if cause is None:
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
        directory.mkdir(parents=True, exist_ok=True)
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
            raise JournalFullError(f"{self.path} cannot be opened: {cause}") from cause

    @classmethod
    def reading(cls, directory: Path) -> Journal:
        """The same games for looking at only: nothing is checked, mended or counted, a running core is not disturbed."""
        journal = cls.__new__(cls)
        journal.directory, journal.path = directory, directory / "journal.db"
        journal.damage, journal.unclean, journal.unreadable = None, 0, set()
        journal._spare, journal._sync, journal._chains, journal._marked = Spare(directory), True, {}, False
        try:
            journal._db = sqlite3.connect(f"file:{journal.path}?mode=ro", uri=True, isolation_level=None)
            journal._db.execute("SELECT count(*) FROM rows").fetchone()
        except DAMAGED as wrong:
            raise JournalFullError(
                f"{journal.path} cannot be read: {wrong}; start the table once to mend it"
            ) from wrong
        return journal

    # opening ---------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        """Open what is there, or what can be saved of it; raises `sqlite3.Error` when the disk refuses."""
        if self._rebuilt.exists() and not self.path.exists():
            self._rebuilt.replace(self.path)  # the power went between the last two steps of a rebuild
        try:
            self._db = self._connect(self.path)
            self._check_open_games()
        except DAMAGED as wrong:
            if disk_refuses(wrong):
                raise
            self._rebuild()

    @property
    def _rebuilt(self) -> Path:
        return self.directory / "journal.rebuilt.db"

    def _connect(self, path: Path) -> sqlite3.Connection:
        db = sqlite3.connect(path, isolation_level=None)
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version > SCHEMA:
            # written twice, so that one flipped bit does not look like the future
            if db.execute("SELECT schema FROM meta").fetchone() == (version,):
                raise JournalFullError(
                    f"{self.path} was written by a newer Tableside (schema {version}); please update"
                )
            raise sqlite3.DatabaseError("the schema version is damaged")
        if version < SCHEMA:
            self._migrate(db, version)
        problem = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if problem != "ok":
            db.close()
            raise sqlite3.DatabaseError(problem)
        self._number_games(db)
        return db

    @staticmethod
    def _migrate(db: sqlite3.Connection, version: int) -> None:
        """Bring an older file up to date, one step a version."""
        if version < 1:
            db.execute(
                "CREATE TABLE IF NOT EXISTS rows (game TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL,"
                " body TEXT NOT NULL, sender TEXT NOT NULL, cause TEXT NOT NULL, request TEXT NOT NULL,"
                " ts REAL NOT NULL, chain TEXT NOT NULL, PRIMARY KEY (game, seq)) WITHOUT ROWID"
            )
            db.execute("CREATE TABLE IF NOT EXISTS meta (schema INTEGER NOT NULL)")
        db.execute("DELETE FROM meta")
        db.execute("INSERT INTO meta VALUES (?)", (SCHEMA,))
        db.execute(f"PRAGMA user_version = {SCHEMA}")

    @staticmethod
    def _number_games(db: sqlite3.Connection) -> None:
        """Games are kept in the order they began: a Pi without a clock may be a year out between two of them."""
        db.execute("CREATE TABLE IF NOT EXISTS played (number INTEGER PRIMARY KEY, game TEXT NOT NULL UNIQUE)")
        missing = "SELECT game FROM rows WHERE seq = 0 AND game NOT IN (SELECT game FROM played) ORDER BY ts, game"
        if db.execute(missing).fetchone():
            db.execute(f"INSERT INTO played (game) {missing}")

    def _check_open_games(self) -> None:
        """Verify every game still in play: database and spare copy must tell the same unbroken story."""
        for game in self._spare.games():
            stored, (spare, lines) = self._stored(game), self._spare.read(game)
            whole = len(longest_prefix(stored)) == len(stored)
            count = self._db.execute("SELECT count(*) FROM rows WHERE game = ?", (game,)).fetchone()[0]
            if not whole or count != len(stored) or lines > max(len(stored), len(longest_prefix(spare))):
                raise sqlite3.DatabaseError("the chain of the open game is broken")
            more = longest_prefix(spare)[len(stored) :]
            if more:
                # one row more is a power cut between the two writes; several mean the database lost its tail
                with self._transaction():
                    for row in more:
                        _insert(self._db, row)
                if len(more) > 1:
                    self.damage = Damage(lost=0, kept=len(spare))
            elif len(spare) != len(stored) or lines != len(stored):
                self._spare.write(game, stored)
            if stored and stored[-1].kind == "end" and not more:
                self._spare.drop(game)  # the power went before its copy was thrown away

    def _rebuild(self) -> None:
        """Set the damaged file aside and start a new one from everything that still can be read."""
        games: dict[str, list[Row]] = {}
        for row in self._salvage():
            games.setdefault(row.game, []).append(row)
        lost = kept = 0
        for game in {*games, *self._spare.games()}:
            stored, (spare, lines) = sorted(games.get(game, []), key=lambda row: row.seq), self._spare.read(game)
            best = max(longest_prefix(stored), longest_prefix(spare), key=len)
            existed = max(lines, *(row.seq + 1 for row in (*stored, *spare)), len(best))
            lost, kept = lost + existed - len(best), kept + len(best)
            games[game] = best
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self._rebuilt}{suffix}").unlink(missing_ok=True)
        new = self._connect(self._rebuilt)
        new.execute("BEGIN IMMEDIATE")
        for rows in games.values():
            for row in rows:
                _insert(new, row)
        new.executemany("INSERT INTO played (game) VALUES (?)", [(game,) for game in self._order() if games.get(game)])
        self._number_games(new)
        new.execute("COMMIT")
        new.close()
        aside = self._aside()
        for suffix in ("", "-wal", "-shm"):
            old = Path(f"{self.path}{suffix}")
            if old.exists():
                old.replace(f"{aside}{suffix}")
        self._rebuilt.replace(self.path)
        self._db = self._connect(self.path)
        for game in self._spare.games():
            self._spare.write(game, games.get(game, []))
        self.damage = Damage(lost=lost, kept=kept, moved_to=aside.name)

    def _aside(self) -> Path:
        """A name for the damaged file that no earlier one has, whatever the clock says."""
        number = 1 + len(list(self.directory.glob("journal.damaged-*.db")))
        while (path := self.directory / f"journal.damaged-{number}.db").exists():
            number += 1
        return path

    def _order(self) -> list[str]:
        """Games in the order they began, as far as the damaged file still knows."""
        with suppress(*DAMAGED), closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)) as db:
            return [str(game) for (game,) in db.execute("SELECT game FROM played ORDER BY number")]
        return []

    def _salvage(self) -> Iterator[Row]:
        """Rows of a damaged database, as far as SQLite can walk it."""
        try:
            db = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)
        except DAMAGED:
            return
        try:
            names = [r[0] for r in db.execute("SELECT DISTINCT game FROM rows")]
            for game in names:
                yield from self._walk(db, game)
        except DAMAGED:
            return
        finally:
            db.close()

    def _walk(self, db: sqlite3.Connection, game: str) -> Iterator[Row]:
        cursor = db.execute("SELECT * FROM rows WHERE game = ? ORDER BY seq", (game,))
        while True:
            try:
                fields = cursor.fetchone()
                if fields is None:
                    return
                yield self._row(fields)
            except (sqlite3.Error, *UNREADABLE, ValueError, TypeError):
                return

    # writing ---------------------------------------------------------------------------------------------------

    def _transaction(self) -> sqlite3.Connection:
        self._db.execute("BEGIN IMMEDIATE")
        return self._db

    def append(
        self, game: str, kind: Kind, body: dict[str, Any], *, sender: str = "", cause: str = "", request: str = ""
    ) -> Row:
        """Put one row on disk; when this returns it survives a power cut."""
        seq, before = self._tip(game)
        plain = Row(game, seq, kind, body, sender, cause, request, round(time.time(), 3))
        row = msgspec.structs.replace(plain, chain=chain_of(plain, before))
        try:
            length = self._spare.append(row, sync=self._sync)
            try:
                if seq == 0:
                    self._db.execute("INSERT OR IGNORE INTO played (game) VALUES (?)", (game,))
                _insert(self._db, row)
            except sqlite3.Error:
                self._spare.cut(game, length)
                raise
        except (sqlite3.Error, OSError) as wrong:
            raise JournalFullError(f"the journal could not be written: {wrong}") from wrong
        self._chains[game] = (seq + 1, row.chain)
        if kind == "end":
            with suppress(OSError):  # it is ended all the same: what is left is taken away at the next start
                self._spare.drop(game)
        return row

    def reopen(self, game: str, *, sender: str = "") -> Row:
        """Take a game up again that was put away: its spare copy is written anew before it goes on."""
        try:
            self._spare.write(game, self._stored(game))
            return self.append(game, "resume", {}, sender=sender)
        except (JournalFullError, OSError) as wrong:
            with suppress(OSError):
                self._spare.drop(game)
            raise JournalFullError(f"the journal could not be written: {wrong}") from wrong

    def _tip(self, game: str) -> tuple[int, str]:
        if game not in self._chains:
            found = self._db.execute("SELECT seq, chain FROM rows WHERE game = ? ORDER BY seq DESC LIMIT 1", (game,))
            last = found.fetchone()
            self._chains[game] = (last[0] + 1, last[1]) if last else (0, "")
        return self._chains[game]

    @contextmanager
    def unsynced(self) -> Iterator[None]:
        """For filling a journal whose loss would not matter (imports, measurements): disk order is not waited for."""
        self._db.execute("PRAGMA synchronous=OFF")
        self._sync = False
        try:
            with self._transaction():
                yield
        finally:
            self._sync = True
            self._db.execute("PRAGMA synchronous=FULL")

    # reading ---------------------------------------------------------------------------------------------------

    @staticmethod
    def _row(fields: tuple[Any, ...]) -> Row:
        game, seq, kind, body, sender, cause, request, ts, chain = fields
        if not isinstance(seq, int):
            raise TypeError(f"row {seq!r} of {game!r}")  # only a damaged file has one
        return Row(game, seq, kind, msgspec.json.decode(body, type=dict[str, Any]), sender, cause, request, ts, chain)

    def _stored(self, game: str) -> list[Row]:
        return list(self._walk(self._db, game))

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
                yield self._row(fields), self._row(last) if last and last[2] == "end" else None
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

    def open_game(self) -> str | None:
        """The game that was not finished, if there is one."""
        return next((first.game for first, end in self.games() if end is None), None)

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


def _insert(db: sqlite3.Connection, row: Row) -> None:
    fields = (row.game, row.seq, row.kind, to_json.encode(row.body).decode(), row.sender, row.cause)
    db.execute("INSERT INTO rows VALUES (?,?,?,?,?,?,?,?,?)", (*fields, row.request, row.ts, row.chain))
