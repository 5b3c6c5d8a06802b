"""Quick auctions under the camera: bids come to lie on the islands, go home, and one stays."""

from __future__ import annotations

import pytest
from skyrise_table import era_two, play, refused, with_built
from test_skyrise_quick import a_quick_table

from companion.game import Text
from companion.games.skyrise import pack
from companion.games.skyrise.mat import WORDS, islands_mat, spot_of
from companion.games.skyrise.moves import Home, Lies, Won
from companion.games.skyrise.state import SkyriseState
from companion.senses.explain import Explanation, Seen, explain
from companion.wire.messages import SlotSeen

RED, GREEN, YELLOW, GREY = range(4)


def put(state: SkyriseState, *bids: tuple[str, str]) -> SkyriseState:
    """Bids come to lie there, one after the other."""
    for site, colour in bids:
        state = play(state, {"kind": "lies", "site": site, "colour": colour}).state
    return state


def home(state: SkyriseState, *sites: str) -> SkyriseState:
    for site in sites:
        state = play(state, {"kind": "home", "site": site}).state
    return state


def seen(state: SkyriseState, **otherwise: str) -> Explanation:
    """What the camera's reading of the islands is explained as: as the game has them, but for some sites."""
    stands = {slot.slot: slot.piece or "" for slot in pack.expect(state).slots}
    stands |= {spot_of(state, site.replace("_", ".")): WORDS.get(colour, "") for site, colour in otherwise.items()}
    slots = {spot: SlotSeen(slot=spot, pieces={colour: 1.0}) for spot, colour in stands.items()}
    return explain(pack, state, Seen(slots, {"coral": 0, "leaf": 1, "sun": 2, "snow": 3}))


def test_every_neighbourhood_has_its_own_spot_and_they_do_not_touch() -> None:
    state = a_quick_table()
    spots = {spot.id: spot for spot in islands_mat().spots}
    assert sorted(spot_of(state, site) for site in state.islands.sites) == sorted(spots)
    places = [(spot.x, spot.y, spot.radius) for spot in spots.values()]
    assert min(
        ((a - c) ** 2 + (b - d) ** 2) ** 0.5 - r - q
        for i, (a, b, r) in enumerate(places)
        for c, d, q in places[i + 1 :]
    ) > 5  # fmt: skip


def test_a_piece_laid_on_the_central_island_is_an_opening_bid() -> None:
    state = a_quick_table()
    told = seen(state, C_N="red")
    assert (told.kind, told.candidates[0].moves) == ("found", (Lies("C.N", "red"),))
    assert seen(state, **{"1_5": "red"}).kind == "impossible"


def test_a_bid_that_lies_alone_may_be_outbid_and_its_number_says_that_it_is_not() -> None:
    state = put(a_quick_table(), ("C.N", "grey"))
    ask = pack.ask(state)
    assert (ask.phase, ask.text.key) == ("number", "skyrise/ask/number-open")
    assert {choice.move["piece"] for choice in ask.choices} == {p.id for p in state.own(GREY, "available")}
    after = play(state, ask.choices[-1].move).state
    assert after.pieces[ask.choices[-1].id].site == "C.N" and (after.lying, after.most) == ((), 0)
    outbid = put(state, ("C.E", "red"))
    assert pack.ask(outbid).phase == "quick"


def test_what_stays_when_the_others_went_home_has_won() -> None:
    state = put(a_quick_table(), ("C.N", "grey"), ("C.E", "red"), ("C.S", "green"))
    told = seen(state, C_N="", C_E="")
    assert told.kind == "found" and set(told.candidates[0].moves) == {Home("C.N"), Home("C.E")}
    state = home(state, "C.E", "C.N")
    ask = pack.ask(state)
    assert ask.text == Text("skyrise/ask/number", {"who": ask.text.params["who"], "site": Text("skyrise/site/C.S")})
    assert all(choice.move["site"] == "C.S" and choice.id.startswith("green") for choice in ask.choices)
    assert refused(state, {"kind": "lies", "site": "C.W", "colour": "red"}).code == "skyrise/not-now"


def test_a_number_the_rules_leave_alone_is_not_asked() -> None:
    """All but one of Red's pieces are built: whoever sees a red piece stay knows which."""
    state = a_quick_table()
    free = iter(sorted(set(state.islands.sites) - {"C.N", "C.E"}))
    left = state.own(RED, "available")[-1]
    state = with_built(state, *((piece.id, next(free)) for piece in state.own(RED, "available") if piece != left))
    state = home(put(state, ("C.N", "green"), ("C.E", "red")), "C.N")
    assert (state.pieces[left.id].where, state.pieces[left.id].site) == ("built", "C.E")


def test_two_bids_laid_between_two_looks_are_one_story() -> None:
    told = seen(a_quick_table(), C_N="grey", C_E="red")
    assert told.kind == "found" and set(told.candidates[0].moves) == {Lies("C.N", "grey"), Lies("C.E", "red")}


def test_bids_have_their_places_and_their_owners() -> None:
    state = put(a_quick_table(), ("C.N", "grey"))
    for site, colour in (("C.N", "red"), ("1.1", "red"), ("C.E", "blue"), ("X.9", "red")):
        assert refused(state, {"kind": "lies", "site": site, "colour": colour}).code == "skyrise/no-bid-there"
    assert refused(state, {"kind": "home", "site": "C.W"}).code == "skyrise/no-bid-there"
    assert home(state, "C.N").most == 0


def test_the_second_figure_of_a_game_of_two_is_its_owners() -> None:
    state = era_two(a_quick_table(2), {"red-wonder": "summit", "yellow-wonder": "atlantis"}, RED)
    state = put(state, ("C.N", "green"), ("C.E", "yellow"))
    state = home(state, "C.N")
    assert state.pieces["yellow-wonder"].site == "C.E", "the only yellow piece there is"


def test_people_may_tell_another_result_than_the_one_that_lies_there() -> None:
    state = put(a_quick_table(), ("C.N", "grey"))
    after = pack.play(state, Won("red-91" if "red-91" in state.pieces else state.own(RED)[0].id, "C.E")).state
    assert after.built(RED) and not after.lying


@pytest.mark.parametrize("how", [{"auction": "full"}, {"depth": "light"}])
def test_only_quick_auctions_are_watched(how: dict[str, str]) -> None:
    names = ["Red", "Green"]
    state = pack.new({"names": names, "deal": "digital", "board": "drawn", **how}, {})
    assert pack.expect(state).slots == () and list(pack.sensed(state)) == []
