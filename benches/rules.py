"""The rules measured: one move, whole games, explaining a reading; and games without end to look for a violation."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

from benches.figures import Row, percentile, row
from benches.skytopia_invariants import violations
from companion.core import registry
from companion.game import Expected
from companion.games.skytopia import pack
from companion.games.skytopia.moves import Move, Reveal
from companion.games.skytopia.state import SkytopiaState
from companion.senses.alike import alike
from companion.senses.explain import Seen, explain
from companion.wire.messages import CardSeen, DieSeen, SlotSeen

NAMES = ("A", "B", "C", "D")
WORDS = ("sun", "leaf", "sky", "coral")
VARIANTS: tuple[dict[str, Any], ...] = (
    {"names": NAMES[:2]},
    {"names": NAMES[:3], "sides": "B"},
    {"names": NAMES},
    {"names": NAMES, "rows": 3, "sides": "each"},
    {"names": NAMES[:2], "initial_turn": True, "sides": "each"},
    {"names": NAMES[:3], "abilities_by": "draft", "sides": "each", "first": 2},
    {"names": NAMES, "initial_turn": True, "abilities_by": "draft", "sides": "B", "first": 1},
)


def steps(
    options: dict[str, Any], chance: random.Random, hidden: float = 0.0
) -> Iterator[tuple[SkytopiaState, Move, SkytopiaState]]:
    """A random game, move by move; some cards may stay unidentified."""
    state = pack.new(options, {})
    assert isinstance(state, SkytopiaState)
    while not pack.over(state):
        legal = pack.moves(state)
        move = legal[int(chance.random() * len(legal))]
        if hidden and isinstance(move, Reveal) and state.stack[-1].kind in ("deal", "refill"):
            move = Reveal(None, move.slot) if chance.random() < hidden else move
        after = pack.play(state, move).state
        yield state, move, after
        state = after


def reading(expected: Expected, sure: float = 0.99) -> Seen:
    """A clean reading of how a table should lie."""
    slots = {}
    for slot in expected.slots:
        dice = tuple(
            DieSeen(owner=WORDS[die.owner], owner_share=sure, faces=_faces(die.face, sure), x=0.5, y=0.5)
            for die in slot.dice
        )
        card = CardSeen(card=slot.card, share=sure if slot.card is not None else 0.0)
        slots[slot.slot] = SlotSeen(slot=slot.slot, dice=dice, card=card)
    return Seen(slots, {word: seat for seat, word in enumerate(WORDS)}, expected.dial)


def _faces(face: int, sure: float) -> tuple[float, float, float, float, float, float]:
    rest = (1 - sure) / 5
    one, two, three, four, five, six = (sure if f == face else rest for f in range(1, 7))
    return one, two, three, four, five, six


def rows(games: int = 0) -> list[Row]:
    """The figures of the rules; with `games`, that many random games of all variants are searched for a violation."""
    found = [_one_move(), _whole_games(), _explaining(), _telling()]
    if games:
        found.append(_search(games))
    return found


def _one_move() -> Row:
    """`play`, `ask` and `view` of one move, behind the door as the core asks for them; its own time, whoever else is running."""
    guarded = registry.pack("skytopia")
    took: list[float] = []
    wall: list[float] = []
    chance = random.Random(1)
    for number in range(24):
        for before, move, _ in steps(VARIANTS[number % len(VARIANTS)], chance):
            began, start = time.perf_counter(), time.thread_time()
            state = guarded.play(before, move).state
            guarded.ask(state)
            guarded.view(state, None)
            took.append(time.thread_time() - start)
            wall.append(time.perf_counter() - began)
    return _own_time("rules: play + ask + view, p99", took, wall, 2)


def _own_time(name: str, took: list[float], wall: list[float], budget: float) -> Row:
    """A figure in the processor's own time, the clock on the wall beside it."""
    median, outside = _ms(percentile(took, 0.5)), _ms(percentile(wall, 0.99))
    p99 = percentile(took, 0.99) * 1000
    return row(name, p99, "ms", budget, n=len(took), peers={"median": median, "p99_on_the_wall": outside})


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"


def _whole_games() -> Row:
    """Complete four-player random games per second of one core."""
    chance, number, moves = random.Random(2), 0, 0
    start = time.process_time()
    while number < 200 or time.process_time() - start < 2:
        moves += sum(1 for _ in steps(VARIANTS[2], chance))
        number += 1
    took = time.process_time() - start
    one = f"{took / moves * 1e6:.1f} µs"
    reference = "160 games/s"
    return row(
        "rules: four-player games",
        number / took,
        "/s",
        100,
        n=number,
        least=True,
        peers={"one_move": one, "plain_reference_engine": reference},
    )


def _explaining() -> Row:
    """A clean reading after each move of some games, explained."""
    took: list[float] = []
    wall: list[float] = []
    chance = random.Random(3)
    for options in VARIANTS[:3]:
        for before, _, after in steps(options, chance):
            if before.phase == "setup":
                continue
            seen = reading(pack.expect(after))
            began, start = time.perf_counter(), time.thread_time()
            explain(pack, before, seen)
            took.append(time.thread_time() - start)
            wall.append(time.perf_counter() - began)
    return _own_time("rules: explain a reading, p99", took, wall, 30)


def _telling() -> Row:
    """What else each visible move of some games may have been, as it is looked for once the move is announced."""
    took: list[float] = []
    wall: list[float] = []
    chance = random.Random(3)
    for options in VARIANTS[:3]:
        for before, move, after in steps(options, chance):
            seat = getattr(move, "seat", None)
            if seat is None or before.phase == "setup" or pack.expect(before) == pack.expect(after):
                continue
            began, start = time.perf_counter(), time.thread_time()
            alike(pack, before, move, seat)
            took.append(time.thread_time() - start)
            wall.append(time.perf_counter() - began)
    return _own_time("rules: what looks like a move, p99", took, wall, 30)


def _search(games: int) -> Row:
    """Random games of all player counts and variants, every position checked; the first violation ends the search."""
    from rich.console import Console
    from rich.progress import Progress

    chance, done, wrong = random.Random(4), 0, ""
    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task("random games", total=games)
        while done < games and not wrong:
            options = VARIANTS[done % len(VARIANTS)]
            for before, _, after in steps(options, chance, hidden=0.2 if done % 4 == 3 else 0.0):
                wrong = next(violations(after), "") or _fell(before, after)
                if wrong:
                    break
            done += not wrong
            bar.advance(task)
    return row(
        "rules: random games without violation",
        done,
        "",
        games,
        n=done,
        least=True,
        peers={"violation": wrong or "none"},
    )


def _fell(before: SkytopiaState, after: SkytopiaState) -> str:
    pairs = zip(before.players, after.players, strict=True)
    return next((f"{new.name} lost points" for old, new in pairs if new.points < old.points), "")
