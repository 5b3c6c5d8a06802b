"""Rows as they lie in SQLite: opened, written, read, and saved from a damaged file as far as it can be walked."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec

from companion.journal.rows import UNREADABLE, Row, to_json

SCHEMA = 1
TABLES = {
    "rows": "CREATE TABLE rows (game TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL,"
    " body TEXT NOT NULL, sender TEXT NOT NULL, cause TEXT NOT NULL, request TEXT NOT NULL,"
    " ts REAL NOT NULL, chain TEXT NOT NULL, PRIMARY KEY (game, seq)) WITHOUT ROWID",
    "meta": "CREATE TABLE meta (schema INTEGER NOT NULL)",
    "played": "CREATE TABLE played (number INTEGER PRIMARY KEY, game TEXT NOT NULL UNIQUE)",
}
DAMAGED = (sqlite3.Error, OverflowError, UnicodeDecodeError)
"""What SQLite raises on a damaged file; the last one when its own complaint quotes broken text."""


class NewerError(Exception):
    """A later version wrote this file."""


def connect(path: Path) -> sqlite3.Connection:
    """Open a journal for writing, make its tables, bring an older one up to date; `sqlite3.Error` when it cannot be used."""
    if path.exists() and not path.is_file():
        raise sqlite3.DatabaseError("it is not a file")
    with suppress(OSError):  # SQLite would let everybody read it; what it makes beside it has the rights of this one
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    db = sqlite3.connect(path, isolation_level=None)
    try:
        db.execute("PRAGMA trusted_schema=OFF")
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        version = _version(db)
        ours(db)
        _up_to_date(db, version)
        problem = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if problem != "ok":
            raise sqlite3.DatabaseError(problem)
        _number_games(db)
    except BaseException:
        db.close()
        raise
    return db


def reading(path: Path) -> sqlite3.Connection:
    """The same file for looking at only, damaged or not."""
    if not path.is_file():
        raise sqlite3.OperationalError("it is not a file")
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
    try:
        _version(db)
        # a table on pages of its own; a view of that name could count for ever
        pages = dict(db.execute("SELECT name, rootpage FROM sqlite_master"))
        if not pages.get("rows") or pages.get("played") == 0:
            raise sqlite3.DatabaseError("it holds no rows")
        db.execute("SELECT count(*) FROM rows").fetchone()
    except BaseException:
        db.close()
        raise
    return db


def _version(db: sqlite3.Connection) -> int:
    """The schema a file was written with; `NewerError` when it is one we do not know."""
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if version <= SCHEMA:
        return version
    # written twice, so that one flipped bit does not look like the future
    if db.execute("SELECT schema FROM meta").fetchone() == (version,):
        raise NewerError(f"was written by a newer Tableside (schema {version}); please update")
    raise sqlite3.DatabaseError("the schema version is damaged")


def ours(db: sqlite3.Connection) -> None:
    """Only our own tables: a trigger or view in a file from elsewhere would do its own work whenever we do ours."""
    for name, made in db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"):
        if TABLES.get(name) != made:
            raise sqlite3.DatabaseError(f"it holds {str(name)[:40]!r}, which no journal holds")


def _up_to_date(db: sqlite3.Connection, version: int) -> None:
    """Make what is missing."""
    known = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    for name, made in TABLES.items():
        if name not in known:
            db.execute(made)
    if version < SCHEMA:
        db.execute("DELETE FROM meta")
        db.execute("INSERT INTO meta VALUES (?)", (SCHEMA,))
        db.execute(f"PRAGMA user_version = {SCHEMA}")


def _number_games(db: sqlite3.Connection) -> None:
    """Games are kept in the order they began: a Pi without a clock may be a year out between two of them."""
    missing = "SELECT game FROM rows WHERE seq = 0 AND game NOT IN (SELECT game FROM played) ORDER BY ts, game"
    if db.execute(missing).fetchone():
        db.execute(f"INSERT INTO played (game) {missing}")


def insert(db: sqlite3.Connection, row: Row) -> None:
    """One row more; a game's first also takes its number."""
    if row.seq == 0:
        db.execute("INSERT OR IGNORE INTO played (game) VALUES (?)", (row.game,))
    fields = (row.game, row.seq, row.kind, to_json.encode(row.body).decode(), row.sender, row.cause)
    db.execute("INSERT INTO rows VALUES (?,?,?,?,?,?,?,?,?)", (*fields, row.request, row.ts, row.chain))


def row_of(fields: tuple[Any, ...]) -> Row:
    """A row as it was before it was laid down; raises what `UNREADABLE` names, or `TypeError`, when it is damaged. A column
    of SQLite's may hold anything, whatever it is called."""
    found = dict(zip(Row.__struct_fields__, fields, strict=True))
    return msgspec.convert(found | {"body": msgspec.json.decode(found["body"])}, Row)


def walk(db: sqlite3.Connection, game: str) -> Iterator[Row]:
    """The rows of a game up to the first that cannot be read."""
    cursor = db.execute("SELECT * FROM rows WHERE game = ? ORDER BY seq", (game,))
    while True:
        try:
            fields = cursor.fetchone()
            if fields is None:
                return
            yield row_of(fields)
        except (sqlite3.Error, *UNREADABLE, ValueError, TypeError):
            return


def salvage(path: Path) -> dict[str, list[Row]]:
    """What can still be read of a damaged file, by game."""
    games: dict[str, list[Row]] = {}
    with suppress(*DAMAGED), closing(reading(path)) as db:
        for (game,) in db.execute("SELECT DISTINCT game FROM rows").fetchall():
            for row in walk(db, game):
                games.setdefault(row.game, []).append(row)
    return games


def order(path: Path) -> list[str]:
    """Games in the order they began, as far as a damaged file still knows."""
    with suppress(*DAMAGED), closing(reading(path)) as db:
        return [str(game) for (game,) in db.execute("SELECT game FROM played ORDER BY number")]
    return []
