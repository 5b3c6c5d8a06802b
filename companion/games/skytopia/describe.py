"""Moves and differences in words: what a reading would mean, and what is wrong at the table."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol

from companion.game import Die, Text, seat_name
from companion.games.skytopia import chronometer, phrases, setup
from companion.games.skytopia.moves import Deal, Final, Move, OurBox, encode
from companion.games.skytopia.printed import GUILDS
from companion.games.skytopia.state import SkytopiaState, slot_index, slot_names

KEY = phrases.KEY + "describe/"


class Differs(Protocol):
    """One place where the table is not as it should be (`companion.senses.explain.Difference`)."""

    slot: str
    expected: tuple[Die, ...]
    seen: tuple[Die, ...]
    expected_dial: int | None
    seen_dial: int | None


_FREE_FORM = (Deal, OurBox, Final)
"""Moves with values of any kind in them: not worth remembering."""


def describe(move: Move) -> Text:
    """A move in one short sentence."""
    return _described(move) if isinstance(move, _FREE_FORM) else _remembered(move)


@lru_cache(maxsize=8192)
def _remembered(move: Move) -> Text:
    """The same few thousand moves are described again and again."""
    return _described(move)


def _described(move: Move) -> Text:
    plain = encode(move)
    kind = plain["kind"]
    params: dict[str, Any] = {key: plain[key] for key in ("face", "tier") if key in plain}
    if isinstance(plain.get("seat"), int):
        params["seat"] = seat_name(plain["seat"])
    for key in ("slot", "to"):
        if plain.get(key):
            params[key] = phrases.slot(plain[key])
    if kind == "activate":
        params["slot"] = phrases.colour(plain["tower"])
    elif plain.get("tower"):
        params["slot"] = phrases.level(plain["tower"], plain.get("level", 0))
    if kind == "guild":
        known = plain["guild"] in GUILDS
        params["guild"] = Text(f"{phrases.KEY}guild/{plain['guild']}") if known else plain["guild"]
    if plain.get("card"):
        params["card"] = phrases.card(plain["card"])
    if plain.get("tile"):
        params["tile"] = phrases.tile(plain["tile"])
    if kind == "rotate":
        params["n"] = plain.get("steps", 1)
    if kind == "reveal" and not plain.get("card"):
        kind = "reveal-unknown"
    return Text(KEY + kind, params)


def differs(state: SkytopiaState, difference: Differs) -> tuple[Text, Text] | None:
    """Why a confidently seen golem cannot lie so, where the rules know; `None` leaves it to the general words."""
    if difference.slot == "dial":
        return _dial_differs(state, difference)
    slot = slot_index(state.rows).get(difference.slot)
    if slot is None:
        return None
    place = phrases.slot(difference.slot)
    new = [die for die in difference.seen if die not in difference.expected]
    gone = [die for die in difference.expected if die not in difference.seen]
    for die in new:
        if die.owner < 0 or die.owner >= len(state.players):
            return None
        params: dict[str, Any] = {"seat": seat_name(die.owner), "slot": place, "face": die.face}
        # whose turn, then which card, then which face: nobody turns a golem that has no business there
        if die.owner != state.turn and not gone and state.phase != "setup":
            params["turn"] = seat_name(state.turn)
            return Text(KEY + "not-their-turn", params), Text(KEY + "not-their-turn/do", params)
        first = _first_golem(state, die.owner, slot, die.face)
        if first is not None:
            return first
        if sum(other.face == die.face for other in difference.seen) > 1:
            return Text(KEY + "twice", params), Text(KEY + "twice/do", params)
        if die.face == state.build:
            return Text(KEY + "build-value", params), Text(KEY + "build-value/do", params)
        price = state.numbers.price[state.build][die.face]
        short = price - state.players[die.owner].coins
        if not gone and state.stack and state.stack[-1].kind == "assign" and short > 0:
            params |= {"n": short, "price": phrases.coins(price)}
            return Text(KEY + "too-dear", params), Text(KEY + "too-dear/do", params)
    return None


def _first_golem(state: SkytopiaState, seat: int, slot: int, face: int) -> tuple[Text, Text] | None:
    """What is wrong with a golem set before the first round: the card first, then the face."""
    if not state.stack or state.stack[-1].kind != "start" or seat not in setup.starters(state):
        return None
    places, wanted = setup.start_slots(state, seat), state.numbers.initial_face
    if slot in places and face == wanted:
        return None
    where = slot if slot in places else places[0]
    params: dict[str, Any] = {"seat": seat_name(seat), "face": wanted, "seen": face}
    params["slot"] = phrases.slot(slot_names(state.rows)[where])
    key = "first-face" if slot in places else "first-card"
    return Text(KEY + key, params), Text(f"{KEY}{key}/do", params)


def _dial_differs(state: SkytopiaState, difference: Differs) -> tuple[Text, Text] | None:
    """What the dial shows at the symbol, and what it should: the next value when it is to be turned."""
    if difference.seen_dial is None:
        return None
    faces = {chronometer.notch(face, *state.numbers.dial) % 6: face for face in range(1, 7)}
    turning = bool(state.stack) and state.stack[-1].kind == "dial"
    wanted = chronometer.next_build(state.build, state.numbers.direction) if turning else state.build
    params: dict[str, Any] = {"seen": faces[difference.seen_dial % 6], "face": wanted}
    return Text(KEY + "dial-differs", params), Text(KEY + "dial-differs/do", params)
