"""What the camera tells, judged with what the table remembers: misread golems, the last word of people, untouched dice."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from skytopia_table import NAMES, play, table

from benches.rules import WORDS, reading
from companion.core.moment import Moment, moment
from companion.core.registry import pack as find_pack
from companion.core.session import Done
from companion.game import Die, Expected
from companion.games.skytopia.state import SkytopiaState
from companion.senses.explain import explain
from companion.senses.readings import Readings, Verdict
from companion.wire.messages import Cause, DieSeen, MarketSeen, SeatInfo

pack = find_pack("skytopia")
SPOTS = ((0.3, 0.3), (0.7, 0.6), (0.7, 0.3), (0.3, 0.6))


class Game:
    """A game in play as `Readings` needs it, and a camera over it."""

    def __init__(self, state: SkytopiaState) -> None:
        self.pack, self.state = pack, state
        self.seats = tuple(SeatInfo(seat=i, name=NAMES[i], colour=WORDS[i]) for i in range(len(state.players)))
        self.done: list[Done] = []
        self.options: dict[str, Any] = {}
        self.readings = Readings()
        self.mat, self.dial = pack.mat(len(state.players)), pack.dial()

    @property
    def moment(self) -> Moment:
        """All that is said about the position."""
        return moment(pack, self.state, len(self.seats))

    def look(self, *golems: tuple[str, DieSeen], expected: Expected | None = None) -> Verdict:
        """The market as it should lie, with some golems seen otherwise."""
        slots = reading(expected or pack.expect(self.state)).slots
        for name in slots:
            dice = [msgspec.structs.replace(d, x=x, y=y) for d, (x, y) in zip(slots[name].dice, SPOTS, strict=False)]
            slots[name] = msgspec.structs.replace(slots[name], dice=tuple(dice))
        for name in {name for name, _ in golems}:
            seen = tuple(die for slot, die in golems if slot == name)
            slots[name] = msgspec.structs.replace(slots[name], dice=seen)
        self.readings.market = MarketSeen(state="ready", ts=0.0, slots=tuple(slots.values()))
        return self.readings.judge(self)  # type: ignore[arg-type]

    def play(self, move: dict[str, Any], cause: Cause = "touch") -> None:
        """A move is made; the pieces may not have followed yet."""
        before, outcome = pack.expect(self.state), pack.play(self.state, pack.decode(move))
        self.done.append(Done(SimpleNamespace(cause=cause), self.state, outcome.reveals, 0))  # type: ignore[arg-type]
        self.state = outcome.state
        self.readings.moved_on(before, pack.expect(self.state), self.seats, cause)

    def believe(self, verdict: Verdict) -> None:
        """What the camera told is committed."""
        assert verdict.kind == "commit"
        for move in verdict.moves:
            self.play(pack.encode(move), "camera")


def golem(owner: int, *faces: float, share: float = 0.99, x: float = 0.3, y: float = 0.3) -> DieSeen:
    """One find: a sure face, or six shares."""
    shares = tuple(0.99 if n == faces[0] else 0.002 for n in range(1, 7)) if len(faces) == 1 else faces
    return DieSeen(owner=WORDS[owner], owner_share=share, faces=shares, x=x, y=y)  # type: ignore[arg-type]


def rotating() -> SkytopiaState:
    """Magda has just placed on red-1 and may turn each of her golems by one: on blue-1 and gold-1."""
    state = table({"blue-1": [(0, 2)], "gold-1": [(0, 3)], "gold-2": [(1, 5)]}, cards={"red-1": "R2a"}, coins=(9, 5))
    return play(state, {"kind": "place", "seat": 0, "slot": "red-1", "face": 2})


def turn(slot: str, face: int) -> dict[str, Any]:
    return {"kind": "rotate", "seat": 0, "slot": slot, "face": face, "steps": 1}


def test_two_turns_seen_at_once_are_asked_because_one_could_be_a_misread_golem():
    state = rotating()
    after = play(state, turn("blue-1", 2), turn("gold-1", 3))
    found = explain(pack, state, reading(pack.expect(after)))
    assert found.kind == "question"
    assert pack.expect(found.candidates[0].state) == pack.expect(after)


def test_a_longer_story_no_misread_golem_could_tell_is_believed():
    state = table({"blue-1": [(0, 2)], "gold-2": [(0, 5)]}, players=2, coins=(9, 5))
    state = play(state, {"kind": "correct", "what": "turn", "seat": 0})
    for name in ("red-1", "red-2", "violet-1"):
        state = play(state, {"kind": "correct", "what": "die", "seat": 0, "slot": name, "face": 3})
    assert state.players[0].home == 0
    take = {"kind": "take", "seat": 0, "slot": "blue-1", "face": 2}
    after = play(state, take, {"kind": "place", "seat": 0, "slot": "gold-1", "face": 4})
    found = explain(pack, state, reading(pack.expect(after)))
    assert found.kind == "found"
    assert len(found.candidates[0].moves) == 2


def test_a_golem_lifted_and_put_back_on_its_card_with_another_face_is_asked():
    state = table({"blue-1": [(0, 2)]}, coins=(9, 5))
    for name in ("red-1", "red-2", "violet-1", "violet-2"):
        state = play(state, {"kind": "correct", "what": "die", "seat": 0, "slot": name, "face": 3})
    take = {"kind": "take", "seat": 0, "slot": "blue-1", "face": 2}
    after = play(state, take, {"kind": "place", "seat": 0, "slot": "blue-1", "face": 4})
    assert explain(pack, state, reading(pack.expect(after))).kind == "question"


def test_a_golem_turned_by_hand_lies_elsewhere_and_is_believed():
    game = Game(rotating())
    assert game.look().kind == "same"
    verdict = game.look(("blue-1", golem(0, 3, x=0.34, y=0.28)))
    assert [pack.encode(move) for move in verdict.moves] == [turn("blue-1", 2)]


def test_a_golem_that_shows_another_face_without_having_moved_is_asked_about():
    game = Game(rotating())
    assert game.look().kind == "same"
    verdict = game.look(("blue-1", golem(0, 3, x=0.3015, y=0.3)))
    assert verdict.kind == "question"
    assert [pack.encode(move) for move in verdict.explanation.candidates[0].moves] == [turn("blue-1", 2)]


def test_what_people_deny_is_not_asked_again():
    """None of it happened, and the golem lies where it lay: it is what it was, and the next move is seen."""
    game = Game(rotating())
    misread = golem(0, 3)
    assert game.look().kind == "same"
    assert game.look(("blue-1", misread)).kind == "question"
    game.readings.denied(game)  # type: ignore[arg-type]
    assert game.look(("blue-1", misread)).kind == "same"
    verdict = game.look(("blue-1", misread), ("gold-1", golem(0, 4, x=0.35)))
    assert [pack.encode(move) for move in verdict.moves] == [turn("gold-1", 3)]


def test_a_golem_that_did_move_is_no_matter_of_denying():
    """What lies elsewhere now was touched, whatever people say: it stays a mistake until it is put right."""
    game = Game(rotating())
    assert game.look().kind == "same"
    elsewhere = golem(0, 5, x=0.4)
    assert game.look(("blue-1", elsewhere)).kind == "differs"
    game.readings.denied(game)  # type: ignore[arg-type]
    assert game.look(("blue-1", elsewhere)).kind == "differs"


def taking() -> SkytopiaState:
    """Magda has no golem at home and must take one back; two of hers lie on blue-1."""
    state = table({"blue-1": [(0, 2), (0, 4)], "gold-1": [(0, 3)], "red-1": [(0, 3)]}, coins=(9, 5))
    state = play(state, {"kind": "correct", "what": "die", "seat": 0, "slot": "violet-1", "face": 3})
    assert state.players[0].home == 0
    return state


def test_the_golem_left_behind_is_known_by_where_it_lies():
    """The 2 is taken and the 4 that stays is read as a 2: it lies where the 4 lay, so nobody believes the 4 was taken."""
    game = Game(taking())
    two, four = (golem(0, 2, x=0.3, y=0.3), golem(0, 4, x=0.7, y=0.6))
    assert game.look(("blue-1", two), ("blue-1", four)).kind == "same"
    assert game.look(("blue-1", golem(0, 2, x=0.7, y=0.6))).kind == "question"
    taken = game.look(("blue-1", four))
    assert [(move.slot, move.face) for move in taken.moves] == [("blue-1", 2)]


def test_a_golem_laid_beside_another_is_no_turned_one():
    """Only one lay there; the second is news wherever it lies."""
    game = Game(table({"gold-1": [(1, 5)]}, coins=(9, 5)))
    lying = golem(1, 5, x=0.5, y=0.5)
    assert game.look(("gold-1", lying)).kind == "same"
    assert game.look(("gold-1", lying), ("gold-1", golem(0, 4, x=0.502, y=0.5))).kind == "commit"


def test_the_golem_just_laid_may_still_be_turned():
    game = Game(table(coins=(9, 5)))
    game.believe(game.look(("gold-1", golem(0, 4))))
    verdict = game.look(("gold-1", golem(0, 3)))
    assert verdict.kind == "amend"
    assert [move.face for move in verdict.moves] == [3]


def test_people_have_the_last_word_about_a_golem_the_camera_misreads():
    """The camera swears to a 1, which is the build value; people say it is a 4: the game is seen to go on."""
    game = Game(table(coins=(9, 9)))
    misread = golem(0, 1)
    assert game.look(("gold-1", misread)).kind == "differs"
    game.play({"kind": "place", "seat": 0, "slot": "gold-1", "face": 4})
    assert game.look(("gold-1", misread)).kind == "same"
    while game.state.turn == 0:
        game.play({"kind": "skip", "seat": 0})
    verdict = game.look(("gold-1", misread), ("red-2", golem(1, 3)))
    assert [pack.encode(move)["kind"] for move in verdict.moves] == ["place"]
    assert game.look(("gold-1", golem(0, 1, x=0.5)), ("red-2", golem(1, 3))).kind == "differs", "it was moved: news"


def test_a_verdict_nobody_acted_on_takes_no_word_from_people():
    """The camera told one move, and before it counted a person made another there."""
    game = Game(table(coins=(9, 9)))
    misread = golem(0, 3)
    assert game.look(("gold-1", misread)).kind == "commit"
    game.play({"kind": "place", "seat": 0, "slot": "gold-1", "face": 4})
    assert game.look(("gold-1", misread)).kind == "same"


def test_a_word_about_one_golem_says_nothing_about_another():
    """A mistake that lay there before stays a mistake, whatever people say elsewhere."""
    game = Game(table({"blue-1": [(1, 3)]}, coins=(9, 9)))
    wrong = golem(1, 5)
    assert game.look(("blue-1", wrong)).kind == "differs"
    game.play({"kind": "place", "seat": 0, "slot": "gold-1", "face": 4})
    assert game.look(("blue-1", wrong)).kind == "differs"


def test_a_golem_touched_in_before_it_is_laid_is_still_checked():
    """People say 4 and then lay a 5: the reading was no contradiction when they spoke, so it is one now."""
    game = Game(table(coins=(9, 9)))
    before = pack.expect(game.state)
    assert game.look().kind == "same"
    game.play({"kind": "place", "seat": 0, "slot": "gold-1", "face": 4})
    assert game.look(expected=before).kind == "same", "the hand has not followed yet"
    assert game.look(("gold-1", golem(0, 5))).kind == "differs"


@pytest.mark.parametrize(
    ("unsure", "kind"), [((0.2, 0.0, 0.0, 0.8, 0.0, 0.0), "commit"), ((0.45, 0, 0, 0.55, 0, 0), "question")]
)
def test_an_unsure_golem_is_resolved_by_the_rules_only_with_a_clear_margin(unsure, kind):
    """1 is the build value, only the 4 is legal; but a reading that hardly prefers it is a question, never a guess."""
    assert Game(table(coins=(9, 9))).look(("gold-1", golem(0, *unsure))).kind == kind


def test_a_golem_settled_long_ago_may_stay_hard_to_read():
    """Asked once and answered: the next move is seen although that golem still looks more like a 3 than a 4."""
    game = Game(table(coins=(9, 9)))
    doubtful = golem(0, 0.0, 0.0, 0.8, 0.2, 0.0, 0.0)
    assert game.look(("gold-1", doubtful)).kind == "question"
    game.play({"kind": "place", "seat": 0, "slot": "gold-1", "face": 4})
    assert game.look(("gold-1", doubtful)).kind == "same"
    while game.state.turn == 0:
        game.play({"kind": "skip", "seat": 0})
    verdict = game.look(("gold-1", doubtful), ("red-2", golem(1, 3)))
    assert verdict.kind == "commit"
    assert game.state.slots[2].dice == (Die(0, 4),)


PLACE = {"kind": "place", "seat": 0, "slot": "gold-1", "face": 4}


def test_a_golem_the_camera_overlooks_does_not_stop_the_game_once_people_have_told_it():
    """Two golems lie on blue-1 and one of them is never found: said by touch, it is not wondered about again."""
    game = Game(table({"blue-1": [(0, 2)]}, coins=(9, 5)))
    overlooked = ("blue-1", golem(0, 5, x=0.7, y=0.6))
    game.look(overlooked)
    game.play({"kind": "place", "seat": 0, "slot": "blue-1", "face": 5})
    assert game.look(overlooked).kind == "same"
    after = pack.play(game.state, pack.moves(game.state)[0]).state
    verdict = game.look(overlooked, expected=pack.expect(after))
    assert verdict.kind in ("same", "commit"), verdict


def test_what_people_told_counts_only_as_long_as_the_camera_sees_what_it_saw():
    """Another find on the same card is news."""
    game = Game(table({"blue-1": [(0, 2)]}, coins=(9, 5)))
    game.look(("blue-1", golem(0, 5, x=0.7, y=0.6)))
    game.play({"kind": "place", "seat": 0, "slot": "blue-1", "face": 5})
    assert game.look(("blue-1", golem(0, 5, x=0.7, y=0.6))).kind == "same"
    assert game.look(("blue-1", golem(0, 6, x=0.5, y=0.2))).kind == "differs"


def test_a_golem_too_many_is_said_once_and_the_game_goes_on_elsewhere():
    """Louis' golem shows the build value, which no golem may be set to: it is said; Magda's placing is still seen."""
    game = Game(table({}, coins=(9, 5)))
    extra = ("red-1", golem(1, 1))
    assert game.look(extra).kind == "differs"
    verdict = game.look(extra, ("gold-1", golem(0, 4)))
    assert [pack.encode(move) for move in verdict.moves] == [PLACE]
    game.believe(verdict)
    assert game.look(extra, ("gold-1", golem(0, 4))).kind == "differs"


def test_a_golem_too_many_that_appears_together_with_a_move_is_said_first():
    """Nothing is committed from a picture with something in it that nobody has been told about."""
    game = Game(table({}, coins=(9, 5)))
    assert game.look(("red-1", golem(1, 1)), ("gold-1", golem(0, 4))).kind == "differs"


def test_a_golem_that_left_its_card_is_never_left_out():
    """It may be the one that turned up elsewhere: a move is not taken for a placing."""
    game = Game(table({"blue-1": [(0, 2)]}, coins=(9, 5)))
    gone = pack.expect(table({}, coins=(9, 5)))
    assert game.look(("red-1", golem(1, 1)), expected=gone).kind == "differs"
    assert game.look(("red-1", golem(1, 1)), ("gold-1", golem(0, 4)), expected=gone).kind == "differs"


def test_a_golem_put_down_before_its_turn_is_asked_about_when_the_turn_comes():
    """It was said to be too early; whether it is meant now, its owner says."""
    game = Game(table({}, coins=(9, 5)))
    early = ("red-1", golem(1, 3))
    assert game.look(early).kind == "differs"
    verdict = game.look(early, ("gold-1", golem(0, 4)))
    assert [pack.encode(move) for move in verdict.moves] == [PLACE]
    game.believe(verdict)
    while pack.ask(game.state).seat == 0:
        game.play(pack.encode(pack.moves(game.state)[-1]))
    assert game.look(early, ("gold-1", golem(0, 4))).kind == "question"


PRINT = (0.04, 0.05, 0.06, 0.64, 0.15, 0.06)


def test_what_is_sure_is_believed_although_a_doubtful_find_would_make_a_longer_story():
    """She assigns a golem; on another card print looks a little like the golem the next player might assign."""
    game = Game(table(cards={"gold-1": "G1a"}, coins=(9, 9)))
    assert game.look().kind == "same"
    hers, print_ = golem(0, 4), golem(1, *PRINT, share=0.8)
    verdict = game.look(("gold-1", hers), ("red-2", print_))
    longer = explain(pack, game.state, game.readings.seen(game.seats))
    assert longer.kind == "question"
    assert len(longer.candidates[0].moves) > 1
    assert verdict.kind == "commit"
    assert [pack.encode(move)["slot"] for move in verdict.moves] == ["gold-1"]
    game.believe(verdict)
    assert game.look(("gold-1", hers), ("red-2", print_)).kind == "question", "now it could be a move of its own"


def test_a_doubtful_find_that_one_move_explains_is_asked_about():
    """Nothing else changed, and she may assign a 4 there: is it one?"""
    game = Game(table(coins=(9, 9)))
    assert game.look().kind == "same"
    assert game.look(("gold-1", golem(0, *PRINT, share=0.8))).kind == "question"


def test_what_people_say_is_no_golem_is_none_however_sure_the_camera_is():
    """The picture on the card is taken for a second golem; she says what she did, and the table sees on."""
    game = Game(table(coins=(9, 9)))
    assert game.look().kind == "same"
    hers, picture = golem(0, 4), golem(0, 5, x=0.6, y=0.5)
    assert game.look(("gold-1", hers), ("gold-1", picture)).kind == "differs"
    game.play({"kind": "place", "seat": 0, "slot": "gold-1", "face": 4})
    wobbling = golem(0, 5, x=0.62, y=0.51)
    assert game.look(("gold-1", hers), ("gold-1", wobbling)).kind == "same"
    while game.state.turn == 0:
        game.play({"kind": "skip", "seat": 0})
    verdict = game.look(("gold-1", hers), ("gold-1", wobbling), ("red-2", golem(1, 3)))
    assert [pack.encode(move)["kind"] for move in verdict.moves] == ["place"]
    assert game.look(("gold-1", hers), ("gold-1", golem(1, 3, x=0.62, y=0.51))).kind == "commit", "a real one is seen"
