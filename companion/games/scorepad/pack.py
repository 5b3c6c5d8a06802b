"""The score pad's rules: who has how many points, why, and who wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

import msgspec

from companion.game import (
    Ask,
    Choice,
    Event,
    Field,
    Form,
    Game,
    Option,
    Outcome,
    PlayerTally,
    Tally,
    TallyLine,
    Text,
    seat_name,
)
from companion.games.kit.documents import decoded
from companion.games.kit.refusals import refusal
from companion.games.scorepad.pad import LARGEST_SCORE, Add, Correct, Document, End, Move, NextRound, PadState, Score
from companion.panels import Cell, Clock, Column, Panel, Row, Table
from companion.shown.scorepad import Entry, PadPlayer, PadView
from companion.wire.names import TITLE, clean

ROUNDS = 12
"""Rounds on the sheet: the last ones are looked at."""


class ScorePad(Game):
    """The pack."""

    id = "scorepad"
    players = (1, 8)
    secrets = False
    robots = False
    view_type = PadView

    def title(self) -> Text:
        """The game's name."""
        return Text("scorepad/title")

    def options(self) -> tuple[Field, ...]:
        """Rounds, categories, who wins."""
        ways = (Option("high", Text("scorepad/option/high")), Option("low", Text("scorepad/option/low")))
        ties = (
            Option("shared", Text("scorepad/option/shared")),
            Option("last", Text("scorepad/option/last")),
            Option("first", Text("scorepad/option/first")),
        )
        return (
            Field(TITLE, Text("scorepad/option/title"), "words", ""),
            Field(
                "rounds", Text("scorepad/option/rounds"), "number", 0, 0, 99, help=Text("scorepad/option/rounds-help")
            ),
            Field("wins", Text("scorepad/option/wins"), "pick", "high", options=ways),
            Field("tie_break", Text("scorepad/option/tie-break"), "pick", "shared", options=ties),
            Field("categories", Text("scorepad/option/categories"), "list", ()),
            Field(
                "target",
                Text("scorepad/option/target"),
                "number",
                0,
                0,
                LARGEST_SCORE,
                help=Text("scorepad/option/target-help"),
            ),
        )

    def new(self, options: Mapping[str, Any], box: Mapping[str, Any]) -> PadState:
        """An empty pad."""
        names = tuple(str(name) for name in options["names"])
        if not 1 <= len(names) <= 8:
            raise ValueError(f"names: the pad is for 1 to 8 players, not {len(names)}")
        rounds = int(options.get("rounds") or 0)
        if not 0 <= rounds <= 99:
            raise ValueError("rounds: 0 (free) to 99")
        given = options.get("categories") or ""
        listed = given.split(",") if isinstance(given, str) else [str(item) for item in given]
        categories = tuple(dict.fromkeys(word.strip()[:60] for word in listed if word.strip()))[:20]
        tie = str(options.get("tie_break") or "shared")
        if tie not in ("shared", "last", "first") and tie not in categories:
            raise ValueError("tie_break: shared, last, first or one of the categories")
        target = options.get("target") or 0
        if isinstance(target, bool) or not isinstance(target, int) or not 0 <= target <= LARGEST_SCORE:
            raise ValueError(f"target: 0 (none) to {LARGEST_SCORE}")
        title = clean(str(options.get(TITLE) or ""))
        return PadState(names, rounds, categories, options.get("wins") == "low", tie, title=title, target=target)

    def decode(self, move: Mapping[str, Any]) -> Move:
        """A typed move."""
        typed: Move = msgspec.convert(dict(move), Move)
        return typed

    def owner(self, state: PadState, move: Move) -> int | None:
        """A line is its player's, whoever wrote it; a whole round is the table's, entered by whoever keeps the pad."""
        if isinstance(move, Correct):
            return state.entries[move.entry].seat if 0 <= move.entry < len(state.entries) else move.seat
        return move.seat

    def ask(self, state: PadState) -> Ask:
        """Enter points, or go on."""
        if state.ended:
            return Ask(None, Text("scorepad/over"), phase="over")
        fields = [
            Field(f"p{seat}", seat_name(seat), "number", 0, -LARGEST_SCORE, LARGEST_SCORE, seat=seat)
            for seat in range(len(state.names))
        ]
        if state.categories:
            picks = tuple(Option(word, Text("scorepad/word", {"word": word})) for word in state.categories)
            fields.append(
                Field("category", Text("scorepad/field/category"), "pick", state.categories[0], options=picks)
            )
        key = "scorepad/ask/full" if state.full else "scorepad/ask/round" if state.rounds else "scorepad/ask/free"
        form = Form(tuple(fields), {"kind": "score"}, Text("scorepad/choice/score"), apart=True)
        there = tuple(seat_name(seat) for seat in state.there())
        choices = [Choice("end", Text("scorepad/choice/end"), {"kind": "end"}, confirm=not there)]
        written = state.written_in_round()
        missing = tuple(seat_name(seat) for seat in range(len(state.names)) if seat not in written)
        if state.rounds and state.round < state.rounds:
            choices.insert(0, Choice("next", Text("scorepad/choice/next"), {"kind": "next"}))
        text = Text(key, {"round": state.round, "rounds": state.rounds})
        return Ask(
            None,
            Text("scorepad/ask/there", {"seats": there, "n": state.target}) if there else text,
            tuple(choices),
            help=None if state.full else Text("scorepad/ask/help"),
            form=None if state.full else form,
            reminders=(Text("scorepad/missing", {"names": missing}),) if state.rounds and written and missing else (),
            phase="score",
        )

    def moves(self, state: PadState) -> Sequence[Move]:
        """A few moves to try; any number of points is legal."""
        if state.ended:
            return ()
        seats = range(0 if state.full else len(state.names))
        more: list[Move] = [Add(seat, points) for seat in seats for points in (1, 5, -2)]
        if state.rounds and state.round < state.rounds:
            more.append(NextRound())
        return [*more, End()]

    def play(self, state: PadState, move: Move) -> Outcome:
        """Write it on the pad."""
        if state.ended and not isinstance(move, Correct):
            raise refusal("scorepad", "over", "undo")
        if state.full and isinstance(move, Add | Score):
            raise refusal("scorepad", "full", "full")
        match move:
            case Add():
                return self._add(state, (self._entry(state, move.seat, move.points, move.category, move.reason),))
            case Score():
                return self._score(state, move)
            case NextRound():
                if not state.rounds or state.round >= state.rounds:
                    raise refusal("scorepad", "no-round", "end")
                return self._next(state)
            case End():
                return Outcome(msgspec.structs.replace(state, ended=True), (Event("over"),))
            case Correct():
                return self._correct(state, move)

    def _entry(self, state: PadState, seat: int, points: int, category: str, reason: str) -> Entry:
        if not 0 <= seat < len(state.names):
            raise refusal("scorepad", "no-seat", "seat", n=len(state.names))
        if category and category not in state.categories:
            raise refusal("scorepad", "no-category", "category", category=category)
        return Entry(seat, points, state.round, category, reason)

    def _add(self, state: PadState, entries: tuple[Entry, ...]) -> Outcome:
        events = tuple(
            Event(
                "points",
                e.seat,
                Text("scorepad/event/points", {"name": seat_name(e.seat), "n": e.points}),
                {"points": e.points},
            )
            for e in entries
        )
        return Outcome(state.written(entries), events)

    def _score(self, state: PadState, move: Score) -> Outcome:
        values = dict(move.values)
        category, reason = str(values.pop("category", "")), str(values.pop("reason", ""))
        seats = {f"p{seat}": seat for seat in range(len(state.names))}
        entries = []
        for key, points in values.items():
            if key not in seats or not isinstance(points, int):
                raise refusal("scorepad", "no-seat", "seat", n=len(state.names))
            if points or state.rounds:
                entries.append(self._entry(state, seats[key], points, category, reason))
        outcome = self._add(state, tuple(entries))
        whole_round = state.rounds and state.round < state.rounds and not state.categories
        now = outcome.state.written_in_round() if move.apart else {entry.seat for entry in entries}
        if whole_round and now == set(range(len(state.names))):
            following = self._next(outcome.state)
            return Outcome(following.state, outcome.events + following.events)
        return outcome

    def _next(self, state: PadState) -> Outcome:
        event = Event("round", None, Text("scorepad/event/round", {"round": state.round + 1}))
        return Outcome(msgspec.structs.replace(state, round=state.round + 1), (event,))

    def _correct(self, state: PadState, move: Correct) -> Outcome:
        if not 0 <= move.entry < len(state.entries):
            raise refusal("scorepad", "no-entry", "entry", n=len(state.entries))
        lines = list(state.entries)
        old = lines[move.entry]
        lines[move.entry] = msgspec.structs.replace(old, points=move.points)
        changed: dict[str, int | str | Text | tuple[Text, ...]] = {"seat": seat_name(old.seat), "was": old.points}
        event = Event("corrected", old.seat, Text("scorepad/event/corrected", {**changed, "now": move.points}))
        return Outcome(msgspec.structs.replace(state, pages=(tuple(lines),)), (event,))

    def view(self, state: PadState, seat: int | None) -> PadView:
        """Everything: a pad has no secrets."""
        entries = state.entries
        last = max((entry.round for entry in entries), default=1)
        by_round = [[0] * last for _ in state.names]
        for entry in entries:
            by_round[entry.seat][entry.round - 1] += entry.points
        return PadView(
            players=tuple(
                PadPlayer(seat=s, name=name, points=sum(by_round[s]), rounds=tuple(by_round[s]))
                for s, name in enumerate(state.names)
            ),
            round=state.round,
            rounds=state.rounds or None,
            title=state.title,
            target=state.target,
            entries=entries[-200:],
            chart=tuple(tuple(accumulate(row)) for row in by_round),
        )

    def panels(self, state: PadState, seat: int | None) -> tuple[Panel, ...]:
        """The sheet: a column for each player, a row for each round or category, the totals below."""
        columns = tuple(Column(seat=one) for one in range(len(state.names)))
        keys = [f"category/{word}" for word in state.categories]
        if state.rounds:
            keys = [f"round/{number}" for number in range(max(1, state.round - ROUNDS + 1), state.round + 1)]
        lines = [
            {line.id: line.points for line in self._player(state, one, name).lines}
            for one, name in enumerate(state.names)
        ]
        rows = tuple(
            Row(_line(key, []).text, tuple(Cell(line.get(key)) for line in lines)) for key in keys or ["points"]
        )
        totals = tuple(Cell(state.total(one)) for one in range(len(state.names)))
        sheet = Table(columns, (*rows, Row(Text("scorepad/panel/total"), totals, strong=True)))
        if not state.rounds:
            return (sheet,)
        turn = Text("scorepad/panel/round", {"round": state.round, "rounds": state.rounds})
        return Clock(state.round - 1, state.rounds, turn), sheet

    def over(self, state: PadState) -> bool:
        """Somebody said so."""
        return state.ended

    def tally(self, state: PadState) -> Tally:
        """One line per category (or round, or reason) and player."""
        players = tuple(self._player(state, seat, name) for seat, name in enumerate(state.names))
        return _with_winners(players, state.lowest_wins, lambda seat: self._tie_value(state, seat), state.tie_break)

    def statistics(self, state: PadState) -> dict[str, Any]:
        """Points per round and source, for charts and export."""
        shown = self.view(state, None).players
        sources = [{line.id: line.points for line in player.lines} for player in self.tally(state).players]
        players = [
            {"seat": one.seat, "name": one.name, "rounds": list(one.rounds), "sources": sources[one.seat]}
            for one in shown
        ]
        return {"rounds": max(len(one.rounds) for one in shown), "players": players}

    def _tie_value(self, state: PadState, seat: int) -> int:
        if state.tie_break in ("last", "first"):
            played = {entry.round for entry in state.entries}
            wanted = (max(played) if state.tie_break == "last" else min(played)) if played else 0
            return sum(e.points for e in state.entries if e.seat == seat and e.round == wanted)
        return sum(e.points for e in state.entries if e.seat == seat and e.category == state.tie_break)

    def _player(self, state: PadState, seat: int, name: str) -> PlayerTally:
        """As the pad stands: categories in the order they were named in, whoever wrote into which first."""
        lines: dict[str, list[Entry]] = {f"category/{word}": [] for word in state.categories}
        for entry in state.entries:
            if entry.seat == seat:
                key = f"category/{entry.category}" if entry.category else f"round/{entry.round}"
                lines.setdefault(key if entry.category or state.rounds else "points", []).append(entry)
        written = tuple(_line(key, entries) for key, entries in lines.items() if entries)
        return PlayerTally(seat, name, state.total(seat), written)

    def score(self, document: Mapping[str, Any], box: Mapping[str, Any]) -> Tally:
        """Score a pad given as points per category."""
        given = decoded(document, Document)
        names = [player.name for player in given.players]
        if len(set(names)) != len(names):
            raise ValueError("players: two players have the same name")
        players = tuple(
            PlayerTally(
                seat,
                player.name,
                sum(player.points.values()),
                tuple(
                    TallyLine(f"category/{word}", Text("scorepad/word", {"word": word}), points)
                    for word, points in player.points.items()
                ),
            )
            for seat, player in enumerate(given.players)
        )
        return _with_winners(
            players, given.lowest_wins, lambda seat: given.players[seat].points.get(given.tie_break, 0), given.tie_break
        )

    def example(self) -> dict[str, Any]:
        """A filled pad."""
        return {
            "game": "scorepad",
            "players": [
                {"name": "Ada", "points": {"farms": 12, "roads": 7}},
                {"name": "Ben", "points": {"farms": 9, "roads": 11}},
            ],
        }

    def schema(self) -> dict[str, Any]:
        """Its JSON Schema."""
        return msgspec.json.schema(Document)


def _line(key: str, entries: list[Entry]) -> TallyLine:
    kind, _, word = key.partition("/")
    text = {
        "category": Text("scorepad/word", {"word": word}),
        "round": Text("scorepad/line/round", {"round": word}),
        "points": Text("scorepad/line/points"),
    }[kind]
    reasons = tuple(
        Text("scorepad/line/part", {"points": e.points, "reason": e.reason}) for e in entries[:20] if e.reason
    )
    reason = Text("scorepad/line/reasons", {"parts": reasons}) if reasons else None
    return TallyLine(key, text, sum(entry.points for entry in entries), reason)


def _with_winners(players: tuple[PlayerTally, ...], lowest: bool, tie_value: Any, tie_break: str) -> Tally:
    """Best total wins; then the tie-break, in the same direction; then the victory is shared."""
    best = (min if lowest else max)(player.total for player in players)
    leaders = [player.seat for player in players if player.total == best]
    if len(leaders) == 1 or tie_break in ("", "shared"):
        shared = Text("scorepad/tie/shared") if len(leaders) > 1 else None
        return Tally(players, tuple(leaders), shared)
    best_tie = (min if lowest else max)(tie_value(seat) for seat in leaders)
    winners = tuple(seat for seat in leaders if tie_value(seat) == best_tie)
    key = "scorepad/tie/shared" if len(winners) > 1 else "scorepad/tie/broken"
    word = Text(f"scorepad/option/{tie_break}") if tie_break in ("last", "first") else tie_break
    return Tally(players, winners, Text(key, {"by": word}))
