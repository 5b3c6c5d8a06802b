"""The small map: a plaza is touched where it lies, and has its place there from then on."""

from __future__ import annotations

import msgspec
import pytest

from benches.finger import Finger, OutOfReachError
from companion.games.praga import pack, plazas
from companion.games.praga.state import PragaState
from companion.shown.praga import COLUMNS, OLD_ROWS, PLACES
from tests.companion.praga.a_table import KNOWN, a_table, choose_free, outcome, play, refused

UNTOLD = {name: value for name, value in KNOWN.items() if name != "plazas.places"}
"""A copy whose plazas nobody has put on the map."""
OPEN = {"tiles.a.5": ["unknown", "unknown"]}


def building(box: dict[str, object], players: int = 2) -> tuple[PragaState, dict[str, object]]:
    """A building tile is taken, and its plaza asked for; the move that names it lacks only the plaza."""
    state = choose_free(a_table(players, "full", {**box, **OPEN}, gold=9, stone=9))
    tile = next(i for i, one in enumerate(KNOWN["hex.building"], 1) if one["era"] == 1 and not one.get("special"))
    named = {"kind": "begin", "action": "building", "tile": tile, "seat": 0}
    return play(state, named), named


def test_a_plaza_is_put_on_the_map_by_the_touch_that_names_it():
    """It lies there for good: in this game and in the owner's box."""
    state, named = building(UNTOLD)
    result = outcome(state, {**named, "plaza": 3, "at": 17})

    assert result.state.begun is not None and result.state.begun.plaza == 3
    assert pack.view(result.state, None).plazas[2].at == 17
    assert result.learnt["plazas.places"] == [0, 0, 17, 0, 0, 0, 0, 0, 0, 0]
    later = a_table(4, "full", {**UNTOLD, **result.learnt})
    assert [one.at for one in pack.view(later, None).plazas] == result.learnt["plazas.places"]


def test_two_plazas_never_lie_at_one_place():
    """Neither by a touch nor by the owner's box."""
    state, named = building({**UNTOLD, "plazas.places": [5]})
    assert refused(state, {**named, "plaza": 2, "at": 5}).code == "praga/plaza-there"
    assert refused(state, {"kind": "box", "key": "plazas.places", "value": [4, 4]}).code == "praga/box"
    assert refused(state, {"kind": "box", "key": "plazas.places", "value": [PLACES + 1]}).code == "praga/box"
    with pytest.raises(msgspec.ValidationError):
        pack.decode({**named, "plaza": 2, "at": PLACES + 1})


def test_a_plaza_that_was_put_wrong_is_put_right():
    """By the map itself: the place is a printed value of the copy like any other."""
    state, _ = building({**UNTOLD, "plazas.places": [5, 9]})
    state = play(state, {"kind": "box", "key": "plazas.places", "value": [6, 9]})
    assert [one.at for one in pack.view(state, None).plazas[:3]] == [6, 9, 0]


@pytest.mark.parametrize(("place", "town"), [(COLUMNS * OLD_ROWS, "old"), (COLUMNS * OLD_ROWS + 1, "new")])
def test_a_plaza_is_named_by_its_town(place: int, town: str):
    """North of the King's Road lies the Old Town."""
    state, _ = building({**UNTOLD, "plazas.places": [place]})
    text = plazas.name(state, 1)
    assert (text.key, text.params["town"].key) == ("praga/plaza/in", f"praga/town/{town}")
    assert plazas.name(state, 2).key == "praga/plaza"


def test_naming_and_placing_is_one_touch_and_a_known_plaza_too():
    """The first plaza without a place goes where the map is touched; any other is picked first."""
    finger = Finger(pack, ("Magda", "Tomek"))
    state, named = building(UNTOLD)
    assert finger.make(state, {**named, "plaza": 1, "at": 17}) == 1
    assert finger.make(state, {**named, "plaza": 4, "at": 17}) == 2
    assert finger.make(building(KNOWN)[0], {**named, "plaza": 4}) == 1
    with pytest.raises(OutOfReachError):
        finger.make(state, {**named, "plaza": 1})


def test_the_map_is_looked_at_and_put_right_between_turns():
    """A touch on the small map opens it, one picks a plaza, one says where it lies."""
    state, moved = a_table(2, "full", KNOWN), [3, *KNOWN["plazas.places"][1:]]
    finger = Finger(pack, ("Magda", "Tomek"))
    assert finger.make(state, {"kind": "box", "key": "plazas.places", "value": moved}) == 3
