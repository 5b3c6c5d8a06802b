"""One lamp for all dice of a table: what lies around says in which light a die lies."""

from __future__ import annotations

import numpy as np
import pytest

from benches import random_markets as markets
from benches.market import taught_of
from companion.games.skytopia.mat import market_mat
from tests.vision.test_owner import seen, taught
from vision import mat as mats
from vision.camera.frame import Frame, small_of
from vision.reader import lamp, market, owner, settings
from vision.reading import MarketReader

SKY, SNOW, SUN, LEAF = (240, 225, 160), (240, 250, 250), (60, 170, 215), (90, 160, 75)
KNOWN = taught(("sky", SKY), ("snow", SNOW), ("sun", SUN), ("leaf", LEAF))
PLACES = ((0, 0), (100, 0), (200, 0), (0, 150), (100, 150), (200, 150))


def judged(*dice: owner.Tone, trusted: bool = True) -> list[tuple[str, float]]:
    """These dice, laid out over the table."""
    places = np.array(PLACES[: len(dice)], np.float64)
    return lamp.owners(np.array(dice, np.float64), places, np.full(len(dice), trusted), KNOWN)


def test_a_burnt_out_die_is_white_where_the_others_lie_in_the_light_they_were_taught_in() -> None:
    """Alone it might be a light blue one in half as much light again."""
    name, share, _ = owner.owners([seen(SNOW, 1.06)], KNOWN)[0]
    assert name == "snow"
    assert share < settings.OWNER_SURE
    name, share = judged(seen(SNOW, 1.06), seen(SUN), seen(LEAF), seen(SUN), seen(LEAF))[0]
    assert name == "snow"
    assert share > settings.OWNER_SURE


def test_it_is_a_question_where_the_others_lie_in_so_much_light() -> None:
    """There a light blue die would be burnt out as well."""
    name, share = judged(seen(SKY, 1.55), *(seen(bgr, 1.5) for bgr in (SUN, LEAF, SUN, LEAF)))[0]
    assert name == "sky" or share < settings.OWNER_SURE


def test_dice_that_may_lie_in_any_light_are_no_witnesses() -> None:
    """Six burnt-out dice do not make one another white."""
    assert all(share < settings.OWNER_SURE for _, share in judged(*(seen(SNOW, 1.06),) * 6))


def test_finds_that_may_be_print_are_no_witnesses() -> None:
    """What is not trusted to be a die leaves the others as they were."""
    dice = seen(SNOW, 1.06), seen(SUN), seen(LEAF), seen(SUN), seen(LEAF)
    assert judged(*dice, trusted=False)[0][1] < settings.OWNER_SURE


@pytest.mark.parametrize(("name", "bgr"), [("sky", SKY), ("sun", SUN), ("leaf", LEAF), ("snow", SNOW)])
@pytest.mark.parametrize("light", [0.65, 1.0])
def test_a_die_in_a_shadow_of_its_own_keeps_its_owner(name: str, bgr: tuple[int, int, int], light: float) -> None:
    """A neighbour shades it: all others lie in the light."""
    around = (seen(other) for other in (SUN, LEAF, SKY, SUN))
    found, share = judged(seen(bgr, light), *around)[0]
    assert found == name
    assert share > settings.OWNER_SURE


def test_light_may_rise_over_the_table() -> None:
    """A lamp at one side: what the near ones say counts, not the mean of all."""
    lights = [float(np.exp((x - 100) / 100 * 0.25)) for x, _ in PLACES]
    dice = [seen(bgr, light) for bgr, light in zip((SUN, SNOW, LEAF, LEAF, SUN, SKY), lights, strict=True)]
    assert [name for name, _ in judged(*dice)] == ["sun", "snow", "leaf", "leaf", "sun", "sky"]
    places = np.array(PLACES, np.float64)
    sides = np.column_stack([np.ones(6), (places - places.mean(axis=0)) / 100])
    tones = np.array(dice)
    away = owner.away(tones, KNOWN) + owner.veiled(tones)[:, None]
    told, spread = lamp.told(lamp._shine(away), sides, np.full(6, True))
    assert told[0] < told[1] < told[2]
    assert np.abs(told - np.log(lights)).max() < 0.2
    assert (spread < owner.OTHER_LIGHT).all(), "the others know more of a die's light than nobody does"


def test_a_colour_taught_under_the_lamps_mirror_image_is_known_by_all_its_dice() -> None:
    """One die deeper than what was taught is nobody's; where several are, by the same veil, the teaching was pale."""
    pale = tuple(value + 60 for value in SUN)
    known = taught(("sun", pale), ("leaf", LEAF), ("snow", SNOW))
    places = np.array(PLACES[:4], np.float64)
    deep, around = seen(SUN), seen(LEAF)
    alone = lamp.owners(np.array([deep, around, around, around]), places, np.full(4, True), known)[0]
    assert alone[1] < settings.OWNER_SURE
    several = lamp.owners(np.array([deep, seen(SUN, 0.9), seen(SUN, 0.95), around]), places, np.full(4, True), known)
    assert [name for name, _ in several] == ["sun", "sun", "sun", "leaf"]
    assert all(share > settings.OWNER_SURE for _, share in several)


def test_a_die_put_down_alone_is_judged_in_the_light_of_those_that_lie_there() -> None:
    """One slot is read; the dice in the others were read before."""
    scene = markets.market(market_mat(4), 281035)
    plan, colours = mats.of(scene.studio.mat), taught_of(scene)
    image = scene.studio.sensor(scene.studio.picture(scene.slots, None, scene.light), scene.light, 0)
    matrix = mats.registered(mats.find(image), plan)
    assert matrix is not None

    def white(others: dict[str, tuple[market.MarketDie, ...]]) -> float:
        found = market.read(image, matrix, plan, ("gold-1",), colours, 1, others)["gold-1"]
        return next(die.owner_share for die in found if (die.owner, die.face) == ("snow", 2))

    lying = market.read(image, matrix, plan, tuple(plan.slots), colours, 0)
    assert white(lying) > settings.OWNER_SURE > white({})


def test_the_room_knows_what_lies_in_the_other_areas() -> None:
    """Those it has read, and those it is reading now; not the ones it asks about."""
    scene = markets.market(market_mat(4), 273113)
    reader = MarketReader(mats.of(scene.studio.mat), taught=taught_of(scene), settle=0.1)
    image = scene.studio.sensor(scene.studio.picture(scene.slots, None, scene.light), scene.light, 0)
    small, said = small_of(image), None
    for number in range(14):
        said = reader.see(Frame(image, small, number * 0.067, number)) or said
    assert said is not None
    sure = {slot.slot for slot in said.slots if slot.sure and slot.dice}
    assert len(sure) > 3
    some = sorted(sure)[0]
    lying = reader._lying((some,))
    assert some not in lying
    assert {slot for slot, dice in lying.items() if dice} == sure - {some}
