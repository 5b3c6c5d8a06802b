"""Tokens, panorama cards and both era scorings."""

from __future__ import annotations

from itertools import pairwise

import pytest
from skyrise_table import a_table, bid, era_two, only, passes, play, random_game, refused, with_built

from companion.games.skyrise import pack
from companion.games.skyrise.record import document
from companion.games.skyrise.scoring import _cliques, bordered, control, longest_path, map_keys, times
from companion.games.skyrise.state import SkyriseState

RED, GREEN, YELLOW, GREY = range(4)


def wins(state: SkyriseState, piece: str, site: str) -> SkyriseState:
    """The owner opens there and everybody passes."""
    state = bid(state, piece, site)
    while state.phase == "bid":
        state = passes(state, state.turn)
    return state


def test_t4_panorama_counts_every_time_its_condition_is_met() -> None:
    """T4 and edge case 28: Airships twice and Windmills once, 8 in all, one structure serving both cards."""
    state = with_built(a_table(), ("yellow-32", "1.4"), ("yellow-51", "1.6"), ("yellow-63", "1.2"))
    assert times(state, YELLOW, "airships") == 2
    assert times(state, YELLOW, "windmills") == 1
    assert 2 * state.box["panorama.airships.reward"] + state.box["panorama.windmills.reward"] == 8


def test_a_feature_counts_once_unless_the_printed_card_counts_structures() -> None:
    """The reading of the card is data: `least` and `count`."""
    built = (("red-24", "1.5"), ("red-33", "1.6"))
    assert times(with_built(a_table(), *built), RED, "lakes") == 1
    each = a_table(box={"panorama.lakes.count": "incidence"})
    assert times(with_built(each, *built), RED, "lakes") == 2
    pairs = a_table(box={"panorama.lakes.least": 2})
    assert times(with_built(pairs, *built, ("red-54", "1.1")), RED, "lakes") == 1


def test_t17_bridges() -> None:
    """T17: own structures at both ends; one structure serves two bridges."""
    state = with_built(a_table(), ("red-24", "C.N"), ("red-33", "1.14"))
    assert times(state, RED, "bridges") == 1
    assert times(with_built(state, ("red-54", "2.12")), RED, "bridges") == 2
    assert times(with_built(state, ("green-52", "2.12")), RED, "bridges") == 1


def test_t18_chains() -> None:
    """T18: three that hang together score once per island, a second group there adds nothing."""
    state = with_built(a_table(), ("red-24", "1.2"), ("red-33", "1.5"))
    assert times(state, RED, "chains") == 0
    state = with_built(state, ("red-54", "1.6"))
    assert times(state, RED, "chains") == 1
    assert times(with_built(state, ("red-62", "1.12"), ("red-72", "1.13"), ("red-92", "1.9")), RED, "chains") == 1


def test_chains_do_not_cross_bridges_and_may_have_to_touch_one_another() -> None:
    """Same island only; `mutual` is the other reading of the card."""
    bridged = with_built(a_table(), ("red-24", "C.N"), ("red-33", "1.14"), ("red-54", "1.13"))
    assert times(bridged, RED, "chains") == 0
    mutual = a_table(box={"panorama.chains.shape": "mutual"})
    assert times(with_built(mutual, ("red-24", "1.1"), ("red-33", "1.2"), ("red-54", "1.3")), RED, "chains") == 0
    assert times(with_built(mutual, ("red-24", "1.1"), ("red-33", "1.4"), ("red-54", "1.5")), RED, "chains") == 1


def test_a_chain_hangs_together_from_one_to_the_next() -> None:
    """Four in a row, wherever one begins to count."""
    four = a_table(box={"panorama.chains.length": 4})
    row = (("red-24", "1.1"), ("red-33", "1.2"), ("red-54", "1.3"), ("red-62", "1.7"))
    assert times(with_built(four, *row), RED, "chains") == 1
    assert times(with_built(four, *row[:3]), RED, "chains") == 0


def test_a_score_rests_on_every_island_of_the_game() -> None:
    state = a_table()
    wanted = {"map.central" if name == "C" else f"map.outer-{name}" for name in state.islands.islands}
    assert len(wanted) > 2
    told = {".".join(key.split(".")[:2]) for key in map_keys(state)}
    assert {name for name in told if name.startswith(("map.central", "map.outer"))} == wanted
    assert {"map.ring.bridges", *(f"map.slots.{slot}" for slot in state.placement)} <= set(map_keys(state))
    assert not [key for key in map_keys(state) if key.endswith((".places", ".names")) or not key.startswith("map.")]


def test_an_empty_island_is_everybodys_where_the_copy_says_so() -> None:
    assert control(a_table(), "C") == ()
    assert control(a_table(box={"settings.empty-island-scores": True}), "C") == (0, 1, 2, 3)


def test_a_card_may_look_at_one_island_alone() -> None:
    """The Intelligencium's: bridges of both ends' islands, features of their own."""
    state = with_built(a_table(), ("red-24", "C.N"), ("red-33", "1.14"), ("red-54", "2.12"), ("red-62", "2.9"))
    assert [times(state, RED, "bridges", island) for island in ("", "C", "1", "2", "3")] == [2, 2, 1, 1, 0]
    airships = [times(state, RED, "airships", island) for island in state.islands.islands]
    assert sum(airships) == times(state, RED, "airships") > max(airships) > 0
    assert bordered(state, RED, "airship") == bordered(state, RED, "airship", 1, "")


def test_three_that_touch_one_another_need_touch_nothing_else() -> None:
    borders = {"a": frozenset("bc"), "b": frozenset("ac"), "c": frozenset("ab")}
    assert _cliques(set("abc"), {"a"}, 3, borders)


@pytest.mark.parametrize(
    ("own", "length"),
    [
        ((), 0),
        (("1.1",), 1),
        (("1.1", "1.14"), 1),
        (("1.1", "1.2", "1.3"), 3),
        (("1.9", "1.5", "1.10", "1.12"), 3),
        (("1.14", "C.N", "2.12"), 3),
        (("1.1", "1.2", "1.3", "1.6"), 4),
    ],
)
def test_a_chain_uses_each_structure_once_and_crosses_bridges(own: tuple[str, ...], length: int) -> None:
    assert longest_path(a_table(), own) == length


def test_t5_control_on_the_islands() -> None:
    """T5: red alone has a tall building; then grey equals red in every height and both control."""
    state = with_built(a_table(), ("red-92", "1.1"), ("grey-64", "1.2"))
    assert control(state, "1") == (RED,)
    even = with_built(a_table(), ("red-92", "1.1"), ("grey-91", "1.2"), ("red-54", "1.4"), ("grey-64", "1.5"))
    assert control(even, "1") == (RED, GREY)
    assert control(even, "2") == ()


def test_t10_a_fifth_token_and_a_wild_are_surplus() -> None:
    """T10, edge cases 16 and 17: the full row stays at four."""
    state = a_table(tokens={"C.N": "green", "C.E": "wild"}).with_player(RED, rows=(4, 4, 4, 4))
    state = wins(state, "red-24", "C.N")
    assert (state.players[RED].rows, state.players[RED].surplus) == ((4, 4, 4, 4), 1)
    state = wins(state, "red-33", "C.E")
    assert state.phase == "colour"
    assert refused(state, {"kind": "colour", "seat": GREEN, "faction": "green"}).code == "skyrise/out-of-turn"
    assert refused(state, {"kind": "pass", "seat": RED}).code == "skyrise/no-auction"
    state = play(state, {"kind": "colour", "seat": RED, "faction": "green"}).state
    assert (state.players[RED].rows, state.players[RED].surplus) == ((4, 4, 4, 4), 2)


def test_tokens_go_to_rows_and_to_the_picture() -> None:
    """Section 6: colours to their row, patrons and commissions to the picture."""
    state = a_table(tokens={"C.N": "brown", "C.E": "D", "C.S": "commission"})
    state = wins(wins(wins(state, "red-24", "C.N"), "red-33", "C.E"), "red-54", "C.S")
    player = state.players[RED]
    assert (player.rows, player.patrons, player.commissions) == ((0, 0, 0, 1), ("D",), 1)


def test_the_end_of_era_one_scores_control_then_panorama_then_asks_for_wonders() -> None:
    """Section 8: exact order, no structure or token scoring, figures still locked until all have chosen."""
    state = only(a_table(3), RED, "red-92", "red-13", "red-wonder")
    state = with_built(state, ("green-52", "1.13"))
    outcome = play(state, {"kind": "bid", "seat": RED, "piece": "red-92", "site": "C.N"})
    while outcome.state.phase == "bid":
        outcome = play(outcome.state, {"kind": "pass", "seat": outcome.state.turn})
    kinds = [event.kind for event in outcome.events]
    assert kinds[kinds.index("era-one-ends") :] == ["era-one-ends", "control", "control", "panorama", "panorama"]
    assert [(line.seat, line.line, line.points) for line in outcome.state.scored] == [
        (RED, "control/central", 5),
        (GREEN, "control/north-west", 5),
        (RED, "panorama/airships", 3),
        (GREEN, "panorama/airships", 3),
    ]
    ask = pack.ask(outcome.state)
    assert (ask.phase, ask.waiting, ask.choices, ask.form) == ("choose", (0, 1, 2), (), None)


def test_a_board_laid_by_hand_asks_for_each_token_when_it_is_taken() -> None:
    """Nothing is entered before it matters; the bag cannot hold more than it did."""
    state = pack.new({"names": ("a", "b", "c"), "deal": "physical", "board": "table"}, {})
    lay = {
        "kind": "lay",
        "values": {"NW": "3", "SE": "1", "SW": "4", "first": "lakes", "second": "chains", "opener": 1},
    }
    assert refused(state, {**lay, "values": {**lay["values"], "NE": "2"}}).code == "skyrise/islands"  # type: ignore[dict-item]
    assert refused(state, {**lay, "values": {**lay["values"], "second": "lakes"}}).code == "skyrise/panorama"  # type: ignore[dict-item]
    state = play(state, lay).state
    assert (state.phase, state.turn) == ("open", 1)
    state = wins(state, "green-23", "C.N")
    assert (state.phase, state.turn) == ("token", 1)
    wild = play(state, {"kind": "token", "seat": 1, "token": "wild"}).state
    state = play(wild, {"kind": "colour", "seat": 1, "faction": "white"}).state
    state = wins(state, "green-34", "C.E")
    no = refused(state, {"kind": "token", "seat": 1, "token": "wild"})
    assert no.code == "skyrise/no-more-tokens", "three players have one wild token"


def test_a_wrongly_recorded_token_is_corrected() -> None:
    """A correction is a move; it cannot conjure tokens, nor change what is already taken."""
    state = a_table(tokens={"C.N": "green", "C.E": "brown"})
    assert refused(state, {"kind": "correct", "site": "C.N", "token": "brown"}).code == "skyrise/no-more-tokens"
    state = play(state, {"kind": "correct", "site": "C.E", "token": ""}).state
    state = play(state, {"kind": "correct", "site": "C.N", "token": "brown"}).state
    assert (state.tokens["C.N"], "C.E" in state.tokens) == ("brown", False)
    built = wins(state, "red-24", "C.N")
    assert refused(built, {"kind": "correct", "site": "C.N", "token": "A"}).code == "skyrise/token-gone"


def test_the_tally_of_a_game_and_of_its_final_position_agree() -> None:
    """Full play and bare tally give the same lines and the same winner."""
    for players in (2, 3, 4):
        for seed in range(3):
            state = random_game(players, seed)[-1][2].state
            played, entered = pack.tally(state), pack.score(document(state), {})
            assert [p.total for p in played.players] == [p.total for p in entered.players]
            assert [[(line.id, line.points) for line in p.lines] for p in played.players] == [
                [(line.id, line.points) for line in p.lines] for p in entered.players
            ]
            assert played.winners == entered.winners


def test_a_score_that_used_unconfirmed_values_says_so_by_line() -> None:
    """The map, the rewards and the row values come from no source until the owner confirms them."""
    state = random_game(3, 1)[-1][2].state
    tally = pack.tally(state)
    assert {"map.central.factions", "patrons.values"} <= set(tally.unconfirmed)
    by_line = {line.id: line.unconfirmed for line in tally.players[0].lines}
    assert by_line["surplus"] == by_line["keys"] == ()
    assert f"panorama.{state.panorama[0]}.reward" in by_line[f"panorama/{state.panorama[0]}"]


def test_before_the_end_only_awarded_prestige_is_shown() -> None:
    """Section 3: no projection of the last scoring on shared screens."""
    state = era_two(with_built(a_table(), ("red-92", "C.N")), {}, RED).gain(RED, "wonder/summit", 5)
    tally = pack.tally(state)
    assert [(line.id, line.points) for line in tally.players[RED].lines] == [("prestige", 5)]


def test_edge_17_a_fourth_token_must_be_taken_even_if_it_lowers_the_row() -> None:
    """Edge case 17: no question is asked, the row goes from six to four a structure."""
    state = a_table(tokens={"C.N": "green"}).with_player(RED, rows=(0, 3, 0, 0))
    state = wins(state, "red-24", "C.N")
    assert (state.phase, state.players[RED].rows) == ("open", (0, 4, 0, 0))
    assert state.box["rows.4"] < state.box["rows.3"]


def test_edge_25_kahns_ambition_does_not_score_the_objective_itself() -> None:
    """Edge case 25: eight now, and the objective's own ten once, at the end."""
    for _, _, outcome in random_game(4, 2):
        state = outcome.state
        if state.phase == "over":
            for seat, player in enumerate(pack.tally(state).players):
                objective = next(line.points for line in player.lines if line.id == "objective")
                assert objective == (10 if state.has_met(seat) else 0)
            assert not [line for line in state.scored if line.line == "objective"]


def test_edge_30_the_record_rules_and_a_slip_is_undone_as_a_whole_step() -> None:
    """Edge case 30: a state holds everything, so an earlier one brings back bids, tokens, keys and prestige."""
    steps = random_game(3, 12)
    for (before, _, outcome), (following, move, after) in pairwise(steps):
        assert outcome.state == following
        assert pack.play(following, move).state == after.state
        assert before is not outcome.state


def test_the_chart_follows_the_track_and_ends_at_the_totals() -> None:
    """One point for the start, one for era I, one for each wonder, and the last scoring."""
    state = random_game(3, 12)[-1][2].state
    chart = pack.view(state, None).chart
    assert [row[-1] for row in chart] == [player.total for player in pack.tally(state).players]
    assert [row[-2] for row in chart] == [player.prestige for player in state.players]
    assert {len(row) for row in chart} == {1 + 1 + 3 + 1}
    assert all(list(row) == sorted(row) for row in chart)
