"""Three depths of use give the same total for the same final position."""

from __future__ import annotations

from typing import Any

import pytest
from skyrise_table import NAMES, play, random_game, refused

from companion.game import Text, seat_name
from companion.games.skyrise import form, pack
from companion.games.skyrise.record import document
from companion.games.skyrise.state import HEIGHTS, PATRONS
from companion.shown.skyrise import FACTIONS


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
        values |= {f"{at}objective": player["objective"]["reward"] if player["objective"]["met"] else 0}
        values |= {f"{at}patron-{letter}": player["patrons"].get(letter, 0) for letter in PATRONS}
        for faction in FACTIONS:
            values |= {f"{at}tokens/{faction}": player["tokens"][faction]}
            values |= {f"{at}structures/{faction}": player["structures"][faction]}
    return values


def entered(state: Any, values: dict[str, Any]) -> Any:
    """Both forms filled in: what all share, then everybody's own, each player by themselves."""
    for owner in ("", *(f"p{seat}/" for seat in range(len(state.names)))):
        assert not pack.over(state)
        ask = pack.ask(state)
        assert ask.form is not None
        own = {name: value for name, value in values.items() if name.startswith(owner) and ("/" in name) == bool(owner)}
        assert {field.id for field in ask.form.fields} >= set(own)
        assert ask.form.apart == bool(owner)
        state = play(state, {**ask.form.move, "apart": ask.form.apart, "values": own}).state
    return state


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
        counted = entered(counted, values)
        assert pack.over(counted)
        tally = pack.tally(counted)
        assert [p.total for p in tally.players] == [p.total for p in played.players]
        assert tally.winners == played.winners


def test_a_form_as_earlier_versions_had_it_gives_the_same_total() -> None:
    """One form for all, with a key and the objective's reward by themselves: old journals replay."""
    state = random_game(3, 17)[-1][2].state
    position = document(state)
    values = filled(position, NAMES[:3])
    for seat, player in enumerate(position["players"]):
        values |= {f"p{seat}/met": player["objective"]["met"], f"p{seat}/objective": player["objective"]["reward"]}
        values |= {f"p{seat}/key": player["keys"][0] if player["keys"] else ""}
    counted = play(pack.new({"names": NAMES[:3], "depth": "tally"}, {}), {"kind": "final", "values": values}).state
    assert [p.total for p in pack.tally(counted).players] == [p.total for p in pack.tally(state).players]


def test_everybody_counts_their_own_and_may_count_again_until_nobody_is_missing() -> None:
    """Nobody's numbers are lost while others type; who is missing is said."""
    state = pack.new({"names": NAMES[:3], "depth": "tally"}, {})
    state = pack.play(state, pack.moves(state)[0]).state
    for points in (30, 34):
        state = play(state, {"kind": "final", "apart": True, "values": {"p1/prestige": points, "p1/surplus": 2}}).state
    ask = pack.ask(state)
    assert ask.form is not None
    known = {field.id: field.value for field in ask.form.fields}
    assert (known["p1/prestige"], known["p1/surplus"], known["p0/prestige"]) == (34, 2, None)
    assert ask.reminders == (Text("skyrise/remind/missing", {"who": (seat_name(0), seat_name(2))}),)
    assert refused(state, {"kind": "final", "values": {}}).code == "skyrise/nothing-told"
    assert refused(state, {"kind": "final", "values": {"p0/tokens/green": 9}}).say.params["who"] == seat_name(0)


def test_who_finished_first_has_the_large_key_and_a_card_its_printed_reward() -> None:
    """Neither has to be said twice."""
    state = pack.new({"names": NAMES[:2], "depth": "tally"}, {"panorama.chains.reward": 7})
    told = {"panorama-0": "chains", "panorama-1": "lakes", "finish-0": "1", "finish-1": "0"}
    state = play(state, {"kind": "final", "values": told}).state
    for seat in range(2):
        own = {f"p{seat}/prestige": 20, f"p{seat}/times-0": 1}
        state = play(state, {"kind": "final", "apart": True, "values": own}).state
    assert [player.total for player in pack.tally(state).players] == [20 + 7, 20 + 7 + 10]


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


def test_a_form_that_cannot_be_is_refused_with_whose_it_is() -> None:
    """The same checks as the document's, said of the player whose numbers do not fit."""
    state = pack.new({"names": NAMES[:2], "depth": "tally"}, {})
    same = {"panorama-0": "lakes", "panorama-1": "lakes"}
    no = refused(state, {"kind": "final", "values": same})
    assert (no.code, no.field) == ("skyrise/form", "panorama-1")
    while not pack.over(state):
        (usual,) = pack.moves(state)
        values = pack.encode(usual)["values"]
        if "p1/prestige" in values:
            wrong = {**values, "p1/objective": 10}  # met, with no structure anywhere
            no = refused(state, {"kind": "final", "values": wrong})
            assert (no.code, no.say.params["who"], no.field) == ("skyrise/form-of", seat_name(1), "p1/objective")
        state = pack.play(state, usual).state


@pytest.mark.parametrize(
    ("place", "field"),
    [
        ("players[1].tokens.yellow", "p1/tokens/yellow"),
        ("players[0].structures", "p0/structures/"),
        ("players[1].buildings", "p1/central/"),
        ("players[1].buildings.north.tall", "p1/north/tall"),
        ("players[0].patrons.B", "p0/patron-B"),
        ("players[0].panorama[1]", "p0/times-1"),
        ("players[1].objective.met", "p1/objective"),
        ("players[1].surplus", "p1/surplus"),
        ("players[1].commissions", "p1/commissions"),
        ("players[0].prestige", "p0/prestige"),
        ("players[1].keys", "finish-0"),
        ("patron_values.C", "patron-C"),
        ("panorama[0].reward", "reward-0"),
        ("finish_order[1]", "finish-1"),
        ("something new", "panorama-0"),
    ],
)
def test_every_place_in_the_document_has_its_field(place: str, field: str) -> None:
    state = pack.new({"names": NAMES[:2], "depth": "tally"}, {})
    assert form.wrong(state.box, state.names, place).id.startswith(field)


def test_moves_of_one_depth_do_not_belong_to_another() -> None:
    """A count has no place in a game that is played in full."""
    state = random_game(2, 1)[3][2].state
    assert refused(state, {"kind": "count", "seat": 0, "points": 1}).code == "skyrise/not-now"
    with pytest.raises(ValueError, match="depth"):
        pack.new({"names": NAMES[:2], "depth": "deep"}, {})
