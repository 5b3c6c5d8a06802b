"""The journal: every accepted move, on disk before anybody hears of it.

SQLite in WAL mode with `synchronous=FULL`, append-only. Each row's checksum chains to the one before it in the same game, so a
changed, missing or swapped row is seen. Beside the database lies a spare copy of the open game, one JSON line a row, synced
as well: whichever of the two holds the longer unbroken chain is believed, and how many moves are gone is said.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import msgspec

SCHEMA = 1
Kind = Literal["new", "move", "undo", "seat", "end", "resume"]


class Row(msgspec.Struct, frozen=True):
    """One line of a game: `new` opens it, `end` closes it, `resume` opens it again, everything between is play."""

    game: str
    seq: int
    kind: Kind
    body: dict[str, Any]
    sender: str = ""
    cause: str = ""
    request: str = ""
    ts: float = 0.0
    chain: str = ""


class Damage(msgspec.Struct, frozen=True):
    """What opening a damaged journal found."""

    lost: int
    """Moves known to have existed that no longer can be read."""
    kept: int
    moved_to: str = ""


class JournalFullError(Exception):
    """The disk took no more: the move was not accepted."""


_encoder = msgspec.json.Encoder(order="deterministic")
_decoder = msgspec.json.Decoder(Row)


def chain_of(row: Row, before: str) -> str:
    """The checksum of a row that follows `before`."""
    plain = _encoder.encode([before, row.game, row.seq, row.kind, row.body, row.sender, row.cause, row.request, row.ts])
    return hashlib.sha256(plain).hexdigest()[:32]


def longest_prefix(rows: list[Row]) -> list[Row]:
    """Rows from the first on while numbers and checksums fit."""
    before, valid = "", list[Row]()
    for seq, row in enumerate(rows):
        if row.seq != seq or row.chain != chain_of(row, before):
            break
        valid.append(row)
        before = row.chain
    return valid


class Journal:
    """All games of one table."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        directory.mkdir(parents=True, exist_ok=True)
        self.path = directory / "journal.db"
        self.damage: Damage | None = None
        self._spare_file: Any = None
        self._sync = True
        self._chains: dict[str, tuple[int, str]] = {}
        self.unclean = self._count_unclean()
        try:
            self._db = self._connect()
            self._check_open_games()
        except (sqlite3.DatabaseError, OverflowError):
            self._rebuild()

    @classmethod
    def reading(cls, directory: Path) -> Journal:
        """The same games for looking at only: nothing is checked, mended or counted, a running core is not disturbed."""
        journal = cls.__new__(cls)
        journal.directory, journal.path = directory, directory / "journal.db"
        journal.damage, journal.unclean = None, 0
        journal._spare_file, journal._sync, journal._chains = None, True, {}
        try:
            journal._db = sqlite3.connect(f"file:{journal.path}?mode=ro", uri=True, isolation_level=None)
            journal._db.execute("SELECT count(*) FROM rows").fetchone()
        except sqlite3.Error as wrong:
            raise JournalFullError(
                f"{journal.path} cannot be read: {wrong}; start the table once to mend it"
            ) from wrong
        return journal

    # opening ---------------------------------------------------------------------------------------------------

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, isolation_level=None)
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

    def _check_open_games(self) -> None:
        """Verify every game still in play: database and spare copy must tell the same unbroken story."""
        for game in self._spare_games():
            stored, (spare, lines) = self._stored(game), self._spare(game)
            whole = len(longest_prefix(stored)) == len(stored)
            count = self._db.execute("SELECT count(*) FROM rows WHERE game = ?", (game,)).fetchone()[0]
            if not whole or count != len(stored) or lines > max(len(stored), len(longest_prefix(spare))):
                raise sqlite3.DatabaseError("the chain of the open game is broken")
            more = longest_prefix(spare)[len(stored) :]
            if more:
                # one row more is a power cut between the two writes; several mean the database lost its tail
                with self._transaction():
                    for row in more:
                        self._insert(row)
                if len(more) > 1:
                    self.damage = Damage(lost=0, kept=len(spare))
            elif len(spare) != len(stored) or lines != len(stored):
                self._write_spare(game, stored)

    def _rebuild(self) -> None:
        """Set the damaged file aside and start a new one from everything that still can be read."""
        games: dict[str, list[Row]] = {}
        for row in self._salvage():
            games.setdefault(row.game, []).append(row)
        lost = kept = 0
        for game in {*games, *self._spare_games()}:
            stored, (spare, lines) = sorted(games.get(game, []), key=lambda row: row.seq), self._spare(game)
            best = max(longest_prefix(stored), longest_prefix(spare), key=len)
            existed = max(lines, *(row.seq + 1 for row in (*stored, *spare)), len(best))
            lost, kept = lost + existed - len(best), kept + len(best)
            games[game] = best
        aside = self.directory / f"journal.damaged-{int(time.time())}.db"
        for suffix in ("", "-wal", "-shm"):
            old = Path(f"{self.path}{suffix}")
            if old.exists():
                old.replace(f"{aside}{suffix}")
        self._db = self._connect()
        with self._transaction():
            for rows in games.values():
                for row in rows:
                    self._insert(row)
        for game in self._spare_games():
            self._write_spare(game, games.get(game, []))
        self.damage = Damage(lost=lost, kept=kept, moved_to=aside.name)

    def _salvage(self) -> Iterator[Row]:
        """Rows of a damaged database, as far as SQLite can walk it."""
        try:
            db = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)
        except sqlite3.Error:
            return
        try:
            names = [r[0] for r in db.execute("SELECT DISTINCT game FROM rows")]
            for game in names:
                yield from self._walk(db, game)
        except sqlite3.Error:
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
            except (sqlite3.Error, msgspec.DecodeError, UnicodeDecodeError, ValueError, TypeError):
                return

    # the spare copy --------------------------------------------------------------------------------------------

    def _spare_path(self, game: str) -> Path:
        return self.directory / f"open-{game}.jsonl"

    def _spare_games(self) -> list[str]:
        return [path.stem.removeprefix("open-") for path in self.directory.glob("open-*.jsonl")]

    def _spare(self, game: str) -> tuple[list[Row], int]:
        """Rows of the spare copy up to the first unreadable one, and how many complete lines it has."""
        rows: list[Row] = []
        try:
            *lines, _torn = self._spare_path(game).read_bytes().split(b"\n")
        except OSError:
            return rows, 0
        for line in lines:
            try:
                rows.append(_decoder.decode(line))
            except (msgspec.DecodeError, UnicodeDecodeError):
                break
        return rows, len(lines)

    def _write_spare(self, game: str, rows: list[Row]) -> None:
        self._close_spare()
        path = self._spare_path(game)
        temporary = path.with_suffix(".new")
        with temporary.open("wb") as file:
            file.writelines(_encoder.encode(row) + b"\n" for row in rows)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)

    def _append_spare(self, row: Row) -> None:
        path = self._spare_path(row.game)
        if self._spare_file is None or self._spare_file[0] != row.game:
            self._close_spare()
            self._spare_file = (row.game, path.open("ab", buffering=0))
        file = self._spare_file[1]
        start = file.tell()
        try:
            file.write(_encoder.encode(row) + b"\n")
            if self._sync:
                os.fdatasync(file.fileno())
        except OSError:
            # half a line would look like damage next time: take it back
            os.truncate(path, start)
            raise

    def _close_spare(self) -> None:
        if self._spare_file is not None:
            self._spare_file[1].close()
            self._spare_file = None

    # writing ---------------------------------------------------------------------------------------------------

    def _transaction(self) -> sqlite3.Connection:
        self._db.execute("BEGIN IMMEDIATE")
        return self._db

    def _insert(self, row: Row) -> None:
        fields = (row.game, row.seq, row.kind, _encoder.encode(row.body).decode(), row.sender, row.cause)
        self._db.execute("INSERT INTO rows VALUES (?,?,?,?,?,?,?,?,?)", (*fields, row.request, row.ts, row.chain))

    def append(
        self, game: str, kind: Kind, body: dict[str, Any], *, sender: str = "", cause: str = "", request: str = ""
    ) -> Row:
        """Put one row on disk; when this returns it survives a power cut."""
        seq, before = self._tip(game)
        plain = Row(game, seq, kind, body, sender, cause, request, round(time.time(), 3))
        row = msgspec.structs.replace(plain, chain=chain_of(plain, before))
        try:
            self._append_spare(row)
            try:
                self._insert(row)
            except sqlite3.Error:
                self._drop_last_spare(row)
                raise
        except (sqlite3.Error, OSError) as wrong:
            raise JournalFullError(f"the journal could not be written: {wrong}") from wrong
        self._chains[game] = (seq + 1, row.chain)
        if kind == "end":
            self._close_spare()
            self._spare_path(game).unlink(missing_ok=True)
        return row

    def reopen(self, game: str, *, sender: str = "") -> Row:
        """Take a game up again that was put away: its spare copy is written anew before it goes on."""
        try:
            self._write_spare(game, self._stored(game))
            return self.append(game, "resume", {}, sender=sender)
        except (JournalFullError, OSError) as wrong:
            self._close_spare()
            self._spare_path(game).unlink(missing_ok=True)
            raise JournalFullError(f"the journal could not be written: {wrong}") from wrong

    def _drop_last_spare(self, row: Row) -> None:
        rows = [known for known in self._spare(row.game)[0] if known.seq < row.seq]
        self._write_spare(row.game, rows)

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
        return Row(game, seq, kind, msgspec.json.decode(body), sender, cause, request, ts, chain)

    def _stored(self, game: str) -> list[Row]:
        return list(self._walk(self._db, game))

    def rows(self, game: str) -> list[Row]:
        """All rows of a game whose chain holds."""
        return longest_prefix(self._stored(game))

    def games(self) -> list[tuple[Row, Row | None]]:
        """Every game, newest first: its first row and, unless it is still open, the row that closed it."""
        found: list[tuple[Row, Row | None]] = []
        for fields in self._db.execute("SELECT * FROM rows WHERE seq = 0 ORDER BY ts DESC, game DESC").fetchall():
            first = self._row(fields)
            last = self._db.execute(
                "SELECT * FROM rows WHERE game = ? AND kind IN ('end', 'resume') ORDER BY seq DESC LIMIT 1",
                (first.game,),
            ).fetchone()
            found.append((first, self._row(last) if last and last[2] == "end" else None))
        return found

    def open_game(self) -> str | None:
        """The game that was not finished, if there is one."""
        return next((first.game for first, end in self.games() if end is None), None)

    # closing ---------------------------------------------------------------------------------------------------

    def _count_unclean(self) -> int:
        """How often this journal was left without a farewell."""
        mark, count = self.directory / "running", self.directory / "unclean-shutdowns"
        try:
            number = int(count.read_text()) if count.exists() else 0
        except ValueError:
            number = 0
        if mark.exists():
            number += 1
            count.write_text(f"{number}\n")
        mark.write_text(f"{os.getpid()}\n")
        return number

    def close(self) -> None:
        """A clean end."""
        self._close_spare()
        self._db.close()
        (self.directory / "running").unlink(missing_ok=True)
