"""Slips can be put right: patron values, objectives, tokens, somebody who leaves; and which pieces are whose is said."""

from __future__ import annotations

from typing import Any

import pytest
from skyrise_table import NAMES, a_table, bid, era_two, play, random_game, refused
from test_skyrise_quick import GREEN, RED, YELLOW, a_quick_table, won

from companion.games.skyrise import pack
from companion.games.skyrise.state import HIDDEN, SkyriseState
from companion.wire.colours import of_the_pieces
from companion.wire.words import Words


def printed(players: int = 3, **how: Any) -> SkyriseState:
    """Printed cards, islands as the table proposes them, results only."""
    state = pack.new({"names": NAMES[:players], "deal": "physical", "board": "table", "auction": "quick", **how}, {})
    for _ in range(2):
        state = play(state, pack.encode(pack.moves(state)[0])).state
    return state


# finding 7: which pieces are mine ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wished", "given"),
    [
        (["sun", "leaf", "sky", "coral"], ["sun", "leaf", "snow", "coral"]),
        (["sky", "plum", "snow"], ["coral", "leaf", "snow"]),
        (["", "", ""], ["coral", "leaf", "sun"]),
        (["sun", "sun"], ["sun", "coral"]),
    ],
)
def test_a_seat_has_the_colour_of_its_pieces(wished: list[str], given: list[str]) -> None:
    """There is no blue set: who would like blue plays one that is in the box, and is drawn in it."""
    assert of_the_pieces(wished, pack.colours) == given
    assert of_the_pieces(wished, ()) == wished
    state = pack.new({"names": NAMES[: len(given)], "colours": given, "auction": "quick", "board": "drawn"}, {})
    sets = {"coral": "red", "leaf": "green", "sun": "yellow", "snow": "grey"}
    boards = pack.view(state, None).players
    assert [board.colour for board in boards] == [sets[colour] for colour in given]
    for board in boards:
        numbers = {piece.number for piece in (*board.available, *board.locked) if piece.number}
        assert len(numbers) == 12
        assert {piece.colour for piece in board.available} == {board.colour}


def test_with_two_players_each_is_told_the_colour_of_the_second_figure() -> None:
    """A wonder of an unused colour, on screen and phone."""
    boards = pack.view(a_quick_table(2), None).players
    assert [board.figures for board in boards] == [("red", "yellow"), ("green", "grey")]


def test_wonders_lie_open_with_effect_initiative_and_figure_for_everybody() -> None:
    """Finding 3: after the reveal nothing of them is hidden, and the order in which players open is shown."""
    state = next(o.state for _, _, o in random_game(2, 3, auction="quick") if o.state.era == 2)
    boards = pack.view(state, None).players
    for board in boards:
        assert [card.colour for card in board.wonders] == list(board.figures)
        assert board.initiative == sum(card.initiative for card in board.wonders)
        said = [Words("en", {}).say(card.effect) for card in board.wonders]
        assert len(set(said)) == 2 and all(said)
    assert sorted(board.place for board in boards if board.place) == [1, 2]
    assert min(boards, key=lambda board: board.initiative or 0).place == 1


# finding 8: what was told wrong ------------------------------------------------------------------------------------


def test_a_patrons_value_told_wrong_is_told_again_by_who_holds_it() -> None:
    """The last word holds until the tiles are turned over."""
    state = printed().with_player(RED, patrons=("B",)).with_player(GREEN, patrons=("B",))
    for value in (3, 4):
        state = play(state, {"kind": "peek", "seat": RED, "letter": "B", "value": value}).state
    assert pack.view(state, GREEN).secret.patrons == {"B": 4}
    assert refused(state, {"kind": "peek", "seat": YELLOW, "letter": "B", "value": 3}).code == "skyrise/no-patron"


def at_the_end() -> SkyriseState:
    """Printed cards before the last scoring: everything was told, some of it wrongly."""
    state = printed().with_player(RED, patrons=("A", "B"), objective="brown").with_player(GREEN, objective="brown")
    return state.with_player(YELLOW, objective="white").but(patrons={"A": 4, "B": 4}, era=2, phase="reveal")


def test_the_last_reveal_shows_all_that_was_told_and_lets_it_be_corrected() -> None:
    """Objectives of everybody and every held letter, with what was told before."""
    form = pack.ask(at_the_end()).form
    assert form is not None
    assert {field.id: field.value for field in form.fields} == {
        "objectives-0": "brown",
        "objectives-1": "brown",
        "objectives-2": "white",
        "patrons-A": 4,
        "patrons-B": 4,
    }
    right = {"objectives-0": "brown", "objectives-1": "green", "objectives-2": "white", "patrons-A": 4, "patrons-B": 5}
    over = play(at_the_end(), {**form.move, "values": right}).state
    assert pack.over(over)
    assert {line.id: line.points for line in pack.tally(over).players[RED].lines}["patrons"] == 9


def test_a_card_or_a_tile_that_two_are_said_to_have_is_noticed() -> None:
    """There is one of each in the box."""
    values = {"objectives-0": "brown", "objectives-1": "brown", "objectives-2": "white", "patrons-A": 4, "patrons-B": 5}
    no = refused(at_the_end(), {"kind": "reveal", "values": values})
    assert no.code == "skyrise/objective-twice"
    assert Words("en", dict(enumerate(NAMES))).say(no.say) == "Red and Green cannot both have the objective inventors."
    no = refused(at_the_end(), {"kind": "reveal", "values": {**values, "objectives-1": "green", "patrons-B": 4}})
    assert no.code == "skyrise/patron-twice"


def test_with_printed_cards_the_last_scoring_always_waits_for_the_reveal() -> None:
    """Also when nothing is missing, and it can be undone only together."""
    steps = random_game(3, 5, deal="physical", board="table", auction="quick")
    assert type(steps[-1][1]).__name__ == "Reveal"
    assert steps[-2][2].reveals


# finding 9: tokens, leaving, and the words for them ----------------------------------------------------------------


def test_a_token_on_a_players_board_is_changed_for_the_one_they_took() -> None:
    """A naturalists’ token was a patron: rows, picture and what is left of the bag follow."""
    state = won(a_quick_table(), "red-92", "C.N")
    state = state.but(tokens=dict.fromkeys(state.tokens, HIDDEN))
    took = next(name for name, count in pack.view(state, None).players[RED].rows.items() if count)
    outcome = play(state, {"kind": "correct", "seat": RED, "was": took, "token": "commission"})
    board = pack.view(outcome.state, None).players[RED]
    assert (board.rows[took], board.commissions) == (0, 1)
    assert (outcome.state.taken.get(took), outcome.state.taken["commission"]) == (0, 1)
    said = Words("en", dict(enumerate(NAMES))).say(outcome.events[0].text)
    assert said.startswith("Red took commission, not ")
    again = {"kind": "correct", "seat": RED, "was": took, "token": "A"}
    assert refused(outcome.state, again).code == "skyrise/token-not-held"


def test_a_corrected_token_on_an_island_is_said_with_its_site() -> None:
    """Which site, which token."""
    outcome = play(a_table(), {"kind": "correct", "site": "1.5", "token": ""})
    assert Words("en", {}).say(outcome.events[0].text) == "north-west 5: the token there is no token"
    assert outcome.events[0].params == {"site": "1.5", "token": ""}


def test_a_corrected_number_is_the_number_the_history_says() -> None:
    """Green's 93 is a 95: what is bid with it afterwards is told as 95."""
    state = pack.new({"names": NAMES[:2], "auction": "full", "board": "drawn"}, {})
    state = play(state, pack.encode(pack.moves(state)[0])).state
    state = play(state, {"kind": "box", "key": "buildings.green.era-1.tall", "value": [95]}).state
    assert "green-95" in state.pieces
    assert "green-93" not in state.pieces
    move = pack.decode({"kind": "bid", "seat": GREEN, "piece": "green-95", "site": "C.N"})
    assert pack.describe(move).params["piece"] == "95"


def test_refusals_about_wonders_name_the_page_of_their_notes() -> None:
    """Page 12 as printed, not the section of our own specification."""
    state = bid(era_two(a_table(), {"green-wonder": "summit", "yellow-wonder": "hammer"}, RED), "red-24", "C.E")
    state = bid(state, "green-wonder", "C.N")
    assert state.turn == YELLOW
    no = refused(state, {"kind": "bid", "seat": YELLOW, "piece": "yellow-94", "site": "1.14"})
    assert (no.code, no.page) == ("skyrise/only-hammer", "12")


def test_who_leaves_in_a_quick_game_leaves_the_auctions_to_the_others() -> None:
    """Their numbers can no longer win; the others finish the game."""
    state = play(a_quick_table(), {"kind": "leave", "seat": RED}).state
    assert state.opener == GREEN
    assert refused(state, {"kind": "won", "piece": "red-92", "site": "C.N"}).code == "skyrise/finished"
    assert not [piece for piece in pack.view(state, None).auction.legal if piece.startswith("red")]


def test_who_has_gone_home_is_asked_nothing() -> None:
    """The highest bidder left and a wild token lies on the site they win: everybody is asked for its colour."""
    state = bid(a_table(2, tokens={"C.N": "wild"}), "red-92", "C.N")
    state = play(state, {"kind": "leave", "seat": RED}).state
    if state.phase == "bid":
        state = play(state, {"kind": "pass", "seat": GREEN}).state
    assert (state.phase, pack.ask(state).seat) == ("colour", None)
    assert play(state, pack.ask(state).choices[0].move).state.phase != "colour"
