"""An audit of the whole pack found nine things: which tests hold each of them, and those that are held nowhere else."""

from __future__ import annotations

import re

import pytest

from companion.games.skyrise import pack
from tests.companion.desk import Desk
from tests.companion.test_authority import code, position, put
from tests.conftest import ROOT

HELD: dict[str, dict[str, tuple[str, ...]]] = {
    "1 a phone acts for another seat and reads a hand": {
        "tests/companion/test_authority.py": (
            "test_a_form_cannot_turn_a_harmless_move_into_another_players_bid",
            "test_nobody_reads_a_hand_by_trying_cards_on_its_owners_behalf",
            "test_nobody_reads_a_patron_under_anothers_token",
            "test_a_correction_of_the_box_is_kept_as_it_was_checked",
        )
    },
    "2 a correction in mid-auction kills the core": {
        "tests/companion/skyrise/test_skyrise_settled.py": (
            "test_a_number_corrected_in_mid_auction_passes_who_cannot_beat_the_bid",
            "test_the_last_number_corrected_away_ends_the_auction",
            "test_a_border_corrected_away_under_the_bid_ends_the_auction",
        ),
        "tests/companion/skyrise/test_skyrise_games.py": ("test_no_correction_of_the_box_breaks_a_running_game",),
    },
    "3 wonder cards vanish in era II": {
        "tests/companion/skyrise/test_skyrise_slips.py": (
            "test_wonders_lie_open_with_effect_initiative_and_figure_for_everybody",
        ),
        "tests/companion/skyrise/test_skyrise_screen.py": ("test_two_wonders_of_one_player_never_look_alike",),
        "tests/companion/skyrise/test_skyrise_cards.py": (
            "test_a_card_says_its_numbers_and_no_two_cards_say_the_same",
            "test_a_number_corrected_in_the_box_is_the_number_the_card_says",
        ),
    },
    "4 Le Baron the wrong way round": {
        "tests/companion/skyrise/test_skyrise_cards.py": (
            "test_le_baron_with_three_or_more_unbuilt_is_believed_to_give_nothing",
        ),
        "tests/companion/skyrise/test_skyrise_wonders.py": (
            "test_wonder_17_which_way_le_baron_falls_is_the_owners_to_say",
        ),
    },
    "5 a wonder of another shape cannot be scored": {
        "tests/companion/skyrise/test_skyrise_cards.py": (
            "test_a_card_nobody_has_read_asks_its_owner_when_it_is_built",
            "test_the_word_of_a_card_is_kept_and_never_asked_again",
            "test_a_card_of_another_shape_gives_what_its_owner_says_each_time",
        )
    },
    "6 a seat without a phone stops the game": {
        "tests/companion/skyrise/test_skyrise_by_screen.py": (
            "test_a_game_of_four_without_a_phone_takes_few_touches",
            "test_the_curtain_falls_by_itself_and_shows_nothing_before_it_is_touched",
        )
    },
    "7 nobody is told which pieces are theirs": {
        "tests/companion/skyrise/test_skyrise_slips.py": (
            "test_a_seat_has_the_colour_of_its_pieces",
            "test_with_two_players_each_is_told_the_colour_of_the_second_figure",
        )
    },
    "8 the first typed patron value is final": {
        "tests/companion/skyrise/test_skyrise_slips.py": (
            "test_a_patrons_value_told_wrong_is_told_again_by_who_holds_it",
            "test_the_last_reveal_shows_all_that_was_told_and_lets_it_be_corrected",
            "test_a_card_or_a_tile_that_two_are_said_to_have_is_noticed",
        )
    },
    "9 no control for tokens and leaving, tokens copied by hand, odd ends": {
        "tests/companion/skyrise/test_skyrise_audit.py": (
            "test_tokens_are_laid_as_they_fall_and_only_results_are_told_unless_somebody_wants_otherwise",
            "test_a_token_of_my_own_is_put_right_by_my_phone_and_anothers_only_asked_for",
        ),
        "tests/companion/skyrise/test_skyrise_screen.py": (
            "test_a_whole_board_and_what_puts_it_right_can_be_read",
            "test_borders_at_an_airship_are_listed_for_the_owner",
            "test_features_lie_on_the_table_too",
        ),
        "tests/companion/skyrise/test_skyrise_settled.py": (
            "test_the_crypt_robbed_of_its_choices_by_corrections_goes_on",
            "test_players_of_one_name_are_told_apart_whatever_the_others_are_called",
            "test_a_game_played_with_other_numbers_of_tokens_can_be_scored",
            "test_what_the_table_was_set_up_with_is_not_changed_in_the_game",
        ),
        "tests/companion/skyrise/test_skyrise_slips.py": (
            "test_a_corrected_token_on_an_island_is_said_with_its_site",
            "test_refusals_about_wonders_name_the_page_of_their_notes",
            "test_a_corrected_number_is_the_number_the_history_says",
            "test_who_has_gone_home_is_asked_nothing",
        ),
        "tests/companion/skyrise/test_skyrise_tally.py": (
            "test_impossible_input_is_refused_with_the_name_of_its_field",
            "test_an_island_without_buildings_is_controlled_by_nobody_unless_the_owner_says_so",
        ),
        "tests/companion/skyrise/test_skyrise_export.py": ("test_wonder_cards_nobody_chose_are_in_no_export",),
        "tests/e2e/phone/test_games_by_phone.py": ("test_a_token_taken_is_put_right_on_ones_own_phone",),
    },
}


@pytest.mark.parametrize("finding", HELD)
def test_each_finding_is_held_by_tests_there_are(finding: str) -> None:
    for file, names in HELD[finding].items():
        defined = set(re.findall(r"^def (test_\w+)", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE))
        assert set(names) <= defined


def test_tokens_are_laid_as_they_fall_and_only_results_are_told_unless_somebody_wants_otherwise() -> None:
    """Audit 9: 60 tokens were drawn by the table and copied by people."""
    usual = {field.id: field.value for field in pack.options()}
    assert (usual["board"], usual["auction"]) == ("table", "quick")


def test_a_token_of_my_own_is_put_right_by_my_phone_and_anothers_only_asked_for(desk: Desk) -> None:
    """Audit 9: the move was there and nobody could make it."""
    desk.new("skyrise", "Ada", "Ben", "Cy", auction="quick", board="table")
    while position(desk).phase in ("deal", "lay"):
        ask = desk.prompt.ask
        assert ask.form is not None
        values = {field.id: field.value for field in ask.form.fields}
        assert desk.move(**ask.form.move, values=values).ok
    state = position(desk)
    put(desk, state.with_player(0, rows=(1, 0, 0, 0)).but(taken={"yellow": 1}))
    ada, ben = desk.sit(0), desk.sit(1)
    slip = {"kind": "correct", "seat": 0, "was": "yellow", "token": "green"}
    assert desk.move(ben, **slip).ok
    assert position(desk).players[0].rows == (1, 0, 0, 0), "Ada is asked"
    assert desk.move(ada, **slip).ok
    assert position(desk).players[0].rows == (0, 1, 0, 0)
    lying = {"kind": "correct", "site": "C.N", "token": "wild"}
    assert code(desk.move(ben, **lying)) == "table/at-the-screen"
    assert desk.move(**lying).ok
