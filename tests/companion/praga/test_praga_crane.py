"""The action crane as the rules' section 4 tells it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.box.printed import load
from companion.games.praga import clock, crane

PRINTED = load("companion.games.praga")
STARTS = {2: 10, 3: 5, 4: 11}
DROPS = {2: (10, 21, 32), 3: (4, 15, 26, 37, 48), 4: (9, 20, 31, 42, 53, 64)}
ERAS = {2: 16, 3: 26, 4: 31}
PLATFORM = {2: 3, 3: 5, 4: 6}


def play_through(seats: int, picks: list[int]) -> list[crane.Crane]:
    """A whole game of the wheel; each pick chooses among the hanging tiles."""
    wheel = crane.set_up(STARTS[seats])
    seen = [wheel]
    for pick in picks:
        tiles = wheel.tiles()
        tile = tiles[pick % len(tiles)][1]
        wheel, _ = crane.turn(PRINTED, crane.take(wheel, tile), tile)
        seen.append(wheel)
    return seen


@pytest.mark.rule("14 T18")
@pytest.mark.sentence(13, 29, 168, 182, how="computed")
def test_T18_the_arrow_of_two_players_walks_from_ten():
    """From station 10: eleven turns a revolution, two notches from 12, a drop at 9, Era II at the star."""
    stations = [wheel.box for wheel in play_through(2, [0] * 16)][1:]

    assert stations == [11, 12, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 2, 3, 4]
    assert [t for t in range(1, 17) if clock.drops(PRINTED, 2, t)] == [10]
    assert [clock.era(PRINTED, 2, t) for t in (15, 16)] == [1, 2]


@pytest.mark.rule("14 T19")
@pytest.mark.sentence(184, 186, how="computed")
def test_T19_three_players_have_eleven_turns_left_after_turn_37():
    """The last platform space is announced with the turns left by seat."""
    assert clock.platform(PRINTED, 3, 37) == 1
    assert clock.announces_last_revolution(PRINTED, 3, 37)
    assert clock.turns_left(PRINTED, 3, 37) == (3, 4, 4)


@pytest.mark.parametrize(("seats", "turn", "left"), [(2, 21, (5, 6)), (3, 37, (3, 4, 4)), (4, 53, (2, 3, 3, 3))])
@pytest.mark.sentence(185, how="computed")
def test_eleven_turns_left_by_seat(seats, turn, left):
    """Eleven turns in all are left when the platform cube reaches its last space."""
    assert clock.announces_last_revolution(PRINTED, seats, turn)
    assert clock.turns_left(PRINTED, seats, turn) == left
    assert sum(left) == 11


@pytest.mark.rule("14 T20")
@pytest.mark.sentence(178, how="computed")
def test_T20_four_players_enter_era_two_after_turn_31():
    """The platform cube moves from 4 to 3 and the era changes."""
    assert (clock.platform(PRINTED, 4, 30), clock.platform(PRINTED, 4, 31)) == (4, 3)
    assert (clock.era(PRINTED, 4, 30), clock.era(PRINTED, 4, 31)) == (1, 2)


@pytest.mark.rule("14 T21, 16.1, 16.2")
@pytest.mark.sentence(171)
def test_T21_a_tile_at_eleven_runs_past_the_end_on_a_double_notch():
    """Edge cases 1 and 2: two notches from 12, and the tile from 11 overflows to the first free green station."""
    wheel = crane.lay_out(12, {11: 1, 1: 2, 2: 3, 3: 4, 5: 5, 6: 6})
    wheel = crane.take(wheel, 2)

    after, lost = crane.turn(PRINTED, wheel, 2)

    assert wheel.notches == 2
    assert (after.box, lost, after.flagged) == (2, 1, (1,))
    assert after.where(1) == 6, "station 5 holds the tile from 3; 6 is the first free one"
    assert after.where(2) == 1


def test_edge_02_the_tile_at_eleven_never_lies_on_twelve():
    """It is worth the token's five points, not the fourth blue value, wherever it went."""
    wheel = crane.take(crane.lay_out(12, {11: 1, 1: 2, 2: 3, 3: 4, 6: 5, 7: 6}), 2)
    after, _ = crane.turn(PRINTED, wheel, 2)

    assert crane.zone(after.where(1)) == "green"
    assert crane.worth(PRINTED, after, 1) == 5


@pytest.mark.sentence(14)
def test_edge_03_several_tiles_carry_the_flag_at_once():
    """The box holds one token, the companion flags any number of tiles."""
    wheel = crane.lay_out(4, {12: 1, 2: 2, 5: 3}, flagged=(3,))
    after, lost = crane.turn(PRINTED, crane.take(wheel, 2), 2)

    assert lost == 1
    assert after.flagged == (1, 3)


@pytest.mark.sentence(173)
def test_edge_04_a_flagged_tile_in_blue_gives_five_once():
    """Five points, not five and the station's."""
    wheel = crane.lay_out(4, {9: 1, 10: 2}, flagged=(1,))

    assert crane.worth(PRINTED, wheel, 1) == 5
    assert crane.worth(PRINTED, wheel, 2) == 3


@pytest.mark.sentence(172)
def test_edge_05_a_tile_that_falls_back_to_red_costs_its_gold():
    """Green is full: the highest free red station takes it, with cost and five points."""
    wheel = crane.lay_out(8, {12: 1, 4: 2, 5: 3, 6: 4, 1: 5, 11: 6})
    after, lost = crane.turn(PRINTED, crane.take(wheel, 6), 6)

    assert lost == 1
    assert after.where(1) == 4
    assert crane.price(PRINTED, after.where(1)) == 1
    assert crane.worth(PRINTED, after, 1) == 5


def test_the_box_covers_a_green_station():
    """A station under the box is not free for an overflowing tile."""
    wheel = crane.lay_out(4, {12: 1, 1: 2, 2: 3, 3: 4, 8: 5, 9: 6})
    after, _ = crane.turn(PRINTED, crane.take(wheel, 2), 2)

    assert after.box == 5
    assert after.where(1) == 6


def test_three_players_start_around_the_box():
    """The box covers the first green station, so the tiles lie on 1-4, 6 and 7."""
    assert [s for s, _ in crane.set_up(5).tiles()] == [1, 2, 3, 4, 6, 7]
    assert [s for s, _ in crane.set_up(10).tiles()] == [1, 2, 3, 4, 5, 6]


@pytest.mark.rule("14 T27")
@pytest.mark.sentence(207)
def test_T27_the_dummy_takes_the_tile_nearest_the_end_of_blue():
    """Tiles at 1, 2, 3, 5, 6 and 9: the dummy takes the one at 9."""
    wheel = crane.lay_out(4, {1: 1, 2: 2, 3: 3, 5: 4, 6: 5, 9: 6})

    assert wheel.where(crane.dummy_choice(wheel)) == 9


@pytest.mark.parametrize("seats", [2, 3, 4])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
@pytest.mark.sentence(5, 38, 169)
def test_whatever_is_chosen_the_wheel_keeps_its_rules(seats, data):
    """Drops, era and end fall on the turns of the table, whatever the choices; never more than four tiles on red."""
    length = 16 * seats
    picks = data.draw(st.lists(st.integers(0, 5), min_size=length, max_size=length))
    game = play_through(seats, picks)

    drops = [t for t, wheel in enumerate(game) if t and wheel.box == PRINTED["crane.hole"]]
    assert tuple(drops) == DROPS[seats]
    assert [t for t in range(length + 1) if clock.drops(PRINTED, seats, t)] == drops
    for turn, wheel in enumerate(game):
        left = PLATFORM[seats] - sum(t <= turn for t in drops)
        assert clock.platform(PRINTED, seats, turn) == left
        assert clock.era(PRINTED, seats, turn) == (2 if turn >= ERAS[seats] else 1)
        assert 2 <= wheel.box <= 12
        stations = [s for s, _ in wheel.tiles()]
        assert sorted(t for _, t in wheel.tiles()) == [1, 2, 3, 4, 5, 6]
        assert sum(s in crane.RED for s in stations) <= 4, "edge case 6: two tiles are always free of charge"
        assert wheel.box not in stations
        assert turn == 0 or wheel.at(1) != 0
    assert clock.platform(PRINTED, seats, length) == 0
    assert sum(clock.turns_left(PRINTED, seats, length)) == 0


@pytest.mark.rule("16.18")
def test_edge_18_the_star_at_turn_five_does_not_change_the_era():
    """Two players pass the star twice; only the second time is the platform cube on the line space."""
    game = play_through(2, [0] * 16)

    assert [t for t, wheel in enumerate(game) if wheel.box == PRINTED["crane.star"]] == [5, 16]
    assert clock.platform(PRINTED, 2, 5) == 3
    assert clock.era(PRINTED, 2, 5) == 1
    assert clock.platform(PRINTED, 2, 16) == 2


def test_a_mutant_that_forgets_the_double_notch_is_caught():
    """Negative control: a wheel that always turns one notch misses the drop table."""
    box, drops = 10, []
    for turn in range(1, 33):
        box = crane.turned(box, 1)
        if box == PRINTED["crane.hole"]:
            drops.append(turn)

    assert tuple(drops) != DROPS[2]
