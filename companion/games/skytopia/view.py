"""What everybody may see; Skytopia hides nothing but the order of the decks, which the pack does not know."""

from __future__ import annotations

from typing import Any

from companion.games.skytopia import chronometer, guilds
from companion.games.skytopia.ask_effects import drawn
from companion.games.skytopia.expect import dial_position
from companion.games.skytopia.printed import COLOURS, UNKNOWN, Numbers
from companion.games.skytopia.state import Slot, State, slot_names

ROUND_THE_FRAME = (0, 5, 4, 3, 2, 1)
"""Rounds to wait at each frame position, clockwise from the build symbol."""


def view(state: State) -> dict[str, Any]:
    """The public view; every seat sees the same."""
    final = bool(state.last) and state.round >= state.last
    return {
        "round": state.round,
        "rounds_left": state.last - state.round if state.last else None,
        "build": state.build,
        "phase": "refill" if state.phase == "dial" else state.phase,
        "step": state.stack[-1].kind if state.stack else "over",
        "turn": state.turn,
        "first": state.first,
        "final": final,
        "dial": _dial(state),
        "market": _market(state),
        "players": [_player(state, seat) for seat in range(len(state.players))],
        "guilds": [{"id": guild, "group": state.numbers.group[guild]} for guild in state.guilds],
        "effects": _effects(state.numbers),
        "chart": _chart(state),
        "unconfirmed": list(first_questions(state.numbers)),
    }


def first_questions(numbers: Numbers) -> tuple[str, ...]:
    """The printed values that matter from turn one and nobody has confirmed."""
    box = numbers.box
    return box.unconfirmed(key for key, leaf in box.printed.items() if leaf.ask)


def _chart(state: State) -> list[list[int]]:
    return [[row[seat] for row in state.chart] for seat in range(len(state.players))]


def _dial(state: State) -> dict[str, Any]:
    numbers = state.numbers
    faces = [chronometer.value_for(left, state.build, numbers.direction) for left in ROUND_THE_FRAME]
    prices = [None if left == 0 else numbers.prices[left] for left in ROUND_THE_FRAME]
    position = dial_position(state)
    return {"position": position, "positions": 6, "faces": faces, "prices": prices, "rounds": list(ROUND_THE_FRAME)}


def _market(state: State) -> dict[str, Any]:
    slots = zip(slot_names(state.rows), state.slots, strict=True)
    return {
        "rows": state.rows,
        "columns": list(COLOURS),
        "decks": dict(zip(COLOURS, state.decks, strict=True)),
        "slots": [_slot(state, name, slot) for name, slot in slots],
    }


def _slot(state: State, name: str, slot: Slot) -> dict[str, Any]:
    build = state.build
    dice = [{"owner": d.owner, "face": d.face, "finishes": d.face == build} for d in slot.dice]
    return {"slot": name, **card(state.numbers, slot.card), "dice": dice}


def card(numbers: Numbers, name: str) -> dict[str, Any]:
    """A card as clients draw it: `""` nothing there, `None` not yet identified."""
    known = numbers.cards.get(name)
    if known is None:
        return {"card": None if name == UNKNOWN else "", "effect": "", "crest": ""}
    return {"card": name, "effect": known.effect, "crest": known.crest}


def _player(state: State, seat: int) -> dict[str, Any]:
    p, numbers = state.players[seat], state.numbers
    city = max(p.city, 0)
    built = guilds.skyline(numbers, city, p.towers)
    return {
        "seat": seat,
        "name": p.name,
        "points": p.points,
        "coins": p.coins,
        "home": p.home,
        "dice": numbers.dice,
        "city": p.city,
        "ability": p.ability,
        "guilds": [guilds.praise(numbers, guild, built).points for guild in state.guilds],
        "bases": dict(zip(COLOURS, numbers.base_crest[city], strict=True)),
        "towers": {c: [card(numbers, one) for one in p.towers[k]] for k, c in enumerate(COLOURS)},
    }


def _effects(numbers: Numbers) -> dict[str, Any]:
    return {code: drawn(effect) for code, effect in numbers.effects.items()}
