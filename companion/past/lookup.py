"""What the screen may look up: the printed values of a box, games that were put away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec

from companion.box.owner import LARGEST, Owner
from companion.box.printed import load, printed
from companion.game import Game, Text
from companion.journal.store import Journal, Row
from companion.past.history import called
from companion.wire import announced
from companion.wire.lobby import Again, OptionValue, Paused, Sitter
from companion.wire.messages import Word
from companion.wire.names import clean
from companion.wire.replies import BoxList, BoxValue

PAUSED = 4
"""Games put away that the set-up screen offers; older ones are in the journal."""


def box_list(owner: Owner, packs: Mapping[str, Game], game: str) -> BoxList:
    """Every printed value of a game that is not certain, what the owner said of it, and what it may be; and its grids."""
    return BoxList(game, _values(owner, packs, game), packs[game].grids(owner.box(game)))


def _values(owner: Owner, packs: Mapping[str, Game], game: str) -> tuple[BoxValue, ...]:
    package = announced.package(packs[game].id)
    box = load(package, owner.box(game))
    return tuple(
        BoxValue(
            key=key,
            value=box[key],
            first=leaf.ask == "first",
            confirmed=box.confirmed(key),
            low=leaf.low,
            high=leaf.high,
            options=leaf.options,
        )
        for key, leaf in printed(package).items()
        if not leaf.certain
    )


def open_values(owner: Owner, packs: Mapping[str, Game]) -> dict[str, int]:
    """How many values that matter from the first turn nobody has confirmed, by game; games without a box are left out."""
    found = {game: _values(owner, packs, game) for game in packs}
    return {
        game: sum(value.first and not value.confirmed for value in values) for game, values in found.items() if values
    }


def said(title: str) -> Text | None:
    """A name somebody gave, as it was written."""
    return Text("typed", {"words": title}) if title else None


def paused(journal: Journal, packs: Mapping[str, Game]) -> tuple[Paused, ...]:
    """Games that were put away before their end, newest first."""
    found: list[Paused] = []
    for first, last in unfinished(journal, packs):
        pack = packs[str(first.body["pack"])]
        rested = _rested(last)
        moves = last.seq - (last.kind == "end") if rested.moves is None else rested.moves
        if not moves:
            continue  # nothing was played in it: there is nothing to go on with
        found.append(
            Paused(
                id=first.game,
                game=pack.id,
                title=said(called(first)) or pack.title(),
                seats=rested.sitters or _rested(first).sitters,
                ts=last.ts,
                moves=moves,
            )
        )
        if len(found) == PAUSED:
            break
    return tuple(found)


def again(journal: Journal, packs: Mapping[str, Game]) -> Again | None:
    """The game that was begun last, with its variants; once it was played to its end the next player begins."""
    for first, end in journal.each_game():
        pack = packs.get(str(first.body.get("pack")))
        if pack is None:
            continue
        try:
            said = msgspec.convert(first.body["options"], dict[str, Any])
            seats = msgspec.convert(first.body["seats"], list[Any])
            begun = msgspec.convert(said.get("first", 0), Annotated[int, msgspec.Meta(ge=0, le=7)])
            asked = {field.id for field in pack.options()}
            options = msgspec.convert({key: said[key] for key in said if key in asked}, dict[str, OptionValue])
        except (msgspec.ValidationError, KeyError):
            return None
        over = pack.starts and end is not None and bool(end.body.get("over"))
        found = Again(game=pack.id, options=options, first=(begun + over) % max(1, len(seats)))
        return found if len(msgspec.json.encode(found)) < LARGEST else None
    return None


class _Sat(msgspec.Struct):
    name: str = ""
    colour: Word = ""


class _Rested(msgspec.Struct):
    """What is read of the row that put a game away, or of its first; those of earlier versions do not say all of it."""

    seats: list[_Sat] = []
    moves: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None

    @property
    def sitters(self) -> tuple[Sitter, ...]:
        """Who sat there."""
        return tuple(Sitter(name=clean(one.name), colour=one.colour) for one in self.seats[:8])


def _rested(row: Row) -> _Rested:
    """A row is a stranger's: one that says something else says nothing."""
    try:
        return msgspec.convert(row.body, _Rested)
    except msgspec.ValidationError:
        return _Rested()


def unfinished(journal: Journal, packs: Mapping[str, Game]) -> Iterator[tuple[Row, Row]]:
    """Games that can be gone on with, newest first: their first row and their last. One that nobody closed counts
    too: where an earlier version lost power while another game was begun, it would never be heard of again."""
    for first, end in journal.games():
        if str(first.body.get("pack")) in packs and not (end and (end.body.get("over") or end.body.get("discarded"))):
            rows = [end] if end else journal.rows(first.game)[-1:]
            yield from ((first, row) for row in rows)
