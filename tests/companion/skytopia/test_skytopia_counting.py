"""Newcomer B6: at the end everybody counts what they have on their own phone; nobody names cards, and the total is the same."""

from typing import Any

import pytest
from skytopia_table import NAMES, random_game

from companion.games.skytopia import counting, guilds, pack
from companion.games.skytopia.printed import COLOURS, GUILDS, numbers
from companion.games.skytopia.state import SkytopiaState, own_golems


def counted_by_eye(state: SkytopiaState, seat: int, revealed: tuple[str, ...]) -> dict[str, int]:
    """What a player reads off the table in front of them."""
    player = state.players[seat]
    city = guilds.skyline(state.numbers, player.city, player.towers)
    found = {"track": player.points, "coins": player.coins, "market_golems": len(own_golems(state, seat))}
    found |= {colour: len(player.towers[k]) for k, colour in enumerate(COLOURS)}
    found["laboratories"] = city.laboratories
    for guild in revealed:
        what = guilds.counts(state.numbers, guild)
        if what:
            found[guild] = city.kinds(COLOURS.index(what)) if what in COLOURS else city.shown(what)
    return {f"p{seat}/{name}": value for name, value in found.items()}


def begun(names: list[str], depth: str = "tally") -> Any:
    return pack.new({"names": names, "depth": depth}, {})


def sent(state: Any, **move: Any) -> Any:
    return pack.play(state, pack.decode({"kind": "final", **move})).state


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("depth", ["light", "tally"])
def test_counts_come_to_the_points_of_the_game_that_was_followed(seed: int, depth: str) -> None:
    players = 2 + seed % 3
    final = random_game(seed, {"names": NAMES[:players]})[-1][2]
    full, state = pack.tally(final), sent(begun(NAMES[:players], depth), values={"guilds": list(final.guilds)})
    for seat in reversed(range(players)):
        assert not pack.over(state)
        state = sent(state, apart=True, values=counted_by_eye(final, seat, final.guilds))
    assert pack.over(state)
    told = pack.tally(state)
    for mine, theirs in zip(told.players, full.players, strict=True):
        assert [(line.id, line.points) for line in mine.lines] == [(line.id, line.points) for line in theirs.lines]
    assert (told.winners, told.tie_break) == (full.winners, full.tie_break)


@pytest.mark.parametrize("guild", GUILDS)
def test_a_player_fills_few_fields_and_none_names_a_card(guild: str) -> None:
    """Two screens of a phone at most: a field is a number, and only what the guild masters in play look at is asked."""
    made = numbers({})
    others = {made.group[other]: other for other in GUILDS if made.group[other] != made.group[guild]}
    state = sent(begun(NAMES[:4]), values={"guilds": [guild, *others.values()]})
    form = pack.ask(state).form
    assert form is not None
    assert form.apart
    for seat in range(4):
        mine = [field for field in form.fields if field.seat == seat]
        assert len(mine) <= 11
        assert {field.kind for field in mine} == {"number"}


def test_the_form_stays_while_others_type_and_who_is_missing_is_named() -> None:
    state = sent(begun(NAMES[:3]), values={"guilds": ["mechanics", "merchants", "artists"]})
    state = sent(state, apart=True, values=counting.usual(state.numbers, state.guilds, 1, 0, 5))
    ask = pack.ask(state)
    assert ask.form is not None
    before = pack.ask(sent(begun(NAMES[:3]), values={"guilds": ["mechanics", "merchants", "artists"]})).form
    assert before is not None
    assert [field.id for field in ask.form.fields] == [field.id for field in before.fields]
    assert {field.seat for field in ask.form.fields if field.value is None} == {0, 2}
    assert len(ask.reminders) == 1


def test_everybody_at_once_on_the_screen() -> None:
    state = sent(begun(NAMES[:2]), values={"guilds": ["mechanics", "merchants", "artists"]})
    both = {
        key: value for seat in (0, 1) for key, value in counting.usual(state.numbers, state.guilds, seat, 3, 5).items()
    }
    assert pack.over(sent(state, values=both))


def test_crests_that_our_copy_counts_otherwise_are_counted_again_and_nothing_else() -> None:
    """The aeronauts of this copy look at another tower: what was counted of the old one answers nothing any more."""
    state = sent(begun(NAMES[:2]), values={"guilds": ["builders", "aeronauts", "priests"]})
    for seat in range(2):
        values = counting.usual(state.numbers, state.guilds, seat, 7 + seat, 5)
        state = sent(state, apart=True, values=values)
    assert pack.over(state)
    asked = guilds.counts(state.numbers, "aeronauts")
    other = next(colour for colour in COLOURS if colour != asked)
    move = {"kind": "box", "key": "guilds.crest_set_colour.aeronauts", "value": other}
    state = pack.play(state, pack.decode(move)).state
    assert not pack.over(state)
    assert len(pack.tally(state).players) == 2, "what stands until then can be told"
    form = pack.ask(state).form
    assert form is not None
    said = {field.id: field.value for field in form.fields}
    assert (said["p0/track"], said["p1/track"]) == (7, 8)
    assert {name for name, value in said.items() if value is None} == {"p0/aeronauts", "p1/aeronauts"}
    state = sent(state, values={**said, "p0/aeronauts": 1, "p1/aeronauts": 1})
    assert pack.over(state)
    assert pack.tally(state).players[0].total > 0


def test_nobody_is_offered_points_past_the_last_that_can_be_counted() -> None:
    state = begun(NAMES[:2], "light")
    state = pack.play(state, pack.decode({"kind": "correct", "what": "points", "seat": 0, "value": 998})).state
    assert [choice.id for choice in pack.ask(state).choices if choice.id.startswith("points/")] == ["points/1"]
    for move in pack.moves(state):
        pack.play(state, move)
    state = pack.play(state, pack.decode({"kind": "count", "seat": 0, "points": 1})).state
    assert not [choice for choice in pack.ask(state).choices if choice.id.startswith("points/")]
    for move in pack.moves(state):
        pack.play(state, move)
