"""After a correction the game can go on: the auction is settled again, and nothing exceeds what lies in the box."""

from __future__ import annotations

from typing import Any

import pytest
from skyrise_table import NAMES, a_table, bid, era_two, passes, play, random_game, refused, with_built

from companion.games.kit.names import told_apart
from companion.games.skyrise import pack
from companion.games.skyrise.board import tokens_left
from companion.games.skyrise.document import PRESTIGE
from companion.games.skyrise.state import SkyriseState

RED, GREEN, YELLOW, GREY = range(4)


def our_copy(state: Any, key: str, value: object) -> Any:
    """Our copy says otherwise."""
    return play(state, {"kind": "box", "key": key, "value": value}).state


# the auction ---------------------------------------------------------------------------------------------------


def test_a_number_corrected_in_mid_auction_passes_who_cannot_beat_the_bid() -> None:
    """Green's 93 is a 90: nothing of theirs beats 92, so Yellow is asked; the pass is told with its reason."""
    state = bid(a_table(), "red-92", "C.N")
    assert state.turn == GREEN
    outcome = play(state, {"kind": "box", "key": "buildings.green.era-1.tall", "value": [90]})
    assert (outcome.state.phase, outcome.state.turn) == ("bid", YELLOW)
    assert [event.kind for event in outcome.events] == ["box", "pass-auto"]
    assert pack.ask(outcome.state).form is not None


def test_a_number_corrected_brings_back_who_was_passed_over() -> None:
    """Green was passed over with a 90; with a 95 they are asked once Yellow has passed."""
    state = our_copy(bid(a_table(), "red-92", "C.N"), "buildings.green.era-1.tall", [90])
    assert [passed.seat for passed in state.passed] == [GREEN]
    state = our_copy(state, "buildings.green.era-1.tall", [95])
    assert (state.passed, state.turn) == ((), YELLOW)
    state = passes(state, YELLOW)
    assert (state.phase, state.turn) == ("bid", GREEN)
    state = our_copy(state, "buildings.yellow.era-1.tall", [97])
    assert YELLOW in {passed.seat for passed in state.passed}, "who passed by their word stays out"


def test_the_last_number_corrected_away_ends_the_auction() -> None:
    """Nobody is left who could bid: the bid that stands is built."""
    state = bid(a_table(2), "red-92", "C.N")
    state = our_copy(state, "buildings.green.era-1.tall", [90])
    assert state.pieces["red-92"].where == "built"
    assert pack.moves(state)


def test_a_border_corrected_away_under_the_bid_ends_the_auction() -> None:
    """No neighbourhood beside the bid is left: it wins."""
    state = with_built(a_table(), ("grey-3", "1.14"), ("grey-22", "2.12"), ("grey-31", "C.W"))
    state = bid(state, "red-24", "C.N")
    state = our_copy(state, "map.central.edges", [["E", "S"], ["S", "W"], ["W", "N"]])
    assert state.pieces["red-24"].where == "built"


def test_where_no_site_is_left_the_next_opens_and_at_last_the_era_ends() -> None:
    """A map of eighteen neighbourhoods is built over long before the pieces are."""
    state = a_table(2, box={"setup.2.outer-islands": 1})
    pieces = [piece.id for piece in state.pieces.values() if not piece.wonder and piece.id not in ("red-1", "red-24")]
    free = [site for site in state.islands.sites if site != "C.N"]
    state = bid(with_built(state, *zip(pieces, free, strict=False)), "red-1", "C.N")
    while state.phase in ("bid", "colour"):
        state = play(state, pack.encode(pack.moves(state)[0])).state
    assert state.phase == "choose"
    for seat in (RED, GREEN):
        state = play(state, {"kind": "choose", "seat": seat, "cards": list(state.players[seat].hand[:2])}).state
    assert state.phase == "over"


@pytest.mark.parametrize("left", [0, 1])
def test_the_crypt_robbed_of_its_choices_by_corrections_goes_on(left: int) -> None:
    """With one token in reach it is taken, with none nothing is."""
    state = era_two(a_table(tokens={"C.N": "green"}), {"red-wonder": "crypt"}, GREY)
    state = bid(bid(state, "grey-3", "C.E"), "red-wonder", "C.N")
    assert state.phase == "crypt"
    sites = [choice.id for choice in pack.ask(state).choices]
    for site in sites[left:]:
        state = play(state, {"kind": "correct", "site": site, "token": ""}).state
        if state.phase != "crypt":
            break
    assert state.phase != "crypt"
    assert pack.moves(state)


def test_a_neighbourhood_the_bag_was_too_small_for_has_no_token() -> None:
    """Every token is accounted for: nobody is asked what cannot have lain there."""
    state = pack.new({"names": NAMES[:2], "deal": "physical", "board": "table"}, {})
    state = play(state, pack.encode(pack.moves(state)[0])).state
    state = state.but(taken=dict(tokens_left(state.box, 2)))
    state = bid(state, state.own(state.turn, "available")[-1].id, "C.N")
    while state.phase == "bid":
        state = passes(state, state.turn)
    assert state.phase == "open"
    assert "C.N" not in state.tokens


def test_a_player_who_had_passed_and_goes_home_is_listed_once() -> None:
    """As one who left by their word."""
    state = passes(bid(a_table(), "red-24", "C.N"), GREEN)
    state = play(state, {"kind": "leave", "seat": GREEN}).state
    assert [passed.seat for passed in state.passed] == [GREEN]


# the box -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value"), [("setup.4.outer-islands", 3), ("setup.4.small-key", False), ("tokens.commission", 3)]
)
def test_what_the_table_was_set_up_with_is_not_changed_in_the_game(key: str, value: object) -> None:
    """It is entered before the next one; that of other numbers of players may be."""
    assert refused(a_table(), {"kind": "box", "key": key, "value": value}).code == "skyrise/set-up-done"
    assert our_copy(a_table(), "setup.3.outer-islands", 2).box["setup.3.outer-islands"] == 2


@pytest.mark.parametrize("depth", ["full", "light", "tally"])
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("patrons.values", [2, 3, 5]),
        ("patrons.values", [2, 3, 4, 50]),
        ("rows.3", 1),
        ("buildings.red.era-1.tall", [93]),
        ("buildings.red.era-1.tall", [1000]),
    ],
)
def test_a_box_that_cannot_be_is_refused_at_every_depth(depth: str, key: str, value: object) -> None:
    """In play and before the game alike."""
    options = {"names": NAMES[:3], "depth": depth}
    with pytest.raises(ValueError, match=r"."):
        pack.new(options, {key: value})
    state = a_table(3) if depth == "full" else pack.new(options, {})
    assert refused(state, {"kind": "box", "key": key, "value": value}).code == "skyrise/box-value"


def printed_with_patron(letter: str) -> SkyriseState:
    """Printed cards; Red holds a token of this patron."""
    state = pack.new({"names": NAMES[:3], "deal": "physical", "board": "table"}, {})
    return play(state, pack.encode(pack.moves(state)[0])).state.with_player(RED, patrons=(letter,))


def test_a_patrons_value_is_one_that_lies_in_the_box() -> None:
    """A slip is refused with the printed value it rests on; our copy may have that value."""
    state, peek = printed_with_patron("A"), {"kind": "peek", "seat": RED, "letter": "A", "value": 9}
    why = refused(state, peek)
    assert (why.code, why.box) == ("skyrise/patron-value", "patrons.values")
    assert play(our_copy(state, "patrons.values", [2, 3, 4, 9]), peek).state.patrons == {"A": 9}
    told = {"kind": "reveal", "objectives": {"0": "yellow", "1": "green", "2": "white"}, "patrons": {"A": 9}}
    assert refused(state.but(phase="reveal"), told).code == "skyrise/patron-value"
    form = pack.ask(state.but(phase="reveal")).form
    assert form is not None
    assert {field.id: field.value for field in form.fields}["patrons-A"] == 2


# the end -------------------------------------------------------------------------------------------------------


def test_players_of_one_name_are_told_apart_whatever_the_others_are_called() -> None:
    """Ana, Ana and Ana (red): the game is scored, and each keeps the name they gave."""
    names = ("Ana", "Ana", "Ana (red)")
    assert len(set(told_apart(names, ("red", "green", "yellow")))) == 3
    state = random_game(3, 5)[-1][2].state
    state = state.but(
        players=tuple(type(p)(**{**{f: getattr(p, f) for f in p.__struct_fields__}, "name": name})
                      for p, name in zip(state.players, names, strict=True))
    )  # fmt: skip
    assert tuple(player.name for player in pack.tally(state).players) == names
    assert pack.new({"names": names, "depth": "light"}, {}).names == told_apart(names, ("red", "green", "yellow"))


def test_a_game_played_with_other_numbers_of_tokens_can_be_scored() -> None:
    """Three commissions or five tokens of a patron in one hand, a thousand prestige: what was played is counted."""
    state = random_game(3, 6, box={"tokens.commission": 4, "tokens.patron": 6})[-1][2].state
    rich = state.with_player(RED, commissions=3, patrons=("A",) * 5, prestige=1000).but(
        patrons=dict.fromkeys("ABCD", 4)
    )
    lines = {line.id: line.points for line in pack.tally(rich).players[RED].lines}
    assert (lines["prestige"], lines["patrons"]) == (1000, 20)


def test_prestige_counted_by_hand_stays_within_what_the_form_takes() -> None:
    """A key held down: the forms at the end open and are taken as they stand."""
    state = pack.new({"names": NAMES[:2], "depth": "light"}, {})
    for _ in range(4):
        state = play(state, {"kind": "count", "seat": 0, "points": 200}).state
    assert state.points[0] == PRESTIGE
    state = play(state, {"kind": "scoring"}).state
    for _ in range(2):
        form = pack.ask(state).form
        assert form is not None
        values = {field.id: field.value for field in form.fields if field.value is not None}
        assert all(field.low <= field.value <= field.high for field in form.fields if type(field.value) is int)
        state = play(state, {**form.move, "values": values}).state
    assert pack.over(state)
    assert pack.tally(state).players[0].total >= PRESTIGE
