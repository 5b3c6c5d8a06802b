"""A score that rests on a printed value nobody has checked says so, line by line and player by player."""

from __future__ import annotations

from skyrise_table import a_table, era_two, random_game, with_built

from companion.games.skyrise import pack
from companion.games.skyrise.state import SkyriseState

RED, GREEN = range(2)


def ended(state: SkyriseState) -> SkyriseState:
    """The same islands at the last scoring."""
    return state.but(phase="over")


def doubts(state: SkyriseState, line: str, seat: int = RED) -> tuple[str, ...]:
    """The unconfirmed values one line of a player names."""
    return next(one.unconfirmed for one in pack.tally(state).players[seat].lines if one.id == line)


def test_control_of_every_island_names_the_buildings_that_stand_there() -> None:
    """Two buildings of one printed row of numbers on two islands: both islands rest on it."""
    state = ended(with_built(a_table(), ("red-33", "C.N"), ("red-54", "1.5"), ("green-93", "1.6")))
    assert doubts(state, "control/central") == ("buildings.red.era-1.medium",)
    assert set(doubts(state, "control/north-west")) == {"buildings.red.era-1.medium", "buildings.green.era-1.tall"}


def test_prestige_names_what_its_own_player_gained_it_from() -> None:
    """Red built the Futurist, green Atlantis: the unread rate is red's doubt, the islands are both's."""
    state = era_two(a_table(), {"red-wonder": "futurist", "green-wonder": "atlantis"}, RED)
    state = state.gain(RED, "wonder/futurist", 6).gain(GREEN, "wonder/atlantis", 8)
    for now in (state, ended(state)):
        red, green = doubts(now, "prestige", RED), doubts(now, "prestige", GREEN)
        assert "wonders.futurist.rate" in red
        assert "wonders.futurist.rate" not in green
        assert "map.outer-1.lakes" in green
        assert not [key for key in (*red, *green) if key.endswith(".initiative")], "it decides openings, not points"
        assert set(red) | set(green) <= set(pack.tally(now).unconfirmed)
    assert doubts(state, "prestige", 2) == (), "nothing gained, nothing in doubt"


def test_wonders_that_score_cards_or_control_rest_on_what_those_rest_on() -> None:
    state = era_two(with_built(a_table(), ("red-33", "C.N")), {}, RED)
    cards = state.gain(RED, "wonder/intelligencium", 3)
    assert {"panorama.airships.reward", "panorama.windmills.reward"} <= set(doubts(cards, "prestige"))
    control = state.gain(RED, "wonder/summit", 5)
    assert doubts(control, "prestige") == ("buildings.red.era-1.medium",)
    spire = doubts(state.gain(RED, "wonder/sullivans-spire", 2), "prestige")
    assert {"buildings.red.era-1.medium", "wonders.sullivans-spire.rate"} <= set(spire)
    la_boca = doubts(state.gain(RED, "wonder/la-boca", 3), "prestige")
    assert "wonders.la-boca.rate" in la_boca, "the rulebook gives the twelve for four colours, not the three for one"
    assert "wonders.la-boca.max" not in la_boca
    assert "map.outer-1.factions" in la_boca
    assert doubts(state.gain(RED, "wonder/lacherts-pavilion", 8), "prestige") == ()


def test_a_box_the_owner_has_checked_leaves_no_doubt_about_the_prestige() -> None:
    """Every value confirmed as it is: the same game, nothing to say."""
    state = random_game(2, 1)[-1][2].state
    sure = {key: state.box[key] for key in state.box}
    assert pack.tally(state).unconfirmed
    assert pack.tally(state.but(overrides=sure)).unconfirmed == ()
