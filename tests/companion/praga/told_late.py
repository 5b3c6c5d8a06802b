"""A recorded game entered again, with the action of every tenth turn missing and told in its owner's next turn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.game import RuleBroken
from companion.games.praga import pack
from companion.games.praga.state import PragaState

Move = dict[str, Any]
GAMES = Path(__file__).parents[2] / "games" / "praga"
OF_THE_ACTION = ("begin", "act", "note", "land", "complete")
"""What tells an action and what it brought."""
ANSWERS = ("reward", "token", "learn", "final", "good", "windows")
"""What answers a question; where the action that asks it is told late, so is the answer."""


def turns_of(options: Any, box: Any, lines: list[Any]) -> list[tuple[int, list[Move]]]:
    """The recorded moves of each turn with its seat; what follows the last turn stands by itself."""
    state, found, turn = pack.new(options, box), list[tuple[int, list[Move]]](), list[Move]()
    for line in lines:
        seat, now = state.active, state.turn
        state = pack.play(state, pack.decode(line["move"])).state
        turn.append(line["move"])
        if state.turn > now:
            found.append((seat, turn))
            turn = []
    return [*found, (-1, turn)]


class Late:
    """Enters a game turn by turn; of a turn that is put off, what can be told without its action is told at once."""

    def __init__(self, name: str) -> None:
        head, *lines, last = map(json.loads, (GAMES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
        self.turns = turns_of(head["options"], head["box"], lines)
        self.state: PragaState = pack.new(head["options"], head["box"])
        self.wanted = [player["total"] for player in last["tally"]["players"]]
        self.waiting: dict[int, list[Move]] = {}
        self.told_late = 0

    def totals(self, start: int, every: int = 10) -> list[int]:
        """Everybody's total where every tenth turn with an action, from `start` on, was told late."""
        acted = 0
        for number, (seat, turn) in enumerate(self.turns):
            for move in self.waiting.pop(seat, ()):
                self._enter(move)
            own = any(move["kind"] == "act" for move in turn)
            acted += own
            again = any(seat == later for later, _ in self.turns[number + 1 :])
            if own and again and acted % every == start % every:
                self._put_off(seat, turn)
            else:
                for move in turn:
                    self._enter_or_wait(move)
        return [player.total for player in pack.tally(self.state).players]

    def _enter_or_wait(self, move: Move) -> None:
        """An answer nobody has asked for yet waits with the action that was put off last."""
        if not self.waiting or move["kind"] not in ANSWERS:
            self._enter(move)
        elif not self._enters(move):
            self.waiting[list(self.waiting)[-1]].append(move)

    def _put_off(self, seat: int, turn: list[Move]) -> None:
        """The wheel turns before anybody tells the action: it and what rests on it wait."""
        late: list[Move] = []
        for move in turn:
            if move["kind"] == "turn":
                continue
            if move["kind"] in OF_THE_ACTION or not self._enters(move):
                late.append(move)
        self._enter({"kind": "turn"})
        self._enter({"kind": "later"})
        which = len(self.state.boards[seat].missed) - 1
        self.waiting[seat] = [{"kind": "recall", "which": which}, *late]
        self.told_late += 1

    def _enters(self, move: Move) -> bool:
        try:
            self._enter(move)
        except RuleBroken:
            return False
        return True

    def _enter(self, move: Move) -> None:
        self.state = pack.play(self.state, pack.decode(move)).state
