"""A bot's throw in the closed loop: virtual hands put dice aside, pick the others up and let them fall."""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion.game import Game
from companion.virtual.gathering import Gathering
from companion.virtual.result import Result
from companion.virtual.tray import Tray


class Throwing:
    """The tray of one demo. The core hears nothing of it but what the camera sees."""

    def __init__(self, pack: Game, people: Gathering, result: Result) -> None:
        self.pack, self.people, self.result = pack, people, result
        self.tray = Tray(people.pieces, people.pieces.chance)
        self.watched = bool(self.tray.areas) and people.config.camera.source != "none"

    def due(self, truth: Any, move: Any, after: Any) -> bool:
        """The camera sees this in the tray: dice are thrown, or put aside to throw the others."""
        if not self.watched:
            return False
        if self._thrown(truth, move):
            return True
        aside = self.pack.toss(after)
        return aside is not None and aside.dice < len(self.tray.all) and not self.tray.arranged(aside)

    def _thrown(self, truth: Any, move: Any) -> bool:
        return self.pack.toss(truth) is not None and self.pack.encode(move).get("kind") == "throw"

    def carry_out(self, truth: Any, move: Any, after: Any) -> float:
        """Hands do it; returns when everything lay still."""
        toss = self.pack.toss(truth)
        if toss is None or not self._thrown(truth, move):
            aside = self.pack.toss(after)
            assert aside is not None
            return self.people.put_aside(self.tray, aside)
        dice = Counter(self.pack.encode(move)["dice"])
        if dice.total() > toss.dice:  # the move names those that stayed as well
            dice -= Counter(face for faces in toss.lying.values() for face in faces)
        self.result.throws += 1
        return self.people.throw(self.tray, toss, tuple(dice.elements()))
