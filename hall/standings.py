"""Who stands where in an event: points of the tables, and what decides between equals.

Pure. A table gives every player the share of the others they beat (a tie is half), so that tables of two, three and four
weigh the same: first 12, last 0, in twelfths of a table won, and a bye is a table won. Between equals decide, in this order:
tables won, what the people met have themselves (their average), the share of the games' own points; then the place is shared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction

import msgspec

from companion.wire.hall import PlayerResult, Result
from hall.event import Entered, Event, Placing, Round
from hall.store import Held

WHOLE = 12
"""A table won; its halves, thirds and halves of thirds are whole numbers."""


class Standing(msgspec.Struct, frozen=True):
    """One line of the standings."""

    place: int
    name: str
    points: int
    """In twelfths of a table."""
    tables: int
    """Played to their end."""
    won: int
    met: Fraction
    """Points of the people met, on average."""
    share: Fraction
    """Of the points made at one's tables."""
    away: bool = False


def of_table(result: Result) -> dict[str, int]:
    """Twelfths of a table for each player, by name."""
    others = len(result.players) - 1
    points: dict[str, int] = {}
    for one in result.players:
        beaten = Fraction(0)
        for other in result.players:
            if other.seat == one.seat:
                continue
            # who won is the table's word: the game's own tie-breaks are in it
            better, worse = (one.won, one.points), (other.won, other.points)
            if not result.highest_wins:
                better, worse = (one.won, -one.points), (other.won, -other.points)
            beaten += 1 if better > worse else Fraction(1, 2) if better == worse else 0
        points[one.name] = int(beaten * WHOLE / others) if others else WHOLE
    return points


def results_of(event: Event, held: Iterable[Held]) -> dict[tuple[int, str], Held]:
    """Which result belongs to which table of which round: the first one of these very people that ended after it was paired."""
    found: dict[tuple[int, str], Held] = {}
    used: set[tuple[str, str]] = set()
    ordered = sorted((one for one in held if one.result.stands), key=lambda one: one.result.ended)
    for played in event.rounds:
        for placing in played.placings:
            for one in ordered:
                key = (one.table, one.result.game_id)
                if key not in used and _fits(one, placing, played, event):
                    found[played.number, placing.table] = one
                    used.add(key)
                    break
            if placing.entered is not None:
                known = found.get((played.number, placing.table))
                found[played.number, placing.table] = _entered(event, played, placing, placing.entered, known)
    return found


def with_entered(events: Iterable[Event], held: Iterable[Held]) -> list[Held]:
    """Every result there is: what tables told, and what an organiser entered instead of it or because no table could tell."""
    found = {(one.table, one.result.game_id): one for one in held}
    for event in events:
        for one in results_of(event, list(found.values())).values():
            found[one.table, one.result.game_id] = one
    return sorted(found.values(), key=lambda one: (one.result.ended, one.result.game_id))


def best_points(points: Iterable[float], highest_wins: bool) -> float:
    """What wins."""
    return max(points) if highest_wins else min(points)


def _entered(event: Event, played: Round, placing: Placing, word: Entered, told: Held | None) -> Held:
    """The organiser's word, on what the table told if it has."""
    highest = told.result.highest_wins if told is not None else True
    best = best_points(word.points, highest)
    players = tuple(
        PlayerResult(seat=seat, name=name, points=points, won=points == best)
        for seat, (name, points) in enumerate(zip(placing.players, word.points, strict=True))
    )
    result = Result(
        game=played.game or event.game,
        game_id=told.result.game_id if told is not None else f"entered-{event.id}-{played.number}"[:80],
        seq=told.result.seq if told is not None else 0,
        began=told.result.began if told is not None else played.began or played.made,
        ended=told.result.ended if told is not None else word.at,
        players=players,
        highest_wins=highest,
    )
    return Held(
        placing.table, result, True, told.received if told is not None else datetime.fromtimestamp(word.at, UTC)
    )


def _fits(held: Held, placing: Placing, played: Round, event: Event) -> bool:
    result = held.result
    return (
        held.table == placing.table
        and result.game == (played.game or event.game)
        and result.ended >= played.made
        and sorted(player.name for player in result.players) == sorted(placing.players)
    )


def standings(event: Event, held: Iterable[Held]) -> list[Standing]:
    """From first to last; who left stays where they stand."""
    results = results_of(event, held)
    points: dict[str, int] = {entrant.name: 0 for entrant in event.entrants}
    tables, won = dict.fromkeys(points, 0), dict.fromkeys(points, 0)
    met: dict[str, list[str]] = {name: [] for name in points}
    shares: dict[str, list[Fraction]] = {name: [] for name in points}
    for one in results.values():
        total = sum(Fraction(max(player.points, 0)) for player in one.result.players)
        given = of_table(one.result)
        for player in one.result.players:
            if player.name not in points:
                continue
            points[player.name] += given[player.name]
            tables[player.name] += 1
            won[player.name] += given[player.name] == WHOLE
            met[player.name] += [other.name for other in one.result.players if other.seat != player.seat]
            shares[player.name].append(Fraction(max(player.points, 0)) / total if total else Fraction(0))
    for played in event.rounds:
        for name in played.byes:
            if name in points:
                points[name] += WHOLE
    return _ranked(event, points, tables, won, met, shares)


def _ranked(
    event: Event,
    points: Mapping[str, int],
    tables: Mapping[str, int],
    won: Mapping[str, int],
    met: Mapping[str, Sequence[str]],
    shares: Mapping[str, Sequence[Fraction]],
) -> list[Standing]:
    lines = []
    for entrant in event.entrants:
        name = entrant.name
        strength = Fraction(sum(points.get(other, 0) for other in met[name]), len(met[name]) or 1)
        share = Fraction(sum(shares[name]), len(shares[name]) or 1)
        lines.append(Standing(0, name, points[name], tables[name], won[name], strength, share, entrant.away))

    def worth(line: Standing) -> tuple[int, int, Fraction, Fraction]:
        return line.points, line.won, line.met, line.share

    lines.sort(key=lambda line: line.name.casefold())
    lines.sort(key=worth, reverse=True)
    ranked: list[Standing] = []
    for number, line in enumerate(lines):
        shared = ranked and worth(ranked[-1]) == worth(line)
        ranked.append(msgspec.structs.replace(line, place=ranked[-1].place if shared else number + 1))
    return ranked
