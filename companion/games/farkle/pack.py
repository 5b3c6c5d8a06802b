"""Farkle through the hooks all games have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.game import Ask, Choice, Field, Option, Outcome, TallyLine, Text, seat_name
from companion.games.farkle.rules import DICE, Bank, FarkleState, Keep, Move, Throw, advise, best, scoring, worth
from companion.games.kit.dice import DiceGame, Faces, falls, said, shown, without
from companion.panels import Dice, Figure, Figures, Marker, Panel, Track
from companion.sensing import Reading, Toss

TARGETS = (10_000, 5_000)


class Farkle(DiceGame):
    """The pack."""

    id, dice, move_type = "farkle", DICE, Move

    def options(self) -> tuple[Field, ...]:
        """How far the game goes."""
        ways = tuple(Option(points, Text("farkle/points", {"n": points})) for points in TARGETS)
        return (Field("target", Text("farkle/option/target"), "pick", TARGETS[0], options=ways),)

    def new(self, options: Mapping[str, Any], box: Mapping[str, Any]) -> FarkleState:
        """Nobody has a point."""
        names, first = self.seated(options)
        target = options.get("target") or TARGETS[0]
        if target not in TARGETS:
            raise ValueError(f"target: one of {TARGETS}")
        return FarkleState(names, (0,) * len(names), int(target), first)

    def ask(self, state: FarkleState) -> Ask:
        """Throw; then put aside and throw on, or bank."""
        if self.over(state):
            return Ask(None, Text("farkle/over"), phase="over")
        seat, pot = state.turn, worth(state, state.kept) if state.dice else 0
        key = "first" if not state.dice else "again" if state.kept else "keep"
        choices = []
        if state.dice:
            bank = Text("farkle/choice/bank", {"n": pot})
            choices.append(Choice("bank", bank, {"kind": "bank", "seat": seat}, primary=True))
        for kept, points in scoring(state.dice).items() if key == "keep" else ():
            move, note = Keep(seat, kept), Text("farkle/points", {"n": points})
            name = "keep-" + "".join(map(str, kept))
            choices.append(Choice(name, Text("farkle/say/keep", {"dice": said(kept)}), self.encode(move), note=note))
        return Ask(
            seat,
            Text(f"farkle/ask/{key}", {"name": seat_name(seat), "n": pot}),
            tuple(choices),
            help=Text(f"farkle/help/{key}", {"n": state.left}),
            form=self.by_hand(seat, (1,) * state.left) if key != "keep" else None,
            phase=key,
        )

    def moves(self, state: FarkleState) -> Sequence[Move]:
        """Bank, what counts put aside, and every way the dice can fall."""
        if self.over(state):
            return []
        seat = state.turn
        found: list[Move] = [Bank(seat)] if state.dice else []
        if state.dice and not state.kept:
            return [*found, *(Keep(seat, kept) for kept in scoring(state.dice))]
        return [*found, *(Throw(seat, dice) for dice in falls(state.left))]

    def carry_out(self, state: FarkleState, move: Move) -> Outcome:
        """Throw, put aside, bank."""
        if isinstance(move, Bank):
            if not state.dice:
                raise self.refused("no-dice")
            return self._next(state, worth(state, state.kept), "banked")
        aside = tuple(sorted(move.dice if isinstance(move, Keep) else move.kept))
        if aside or isinstance(move, Keep):
            if aside not in scoring(state.dice):
                raise self.refused("counts-nothing")
            state = replace(state, kept=aside)
        if isinstance(move, Keep):
            return Outcome(state)
        if state.dice and not state.kept:
            raise self.refused("keep-first")
        dice = tuple(sorted(move.dice))
        if len(dice) != state.left:
            raise self.refused("count")
        if best(dice) == 0:
            return self._next(state, 0, "farkle")
        pot = worth(state, state.kept) if state.dice else 0
        after = replace(state, pot=pot, dice=dice, kept=(), aside=state.lying)
        return Outcome(after, self.told(state, "threw", dice=said(dice)))

    def _next(self, state: FarkleState, points: int, what: str) -> Outcome:
        totals = tuple(had + points * (seat == state.turn) for seat, had in enumerate(state.points))
        last = state.turn if state.last is None and totals[state.turn] >= state.target else state.last
        after = FarkleState(state.names, totals, state.target, (state.turn + 1) % len(totals), last=last)
        return Outcome(after, self.told(state, what, n=points))

    def advise(self, state: FarkleState) -> Move | None:
        """One throw ahead; `None`: throw."""
        return None if self.over(state) else advise(state)

    def toss(self, state: FarkleState) -> Toss | None:
        """All six at first, then those that were not put aside."""
        due = not self.over(state) and (not state.dice or state.kept)
        return Toss(state.left, "tray", {"aside": state.lying}) if due else None

    def lying(self, state: FarkleState) -> Faces:
        """The last throw, and what was put aside before it."""
        return tuple(sorted(state.aside + state.dice))

    def seen(self, state: FarkleState, reading: Reading) -> Move | None:
        """Dice put into the strip are put aside; all six on the mat after some were picked up are a throw."""
        if self.over(state):
            return None
        lying, aside = self.counted(reading), reading.dice["aside"]
        fresh = without(aside, state.aside) if state.dice else ()
        if reading.lifted or (reading.changed and len(lying) == DICE):
            if not state.dice or (not state.lying and state.kept):
                return Throw(state.turn, lying)
            thrown = without(lying, aside)
            if without(state.aside, aside) or len(thrown) + len(aside) != DICE or not fresh:
                return None
            return Throw(state.turn, thrown, () if fresh == state.kept else fresh)
        if not fresh or fresh == state.kept or without(fresh, state.dice):
            return None
        if fresh not in scoring(state.dice):
            raise self.refused("counts-nothing")
        return Keep(state.turn, fresh)

    def panels(self, state: FarkleState, seat: int | None) -> tuple[Panel, ...]:
        """The dice with what they count, the turn so far, and how far everybody is."""
        loose = without(state.dice, state.kept) if state.dice else (0,) * DICE
        dice = shown((*state.aside, *state.kept), (0,) * len(loose) if state.kept else loose)
        most = best(state.dice) if state.dice and not state.kept else 0
        note = Text("farkle/note/best", {"n": most}) if most else None
        pot = worth(state, state.kept) if state.dice else 0
        turn = Figure(Text("farkle/figure/turn"), pot, state.turn)
        figures = Figures((turn, Figure(Text("farkle/figure/target"), state.target)))
        markers = tuple(Marker(total, one) for one, total in enumerate(state.points))
        return Dice(tuple(dice), note=note), figures, Track(0, state.target, markers)

    def over(self, state: FarkleState) -> bool:
        """Somebody reached the target, and everybody else has had one more turn."""
        return state.last is not None and state.turn == state.last

    def lines(self, state: FarkleState, seat: int) -> tuple[TallyLine, ...]:
        """What was banked."""
        return (TallyLine("banked", Text("farkle/banked"), state.points[seat]),)
