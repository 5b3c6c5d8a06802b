"""The hall's store in PostgreSQL (`hall.store` says what it does)."""

from __future__ import annotations

import re
import secrets as chance
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import psycopg

from companion.wire.hall import Result
from companion.wire.messages import Message
from hall.event import Event
from hall.store import Act, ChangedMeanwhileError, Held, NotKeptError, StoreAwayError

SCHEMA = Path(__file__).with_name("schema.sql")
AT_ONCE = 400
"""Results of one table the hall takes within an hour: more than anybody plays, less than fills a disk. The rest waits there."""
CONNECT_SECONDS = 5
"""Seconds to wait for a connection."""

Row = tuple[Any, ...]
Run = Callable[..., psycopg.Cursor[Row]]


class TooManyError(Exception):
    """A table tells more results than anybody plays; it may try again in an hour."""


class Database:
    """One connection, made anew when it is lost. Not for several threads at once."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._connection: psycopg.Connection[Row] | None = None

    def close(self) -> None:
        """Nobody asks any more."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @contextmanager
    def _transaction(self) -> Iterator[Run]:
        """All or nothing. What a lost connection interrupts may or may not be done: every statement here may be repeated."""
        try:
            if self._connection is None or self._connection.closed:
                self._connection = psycopg.connect(self._dsn, connect_timeout=CONNECT_SECONDS, autocommit=True)
                self._prepare(self._connection)
            with self._connection.transaction():
                yield self._connection.execute
        except (psycopg.OperationalError, psycopg.InterfaceError) as wrong:
            self.close()
            raise StoreAwayError(str(wrong).strip().splitlines()[0] if str(wrong).strip() else "it is away") from wrong
        except psycopg.DataError as wrong:
            raise NotKeptError(str(wrong).strip()[:200]) from wrong

    @staticmethod
    def _prepare(connection: psycopg.Connection[Row]) -> None:
        with connection.transaction():
            connection.execute(
                "SELECT pg_advisory_xact_lock(25)"
            )  # of several halls that start at once one makes the tables
            connection.execute(SCHEMA.read_bytes())
            connection.execute("INSERT INTO hall (id) VALUES (%s) ON CONFLICT DO NOTHING", (chance.token_hex(6),))

    # tables ----------------------------------------------------------------------------------------------------

    def hall_id(self) -> str:
        """Which hall this is."""
        with self._transaction() as run:
            return str(one(run("SELECT id FROM hall"))[0])

    def version(self) -> tuple[object, ...]:
        """Another whenever anything has changed."""
        with self._transaction() as run:
            return one(
                run(
                    "SELECT (SELECT id FROM hall), (SELECT max(id) FROM trail), (SELECT max(invited) FROM tables),"
                    " (SELECT max(revoked) FROM tables), (SELECT count(*) FROM results), (SELECT sum(seq) FROM results)"
                )
            )

    def another_hall(self) -> None:
        """After a restore: tables say everything again that this hall may have forgotten."""
        with self._transaction() as run:
            run("UPDATE hall SET id = %s", (chance.token_hex(6),))

    def invite(self, name: str, password: str) -> None:
        """A table's name and its hashed key; the same name again replaces the key."""
        with self._transaction() as run:
            run(
                "INSERT INTO tables (name, password) VALUES (%s, %s) ON CONFLICT (name) DO UPDATE"
                " SET password = excluded.password, invited = now(), revoked = NULL",
                (name, password),
            )

    def revoke(self, name: str) -> bool:
        """Says whether there was such a table."""
        with self._transaction() as run:
            return run("UPDATE tables SET revoked = now() WHERE name = %s AND revoked IS NULL", (name,)).rowcount > 0

    def send_away(self, name: str, who: str, what: str) -> int | None:
        """Revoke as an act in the trail, which undo takes back; `None`: no such table is invited (any more)."""
        with self._transaction() as run:
            found = run(
                "UPDATE tables SET revoked = now() WHERE name = %s AND revoked IS NULL"
                " RETURNING extract(epoch FROM revoked)::text",
                (name,),
            ).fetchone()
            return None if found is None else _acted(run, who, what, "table", [name], None, as_json(found[0]))

    def invited(self) -> dict[str, str]:
        """Tables that may come, with their hashed keys."""
        with self._transaction() as run:
            return dict(run("SELECT name, password FROM tables WHERE revoked IS NULL ORDER BY name").fetchall())

    # results ---------------------------------------------------------------------------------------------------

    def record(self, table: str, results: list[Result]) -> None:
        """Keep what a table says of its games; repeated, late and out of order are all the same."""
        with self._transaction() as run:
            lately = "SELECT count(*) FROM results WHERE table_name = %s AND received > now() - interval '1 hour'"
            if one(run(lately, (table,)))[0] >= AT_ONCE:
                raise TooManyError(f"{table} has told {AT_ONCE} results within an hour")
            for result in results:
                run(
                    "INSERT INTO results (table_name, game_id, seq, said) VALUES (%s, %s, %s, %s)"
                    " ON CONFLICT (table_name, game_id) DO UPDATE SET seq = excluded.seq, said = excluded.said"
                    " WHERE excluded.seq > results.seq",
                    (table, result.game_id, result.seq, as_json(result)),
                )

    def results(self) -> list[Held]:
        """Every result that stands, oldest first."""
        with self._transaction() as run:
            rows = run("SELECT table_name, said::text, corrected::text, received FROM results").fetchall()
        held = (
            Held(table, msgspec.json.decode(corrected or said, type=Result), corrected is not None, received)
            for table, said, corrected, received in rows
        )
        return sorted(
            (one for one in held if one.result.stands), key=lambda one: (one.result.ended, one.result.game_id)
        )

    def correct(self, table: str, game_id: str, result: Result, who: str, what: str) -> int:
        """The organiser's word on a result; `KeyError` when no table told it."""
        with self._transaction() as run:
            held = run(
                "SELECT corrected::text FROM results WHERE table_name = %s AND game_id = %s FOR UPDATE",
                (table, game_id),
            ).fetchone()
            if held is None:
                raise KeyError(game_id)
            after = as_json(result)
            run("UPDATE results SET corrected = %s WHERE table_name = %s AND game_id = %s", (after, table, game_id))
            return _acted(run, who, what, "result", [table, game_id], held[0], after)

    # events ----------------------------------------------------------------------------------------------------

    def events(self) -> list[tuple[Event, int]]:
        """Every event with its version."""
        with self._transaction() as run:
            rows = run("SELECT body::text, version FROM events WHERE body IS NOT NULL ORDER BY id").fetchall()
        return [(msgspec.json.decode(body, type=Event), version) for body, version in rows]

    def save_event(self, event: Event, version: int, who: str, what: str) -> int:
        """Put an event in place of this version's (0: it is new), or `ChangedMeanwhileError`; returns the act's number."""
        after = as_json(event)
        with self._transaction() as run:
            known = run("SELECT version, body::text FROM events WHERE id = %s FOR UPDATE", (event.id,)).fetchone()
            there = 0 if known is None or known[1] is None else known[0]
            if there != version:
                raise ChangedMeanwhileError(event.id)
            run(
                "INSERT INTO events (id, version, body) VALUES (%s, 1, %s)"
                " ON CONFLICT (id) DO UPDATE SET version = events.version + 1, body = excluded.body",
                (event.id, after),
            )
            return _acted(run, who, what, "event", [event.id], known[1] if known else None, after)

    # what tables shall hear ------------------------------------------------------------------------------------

    def say(self, sayings: Mapping[str, Message], who: str, what: str) -> int:
        """What tables shall hear from now on, by topic: one act."""
        after = {topic: msgspec.to_builtins(message) for topic, message in sayings.items()}
        with self._transaction() as run:
            before = dict(
                run("SELECT topic, payload::text FROM sayings WHERE topic = ANY(%s)", (list(after),)).fetchall()
            )
            # what was never said is taken back by a message without content
            empty = {topic: {"v": 1} | ({"kind": "none"} if topic.endswith("/call") else {}) for topic in after}
            known = empty | {topic: msgspec.json.decode(payload) for topic, payload in before.items()}
            _put_sayings(run, after)
            return _acted(run, who, what, "saying", sorted(after), as_json(known), as_json(after))

    def sayings(self) -> dict[str, bytes]:
        """Everything the brokers should keep of the hall's."""
        with self._transaction() as run:
            rows = run("SELECT topic, payload::text FROM sayings").fetchall()
        return {topic: payload.encode() for topic, payload in rows}

    # the trail -------------------------------------------------------------------------------------------------

    def trail(self, last: int = 100) -> list[Act]:
        """The organiser's acts, newest first."""
        with self._transaction() as run:
            rows = run(
                "SELECT id, at, who, what, kind, key, undoes FROM trail ORDER BY id DESC LIMIT %s", (last,)
            ).fetchall()
        return [Act(id, at, who, what, kind, tuple(key), undoes) for id, at, who, what, kind, key, undoes in rows]

    def undo(self, act: int, who: str) -> int:
        """Put back what was before an act; `ChangedMeanwhileError` when it has been changed again since."""
        with self._transaction() as run:
            found = run("SELECT kind, key, before::text, after::text, what FROM trail WHERE id = %s", (act,)).fetchone()
            if found is None:
                raise KeyError(act)
            kind, key, before, after, what = found
            _UNDO[kind](run, key, before, after)
            return _acted(run, who, what, kind, key, after, before, undoes=act)


def _undo_event(run: Run, key: list[str], before: str | None, after: str | None) -> None:
    changed = run(
        "UPDATE events SET body = %s, version = version + 1 WHERE id = %s AND body IS NOT DISTINCT FROM %s::jsonb",
        (before, key[0], after),
    )
    if not changed.rowcount:
        raise ChangedMeanwhileError(key[0])


def _undo_result(run: Run, key: list[str], before: str | None, after: str | None) -> None:
    changed = run(
        "UPDATE results SET corrected = %s WHERE table_name = %s AND game_id = %s"
        " AND corrected IS NOT DISTINCT FROM %s::jsonb",
        (before, key[0], key[1], after),
    )
    if not changed.rowcount:
        raise ChangedMeanwhileError(key[1])


def _undo_sayings(run: Run, key: list[str], before: str | None, after: str | None) -> None:
    said = msgspec.json.decode(after or "{}")
    for topic, payload in run("SELECT topic, payload::text FROM sayings WHERE topic = ANY(%s) FOR UPDATE", (key,)):
        if msgspec.json.decode(payload) != said.get(topic):
            raise ChangedMeanwhileError(topic)
    _put_sayings(run, msgspec.json.decode(before or "{}"))


def _undo_sending_away(run: Run, key: list[str], before: str | None, after: str | None) -> None:
    """The same key lets it in again, unless it was invited or revoked by somebody since."""
    changed = run(
        "UPDATE tables SET revoked = NULL, invited = now() WHERE name = %s AND extract(epoch FROM revoked)::text = %s",
        (key[0], msgspec.json.decode(after or "null")),
    )
    if not changed.rowcount:
        raise ChangedMeanwhileError(key[0])


_UNDO = {"event": _undo_event, "result": _undo_result, "saying": _undo_sayings, "table": _undo_sending_away}


def _put_sayings(run: Run, sayings: Mapping[str, Any]) -> None:
    for topic, payload in sayings.items():
        run(
            "INSERT INTO sayings (topic, payload) VALUES (%s, %s)"
            " ON CONFLICT (topic) DO UPDATE SET payload = excluded.payload",
            (topic, as_json(payload)),
        )


def _acted(
    run: Run,
    who: str,
    what: str,
    kind: str,
    key: list[str],
    before: str | None,
    after: str | None,
    undoes: int | None = None,
) -> int:
    told = run(
        "INSERT INTO trail (who, what, kind, key, before, after, undoes) VALUES (%s, %s, %s, %s, %s, %s, %s) RETURNING id",
        (who, what, kind, key, before, after, undoes),
    )
    return int(one(told)[0])


def one(cursor: psycopg.Cursor[Row]) -> Row:
    """The row there always is."""
    row = cursor.fetchone()
    assert row is not None
    return row


def as_json(value: Any) -> str:
    """For a `jsonb` column. PostgreSQL keeps no NUL in a text: what holds one is stored without it."""
    # a NUL, not somebody's backslash before `u0000`: that is written with two
    return re.sub(r"(?<!\\)((?:\\\\)*)\\u0000", r"\1", msgspec.json.encode(value).decode())
