"""A Skytopia table laid out for a test: any position, and short ways to play on it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from benches.skytopia_invariants import violations
from companion.game import Event, RuleBroken, Tally
from companion.games.skytopia import pack, setup, turn
from companion.games.skytopia.moves import Move, Reveal
from companion.games.skytopia.printed import COLOURS, numbers
from companion.games.skytopia.state import SkytopiaState, Slot, Work, slot_index, slot_names

GUILDS = ("builders", "merchants", "priests")
NAMES = ("Magda", "Louis", "Ola", "Hugo")


def table(
    dice: Mapping[str, Sequence[tuple[int, int]]] | None = None,
    *,
    players: int = 2,
    rows: int = 0,
    build: int = 1,
    round_: int = 3,
    turn_of: int = 0,
    first: int = 0,
    cards: Mapping[str, str] | None = None,
    coins: Sequence[int] = (5, 5, 5, 5),
    towers: Mapping[int, Mapping[str, Sequence[str]]] | None = None,
    abilities: Sequence[str] = ("T4A", "T2A", "T3A", "T1A"),
    box: Mapping[str, Any] | None = None,
    decks: Sequence[int] | None = None,
) -> SkytopiaState:
    """A position at the beginning of somebody's turn; slots nobody names get the first cards not used elsewhere."""
    options = {
        "names": NAMES[:players],
        "rows": rows,
        "guilds": GUILDS,
        "cities": tuple(range(players)),
        "abilities": tuple(abilities[:players]),
    }
    work = Work(setup.new(options, box or {}))
    _build(work, towers or {})
    _lay(work, cards or {}, dice or {}, decks)
    for seat in range(players):
        p = work.players[seat]
        out = sum(owner == seat for on in (dice or {}).values() for owner, _ in on)
        work.change(seat, coins=coins[seat], home=p.home - out)
    work.build, work.round, work.first = build, round_, first
    work.stack.clear()
    turn.begin_turn(work, turn_of)
    turn.settle(work)
    return work.frozen()


def _build(work: Work, towers: Mapping[int, Mapping[str, Sequence[str]]]) -> None:
    for seat, city in towers.items():
        for colour, stack in city.items():
            for card in stack:
                work.build_on(seat, COLOURS.index(colour), card)


def _lay(
    work: Work,
    cards: Mapping[str, str],
    dice: Mapping[str, Sequence[tuple[int, int]]],
    decks: Sequence[int] | None,
) -> None:
    used = set(cards.values()) | {card for p in work.players for tower in p.towers for card in tower}
    for i, name in enumerate(slot_names(work.rows)):
        spare = (c for c in work.numbers.of_colour[i // work.rows] if c not in used)
        card = cards[name] if name in cards else next(spare)
        used.add(card)
        work.slots[i] = Slot(card)
        for owner, face in dice.get(name, ()):
            work.put(i, owner, face)
    built = [sum(len(p.towers[c]) for p in work.players) for c in range(4)]
    lying = [sum(bool(s.card) for s in work.slots[c * work.rows : (c + 1) * work.rows]) for c in range(4)]
    kept = [work.decks[c] - built[c] - lying[c] for c in range(4)]
    work.decks = tuple(decks) if decks is not None else tuple(kept)
    work.removed = tuple(12 - work.decks[c] - built[c] - lying[c] for c in range(4))


def play(state: SkytopiaState, *moves: Mapping[str, Any]) -> SkytopiaState:
    """The state after these moves, given as JSON."""
    for move in moves:
        state = pack.play(state, pack.decode(move)).state
    return state


def events(state: SkytopiaState, move: Mapping[str, Any]) -> tuple[Event, ...]:
    """What one move makes happen."""
    return pack.play(state, pack.decode(move)).events


def refusal(state: SkytopiaState, move: Mapping[str, Any]) -> RuleBroken:
    """The refusal this move meets."""
    with pytest.raises(RuleBroken) as refused:
        pack.play(state, pack.decode(move))
    return refused.value


def kinds(state: SkytopiaState) -> set[str]:
    """The kinds of moves legal now."""
    return {pack.encode(move)["kind"] for move in pack.moves(state)}


def legal(state: SkytopiaState, kind: str) -> list[dict[str, Any]]:
    """The legal moves of one kind."""
    return [move for move in map(pack.encode, pack.moves(state)) if move["kind"] == kind]


def offered(state: SkytopiaState) -> str:
    """The code of the effect on offer, or the kind of decision."""
    if not state.stack:
        return "over"
    top = state.stack[-1]
    return top.code if top.kind == "effect" else top.kind


def slot(state: SkytopiaState, name: str) -> Slot:
    """One place of the market."""
    return state.slots[slot_index(state.rows)[name]]


def faces(state: SkytopiaState, name: str) -> list[tuple[int, int]]:
    """Owner and face of the golems on a card."""
    return [(die.owner, die.face) for die in slot(state, name).dice]


def skip_to(state: SkytopiaState, kind: str) -> SkytopiaState:
    """Pass every offer until a decision of this kind comes up."""
    for _ in range(200):
        if offered(state) == kind or not state.stack:
            return state
        top = state.stack[-1].kind
        if top == "refill" or top in ("finish", "assign", "dial", "add", "final"):
            state = pack.play(state, pack.moves(state)[0]).state
        else:
            state = play(state, {"kind": "skip", "seat": state.turn})
    raise AssertionError(f"never came to {kind}")


def check(state: SkytopiaState) -> None:
    """The invariants of the rules, §17."""
    assert list(violations(state)) == []


def random_game(
    seed: int, options: Mapping[str, Any], box: Mapping[str, Any] | None = None, hidden: float = 0.0
) -> list[tuple[SkytopiaState, Move, SkytopiaState]]:
    """A whole game of random legal moves; `hidden` is the share of cards nobody identifies when they turn up."""
    chance = random.Random(seed)
    state = pack.new(options, box or {})
    steps = []
    while not pack.over(state):
        legal_now = pack.moves(state)
        assert legal_now, f"a dead end: {state.stack[-1]}"
        move = legal_now[int(chance.random() * len(legal_now))]
        if hidden and isinstance(move, Reveal) and state.stack[-1].kind in ("deal", "refill"):
            move = Reveal(None, move.slot) if chance.random() < hidden else move
        after = pack.play(state, move).state
        steps.append((state, move, after))
        state = after
    return steps


def variants() -> list[dict[str, Any]]:
    """Every player count and variant, a small cover."""
    return [
        {"names": NAMES[:2]},
        {"names": NAMES[:3], "sides": "B"},
        {"names": NAMES[:4]},
        {"names": NAMES[:4], "rows": 3, "sides": "each"},
        {"names": NAMES[:2], "initial_turn": True, "sides": "each"},
        {"names": NAMES[:3], "abilities_by": "draft", "sides": "each", "first": 2},
        {"names": NAMES[:4], "initial_turn": True, "abilities_by": "draft", "sides": "B", "first": 1},
    ]


def digest_json(state: SkytopiaState) -> bytes:
    """A state as bytes, to see that it never changes."""
    return msgspec.msgpack.encode(msgspec.structs.replace(state, numbers=numbers({})))


def read_off(tally: Tally) -> Tally:
    """The same score with track and coins counted at the table, as a written position has them: they rest on nothing."""
    counted = ("track", "coins")
    players = tuple(
        msgspec.structs.replace(
            player,
            lines=tuple(
                msgspec.structs.replace(line, unconfirmed=()) if line.id in counted else line for line in player.lines
            ),
        )
        for player in tally.players
    )
    own = {key for player in tally.players for line in player.lines if line.id in counted for key in line.unconfirmed}
    left = {key for player in players for line in player.lines for key in line.unconfirmed}
    open_keys = tuple(key for key in tally.unconfirmed if key in left or key not in own)
    return msgspec.structs.replace(tally, players=players, unconfirmed=open_keys)
