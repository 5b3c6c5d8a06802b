"""Two brokers, one story: every table's word comes twice, from one broker a little later, or from one alone. Pure.

What one broker says of a table comes in order. Of two scores the later by the table's clock is shown; of a room's health the one
that came last, because a last will has no clock. A table is here while either broker has its bridge.
"""

from __future__ import annotations

from companion.wire.hall import Result, TableScore
from companion.wire.messages import Health
from hall.messages import Said


class Merged:
    """What the tables say, each change once."""

    def __init__(self) -> None:
        self._scores: dict[str, dict[int, TableScore]] = {}
        """Table -> broker -> its last word."""
        self._here: dict[str, set[int]] = {}
        self._shown: dict[tuple[str, str], object] = {}

    def hear(self, broker: int, said: Said) -> list[Said]:
        """What is news in it."""
        message, table = said.message, said.table
        if said.what == "result":
            return [said] if isinstance(message, Result) else []
        if said.what == "here":
            present = self._here.setdefault(table, set())
            (present.add if message else present.discard)(broker)
            news = self._news(table, "here", bool(present))
            return news + (self._score(table, broker, None) if not message else [])
        if said.what == "score":
            return self._score(table, broker, message if isinstance(message, TableScore) else None)
        return self._news(table, f"health/{message.room}", message) if isinstance(message, Health) else []

    def lost(self, broker: int) -> list[Said]:
        """The line to a broker is gone: what it said is no longer known to be so."""
        news: list[Said] = []
        for table, present in self._here.items():
            present.discard(broker)
            news += self._news(table, "here", bool(present))
        for scores in self._scores.values():
            scores.pop(broker, None)
        return news

    def forget(self, table: str) -> None:
        """It may not come any more."""
        self._scores.pop(table, None)
        self._here.pop(table, None)
        for known in [known for known in self._shown if known[0] == table]:
            del self._shown[known]

    def _score(self, table: str, broker: int, score: TableScore | None) -> list[Said]:
        scores = self._scores.setdefault(table, {})
        if score is None:
            scores.pop(broker, None)
        else:
            scores[broker] = score
        best = max(scores.values(), key=lambda one: one.ts, default=None)
        # a table that is gone was last seen so: its score stays on the screen, beside the word that it is away
        return [] if best is None else self._news(table, "score", best)

    def _news(self, table: str, what: str, message: TableScore | Health | bool) -> list[Said]:
        if self._shown.get((table, what)) == message:
            return []
        self._shown[table, what] = message
        return [Said(table, what.partition("/")[0], message)]
