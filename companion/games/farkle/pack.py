"""Farkle through the hooks all games have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

import msgspec

from companion.game import (
    Ask,
    Choice,
    Event,
    Field,
    Game,
    Option,
    Outcome,
    Player,
    PlayerTally,
    Tally,
    TallyLine,
    Text,
    View,
    seat_name,
)
from companion.games.farkle.rules import (
    DICE,
    Bank,
    Faces,
    Keep,
    Move,
    State,
    Throw,
    advise,
    best,
    scoring,
    worth,
)
from companion.games.kit.dice import TRAY, by_hand, entered, said, without
from companion.games.kit.forms import flat
from companion.games.kit.refusals import refusal
from companion.panels import Dice, Figure, Figures, Marker, Panel, ShownDie, Track
from companion.sensing import Mat, Reading, Toss

TARGETS = (10_000, 5_000)


class Farkle(Game):
    """The pack."""

    id = "farkle"
    players = (1, 8)
    secrets = False

    def title(self) -> Text:
        """The game's name."""
        return Text("farkle/title")

    def options(self) -> tuple[Field, ...]:
        """How far the game goes."""
        ways = tuple(Option(points, Text("farkle/points", {"n": points})) for points in TARGETS)
        return (Field("target", Text("farkle/option/target"), "pick", TARGETS[0], options=ways),)

    def new(self, options: Mapping[str, Any], box: Mapping[str, Any]) -> State:
        """Nobody has a point."""
        names = tuple(str(name) for name in options["names"])
        target = options.get("target") or TARGETS[0]
        if target not in TARGETS:
            raise ValueError(f"target: one of {TARGETS}")
        return State(names, (0,) * len(names), int(target))

    def decode(self, move: Mapping[str, Any]) -> Move:
        """A typed move; dice entered by hand come as a form."""
        typed: Move = msgspec.convert(entered(flat(move), DICE), Move)
        return typed

    def ask(self, state: State) -> Ask:
        """Throw; then put aside and throw on, or bank."""
        if self.over(state):
            return Ask(None, Text("farkle/over"), phase="over")
        seat, name = state.turn, {"name": seat_name(state.turn)}
        key = "first" if not state.dice else "again" if state.kept else "keep"
        choices: tuple[Choice, ...] = ()
        if state.dice:
            bank = Text("farkle/choice/bank", {"n": worth(state, state.kept)})
            choices = (Choice("bank", bank, {"kind": "bank", "seat": seat}, primary=True),)
        if state.dice and not state.kept:
            choices += tuple(self._aside(seat, kept, n) for kept, n in scoring(state.dice).items())
        return Ask(
            seat,
            Text(f"farkle/ask/{key}", {**name, "n": worth(state, state.kept) if state.dice else 0}),
            choices,
            help=Text(f"farkle/help/{key}", {"n": state.left}),
            form=by_hand("farkle", seat, (1,) * state.left) if key != "keep" else None,
            phase=key,
        )

    def _aside(self, seat: int, kept: Faces, points: int) -> Choice:
        move = {"kind": "keep", "seat": seat, "dice": list(kept)}
        text = Text("farkle/say/keep", {"dice": said(kept)})
        return Choice("keep-" + "".join(map(str, kept)), text, move, note=Text("farkle/points", {"n": points}))

    def moves(self, state: State) -> Sequence[Move]:
        """Bank, what counts put aside, and every way the dice can fall."""
        if self.over(state):
            return []
        seat = state.turn
        found: list[Move] = [Bank(seat)] if state.dice else []
        if state.dice and not state.kept:
            return [*found, *(Keep(seat, kept) for kept in scoring(state.dice))]
        return [*found, *(Throw(seat, dice) for dice in combinations_with_replacement(range(1, 7), state.left))]

    def play(self, state: State, move: Move) -> Outcome:
        """Throw, put aside, bank."""
        if self.over(state) or move.seat != state.turn:
            raise refusal("farkle", "not-now")
        match move:
            case Keep():
                if tuple(sorted(move.dice)) not in scoring(state.dice):
                    raise refusal("farkle", "counts-nothing")
                return Outcome(msgspec.structs.replace(state, kept=tuple(sorted(move.dice))))
            case Bank():
                if not state.dice:
                    raise refusal("farkle", "no-dice")
                return self._next(state, worth(state, state.kept), "banked")
        if move.kept:
            state = self.play(state, Keep(move.seat, move.kept)).state
        if state.dice and not state.kept:
            raise refusal("farkle", "keep-first")
        if len(move.dice) != state.left:
            raise refusal("farkle", "count")
        pot = worth(state, state.kept) if state.dice else 0
        dice = tuple(sorted(move.dice))
        if best(dice) == 0:
            return self._next(state, 0, "farkle")
        told = Text("farkle/event/threw", {"name": seat_name(state.turn), "dice": said(dice)})
        after = msgspec.structs.replace(state, pot=pot, dice=dice, kept=(), aside=state.lying)
        return Outcome(after, (Event("thrown", state.turn, told),))

    def _next(self, state: State, points: int, what: str) -> Outcome:
        totals = tuple(had + points * (seat == state.turn) for seat, had in enumerate(state.totals))
        last = state.turn if state.last is None and totals[state.turn] >= state.target else state.last
        after = State(state.names, totals, state.target, (state.turn + 1) % len(totals), last=last)
        told = Text(f"farkle/event/{what}", {"name": seat_name(state.turn), "n": points})
        return Outcome(after, (Event("points", state.turn, told, {"points": points}),))

    def describe(self, move: Move) -> Text | None:
        """A move in a few words."""
        match move:
            case Bank():
                return Text("farkle/say/bank")
            case Keep():
                return Text("farkle/say/keep", {"dice": said(move.dice)})
        return Text("farkle/say/throw", {"dice": said(move.dice)})

    def advise(self, state: State) -> Move | None:
        """One throw ahead; `None`: throw."""
        return None if self.over(state) else advise(state)

    # what is seen and shown ------------------------------------------------------------------------------------

    def mat(self, players: int) -> Mat | None:
        """A tray for the throw, and a strip beside it for what is put aside."""
        return TRAY

    def toss(self, state: State) -> Toss | None:
        """All six at first, then those that were not put aside."""
        if self.over(state) or (state.dice and not state.kept):
            return None
        return Toss(state.left, "tray", {"aside": state.lying})

    def seen(self, state: State, reading: Reading) -> Move | None:
        """Dice put into the strip are put aside; all six on the mat after some were picked up are a throw."""
        if self.over(state):
            return None
        lying, aside = reading.all, reading.dice["aside"]
        if len(lying) > DICE:
            raise refusal("farkle", "too-many")
        fresh = without(aside, state.aside) if state.dice else ()
        if reading.lifted or (reading.changed and len(lying) == DICE):
            if len(lying) < DICE:
                raise refusal("farkle", "too-few")
            if not state.dice or (not state.lying and state.kept):
                return Throw(state.turn, lying)
            thrown = without(lying, aside)
            if without(state.aside, aside) or len(thrown) + len(aside) != DICE or not fresh:
                return None
            return Throw(state.turn, thrown, () if fresh == state.kept else fresh)
        if not fresh or fresh == state.kept or without(fresh, state.dice):
            return None
        if fresh not in scoring(state.dice):
            raise refusal("farkle", "counts-nothing")
        return Keep(state.turn, fresh)

    def view(self, state: State, seat: int | None) -> View:
        """Everybody's points."""
        players = tuple(Player(seat=i, name=name, points=state.totals[i]) for i, name in enumerate(state.names))
        return View(players=players, turn=state.turn)

    def panels(self, state: State, seat: int | None) -> tuple[Panel, ...]:
        """The dice with what they count, the turn so far, and how far everybody is."""
        loose = without(state.dice, state.kept)
        shown = [ShownDie(face, kept=True) for face in (*state.aside, *state.kept)]
        shown += [ShownDie(0 if state.kept else face) for face in loose] if state.dice else [ShownDie(0)] * DICE
        most = best(state.dice) if state.dice and not state.kept else 0
        note = Text("farkle/note/best", {"n": most}) if most else None
        turn = Figures(
            (
                Figure(Text("farkle/figure/turn"), worth(state, state.kept) if state.dice else 0, state.turn),
                Figure(Text("farkle/figure/target"), state.target),
            )
        )
        markers = tuple(Marker(total, one) for one, total in enumerate(state.totals))
        return Dice(tuple(shown), note=note), turn, Track(0, state.target, markers)

    # the end ---------------------------------------------------------------------------------------------------

    def over(self, state: State) -> bool:
        """Somebody reached the target, and everybody else has had one more turn."""
        return state.last is not None and state.turn == state.last

    def tally(self, state: State) -> Tally:
        """One line each; the most points win."""
        players = tuple(
            PlayerTally(i, name, state.totals[i], (TallyLine("banked", Text("farkle/banked"), state.totals[i]),))
            for i, name in enumerate(state.names)
        )
        most = max(state.totals)
        return Tally(players, tuple(i for i, total in enumerate(state.totals) if total == most))
