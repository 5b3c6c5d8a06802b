"""Touches of Praga: games followed in full on a new copy and on one that was played before, and a light game.

The recorded games know every tile of their copy. Here they are entered as a table does that knows only what its box has learnt:
what was seen before is picked, the rest is entered, and what a game has learnt is there for the next.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import Any

from benches.copy_of_praga import PLACES
from benches.figures import Row, row
from benches.touches import GAMES, Count, Move, Recorded, count, recorded
from companion.games.praga import copy, final, pack
from companion.games.praga.state import Pending, PragaState

FIRST, LATER, LIGHT, FORM = 8.0, 5.0, 2.0, 20.0
"""Touches: a turn in a copy's first game, a turn from the second on, a turn of a light game, a player's final form."""


def sensed(move: Move) -> bool:
    """The encoder sees the wheel turn."""
    return bool(move["kind"] == "turn")


class Table:
    """Enters one recorded game as far as its own box lets it; the record is played beside it."""

    def __init__(self, game: Recorded) -> None:
        self.game, self.printed = game, game.box
        self.record: PragaState = pack.new(game.options, game.box)
        self.building: Move = {}
        self.at = 0
        """Recorded moves that were entered."""

    def entered(self, state: PragaState, move: Move) -> tuple[Move | None, bool]:
        """The next move for a recorded one: first what the record did not have to say, then the move itself."""
        first = self._told_first(state, move)
        if first is not None:
            return first, False
        step = self._translated(state, move)
        if step is not None and step["kind"] == "begin" and "tile" not in step and self._more(state, move):
            return step, False
        self.record = pack.play(self.record, pack.decode(move)).state
        self.at += 1
        return step, True

    def _told_first(self, state: PragaState, move: Move) -> Move | None:
        if state.laid is not None and state.turn == 0:
            return self._hung(state)
        due = state.due()
        if due is not None and due.kind in ("resource", "good"):
            return self._printed(due)
        if due is None and state.landed and not state.begun:
            board, building = state.boards[state.active], state.landed[0]
            spaces = self.printed[f"landing.{building}.base"]
            where = (getattr(board, f"{building}_row"), getattr(board, f"{building}_column"))
            points = next((one["points"] for one in spaces if (one["row"], one["column"]) == where), 0)
            return {"kind": "land", "building": building, "points": points, "seat": state.active}
        if move["kind"] == "learn" and not self._drawn(state, move):
            return {"kind": "reach", "seat": move["seat"]}
        return None

    def _drawn(self, state: PragaState, move: Move) -> bool:
        wanted = ("technology", move["seat"], str(move["level"]))
        return any((one.kind, one.seat, one.what) == wanted for one in state.pending)

    def _hung(self, state: PragaState) -> Move:
        """The crane is told tile by tile: a known one in one touch, a new one by its two actions."""
        laid = state.laid or ()
        pair = self.printed[f"tiles.a.{self.game.options['tiles'][len(laid)]}"]
        known = [tile for tile in range(1, 7) if set(state.box[f"tiles.a.{tile}"]) == set(pair) and tile not in laid]
        return {"kind": "hang", "tile": known[0]} if known else {"kind": "hang", "action": pair[bool(state.half)]}

    def _printed(self, due: Pending) -> Move:
        if due.kind == "good":
            return {"kind": "good", "good": "gold", "seat": due.seat}
        found = self.printed[f"resource.{due.what}"][0]
        return {"kind": "reward", "seat": due.seat, **({"values": found} if isinstance(found, Mapping) else {})}

    def _translated(self, state: PragaState, move: Move) -> Move | None:
        match move["kind"]:
            case "choose":
                return self._chosen(state, move)
            case "bonus" if state.hand is not None and not state.hand.bonus:
                return None  # it was taken with the tile
            case "begin":
                return self._begun(state, move)
            case "act":
                return self._acted(state, move)
            case "reward" if move.get("tile"):
                return self._rewarded(state, move)
            case "sheet":  # the screen asks seat by seat, whoever was first in the record
                seat = pack.ask(state).seat or 0
                known = final.standing(self.record, seat)
                return {
                    "kind": "sheet",
                    "seat": seat,
                    "values": {n: getattr(known, n) for n in final.unread(state, seat)},
                }
        return move

    def _chosen(self, state: PragaState, move: Move) -> Move:
        """The tile, and with it what is done with it: whoever chooses a tile knows that."""
        tile = state.crane.at(self.record.crane.where(move["tile"]) or 0)
        turn = list(takewhile(lambda one: one["kind"] not in ("turn", "choose"), self.game.moves[self.at + 1 :]))
        first = next((one for one in turn if one["kind"] != "bonus"), {})
        action = {"action": first["action"]} if first.get("kind") in ("act", "begin") else {}
        offered = next(one for one in pack.ask(state).choices if one.id == f"tile-{tile}")
        return {**offered.move, **action}

    def _known(self, state: PragaState, action: str, number: int) -> int:
        """The number this table has given to a tile of the record; 0: it has not seen it."""
        tile = self.printed[f"hex.{action}"][number - 1]
        seen = copy.listed(state.box, f"hex.{action}")
        return seen.index(tile) + 1 if tile in seen else 0

    def _begun(self, state: PragaState, move: Move) -> Move | None:
        self.building = move
        known = self._known(state, "building", move["tile"])
        if known and state.begun is not None and state.begun.action:
            return {**move, "tile": known, **self._place(state, move)}
        if state.begun is None or not state.begun.action:
            return {"kind": "begin", "action": "building", "seat": move["seat"]}
        return {"kind": "begin", "action": "building", "seat": move["seat"], "values": self._form(move, move["tile"])}

    def _place(self, state: PragaState, move: Move) -> Move:
        """A plaza named for the first time is touched where it lies."""
        number = move.get("plaza", 0)
        return {} if not number or copy.place(state.box, number) else {"at": PLACES[number - 1]}

    def _more(self, state: PragaState, move: Move) -> bool:
        """The action was only begun: its tile, or all of it, is still to be told."""
        return bool(move["kind"] == "act" or state.begun is None or not state.begun.action)

    def _acted(self, state: PragaState, move: Move) -> Move:
        action, begun = move["action"], state.begun
        if action in ("mines", "quarries") or (begun is not None and begun.plaza):
            return move
        if begun is None or not begun.action:
            return {"kind": "begin", "action": action, "seat": move["seat"]}
        if action == "road":
            return move
        number = self.building["tile"] if action == "building" else move.get("tile", 0)
        if not number:
            return move
        known = self._known(state, action, number)
        if known and action != "building":
            return {**move, "tile": known}
        return {"kind": "act", "action": action, "seat": move["seat"], "values": self._form(move, number)}

    def _form(self, move: Move, number: int) -> Move:
        """A tile nobody has seen yet, as its form is filled in."""
        action = move["action"]
        tile = self.printed[f"hex.{action}"][number - 1]
        values = {name: n for name, n in tile.items() if name not in ("era", "special")}
        if tile.get("special"):
            values["special"] = True
        return values

    def _rewarded(self, state: PragaState, move: Move) -> Move:
        tile, due = self.printed["plazas.tiles"][move["tile"] - 1], state.due()
        seen = copy.plaza_tiles(state.box)
        gives = copy.gains_of(tile, f"{move['row']}_")
        where = int(due.what.partition(":")[0] or 0) if due is not None else 0
        mine = state.plazas[where - 1].tile if where else 0
        used = {plaza.tile for plaza in state.plazas} - {mine} if where else set()
        for number, known in enumerate(seen, 1):
            if mine in (0, number) and number not in used and copy.gains_of(known, f"{move['row']}_") == gives:
                return {**move, "tile": number}
        chosen = {} if due is not None and due.what.partition(":")[2] else {"row": move["row"]}
        return {"kind": "reward", "seat": move["seat"], "values": {**gives, **chosen}}


def followed(game: Recorded, box: dict[str, Any]) -> Count:
    """A game followed in full by a table whose box knows this much."""
    options = {name: value for name, value in game.options.items() if name != "tiles"}
    return count(pack, game, sensed=sensed, entered=Table(game).entered, box=box, options=options)


def rows() -> list[Row]:
    """The figures of Praga."""
    light = recorded(GAMES / "praga" / "two-players-light.jsonl")
    found = count(pack, light, sensed=sensed)
    found_rows = [_row("a turn, light, with the encoder", found, light, LIGHT)]
    game = recorded(GAMES / "praga" / "two-players.jsonl")
    first = followed(game, {})
    later = followed(recorded(GAMES / "praga" / "four-players.jsonl"), first.box)
    again = followed(game, first.box)
    found_rows += [
        _row("a turn, full, first game of a copy", first, game, FIRST),
        _row("a turn, full, second game of a copy", later, recorded(GAMES / "praga" / "four-players.jsonl"), LATER),
        _row("a turn, full, a copy that has seen it all", again, game, LATER),
        row("praga touches a final form, first game", first.of("sheet") / 2, "", FORM, n=2),
        row("praga touches a final form, second game", later.of("sheet") / 4, "", FORM, n=4),
    ]
    return found_rows


def _row(what: str, found: Count, game: Recorded, budget: float) -> Row:
    turns = sum(move["kind"] == "choose" for move in game.moves)
    return row(f"praga touches {what}", (found.of() - found.of("sheet")) / turns, "", budget, n=turns)
