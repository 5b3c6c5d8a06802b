"""Three depths of use give the same total for the same final position."""

from __future__ import annotations

from typing import Any

import pytest
from skyrise_table import NAMES, play, random_game, refused

from companion.game import seat_name
from companion.games.skyrise import form, pack
from companion.games.skyrise.board import FACTIONS
from companion.games.skyrise.record import document
from companion.games.skyrise.state import HEIGHTS, PATRONS


def filled(position: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """The values a table would enter for this position."""
    shown = position["islands"]
    values: dict[str, Any] = {}
    for i, card in enumerate(position["panorama"]):
        values |= {f"panorama-{i}": card["card"], f"reward-{i}": card["reward"]}
    values |= {f"patron-{letter}": value for letter, value in position["patron_values"].items()}
    values |= {f"finish-{i}": str(names.index(name)) for i, name in enumerate(position["finish_order"])}
    for seat, player in enumerate(position["players"]):
        at = f"p{seat}/"
        values |= {f"{at}{key}": player[key] for key in ("prestige", "surplus", "commissions")}
        for island, own in zip(("central", *form.OUTER_NAMES), shown, strict=False):
            values |= {f"{at}{island}/{height}": player["buildings"][own][height] for height in HEIGHTS}
        values |= {f"{at}times-{i}": times for i, times in enumerate(player["panorama"])}
        values |= {f"{at}met": player["objective"]["met"], f"{at}objective": player["objective"]["reward"]}
        values |= {f"{at}patron-{letter}": player["patrons"].get(letter, 0) for letter in PATRONS}
        values |= {f"{at}key": player["keys"][0] if player["keys"] else ""}
        for faction in FACTIONS:
            values |= {f"{at}tokens/{faction}": player["tokens"][faction]}
            values |= {f"{at}structures/{faction}": player["structures"][faction]}
    return values


@pytest.mark.parametrize("players", [2, 3, 4])
def test_full_light_and_tally_agree(players: int) -> None:
    """A played game, the same position entered after light play, and entered alone."""
    state = random_game(players, 17)[-1][2].state
    played = pack.tally(state)
    values = filled(document(state), NAMES[:players])
    for depth in ("light", "tally"):
        counted = pack.new({"names": NAMES[:players], "depth": depth}, {})
        if depth == "light":
            counted = play(counted, {"kind": "scoring"}).state
        ask = pack.ask(counted)
        assert ask.form is not None
        assert {field.id for field in ask.form.fields} >= set(values)
        counted = play(counted, {**ask.form.move, "values": values}).state
        assert pack.over(counted)
        tally = pack.tally(counted)
        assert [p.total for p in tally.players] == [p.total for p in played.players]
        assert tally.winners == played.winners


def test_light_play_counts_turns_and_prestige() -> None:
    """Turns go round, prestige never falls below zero, and nothing else is kept."""
    state = pack.new({"names": NAMES[:3], "depth": "light"}, {})
    state = play(state, {"kind": "count", "seat": 1, "points": 5}).state
    state = play(state, {"kind": "count", "seat": 1, "points": -9}).state
    state = play(state, {"kind": "count", "seat": 2, "points": 3}).state
    assert [p.total for p in pack.tally(state).players] == [0, 0, 3]
    assert refused(state, {"kind": "end_turn", "seat": 2}).code == "skyrise/out-of-turn"
    assert pack.view(play(state, {"kind": "end_turn", "seat": 0}).state, None).turn == 1
    assert refused(state, {"kind": "bid", "seat": 0, "piece": "red-24", "site": "C.N"}).code == "skyrise/not-now"
    assert pack.ask(state).choices[0].id == "end_turn"


def test_a_form_that_cannot_be_is_refused_with_its_field() -> None:
    """The same checks as the document's, said in the form's words."""
    state = pack.new({"names": NAMES[:2], "depth": "tally"}, {})
    (usual,) = pack.moves(state)
    values = pack.encode(usual)["values"] | {"p0/key": "large", "p1/key": "large"}
    no = refused(state, {"kind": "final", "values": values})
    assert (no.code, no.say.params["who"]) == ("skyrise/form-of", seat_name(1))
    assert pack.over(pack.play(state, usual).state)


def test_moves_of_one_depth_do_not_belong_to_another() -> None:
    """A count has no place in a game that is played in full."""
    state = random_game(2, 1)[3][2].state
    assert refused(state, {"kind": "count", "seat": 0, "points": 1}).code == "skyrise/not-now"
    with pytest.raises(ValueError, match="depth"):
        pack.new({"names": NAMES[:2], "depth": "deep"}, {})
