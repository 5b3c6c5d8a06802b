"""The whole reading side on the virtual camera: what lies on the mat is read, and nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from benches.market import Rendered, rendered, taught_of
from benches.random_markets import Market, market
from companion.wire.messages import MarketSeen, VirtualTruth
from tests.vision.laid import laid, market_mat
from vision.camera.frame import Frame, small_of
from vision.reader import vote
from vision.reader.market import MarketDie
from vision.reading import MarketReader
from vision.virtual.camera import VirtualCamera
from vision.virtual.scene import Light


def die(face: int, colour: str = "snow", x: float = 0.5, y: float = 0.5, angle: float = 30.0) -> dict[str, object]:
    """One die of the truth."""
    return {"colour": colour, "face": face, "x": x, "y": y, "angle": angle}


def table(**dice: list[dict[str, object]]) -> dict[str, object]:
    """A two-row market with these dice; `gold_1=[…]`."""
    slots: dict[str, object] = {}
    for letter, column in zip("BGRV", ("blue", "gold", "red", "violet"), strict=True):
        for row in (1, 2):
            slots[f"{column}-{row}"] = {"card": f"{letter}{row}a", "dice": dice.get(f"{column}_{row}", [])}
    return slots


class Play:
    """A virtual table and the reader above it."""

    def __init__(self) -> None:
        self.camera = VirtualCamera(mat=market_mat(2), seed=4)
        self.reader = MarketReader(laid(2), settle=0.2)
        self.ts = 10.0

    def show(self, frames: int = 12, **truth: object) -> list[MarketSeen]:
        self.ts += 5
        self.camera.show(VirtualTruth(ts=self.ts, **truth))  # type: ignore[arg-type]
        said = [self.reader.see(frame) for frame in (self.camera.read() for _ in range(frames)) if frame]
        return [s for s in said if s is not None]


def faces(seen: MarketSeen) -> dict[str, list[tuple[str, int]]]:
    """Slot -> owner and face of each die, where the reader is sure."""
    return {
        s.slot: sorted((d.owner, 1 + int(np.argmax(d.faces))) for d in s.dice) for s in seen.slots if s.dice and s.sure
    }


def test_a_die_is_laid_turned_and_taken_away():
    """One reading per settled change, with the hand's visit in between."""
    play = Play()
    first = play.show(slots=table(gold_1=[die(5)]))
    assert [s.state for s in first][-1] == "ready" and faces(first[-1]) == {"gold-1": [("snow", 5)]}
    both = table(gold_1=[die(5)], red_2=[die(3, "plum", 0.4, 0.6)])
    held = play.show(slots=both, hand={"x": 0.6, "y": 0.6})
    assert {s.state for s in held} <= {"hand", "settling"} and held[-1].state == "hand"
    after = play.show(slots=both)
    assert after[-1].state == "ready"
    assert faces(after[-1]) == {"gold-1": [("snow", 5)], "red-2": [("plum", 3)]}
    turned = play.show(slots=table(gold_1=[die(6)], red_2=[die(3, "plum", 0.4, 0.6)]))
    assert faces(turned[-1]) == {"gold-1": [("snow", 6)], "red-2": [("plum", 3)]}
    empty = play.show(slots=table())
    assert faces(empty[-1]) == {} and len(empty[-1].slots) == 8


def frames_until_ready(play: Play, **truth: object) -> int:
    """How many frames it takes from the moment the table looks like this."""
    play.ts += 5
    play.camera.show(VirtualTruth(ts=play.ts, **truth))  # type: ignore[arg-type]
    for number in range(1, 20):
        frame = play.camera.read()
        assert frame is not None
        seen = play.reader.see(frame)
        if seen is not None and seen.state == "ready":
            return number
    raise AssertionError("the camera came to no reading")


def test_the_reading_is_there_when_the_rest_is_over():
    """What lies still is looked at while it is waited: a rest of 0.35 s at 15 frames a second, counted from the first frame
    without the hand, and not a frame more, however many frames vote."""
    play = Play()
    play.reader.watch.settle = 0.35
    play.show(slots=table(gold_1=[die(5)]))
    for slots in (table(gold_1=[die(6)]), table(gold_1=[die(6)], red_2=[die(3, "plum")], blue_1=[die(2, "sky")])):
        play.show(slots=slots, hand={"x": 0.6, "y": 0.6})
        assert frames_until_ready(play, slots=slots) == 7


def test_what_was_seen_before_a_hand_came_back_is_no_word_on_what_lies_there_then():
    play = Play()
    play.show(slots=table())
    play.show(slots=table(gold_1=[die(5)]), hand={"x": 0.6, "y": 0.6})
    assert play.show(slots=table(gold_1=[die(5)]), frames=3) == [], "the rest is not over"
    assert play.reader.reads > 8, "it was looked at already"
    play.show(slots=table(gold_1=[die(2)]), hand={"x": 0.6, "y": 0.6})
    assert faces(play.show(slots=table(gold_1=[die(2)]))[-1]) == {"gold-1": [("snow", 2)]}


def test_a_quiet_table_says_nothing():
    """No message and no reading while nothing changes."""
    play = Play()
    play.show(slots=table(blue_2=[die(2)]))
    before = play.reader.reads
    assert play.show(slots=table(blue_2=[die(2)])) == []
    assert play.reader.reads == before


def test_touching_dice_are_two_dice():
    """Two dice of one colour side by side are never one: both are seen with their faces, committed or asked about."""
    play = Play()
    play.reader.taught = {"sun": [(196.0, 132.0, 190.0), (180.0, 131.0, 186.0), (205.0, 130.0, 192.0)]}
    pair = [die(4, "sun", 0.38, 0.5, 0.0), die(1, "sun", 0.38 + 15.4 / 63, 0.5, 0.0)]
    seen = play.show(slots=table(violet_1=pair))
    slot = next(s for s in seen[-1].slots if s.slot == "violet-1")
    assert sorted((d.owner, 1 + int(np.argmax(d.faces))) for d in slot.dice) == [("sun", 1), ("sun", 4)]


@pytest.mark.parametrize(
    ("light", "state"), [({"covered": True}, "too dark"), ({"level": 0.03}, "too dark")], ids=["covered", "night"]
)
def test_in_the_dark_nothing_is_read(light, state):
    """A covered lens gives a state with words, never a reading."""
    play = Play()
    said = play.show(slots=table(gold_1=[die(5)]), light=light)
    assert said and said[-1].state == state and not any(s.slots for s in said)
    assert said[-1].say is not None or play.reader.reads == 0
    assert play.reader.reads == 0


@pytest.mark.parametrize("image", [np.full((1080, 1920, 3), 255, np.uint8), np.full((3000, 4000, 3), 120, np.uint8)])
def test_frames_without_a_mat_are_said_to_be_so(image):
    """White frames and twelve megapixels of table top: the mat is missing, nothing is read."""
    reader = MarketReader(laid(4))
    said = [reader.see(Frame(image, small_of(image), k / 15, k)) for k in range(4)]
    assert said[0] is not None and said[0].state == "drifted" and said[0].say is not None
    assert said[1:] == [None, None, None] and reader.reads == 0


def test_a_nudged_camera_is_noticed_and_read_right_again():
    """Within two seconds the new view is known; the dice are where they were."""
    play = Play()
    play.show(slots=table(gold_1=[die(5)], red_2=[die(2, "leaf")]))
    said = play.show(frames=40, slots=table(gold_1=[die(5)], red_2=[die(2, "leaf")]), light={"nudge": [7.0, 4.0]})
    assert "drifted" in [s.state for s in said]
    assert said[-1].state == "ready" and faces(said[-1]) == {"gold-1": [("snow", 5)], "red-2": [("leaf", 2)]}


def test_swapped_faces_in_the_picture_are_read_as_they_look():
    """The reader has no way to know the truth: a renderer that lies is believed."""
    play = Play()
    said = play.show(slots=table(gold_1=[die(5)]), light={"swap": [5, 2]})
    assert faces(said[-1]) == {"gold-1": [("snow", 2)]}


def test_the_market_is_read_over_the_normal_range():
    """Full markets under many lamps: no committed reading wrong, hardly a die left open, no print taken for a die."""
    result = Rendered()
    for seed in range(2000, 2004):
        rendered(seed, result)
    assert result.right > 15
    assert result.wrong == 0, result.mistakes
    assert result.unsure <= 0.02 * (result.right + result.unsure) + 1
    assert result.made_up <= 1


def test_a_market_out_of_view_is_left_open():
    """Markers cut off by the edge of the picture: every die counts as unsure, none as read."""

    def pushed(scene: Market) -> Market:
        lens = replace(scene.studio.lens, shift=(150.0, 120.0))
        return Market(replace(scene.studio, lens=lens, _flat=None, _maps=None), scene.slots, scene.light)

    result = Rendered()
    rendered(2010, result, pushed)
    dice = sum(len(what["dice"]) for what in market(market_mat(4), 2010).slots.values())
    assert (result.right, result.wrong, result.unsure) == (0, 0, dice) and dice > 0


def test_upside_down_is_the_same_market():
    """The mat knows which way it lies."""

    def turned(scene: Market) -> Market:
        lens = replace(scene.studio.lens, roll=scene.studio.lens.roll + 180)
        return Market(replace(scene.studio, lens=lens, _flat=None, _maps=None), scene.slots, Light())

    result = Rendered()
    rendered(2010, result, turned)
    assert result.mistakes == [] and result.right > 0


def test_frames_vote():
    """Agreement makes sure, disagreement makes unsure; what most frames miss is dropped, unless one saw it beyond doubt."""
    sure = MarketDie("sun", 1.0, (0.99, 0.002, 0.002, 0.002, 0.002, 0.002), 0.5, 0.5, 15.0)
    other = replace(sure, faces=(0.002, 0.99, 0.002, 0.002, 0.002, 0.002))
    assert vote.together([(sure,), (sure,)])[0].sure
    assert not vote.together([(sure,), (other,)])[0].sure
    assert vote.together([(replace(sure, score=0.9, die=0.9),), (), ()]) == ()
    assert [die.sure for die in vote.together([(sure,), (), ()])] == [False], "a question, not a die overlooked"
    assert not vote.together([(sure,), (sure,), ()])[0].sure
    assert vote.settled([(sure,), (sure,)], 2) and not vote.settled([(sure,)], 2)
    assert not vote.settled([(sure,), ()], 2)


def test_a_players_very_colour_speaks_for_a_weak_find_and_print_is_not_asked_about():
    """Print is in nobody's colour and looks little like a die; a weak find in a player's colour is a question."""
    weak = MarketDie("sun", 1.0, (0.99, 0.002, 0.002, 0.002, 0.002, 0.002), 0.5, 0.5, 15.0, score=0.5, die=0.5)
    (asked,) = vote.together([(replace(weak, tint=3.0),)] * 2)
    assert not asked.sure
    assert vote.together([(weak,), (weak,)]) == ()
    likely = replace(weak, die=0.97)
    (asked,) = vote.together([(replace(likely, tint=-2.0),)] * 2)
    assert not asked.sure, "what looks like a die in nobody's colour is a question"
    (taken,) = vote.together([(replace(likely, tint=3.0),)] * 2)
    assert taken.sure
    (torn,) = vote.together([(replace(likely, tint=3.0, owner_share=0.9),)] * 2)
    assert not torn.sure, "two owners may have this colour"


def test_one_frame_may_overlook_what_all_others_see_plainly():
    """Four of five frames saw a die beyond doubt: it is one. A doubtful find, or two frames without it, stay a question."""
    plain = MarketDie("sun", 1.0, (0.99, 0.002, 0.002, 0.002, 0.002, 0.002), 0.5, 0.5, 15.0, score=0.9, die=0.99)
    (voted,) = vote.together([(), *[(plain,)] * 4])
    assert voted.sure
    (voted,) = vote.together([(), *[(replace(plain, score=0.6),)] * 4])
    assert not voted.sure
    (voted,) = vote.together([(), (), *[(plain,)] * 3])
    assert not voted.sure


def test_two_dice_side_by_side_stay_two_in_the_vote():
    """A frame has one word about each die, however close its neighbour lies."""
    left = MarketDie("sun", 1.0, (0.99, 0.002, 0.002, 0.002, 0.002, 0.002), 0.40, 0.5, 15.0)
    right = replace(left, x=0.47, faces=(0.002, 0.99, 0.002, 0.002, 0.002, 0.002))
    voted = vote.together([(left, right), (replace(left, x=0.41), replace(right, x=0.46))])
    assert [(d.face, d.sure) for d in voted] == [(1, True), (2, True)]
    assert all(abs(sum(d.faces) - 1) < 1e-6 for d in voted)


def test_colours_are_taught_under_the_tables_own_lamp():
    """Every player colour in play gets samples."""
    scene = market(market_mat(4), 2001)
    colours = {d["colour"] for s in scene.slots.values() for d in s["dice"]}
    taught = taught_of(scene)
    assert set(taught) == colours and all(len(v) >= 16 for v in taught.values())
