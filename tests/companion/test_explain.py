"""What is seen becomes the legal move that leads there, a question, or a precise difference (docs/design.md §4)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game import Die, Expected, Outcome, SlotExpected
from companion.senses.explain import PRINT, Seen, certain, explain, slot_chance
from companion.wire.messages import CardSeen, DieSeen, SlotSeen
from tests.companion.toy import Place, State, Turn, pack

OWNERS = {"sun": 0, "leaf": 1}
START = State(("Ada", "Ben"))


def die(owner: str, *faces: float, share: float = 0.99) -> DieSeen:
    """A die with the given six probabilities, or one sure face."""
    if len(faces) == 1:
        faces = tuple(0.99 if i + 1 == faces[0] else 0.002 for i in range(6))
    return DieSeen(owner=owner, owner_share=share, faces=faces, x=0.5, y=0.5)  # type: ignore[arg-type]


def seen(*dice: DieSeen, dial: int | None = 0, covered: bool = False) -> Seen:
    slot = SlotSeen(slot="gold-1", dice=dice, card=CardSeen(card="card", share=0.99), covered=covered)
    return Seen({"gold-1": slot}, OWNERS, dial)


def test_an_unchanged_table_says_nothing() -> None:
    """No move is made up where nothing happened."""
    assert explain(pack, START, seen()).kind == "same"


def test_a_clearly_seen_die_is_the_move_that_put_it_there() -> None:
    """Sure and uniquely explained: committed."""
    found = explain(pack, START, seen(die("sun", 4)))
    assert found.kind == "found"
    assert (Place(0, 4),) == found.candidates[0].moves


def test_a_confident_illegal_face_is_never_bent_into_a_legal_one() -> None:
    """Face 1 is the dial's number: the table is told, nothing is committed."""
    found = explain(pack, START, seen(die("sun", 1)))
    assert found.kind == "impossible"
    assert (Die(0, 1),) == found.differences[0].seen


def test_the_rules_break_a_tie_among_uncertain_faces() -> None:
    """1 or 4, and 1 is forbidden: it is the 4, because the reading itself was good enough."""
    found = explain(pack, START, seen(die("sun", 0.3, 0.002, 0.002, 0.69, 0.003, 0.003)))
    assert found.kind == "found"
    assert found.candidates[0].moves[0].face == 4


def test_two_legal_readings_become_a_question_with_the_likelier_first() -> None:
    """Below certainty it is a question, never a guess."""
    found = explain(pack, START, seen(die("sun", 0.0, 0.0, 0.55, 0.45, 0.0, 0.0)))
    assert found.kind == "question"
    assert [candidate.moves[0].face for candidate in found.candidates][:2] == [3, 4]
    assert found.candidates[0].share > found.candidates[1].share


def test_another_players_die_is_a_mistake_at_the_table() -> None:
    """It is Ada's turn; Ben's die on the card is not hers."""
    assert explain(pack, START, seen(die("leaf", 4))).kind == "impossible"


def test_a_short_sequence_is_found() -> None:
    """Die taken and dial turned in one go: place was committed before, the turn explains both."""
    placed = pack.play(START, Place(0, 4)).state
    found = explain(pack, placed, seen(dial=1))
    assert ((Turn(),)) == found.candidates[0].moves


def test_two_moves_seen_at_once_are_explained_together() -> None:
    """Turned and placed between two readings."""
    placed = pack.play(START, Place(0, 4)).state
    found = explain(pack, placed, seen(die("leaf", 5), dial=1))
    assert (Turn(), Place(1, 5)) == found.candidates[0].moves


def test_what_a_hand_covers_is_not_judged() -> None:
    """A covered slot neither confirms nor contradicts."""
    assert explain(pack, START, seen(die("sun", 4), covered=True)).kind == "same"


def test_the_search_is_bounded() -> None:
    """It asks rather than thinks for ever."""
    found = explain(pack, START, seen(die("leaf", 6), die("leaf", 2), dial=5), nodes=50)
    assert found.kind == "impossible"
    assert found.nodes <= 50


class Growing(type(pack)):  # type: ignore[misc]
    """The toy with a second place that appears when the first die lies."""

    def expect(self, state: State) -> Expected:
        known = pack.expect(state)
        return (
            known if state.die is None else msgspec.structs.replace(known, slots=(*known.slots, SlotExpected("red-1")))
        )


def test_places_may_come_and_go() -> None:
    """A pack whose places are not the same in every state is explained all the same."""
    found = explain(Growing(), START, seen(die("sun", 4)))
    assert found.kind == "found"
    assert (Place(0, 4),) == found.candidates[0].moves
    assert explain(Growing(), START, seen(die("sun", 1))).kind == "impossible"


class Thinking(type(pack)):  # type: ignore[misc]
    """The toy in which a player may first take a point, or leave it, and nobody sees which."""

    def moves(self, state: State) -> Sequence[Any]:
        return [Thought(state.turn, take) for take in (0, 1)] if _thinks(state) else pack.moves(state)

    def play(self, state: State, move: Any) -> Outcome:
        if not isinstance(move, Thought):
            return pack.play(state, move)
        points = (state.points[0] + move.take, state.points[1] + 100)
        return Outcome(msgspec.structs.replace(state, points=points))


class Thought(msgspec.Struct, frozen=True):
    """A point taken or left."""

    seat: int
    take: int


def _thinks(state: State) -> bool:
    return state.die is None and state.points[1] < 100


def test_a_decision_that_leaves_no_trace_is_not_left_out() -> None:
    """Both stories look the same: both are told, none is believed."""
    found = explain(Thinking(), START, seen(die("sun", 4)))
    assert found.kind == "question"
    assert [way.moves for way in found.candidates] == [(Thought(0, take), Place(0, 4)) for take in (0, 1)]


def test_a_story_is_believed_when_nothing_else_could_be_decided() -> None:
    """The same with a point nobody can leave."""

    class Obliging(Thinking):
        def moves(self, state: State) -> Sequence[Any]:
            return super().moves(state)[-1:] if _thinks(state) else super().moves(state)

    found = explain(Obliging(), START, seen(die("sun", 4)))
    assert (found.kind, len(found.candidates[0].moves)) == ("found", 2)


def test_a_search_that_could_not_be_finished_is_no_proof() -> None:
    """Whoever leaves the point broods for ever: nobody can say that no other story comes of it, so it is asked."""

    class Brooding(Thinking):
        def moves(self, state: State) -> Sequence[Any]:
            return [Thought(0, 0)] if state.points[0] < 0 else super().moves(state)

        def play(self, state: State, move: Any) -> Outcome:
            if isinstance(move, Thought) and not move.take:
                return Outcome(msgspec.structs.replace(state, points=(state.points[0] - 1, 0)))
            return super().play(state, move)

    found = explain(Brooding(), START, seen(die("sun", 4)))
    assert (found.kind, len(found.candidates)) == ("question", 1)


shares = st.floats(0.0, 1.0, allow_nan=False)
finds = st.builds(
    lambda owner, faces, share: die(owner, *faces, share=share),
    st.sampled_from(["sun", "leaf"]),
    st.one_of(st.tuples(st.integers(1, 6)), st.tuples(*[shares] * 6)),
    st.sampled_from([0.5, 0.8, 0.99]),
)
laid = st.lists(st.builds(Die, st.integers(0, 1), st.integers(1, 6)), max_size=4)


@given(st.lists(finds, max_size=5), laid)
def test_finds_are_laid_on_the_dice_they_fit_best(found: list[DieSeen], dice: list[Die]) -> None:
    """As if every way to lay them had been tried; what is left over may be print, unless anybody would swear to it."""
    slot, reading = SlotExpected("gold-1", tuple(dice)), seen(*found).slots["gold-1"]
    ways = []
    for order in permutations(range(len(found)), len(dice)):
        fits = [
            slot_chance(SlotExpected("gold-1", (one,)), seen(found[i]).slots["gold-1"], OWNERS)
            for one, i in zip(dice, order, strict=True)
        ]
        rest = [0.0 if certain(other) else PRINT for i, other in enumerate(found) if i not in order]
        ways.append(math.prod((*fits, *rest)))
    assert slot_chance(slot, reading, OWNERS, lenient=True) == pytest.approx(max(ways, default=0.0))


def test_a_slot_full_of_print_is_judged_like_any_other() -> None:
    """Two dozen doubtful finds around six dice: a hundred million ways to lay them, and nobody waits for that."""
    doubtful = die("sun", *[1 / 6] * 6, share=0.5)
    dice = tuple(Die(0, face) for face in range(1, 7))
    reading = seen(*[doubtful] * 24).slots["gold-1"]
    chance = slot_chance(SlotExpected("gold-1", dice), reading, OWNERS, lenient=True)
    assert chance == pytest.approx((0.5 / 6) ** 6 * PRINT**18)
