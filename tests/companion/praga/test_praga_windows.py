"""Windows, technologies, climbs and seals: what a turn may hold beside its action (rules, sections 6 to 8 and 10)."""

from __future__ import annotations

import msgspec
import pytest

from companion.games.praga import pack
from tests.companion.praga.a_table import (
    DIG,
    TURN,
    a_table,
    choose_at,
    choose_free,
    holding,
    no_bonus_box,
    play,
    refused,
    with_wheel,
)


@pytest.mark.rule("14 T12, now")
@pytest.mark.sentence(115)
def test_T12_the_mines_tile_pays_three_points_at_once():
    """Three now; the eight mines count at the end."""
    state = choose_at(a_table(road=4, eggs=1, mines=8), 5)
    state = play(state, {"kind": "begin", "action": "road"}, {"kind": "act", "action": "road"})
    state = play(state, {"kind": "final", "tile": "mines"})
    board = state.boards[0]

    assert (board.points, board.v_tiles, board.road, board.eggs) == (3, ("mines",), 5, 0)


@pytest.mark.rule("14 T23")
@pytest.mark.sentence(167)
def test_T23_the_player_picks_the_window_to_give_back():
    """Two gold and one silver at the end of the turn: one goes back, and it is asked which."""
    state = choose_at(a_table(gold_windows=2, silver_windows=1, box=no_bonus_box()), 5)
    assert "praga/remind/windows" in [text.key for text in pack.ask(state).reminders]
    state = play(state, DIG, TURN)

    asked = pack.ask(state)
    assert (asked.seat, asked.text.key) == (0, "praga/ask/windows")
    assert [choice.move for choice in asked.choices] == [
        {"kind": "windows", "silver": 1, "seat": 0},
        {"kind": "windows", "gold": 1, "seat": 0},
    ]
    assert refused(state, {"kind": "windows", "gold": 2, "seat": 0}).code == "praga/give-windows"
    state = play(state, {"kind": "windows", "gold": 1, "seat": 0})
    assert (state.boards[0].gold_windows, state.boards[0].silver_windows) == (1, 1)


def test_windows_of_one_colour_go_back_without_a_question():
    """Three silver windows: there is nothing to choose."""
    state = play(choose_at(a_table(silver_windows=3, box=no_bonus_box()), 5), DIG, TURN)

    assert state.boards[0].silver_windows == 2
    assert pack.ask(state).phase == "choose"


@pytest.mark.rule("16.8")
@pytest.mark.sentence(28, 157, 160, 163, 223)
def test_edge_08_the_extra_action_may_come_first_and_pay_the_red_station():
    """Production bought with windows brings the gold for the tile."""
    state = a_table(gold=0, gold_windows=1, silver_windows=1)
    assert refused(state, {"kind": "choose", "tile": state.crane.at(1)}).code == "praga/too-dear"
    state = play(state, {"kind": "extra", "pay": "mixed"})
    assert pack.ask(state).text.key == "praga/ask/extra"
    state = play(state, {"kind": "act", "action": "mines", "branch": "produce"})
    state = choose_at(state, 1)

    assert (state.boards[0].gold, state.boards[0].windows) == (1, 0)
    assert not state.hand.acted, "the tile's own action is still to do"
    assert refused(state, {"kind": "extra", "pay": "mixed"}).code == "praga/extra-twice"


@pytest.mark.rule("16.9, 16.10")
@pytest.mark.sentence(214, 234)
def test_edge_09_10_the_special_tile_needs_the_tiles_own_action():
    """Never by the extra action; unused, the bonus is points."""
    box = {f"crane.bonus.{k}": "special-2" for k in range(1, 12)}
    state = choose_at(a_table(gold_windows=2, stone=9, box=box), 5)
    extra = play(state, {"kind": "extra", "pay": "gold"})
    special = {"kind": "act", "action": "wall", "values": {"special": True}}

    assert refused(extra, special).code == "praga/special"
    assert "praga/remind/no-special" in [t.key for t in pack.ask(extra).reminders]
    taken = play(state, special)
    assert refused(taken, {"kind": "bonus"}).code == "praga/no-bonus"
    assert play(taken, TURN).boards[0].points == 0
    assert play(state, {"kind": "act", "action": "wall"}, TURN).boards[0].points == 2


@pytest.mark.rule("16.10")
def test_edge_10_points_of_the_special_bonus_count_for_the_choice_technology():
    """One point more, once a turn, for points on choosing."""
    box = {f"crane.bonus.{k}": "special-1" for k in range(1, 12)}
    state = choose_at(holding(a_table(box=box), 1, "choice"), 5)
    state = play(state, {"kind": "bonus"})

    assert state.boards[0].points == 2


@pytest.mark.rule("16.4")
def test_edge_04_the_flag_counts_as_points_on_choosing():
    """Five points of the token and one of the technology."""
    state = with_wheel(holding(a_table(), 1, "choice"), 9, {10: 1, 5: 2, 6: 3, 7: 4, 1: 5, 2: 6}, (1,))

    assert choose_at(state, 10).boards[0].points == 6


@pytest.mark.rule("16.11, 16.12")
def test_edge_11_12_a_new_upgrade_counts_for_its_action_already_done():
    """The player is reminded to collect it, for the upgrade action too."""
    state = play(choose_at(a_table(), 5), {"kind": "act", "action": "upgrade", "values": {"stone": 2}})

    assert "praga/remind/upgrade" in [text.key for text in pack.ask(state).reminders]
    assert (state.boards[0].upgrades, state.boards[0].stone, state.boards[0].university) == (1, 4, 1)


@pytest.mark.rule("16.15")
@pytest.mark.sentence(145)
def test_edge_15_gold_windows_do_not_climb():
    """Climbing asks for two silver ones."""
    state = a_table(gold_windows=2, silver_windows=1)

    assert refused(state, {"kind": "climb", "building": "wall"}).code == "praga/cannot-pay"
    climbed = play(a_table(silver_windows=2), {"kind": "climb", "building": "wall"})
    assert (climbed.boards[0].wall_row, climbed.boards[0].silver_windows) == (2, 0)


@pytest.mark.rule("16.16")
def test_edge_16_windows_gained_in_anothers_turn_wait_for_the_owners_own():
    """Player two may hold three during player one's turn."""
    state = choose_at(a_table(box=no_bonus_box()), 5)
    state = play(state, {"kind": "note", "values": {"silver_windows": 3}, "seat": 1}, DIG, TURN)
    assert state.boards[1].silver_windows == 3
    state = play(choose_free(state), DIG, TURN)
    assert state.boards[1].silver_windows == 2


@pytest.mark.rule("16.19")
@pytest.mark.sentence(129)
def test_edge_19_a_technology_may_be_kept_later_but_not_after_the_owners_next_turn_began():
    """The next player plays on; then the open pick comes first."""
    state = play(a_table(technology=5), {"kind": "note", "values": {"technology": 1}, "seat": 0})
    state = play(choose_at(state, 5), DIG, TURN)
    assert "praga/remind/pick" in [text.key for text in pack.ask(state).reminders]
    state = play(choose_free(state), DIG, TURN)
    assert pack.ask(state).text.key == "praga/ask/technology"
    assert refused(state, {"kind": "choose", "tile": state.crane.at(1)}).code == "praga/pending"
    state = play(state, {"kind": "learn", "level": 4, "effect": "any", "seat": 0})
    assert choose_at(state, 1).hand is not None


@pytest.mark.sentence(128, 215)
def test_a_technology_of_level_one_sleeps_in_the_turn_it_was_gained():
    """It is held at once and works from the owner's next turn on."""
    state = play(choose_at(a_table(), 5), {"kind": "note", "values": {"technology": 1}, "seat": 0}, {"kind": "reach"})
    state = play(state, {"kind": "learn", "level": 1, "effect": "steps-university", "seat": 0})
    assert "praga/remind/asleep" in [text.key for text in pack.ask(state).reminders]
    state = play(state, {"kind": "act", "action": "upgrade"})
    assert state.boards[0].points == 0
    state = play(state, TURN)
    state = play(choose_free(state), DIG, TURN)
    state = choose_free(state)
    before = state.boards[0].points
    state = play(state, {"kind": "act", "action": "upgrade"})
    assert state.boards[0].points == before + 2


@pytest.mark.rule("16.20")
@pytest.mark.sentence(261, how="computed")
def test_edge_20_two_points_for_the_step_and_two_for_its_impossibility():
    """The tile pays also at the top of its track."""
    state = holding(a_table(university=8), 1, "steps-university")
    state = play(state, {"kind": "note", "values": {"university": 1}, "seat": 0})

    assert state.boards[0].points == 4


@pytest.mark.rule("16.21")
@pytest.mark.sentence(270)
def test_edge_21_the_free_climb_needs_no_windows_and_no_price():
    """Level III technology: into the next level for nothing, once."""
    state = holding(a_table(gold=0, stone=0), 3, "free-climb")
    state = play(state, {"kind": "climb", "building": "cathedral", "enters": 2, "by": "technology"})

    assert (state.boards[0].cathedral_row, state.boards[0].cathedral_level) == (2, 2)
    again = {"kind": "climb", "building": "cathedral", "enters": 3, "by": "technology"}
    assert refused(state, again).code == "praga/technology"


@pytest.mark.rule("16.29, 7")
@pytest.mark.sentence(55)
def test_edge_29_seals_are_claimed_in_an_own_turn_at_the_end_of_a_track():
    """One per completed track, each by one player, paid with silver windows and a cube."""
    state = a_table(mines=8, silver_windows=2)
    assert refused(a_table(silver_windows=2), {"kind": "seal", "seal": "gold"}).code == "praga/track-not-done"
    assert refused(state, {"kind": "seal", "seal": "gold", "seat": 1}).code == "praga/not-your-turn"
    state = play(state, {"kind": "seal", "seal": "gold"})
    assert (state.boards[0].seals, state.boards[0].silver_windows, state.boards[0].cubes) == (("gold",), 0, 1)
    assert refused(state, {"kind": "seal", "seal": "six"}).code == "praga/track-not-done"
    state = play(choose_at(state, 5), DIG, TURN)
    assert refused(state, {"kind": "seal", "seal": "gold"}).code == "praga/seal-taken"
    over = msgspec.structs.replace(state, turn=32)
    assert refused(over, {"kind": "seal", "seal": "six"}).code == "praga/over"


@pytest.mark.sentence(150, how="prompted")
def test_an_arrow_up_may_be_followed_after_a_move_on_that_building():
    """It needs no windows, but a level must still be paid."""
    state = a_table(silver_windows=2, gold=1, stone=1)
    assert not [c for c in pack.ask(state).choices if c.id.endswith("arrow")]
    state = play(state, {"kind": "climb", "building": "wall"})
    offered = [c.id for c in pack.ask(state).choices if c.id.endswith("arrow")]
    assert offered == ["climb-wall-0-arrow", "climb-wall-2-arrow"]
    state = play(state, {"kind": "climb", "building": "wall", "enters": 2, "by": "arrow"})
    board = state.boards[0]
    assert (board.wall_row, board.wall_level, board.gold, board.stone) == (3, 2, 0, 0)


@pytest.mark.sentence(147, 152)
def test_the_climb_pays_the_level_and_the_top_of_the_cathedral_gives_a_tile():
    """Levels are entered one by one; level III asks for a V tile that nobody else holds."""
    state = a_table(silver_windows=4, gold=5, stone=5)
    assert refused(state, {"kind": "climb", "building": "cathedral", "enters": 3}).code == "praga/level"
    state = play(state, {"kind": "climb", "building": "cathedral", "enters": 2})
    state = play(state, {"kind": "climb", "building": "cathedral", "enters": 3})
    assert (state.boards[0].gold, state.boards[0].stone, state.boards[0].silver_windows) == (2, 2, 0)
    state = play(state, {"kind": "final", "tile": "rows", "seat": 0})
    assert state.boards[0].v_tiles == ("rows",)


@pytest.mark.sentence(130, 132, 273)
def test_technologies_of_levels_three_and_four_are_used_once():
    """Produce gold and two stone: not an action, and gone afterwards."""
    state = holding(a_table(gold=0, stone=0), 3, "produce-gold")
    assert "praga/remind/stored" in [text.key for text in pack.ask(state).reminders]
    state = play(state, {"kind": "use", "level": 3})
    assert (state.boards[0].gold, state.boards[0].stone, state.did) == (3, 2, ())
    assert refused(state, {"kind": "use", "level": 3}).code == "praga/technology"


@pytest.mark.sentence(275, how="computed")
def test_the_building_technology_takes_two_gold_off_but_not_off_what_was_spent():
    """Total cost two gold less, not below nought; the plaza compares printed costs."""
    state = play(holding(a_table(gold=2), 4, "building"), {"kind": "use", "level": 4})
    values = {"cost_gold": 1, "site_gold": 3, "plaza": 1, "place": "claim"}
    state = play(state, {"kind": "act", "action": "building", "values": values})

    assert (state.boards[0].gold, state.plazas[0].spent) == (0, (1, 0))
