"""Yacht through the hooks all games have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.game import Ask, Choice, Outcome, TallyLine, Text, seat_name
from companion.games.kit.dice import DiceGame, falls, said, shown, some_of, without
from companion.games.yacht.rules import CATEGORIES, DICE, THROWS, Keep, Move, Throw, Write, YachtState, points
from companion.panels import Cell, Column, Dice, Panel, Row, Table
from companion.sensing import Reading, Toss


def named(category: str) -> Text:
    """A row of the sheet in words."""
    return Text(f"yacht/category/{category}")


class Yacht(DiceGame):
    """The pack."""

    id, dice, move_type = "yacht", DICE, Move

    def new(self, options: Mapping[str, Any], box: Mapping[str, Any]) -> YachtState:
        """Empty sheets."""
        names, first = self.seated(options)
        return YachtState(names, ((None,) * len(CATEGORIES),) * len(names), first)

    def ask(self, state: YachtState) -> Ask:
        """Throw, keep and throw again, or write down."""
        if self.over(state):
            return Ask(None, Text("yacht/over"), phase="over")
        seat, kept, left = state.turn, state.kept or (), THROWS - state.throws
        key = "first" if not state.dice else "again" if state.kept is not None else "choose" if left else "write"
        rows = (
            Choice(name, named(name), {"kind": "write", "seat": seat, "category": name}, Text("yacht/points", {"n": n}))
            for name, n in sorted(state.worth.items(), key=lambda row: -row[1])
        )
        first = (1,) * (DICE - len(kept)) if state.kept is not None else state.dice or (1,) * DICE
        return Ask(
            seat,
            Text(f"yacht/ask/{key}", {"name": seat_name(seat)}),
            (*(self.one_by_one(state, kept) if left else ()), *rows),
            help=Text(f"yacht/help/{key}", {"n": DICE - len(kept), "left": left}),
            form=self.by_hand(seat, first, kept) if left else None,
            phase=key,
        )

    def moves(self, state: YachtState) -> Sequence[Move]:
        """What may be written or kept, and every way the dice can fall."""
        seat, kept = state.turn, state.kept or ()
        found: list[Move] = [Write(seat, name) for name in state.worth]
        if state.dice and state.kept is None:
            stay = (some for some in some_of(state.dice) if len(some) < DICE and state.throws < THROWS)
            return [*found, *(Keep(seat, some) for some in stay)]
        thrown = () if self.over(state) else falls(DICE - len(kept))
        return [*found, *(Throw(seat, tuple(sorted(kept + dice))) for dice in thrown)]

    def carry_out(self, state: YachtState, move: Move) -> Outcome:
        """Throw, keep or write down."""
        if isinstance(move, Write):
            return self._write(state, move)
        if state.throws >= THROWS or (isinstance(move, Keep) and not state.dice):
            raise self.refused("no-throw")
        dice = tuple(sorted(move.dice))
        if isinstance(move, Keep):
            if without(dice, state.dice):
                raise self.refused("not-there")
            return Outcome(replace(state, kept=dice))
        if without(state.kept or (), dice):
            raise self.refused("kept")
        after = replace(state, dice=dice, kept=None, throws=state.throws + 1)
        return Outcome(after, self.told(state, "threw", dice=said(dice)))

    def _write(self, state: YachtState, move: Write) -> Outcome:
        if move.category not in state.worth:
            raise self.refused("taken" if state.dice else "no-dice")
        sheets = [list(sheet) for sheet in state.sheets]
        sheets[state.turn][CATEGORIES.index(move.category)] = worth = points(state.dice, move.category)
        after = YachtState(state.names, tuple(map(tuple, sheets)), (state.turn + 1) % len(sheets))
        return Outcome(after, self.told(state, "wrote", category=named(move.category), n=worth))

    def describe(self, move: Move) -> Text | None:
        """A row by its name, dice as they lie."""
        if isinstance(move, Write):
            return Text("yacht/say/write", {"category": named(move.category)})
        return super().describe(move)

    def toss(self, state: YachtState) -> Toss | None:
        """Five dice at first, then those that were not kept."""
        due, kept = not self.over(state) and (not state.dice or state.kept is not None), state.kept or ()
        return Toss(DICE - len(kept), "tray", {"aside": kept}) if due else None

    def seen(self, state: YachtState, reading: Reading) -> Move | None:
        """Five dice after some were picked up are a throw; dice moved aside, or left alone on the table, are kept."""
        if self.over(state) or state.throws >= THROWS:
            return None
        lying, kept = self.counted(reading), state.kept or ()
        told = state.kept is None and lying == state.dice  # somebody has said it before it was seen
        if len(lying) == DICE and reading.fresh and not told:
            if without(kept, lying):
                raise self.refused("kept")
            return Throw(state.turn, lying)
        stays = reading.dice["aside"] if len(lying) == DICE else lying
        if not state.dice or len(stays) == DICE or without(stays, state.dice):
            return None
        same = stays == kept and (state.kept is not None or len(lying) == DICE)
        return None if same else Keep(state.turn, stays)

    def advise(self, state: YachtState) -> Move | None:
        """The move of exact expectation; `None`: throw."""
        from companion.games.yacht.best import advise

        return advise(state)

    def panels(self, state: YachtState, seat: int | None) -> tuple[Panel, ...]:
        """The dice, and the sheet with what they would count."""
        worth, kept, most = state.worth, state.kept or (), max(state.worth.values(), default=0)
        best = (
            Text("yacht/note/best", {"category": named(name), "n": n}) for name, n in worth.items() if n == most > 0
        )
        rows = []
        for place, name in enumerate(CATEGORIES):
            cells = [Cell(sheet[place]) for sheet in state.sheets]
            if name in worth:
                cells[state.turn] = Cell(worth[name], "best" if worth[name] == most > 0 else "hint")
            rows.append(Row(named(name), tuple(cells), choice=name if name in worth else ""))
        rows.append(Row(Text("yacht/total"), tuple(map(Cell, state.points)), strong=True))
        dice = shown(kept, without(state.dice, kept) or (0,) * DICE, by_touch=state.throws < THROWS)
        columns = tuple(Column(seat=i) for i in range(len(state.names)))
        return Dice(tuple(dice), note=next(best, None)), Table(columns, tuple(rows))

    def over(self, state: YachtState) -> bool:
        """Every sheet is full."""
        return all(None not in sheet for sheet in state.sheets)

    def lines(self, state: YachtState, seat: int) -> tuple[TallyLine, ...]:
        """One for every row of the sheet."""
        sheet = zip(CATEGORIES, state.sheets[seat], strict=True)
        return tuple(TallyLine(name, named(name), had or 0) for name, had in sheet)
