"""Yacht through the hooks all games have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

import msgspec

from companion.game import (
    Ask,
    Choice,
    Event,
    Form,
    Game,
    Outcome,
    Player,
    PlayerTally,
    Tally,
    TallyLine,
    Text,
    View,
    seat_name,
)
from companion.games.kit.dice import TRAY, Faces, by_hand, entered, said, without
from companion.games.kit.forms import flat
from companion.games.kit.refusals import refusal
from companion.games.yacht.rules import CATEGORIES, DICE, THROWS, Keep, Move, State, Throw, Write, keeps, points, within
from companion.panels import Cell, Column, Dice, Panel, Row, ShownDie, Table
from companion.sensing import Mat, Reading, Toss


def _keep(seat: int, dice: Faces) -> dict[str, Any]:
    return {"kind": "keep", "seat": seat, "dice": list(dice)}


class Yacht(Game):
    """The pack."""

    id = "yacht"
    players = (1, 8)
    secrets = False

    def title(self) -> Text:
        """The game's name."""
        return Text("yacht/title")

    def new(self, options: Mapping[str, Any], box: Mapping[str, Any]) -> State:
        """Empty sheets."""
        names = tuple(str(name) for name in options["names"])
        if not 1 <= len(names) <= 8:
            raise ValueError(f"names: Yacht is for 1 to 8 players, not {len(names)}")
        return State(names, ((None,) * len(CATEGORIES),) * len(names))

    def decode(self, move: Mapping[str, Any]) -> Move:
        """A typed move; dice entered by hand come as a form, those that were kept beside it."""
        told = entered(flat(move), DICE)
        stayed, thrown = told.pop("kept", None), told.get("dice")
        if isinstance(stayed, list) and isinstance(thrown, list):
            told["dice"] = [*stayed, *thrown]
        typed: Move = msgspec.convert(told, Move)
        return typed

    def ask(self, state: State) -> Ask:
        """Throw, keep and throw again, or write down."""
        if self.over(state):
            return Ask(None, Text("yacht/over"), phase="over")
        seat, name, left = state.turn, {"name": seat_name(state.turn)}, THROWS - state.throws
        key = "first" if not state.dice else "again" if state.kept is not None else "choose" if left else "write"
        return Ask(
            seat,
            Text(f"yacht/ask/{key}", name),
            (*self._stay(state), *(self._written(state, category) for category in self._best_first(state))),
            help=Text(f"yacht/help/{key}", {"n": DICE - len(state.kept or ()), "left": left}),
            form=self._by_hand(state) if left else None,
            phase=key,
        )

    @staticmethod
    def _by_hand(state: State) -> Form:
        """All five dice, or those that are thrown again."""
        if state.kept is None:
            return by_hand("yacht", state.turn, state.dice or (1,) * DICE)
        form = by_hand("yacht", state.turn, (1,) * (DICE - len(state.kept)))
        return msgspec.structs.replace(form, move={**form.move, "kept": list(state.kept)})

    @staticmethod
    def _stay(state: State) -> list[Choice]:
        """One die more stays, or goes back to those that are thrown: by touch on the die, or by dial."""
        if not state.dice or state.throws >= THROWS:
            return []
        kept, found = state.kept or (), []
        for face in sorted(set(state.dice)):
            more = tuple(sorted((*kept, face)))
            if within(more, state.dice) and len(more) < DICE:
                found.append((f"keep-{face}", "keep", face, more))
            if face in kept:
                found.append((f"throw-{face}", "free", face, without(kept, (face,))))
        return [
            Choice(name, Text(f"yacht/choice/{what}", {"face": face}), _keep(state.turn, dice))
            for name, what, face, dice in found
        ]

    @staticmethod
    def _best_first(state: State) -> list[str]:
        if not state.dice:
            return []
        return sorted(state.open, key=lambda category: -points(state.dice, category))

    def _written(self, state: State, category: str) -> Choice:
        worth = points(state.dice, category)
        move = {"kind": "write", "seat": state.turn, "category": category}
        return Choice(category, Text(f"yacht/category/{category}"), move, note=Text("yacht/points", {"n": worth}))

    def moves(self, state: State) -> Sequence[Move]:
        """What may be written or kept, and every way the dice can fall."""
        if self.over(state):
            return []
        seat = state.turn
        if not state.dice:
            return [Throw(seat, dice) for dice in combinations_with_replacement(range(1, 7), DICE)]
        found: list[Move] = [Write(seat, msgspec.convert(name, Any)) for name in state.open]
        if state.kept is not None:
            rest = combinations_with_replacement(range(1, 7), DICE - len(state.kept))
            return [*found, *(Throw(seat, tuple(sorted(state.kept + dice))) for dice in rest)]
        return [*found, *(Keep(seat, kept) for kept in keeps(state.dice) if state.throws < THROWS)]

    def play(self, state: State, move: Move) -> Outcome:
        """Throw, keep or write down."""
        if self.over(state) or move.seat != state.turn:
            raise refusal("yacht", "not-now")
        match move:
            case Throw():
                return self._throw(state, move)
            case Keep():
                if not state.dice or state.throws >= THROWS:
                    raise refusal("yacht", "no-throw")
                if not within(move.dice, state.dice):
                    raise refusal("yacht", "not-there")
                return Outcome(msgspec.structs.replace(state, kept=tuple(sorted(move.dice))))
        if not state.dice or move.category not in state.open:
            raise refusal("yacht", "taken" if state.dice else "no-dice")
        worth, place = points(state.dice, move.category), CATEGORIES.index(move.category)
        sheet = (*state.sheets[state.turn][:place], worth, *state.sheets[state.turn][place + 1 :])
        sheets = tuple(sheet if seat == state.turn else had for seat, had in enumerate(state.sheets))
        told = Text(
            "yacht/event/wrote", {"name": seat_name(state.turn), "category": self._name(move.category), "n": worth}
        )
        after = State(state.names, sheets, (state.turn + 1) % len(state.names))
        return Outcome(after, (Event("points", state.turn, told, {"points": worth}),))

    def _throw(self, state: State, move: Throw) -> Outcome:
        if state.throws >= THROWS:
            raise refusal("yacht", "no-throw")
        dice = tuple(sorted(move.dice))
        if state.kept is not None and not within(state.kept, dice):
            raise refusal("yacht", "kept")
        after = msgspec.structs.replace(state, dice=dice, kept=None, throws=state.throws + 1)
        told = Text("yacht/event/threw", {"name": seat_name(state.turn), "dice": said(dice)})
        return Outcome(after, (Event("thrown", state.turn, told),))

    @staticmethod
    def _name(category: str) -> Text:
        return Text(f"yacht/category/{category}")

    def describe(self, move: Move) -> Text | None:
        """A move in a few words."""
        match move:
            case Write():
                return Text("yacht/say/write", {"category": self._name(move.category)})
            case Keep():
                return Text("yacht/say/keep", {"dice": said(move.dice)})
        return Text("yacht/say/throw", {"dice": said(move.dice)})

    # what is seen and shown ------------------------------------------------------------------------------------

    def mat(self, players: int) -> Mat | None:
        """A tray for the throw, and a strip beside it for what is kept."""
        return TRAY

    def toss(self, state: State) -> Toss | None:
        """Five dice at first, then those that were not kept."""
        if self.over(state) or (state.dice and state.kept is None):
            return None
        kept = state.kept or ()
        return Toss(DICE - len(kept), "tray", {"aside": kept})

    def seen(self, state: State, reading: Reading) -> Move | None:
        """Five dice after some were picked up are a throw; dice moved aside, or left alone on the table, are kept."""
        lying, kept = reading.all, state.kept or ()
        if self.over(state) or state.throws >= THROWS:
            return None
        if len(lying) > DICE:
            raise refusal("yacht", "too-many")
        told = state.kept is None and lying == state.dice  # somebody has said it before it was seen
        if len(lying) == DICE and reading.fresh and not told:
            if not within(kept, lying):
                raise refusal("yacht", "kept")
            return Throw(state.turn, lying)
        if len(lying) < DICE and reading.lifted:
            raise refusal("yacht", "too-few")
        stays = reading.dice["aside"] if len(lying) == DICE else lying
        if not state.dice or len(stays) == DICE or not within(stays, state.dice):
            return None
        same = stays == kept and (state.kept is not None or len(lying) == DICE)
        return None if same else Keep(state.turn, stays)

    def advise(self, state: State) -> Move | None:
        """The move of exact expectation; `None`: throw."""
        from companion.games.yacht.best import advise

        return advise(state)

    def view(self, state: State, seat: int | None) -> View:
        """Everybody's points."""
        sums = [sum(points or 0 for points in sheet) for sheet in state.sheets]
        players = tuple(Player(seat=i, name=name, points=sums[i]) for i, name in enumerate(state.names))
        return View(players=players, turn=state.turn)

    def panels(self, state: State, seat: int | None) -> tuple[Panel, ...]:
        """The dice, and the sheet with what they would count."""
        kept = list(state.kept or ())
        shown = []
        for face in state.dice or (0,) * DICE:
            held = face in kept
            if held:
                kept.remove(face)
            touched = f"{'throw' if held else 'keep'}-{face}" if face and state.throws < THROWS else ""
            shown.append(ShownDie(face, kept=held, choice=touched))
        worth = {name: points(state.dice, name) for name in state.open} if state.dice else {}
        best = max(worth.values(), default=0)
        note = (
            Text("yacht/note/best", {"category": self._name(max(worth, key=lambda n: worth[n])), "n": best})
            if best
            else None
        )
        rows = tuple(self._row(state, place, name, worth, best) for place, name in enumerate(CATEGORIES))
        totals = tuple(Cell(sum(had or 0 for had in sheet)) for sheet in state.sheets)
        columns = tuple(Column(seat=one) for one in range(len(state.names)))
        return Dice(tuple(shown), note=note), Table(columns, (*rows, Row(Text("yacht/total"), totals, strong=True)))

    def _row(self, state: State, place: int, name: str, worth: Mapping[str, int], best: int) -> Row:
        cells = [Cell(sheet[place]) for sheet in state.sheets]
        if name in worth:
            cells[state.turn] = Cell(worth[name], "best" if worth[name] == best > 0 else "hint")
        return Row(self._name(name), tuple(cells), choice=name if name in worth else "")

    # the end ---------------------------------------------------------------------------------------------------

    def over(self, state: State) -> bool:
        """Every sheet is full."""
        return all(points is not None for sheet in state.sheets for points in sheet)

    def tally(self, state: State) -> Tally:
        """A line for every category; the most points win."""
        players = []
        for seat, name in enumerate(state.names):
            lines = tuple(
                TallyLine(category, self._name(category), had or 0)
                for category, had in zip(CATEGORIES, state.sheets[seat], strict=True)
            )
            players.append(PlayerTally(seat, name, sum(line.points for line in lines), lines))
        most = max(player.total for player in players)
        return Tally(tuple(players), tuple(player.seat for player in players if player.total == most))
