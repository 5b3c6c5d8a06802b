"""The table was tried as a newcomer would: which tests hold each of the findings, and why one has none.

A test says `Newcomer B9:` where it begins to tell what it holds; here stands what was found, and where to read on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.conftest import ROOT

FOUND = {"A": 5, "B": 17, "C": 11, "D": 14, "E": 10, "F": 9}
"""So many findings in each part: broken promises, playing, phones, set-up, demo and terminal, documents."""
BY_PHONE, SCREEN, LAST = "e2e/phone/test_first_evening", "display/test_reading_the_table", "display/test_last_findings"
WORDS, FITS = "companion/skytopia/test_words_of_the_box", "e2e/phone/test_words_in_buttons"
SET_UP, DEMO = "display/test_setting_up_a_game", "companion/test_virtual_play"
TERMINAL = "companion/test_terminal_manners"
LIT, SMALL, OWN = "display/test_lit_targets", "display/test_small_promises", "companion/test_games_of_our_own"
BESIDE, DEVICES, TABLE = (
    "display/test_beside",
    "display/test_choosing_devices",
    "companion/skytopia/test_skytopia_table_side",
)
PARTS, WINDOWS = "firmware_bridge/test_docs", "e2e/test_demo_windows"
TWO_GAMES = (BY_PHONE, "two_games_in_a_row_without_joining_again_and_names_right_in_every_export")
Tests = tuple[tuple[str, str], ...]
"""File and name of each, without what all of them begin and end with."""
HELD: dict[str, tuple[str, Tests]] = {
    "A1": (
        "an undo, an amended golem or one out of turn froze the demo",
        (
            (DEMO, "after_an_undo_and_another_move_the_bot_answers"),
            (DEMO, "a_die_turned_where_it_lies_does_not_stop_the_bots"),
            (DEMO, "a_die_laid_out_of_turn_is_cleared_away"),
            ("companion/test_virtual_waiting", "a_camera_that_has_not_looked_yet_is_named"),
            (BESIDE, "a_demo_that_stands_still_says_why_on_both_windows"),
        ),
    ),
    "A2": (
        "a robot seat never moved",
        (("display/test_robots", "two_robots_and_a_person_play_by_touch_from_set_up_to_tally"),),
    ),
    "A3": (
        "a robot said “other move” on a terminal",
        (
            ("companion/robots/test_chairs", "a_robot_says_its_move_and_waits_for_hands"),
            ("companion/praga/test_praga_robots", "a_robots_tile_and_plaza_are_said_so_that_hands_can_find_them"),
        ),
    ),
    "A5": (
        "the screen did not say where the first golem goes",
        ((LIT, "every_card_that_is_an_answer_is_lit_and_no_other"), (LIT, "what_hands_do_stands_under_the_ring")),
    ),
    "B1": (
        "“Skip” was the only answer one saw",
        (
            (LIT, "skip_never_stands_alone_while_cards_are_lit"),
            (FITS, "cards_nobody_named_are_drawn_as_unknown_and_what_can_be_touched_is_lit"),
            ("e2e/phone/test_games_by_phone", "a_bid_is_made_by_touching_a_number_and_a_lit_site"),
        ),
    ),
    "B2": (
        "codes no box carries",
        (
            (WORDS, "no_code_is_said_where_a_word_belongs"),
            (WORDS, "the_owner_names_the_crests_once"),
            (WORDS, "the_box_check_asks_for_their_names_among_the_first_things"),
            (LAST, "sentences_of_real_games_can_be_read_at_800_by_480"),
            (FITS, "every_word_stays_whole_and_in_its_button"),
        ),
    ),
    "B3": (
        "a correction without who, what, from and to",
        (
            ("companion/test_corrections_have_a_name", "skytopia_says_whose_value_and_from_what_to_what"),
            ("companion/test_corrections_have_a_name", "praga_and_the_score_pad_say_it_too"),
            ("companion/test_wishes", "whose_value_it_is_reads_who_wants_what_and_a_yes_changes_it"),
            ("display/test_client", "a_wish_about_somebodys_value_is_answered_on_the_screen"),
            (BY_PHONE, "another_s_points_are_changed_by_their_yes_and_not_by_mine"),
        ),
    ),
    "B4": (
        "“Correct” took the last move back",
        (("display/test_final_correct", "correct_shows_the_table_and_takes_nothing_back"),),
    ),
    "B5": (
        "a validator's English",
        (
            ("companion/test_refusals_in_plain_words", "whatever_is_sent_the_refusal_is_in_a_player_s_words"),
            ("companion/test_refusals_in_plain_words", "no_refusal_in_a_recorded_game_shows_a_key_or_a_type"),
            ("companion/test_refusals_in_plain_words", "the_final_form_names_the_field_and_what_is_missing"),
            ("display/test_by_player", "the_field_that_was_refused_is_open_and_lit_until_it_is_mended"),
            (BY_PHONE, "a_refused_field_is_brought_into_view_and_lit_until_it_is_mended"),
        ),
    ),
    "B6": (
        "fourteen screens of everybody's cards",
        (
            ("companion/skytopia/test_skytopia_counting", "a_player_fills_few_fields_and_none_names_a_card"),
            ("display/test_by_player", "only_the_open_player_has_fields"),
            (BY_PHONE, "each_phone_counts_its_own_city_within_two_screens"),
            ("e2e/phone/test_games_by_phone", "each_phone_counts_its_own_board_within_two_screens"),
        ),
    ),
    "B7": (
        "the second reason instead of the first",
        ((TABLE, "a_first_golem_is_told_its_card_before_its_face"), (TABLE, "a_difference_is_told_precisely")),
    ),
    "B8": (
        "notches instead of faces",
        (
            (TABLE, "a_dial_turned_the_wrong_way_is_told_what_belongs_at_the_symbol"),
            (SCREEN, "a_dial_turned_the_wrong_way_shows_what_belongs_at_the_symbol"),
            (LIT, "the_first_golem_is_a_ghost_on_its_card"),
        ),
    ),
    "B9": ("prices of a dial nobody turned", ((SCREEN, "the_ring_is_the_games_and_a_dial_left_behind_is_said"),)),
    "B10": ("what is off explained nothing", (("display/test_rules_cards", "what_is_off_names_its_rule"),)),
    "B11": ("what a card does was hidden", ((SCREEN, "a_touched_card_says_what_it_does_above_its_prices"),)),
    "B12": ("banners over the card in question", ((SCREEN, "a_banner_covers_neither_the_market_nor_the_answers"),)),
    "B13": (
        "a list that shrank under one's eyes",
        (
            ("companion/test_list_to_put_right", "a_ticked_line_stays_until_the_list_is_done"),
            (SMALL, "only_the_dial_carries_the_sign_of_the_dial"),
        ),
    ),
    "B14": (
        "an answer that was only a price",
        ((LAST, "the_first_golem_says_where_it_goes"), (FITS, "the_first_golem_says_where_it_goes")),
    ),
    "B15": (
        "many words for one act",
        (
            (LAST, "answers_begin_with_a_capital_and_a_skipped_effect_is_no_pass"),
            (LAST, "names_of_fields_begin_with_a_capital_and_people_are_written_as_they_write_themselves"),
            (WORDS, "one_verb_for_setting_a_golem"),
        ),
    ),
    "B16": ("four guilds with one text", ((WORDS, "each_guild_master_says_what_it_pays_and_for_what"),)),
    "B17": ("two players marked as next", ((SCREEN, "the_outline_is_who_is_asked"),)),
    "C1": (
        "a name given on a phone stayed there",
        (
            ("companion/test_naming", "a_name_given_in_mid_game_is_the_seats_name_in_every_game"),
            ("companion/test_naming", "tally_history_and_exports_know_no_other_name"),
            ("display/test_client", "a_name_given_on_a_phone_is_in_every_sentence_at_once"),
            TWO_GAMES,
        ),
    ),
    "C2": (
        "phones lost their seats; another game, the same start player",
        (
            ("companion/test_next_game", "who_sat_at_a_game_that_was_ended_sits_at_the_next"),
            ("companion/test_next_game", "the_same_game_is_proposed_with_its_rules_and_the_next_one_begins"),
            ("companion/test_next_game", "whoever_the_set_up_says_begins"),
            (SET_UP, "the_same_game_is_proposed_and_who_begins_keeps_the_chair"),
            TWO_GAMES,
        ),
    ),
    "C3": (
        "words out of their buttons",
        (
            (FITS, "every_word_stays_whole_and_in_its_button"),
            (FITS, "every_word_of_the_menu_and_of_the_end_stays_whole"),
        ),
    ),
    "C4": (
        "the turn began below the edge",
        (
            (BY_PHONE, "a_waiting_player_can_hear_the_turn_and_sees_whose_it_is"),
            (BY_PHONE, "whoever_scrolled_away_is_brought_to_the_prompt_when_the_turn_comes"),
        ),
    ),
    "C5": (
        "laid-out cards drawn as empty places",
        ((FITS, "cards_nobody_named_are_drawn_as_unknown_and_what_can_be_touched_is_lit"),),
    ),
    "C6": (
        "the first to write closed the round",
        (
            ("e2e/phone/test_scorepad_by_phone", "everybody_writes_their_own_line_and_the_round_waits"),
            ("companion/test_scorepad", "a_round_waits_for_everybody_who_writes_their_own_line"),
            ("companion/test_scorepad", "the_end_is_touched_twice"),
        ),
    ),
    "C7": ("one strip left in landscape", ((FITS, "every_word_stays_whole_and_in_its_button"),)),
    "C8": (
        "figures nobody follows",
        (
            (SCREEN, "light_play_shows_points_and_nothing_nobody_follows"),
            (FITS, "light_play_shows_no_figures_that_nobody_follows"),
        ),
    ),
    "C9": ("two sentences side by side", ((BY_PHONE, "what_a_wrong_code_says_stands_line_below_line"),)),
    "C10": ("no sound, a screen that sleeps", ((BY_PHONE, "a_waiting_player_can_hear_the_turn_and_sees_whose_it_is"),)),
    "C11": (
        "a die for a number; the last game's points in the next",
        ((BY_PHONE, "a_waiting_player_can_hear_the_turn_and_sees_whose_it_is"), TWO_GAMES),
    ),
    "D1": (
        "a wizard that only looks",
        (
            (DEVICES, "a_usb_camera_is_offered_by_name_and_one_touch_sets_it_up"),
            (DEVICES, "a_dial_is_chosen_by_where_it_is"),
            ("e2e/test_choosing_devices", "the_dial_s_room_starts_again_with_the_dial_that_was_chosen"),
        ),
    ),
    "D2": (
        "categories by commas no key had",
        (
            (SET_UP, "categories_are_a_list_with_plus_and_minus"),
            ("display/test_typing", "a_list_has_commas_and_digits_and_room"),
            ("display/test_typing", "points_are_typed_on_a_number_pad"),
        ),
    ),
    "D3": (
        "a game without a name",
        (
            (OWN, "the_name_is_told_everywhere"),
            (OWN, "its_rules_are_kept_under_its_name_and_the_newest_stand_first"),
            (OWN, "who_reaches_the_target_is_said_and_the_end_asks_no_more"),
            (SET_UP, "rules_kept_under_a_name_come_back_with_a_touch"),
        ),
    ),
    "D4": (
        "names one could not write",
        (
            ("display/test_typing", "a_proposed_name_gives_way_to_the_first_letter"),
            ("display/test_typing", "a_real_keyboard_types"),
            (SET_UP, "a_name_is_picked_from_who_played_before"),
            (OWN, "people_who_played_here_are_known"),
        ),
    ),
    "D5": (
        "a closed window came back",
        (
            ("display/test_closing", "a_running_table_asks_before_its_window_closes"),
            ("companion/test_supervisor", "a_window_that_was_closed_ends_the_table"),
            (WINDOWS, "closing_a_window_ends_the_demo"),
        ),
    ),
    "D6": (
        "games nobody could throw away",
        ((OWN, "a_game_put_away_can_be_thrown_away"), (SET_UP, "a_game_is_thrown_away_only_when_it_is_said_twice")),
    ),
    "D7": ("a lock without a PIN", ((SMALL, "a_lock_asks_for_its_pin_at_once"),)),
    "D8": (
        "secrets dealt to nobody",
        (
            ("companion/skyrise/test_skyrise_by_screen", "a_game_of_four_without_a_phone_takes_few_touches"),
            (
                "companion/skyrise/test_skyrise_by_screen",
                "the_curtain_falls_by_itself_and_shows_nothing_before_it_is_touched",
            ),
        ),
    ),
    "D9": (
        "pages without a way back",
        ((SMALL, "the_way_back_from_the_code_is_called_so_in_mid_game"), (SMALL, "the_large_code_says_how_it_is_left")),
    ),
    "D10": ("a robot among the languages", ((SET_UP, "robots_stand_in_a_row_of_their_own_where_one_can_play"),)),
    "D11": (
        "bars without names, a chart without its end",
        (
            (LAST, "a_finished_game_says_who_is_who"),
            (LAST, "a_chart_leads_to_the_totals"),
            (LAST, "bars_stand_in_the_order_of_the_names_above_them"),
            (LAST, "lines_of_a_long_tally_that_do_not_fit_are_a_touch_away"),
        ),
    ),
    "D12": (
        "dots without a legend",
        (
            (LAST, "dots_in_the_tally_have_a_legend"),
            ("display/test_tally_doubts", "a_touched_number_says_where_it_comes_from_also_when_it_is_in_doubt"),
        ),
    ),
    "D13": (
        "small print",
        (
            (LAST, "small_print_can_be_read_at_800_by_480"),
            (LAST, "sentences_of_real_games_can_be_read_at_800_by_480"),
            (SET_UP, "room_that_is_left_belongs_to_the_sentences"),
        ),
    ),
    "D14": ("two names for one page", ((LAST, "a_page_is_called_as_the_key_that_opens_it"),)),
    "E1": (
        "windows off the screen",
        (
            (BESIDE, "both_windows_fit_the_desktop_beside_each_other"),
            (WINDOWS, "both_windows_are_whole_on_a_laptop_and_ctrl_c_is_one_line"),
        ),
    ),
    "E2": (
        "a traceback",
        (
            (WINDOWS, "both_windows_are_whole_on_a_laptop_and_ctrl_c_is_one_line"),
            (TERMINAL, "a_demo_that_was_watched_ends_with_one_line"),
        ),
    ),
    "E3": (
        "how long it takes; twelve cards laid one by one",
        (
            (LAST, "the_guides_promise_what_there_is"),
            (DEMO, "a_watched_demo_begins_at_the_first_decision_of_somebody"),
            ("vision/test_check", "a_watched_demo_says_nothing_against_its_own_camera"),
        ),
    ),
    "E4": ("who am I", ((BESIDE, "the_window_says_who_you_are_and_what_is_asked"),)),
    "E5": (
        "a picture askew, invented numbers",
        (
            (BESIDE, "the_camera_s_picture_lies_as_the_plan_does"),
            (BESIDE, "cards_show_what_they_give_and_no_invented_number"),
            (BESIDE, "the_wheel_turns_what_the_mouse_is_on"),
        ),
    ),
    "E6": (
        "a next game without bots",
        (
            (DEMO, "the_next_game_is_played_by_the_same_bots_on_a_cleared_table"),
            (BESIDE, "after_a_game_the_window_says_how_to_play_again"),
        ),
    ),
    "E7": (
        "foreign lines, and then silence",
        (
            (TERMINAL, "another_programs_talk_is_not_passed_on"),
            (TERMINAL, "without_a_screen_the_terminal_hears_a_line_a_round"),
            ("companion/test_core_process", "the_next_code_is_printed_when_the_one_before_was_used"),
        ),
    ),
    "E8": ("commands refused beside a demo", ((TERMINAL, "a_demo_is_nobodys_table"),)),
    "E9": (
        "four lines for one mistake",
        (
            (TERMINAL, "words_that_do_not_fit_are_answered_in_one_line"),
            (TERMINAL, "the_list_of_verbs_begins_with_playing_and_cuts_no_sentence"),
        ),
    ),
    "E10": ("small words", ((TERMINAL, "small_words_of_the_terminal"),)),
    "F1": (
        "sample words in pictures",
        (("display/test_replay", "the_pictures_in_the_documentation_come_from_the_real_core"),),
    ),
    "F2": (
        "one picture under two names",
        (("display/test_replay", "every_picture_in_the_documentation_is_shown_somewhere_and_none_twice"),),
    ),
    "F3": ("no mark on the mat", (("vision/test_mat", "the_mat_says_which_edge_is_its_top"),)),
    "F4": (
        "“our copy says otherwise” nowhere",
        ((LAST, "a_refusal_that_rests_on_a_printed_number_lets_you_say_otherwise"),),
    ),
    "F5": ("a clock that was not there", ((LAST, "the_guides_promise_what_there_is"),)),
    "F6": (
        "what the first start shows",
        ((PARTS, "the_guide_says_what_the_first_start_shows_and_where_the_sources_come_from"),),
    ),
    "F7": ("no clone line", ((PARTS, "the_guide_says_what_the_first_start_shows_and_where_the_sources_come_from"),)),
    "F8": (
        "no models, no drawing",
        (
            (PARTS, "tray_and_bracket_are_drawn_with_the_sizes_of_their_source"),
            (PARTS, "the_files_to_print_are_closed_and_as_large_as_their_source_says"),
            (PARTS, "every_part_is_named_by_one_that_fits"),
        ),
    ),
    "F9": ("devices by editing a file", ((DEVICES, "a_usb_camera_is_offered_by_name_and_one_touch_sets_it_up"),)),
}
WITHOUT_TEST = {"A4": "it has not been run on a real Pi; the lab runs what is installed in an emulated machine"}


def marked() -> Iterator[str]:
    """Every finding some test names."""
    for file in (ROOT / "tests").rglob("test_*.py"):
        for names in re.findall(r"Newcomer ((?:[A-F]\d+(?:, | and )?)+)", file.read_text(encoding="utf-8")):
            yield from re.findall(r"[A-F]\d+", names)
    for file in (ROOT / "companion" / "phone" / "test").glob("*.test.ts"):
        yield from re.findall(r"Newcomer ([A-F]\d+)", file.read_text(encoding="utf-8"))


def test_each_finding_has_tests_or_a_reason() -> None:
    """Both lists together are whole, nobody gives a reason for what is tested, and no test names what was not found."""
    every = {f"{part}{number}" for part, most in FOUND.items() for number in range(1, most + 1)}
    assert set(HELD) | set(WITHOUT_TEST) == every
    assert not set(HELD) & set(WITHOUT_TEST)
    assert set(marked()) <= set(HELD)


@pytest.mark.parametrize("finding", HELD)
def test_the_tests_that_hold_a_finding_are_there(finding: str) -> None:
    _, tests = HELD[finding]
    assert tests
    for file, name in tests:
        assert f"\ndef test_{name}(" in (ROOT / "tests" / f"{file}.py").read_text(encoding="utf-8")
