"""What each guild master is said to pay, and a city that was counted and not laid out card by card."""

from __future__ import annotations

import pytest

from companion.game import Text
from companion.games.skytopia import guilds, phrases
from companion.games.skytopia.printed import COLOURS, GUILDS, numbers

MADE = numbers({})
BOX = MADE.box


def does(name: str, **params: object) -> Text:
    return Text(f"skytopia/does/{name}", params)  # type: ignore[arg-type]


def test_builders_and_architects_pay_for_heights() -> None:
    assert guilds.does(MADE, "builders") == does("tallest", points=phrases.points(BOX["guilds.builders_pp"]))
    assert guilds.does(MADE, "architects") == does(
        "tall", points=phrases.points(BOX["guilds.architects_pp"]), n=BOX["guilds.architects_threshold"]
    )


@pytest.mark.parametrize("guild", [name for name in GUILDS if name not in ("builders", "architects")])
def test_the_others_pay_for_crests_and_colours_of_this_copy(guild: str) -> None:
    each = phrases.points(BOX["guilds.others_pp"])
    if guild in ("mechanics", "engineers"):
        a, b = BOX[f"guilds.pair_colours.{guild}"]
        wanted = does("pairs", points=each, a=phrases.colour(a), b=phrases.colour(b))
    elif f"guilds.crest_set_colour.{guild}" in BOX.printed:
        wanted = does("kinds", points=each, colour=phrases.colour(BOX[f"guilds.crest_set_colour.{guild}"]))
    else:
        wanted = does("crest", points=each, crest=phrases.crest(MADE, BOX[f"guilds.crest_count.{guild}"]))
    assert guilds.does(MADE, guild) == wanted


def test_four_count_the_crests_of_a_colour_and_four_one_crest() -> None:
    told = [guilds.counts(MADE, guild) for guild in GUILDS]
    assert told[:4] == [""] * 4
    assert sorted(told[4:]) == sorted([*COLOURS, "C1", "C2", "C3", "C4"])


def test_a_counted_city_has_its_bases() -> None:
    city = guilds.Counted((3, 0, 1, 2), {"priests": 4, "merchants": 2}, of={"C2": "priests", "gold": "merchants"})
    assert [city.size(colour) for colour in range(4)] == [4, 1, 2, 3]
    assert city.kinds(1) == 2
    assert city.shown("C2") == 4
    assert city.crest_keys(0) == []
    assert city.cards == 6
