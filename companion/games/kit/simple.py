"""A base for small games: say what a state is, which moves there are and what they do; the rest follows.

The state has `names`, `turn` and `points`; moves are `msgspec` structs with a `seat`. Words are looked up under the game's id:
`<id>/title`, `<id>/ask`, `<id>/choice/<kind>` with the move's fields, `<id>/points`, `<id>/over`, `<id>/not-now`, `<id>/wait`.
Whatever does not fit is overridden like any hook of `companion.game.Game`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import msgspec

from companion.game import (
    Ask,
    Choice,
    Event,
    Game,
    Outcome,
    Player,
    PlayerTally,
    RuleBroken,
    Tally,
    TallyLine,
    Text,
    View,
    seat_name,
)


class Simple(Game):
    """A game whose players take turns, whose moves can all be listed, and whose most points win."""

    move_type: Any
    """The struct of a move, or a union of them."""
    secrets = False

    @abstractmethod
    def apply(self, state: Any, move: Any) -> Any:
        """The state after a legal move."""

    def title(self) -> Text:
        """`<id>/title`."""
        return Text(f"{self.id}/title")

    def decode(self, move: Mapping[str, Any]) -> Any:
        """Strictly, as the struct says."""
        return msgspec.convert(dict(move), self.move_type)

    def describe(self, move: Any) -> Text | None:
        """`<id>/choice/<kind>`, with the move's numbers and words."""
        plain = self.encode(move)
        said = {key: value for key, value in plain.items() if isinstance(value, (int, str)) and key != "kind"}
        return Text(
            f"{self.id}/choice/{plain.get('kind', 'move')}", {**said, "name": seat_name(plain.get("seat") or 0)}
        )

    def ask(self, state: Any) -> Ask:
        """`<id>/ask`, and a choice for every move."""
        if self.over(state):
            return Ask(None, Text(f"{self.id}/over"), phase="over")
        moves = self.moves(state)
        choices = tuple(
            Choice(f"{i}", self.describe(move) or Text(self.id), self.encode(move)) for i, move in enumerate(moves)
        )
        return Ask(state.turn, Text(f"{self.id}/ask", {"name": seat_name(state.turn)}), choices)

    def play(self, state: Any, move: Any) -> Outcome:
        """Apply a move that is among the legal ones; refuse any other."""
        if move not in self.moves(state):
            wait = Text(f"{self.id}/wait", {"name": seat_name(state.turn)})
            raise RuleBroken(f"{self.id}/not-now", Text(f"{self.id}/not-now"), wait)
        return Outcome(self.apply(state, move), (Event("moved", move.seat, self.describe(move)),))

    def over(self, state: Any) -> bool:
        """No move is left."""
        return not self.moves(state)

    def view(self, state: Any, seat: int | None) -> View:
        """Everybody's points."""
        players = tuple(Player(seat=i, name=name, points=state.points[i]) for i, name in enumerate(state.names))
        return View(players=players, turn=state.turn)

    def lines(self, state: Any, seat: int) -> tuple[TallyLine, ...]:
        """What a player's points come from."""
        return (TallyLine("points", Text(f"{self.id}/points"), state.points[seat]),)

    def tally(self, state: Any) -> Tally:
        """Everybody's lines; the most points win."""
        players = tuple(
            PlayerTally(seat, name, state.points[seat], self.lines(state, seat))
            for seat, name in enumerate(state.names)
        )
        return Tally(players, tuple(i for i, points in enumerate(state.points) if points == max(state.points)))
