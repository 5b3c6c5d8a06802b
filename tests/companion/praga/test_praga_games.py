"""Whole games of Praga: the protocol, the three depths, the dial, and games that were recorded."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game import RuleBroken
from companion.games.praga import clock, crane, final, moves, pack
from companion.games.praga.sheet import FINALS, SEALS
from companion.senses.explain import Seen, differences, explain
from tests.companion.praga.a_table import a_random_game, a_table, choose_at, choose_free, events, outcome, play, refused

GAMES = sorted((Path(__file__).parents[2] / "games" / "praga").glob("*.jsonl"))


def by_hand(sheet):
    """The rules' section 12 written a second time, as a player would do it on paper."""
    plaza = sheet.get("plazas", {})
    gold = min(9, sheet["gold"] + plaza.get("gold", 0))
    stone = min(9, sheet["stone"] + plaza.get("stone", 0))
    university = min(8, sheet["university"] + plaza.get("university", 0))
    total = sheet["track"] + plaza.get("points", 0)
    total += (sheet["technology"] + plaza.get("technology", 0)) * sheet["multiplier"]
    total += sheet["wall_row"] + sheet["cathedral_row"]
    total += sheet["wall_column"] * (sheet["blue"] + plaza.get("blue", 0))
    total += sheet["cathedral_column"] * (sheet["red"] + plaza.get("red", 0))
    walls = sheet["walls"]
    total += 18 if walls > 5 else 10 if walls > 3 else 4 if walls == 3 else 0
    counts = {"university": university, "mines": sheet["mines"], "quarries": sheet["quarries"]}
    counts |= {"upgrades": 3 * sheet["upgrades"], "walls": 2 * walls, "rows": sheet["v_rows_points"]}
    total += sum(counts[tile] for tile in sheet["v_tiles"])
    table = {
        (): 0,
        ("gold",): 2 * gold,
        ("stone",): 2 * stone,
        ("pair",): 3 * min(gold, stone),
        ("gold", "stone"): 2 * gold + 2 * stone,
        ("gold", "pair"): 2 * gold + min(gold, stone),
        ("pair", "stone"): 2 * stone + min(gold, stone),
    }
    held = tuple(sorted(seal for seal in sheet["seals"] if seal != "six"))
    total += table[held] + (6 if "six" in sheet["seals"] else 0)
    eggs = sheet["eggs"] + plaza.get("eggs", 0)
    return total + (10 if eggs > 3 else {0: 0, 1: 0, 2: 3, 3: 6}[eggs])


def sheet_of(state, seat):
    """A player's final position as the document writes it."""
    return msgspec.to_builtins(final.standing(state, seat))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_recorded_game_replays_to_its_tally(path):
    """The moves alone rebuild the game, and its totals add up on paper."""
    head, *lines, last = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert (head["format"], head["game"]) == ("tableside-game-1", "praga")
    state = pack.new(head["options"], head["box"])
    for line in lines:
        move = pack.decode(line["move"])
        assert pack.encode(move) == line["move"]
        state = pack.play(state, move).state
    assert pack.over(state)
    assert msgspec.json.decode(msgspec.json.encode(pack.tally(state))) == last["tally"]
    for seat, player in enumerate(last["tally"]["players"]):
        assert player["total"] == by_hand(sheet_of(state, seat)) == sum(line["points"] for line in player["lines"])


def test_games_for_every_number_of_players_were_recorded():
    """One to four players in full depth, one in light, one of the tally alone."""
    heads = [json.loads(path.read_text(encoding="utf-8").splitlines()[0])["options"] for path in GAMES]

    assert {len(head["names"]) for head in heads if head["depth"] == "full"} == {1, 2, 3, 4}
    assert {head["depth"] for head in heads} == {"full", "light", "tally"}


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.sentence(31, 187)
def test_sixteen_turns_each_whatever_is_done(players):
    """Every legal move is accepted, survives its way through JSON, and the game ends with the right turn."""
    for seed in range(4):
        turns = 0
        for state, move in a_random_game(players, "full", seed):
            if move is None:
                break
            assert pack.decode(pack.encode(move)) == move
            assert 0 <= pack.expect(state).dial <= 11
            for board in state.boards:
                assert 0 <= board.gold <= 9
                assert 0 <= board.stone <= 9
                assert board.university <= 8
                assert board.mines <= 8
                assert board.quarries <= 7
                assert len(board.seals) <= 2
                assert len(board.v_tiles) <= 2
                assert board.cubes >= 0
                assert board.points >= 0
            turns += isinstance(move, moves.Turn)
        assert turns == 16 * max(2, players)
        held = [tile for board in state.boards for tile in (*board.seals, *board.v_tiles)]
        assert len(held) == len(set(held))


@pytest.mark.parametrize("depth", ["full", "light", "tally"])
def test_every_choice_and_form_offered_is_accepted(depth):
    """What is not crossed out can be done, and a form may be sent as it stands."""
    for state, move in a_random_game(3, depth, 1):
        asked = pack.ask(state)
        assert msgspec.json.encode(asked)
        assert msgspec.json.encode(pack.view(state, None))
        for choice in asked.choices:
            if choice.off is None:
                pack.play(state, pack.decode(choice.move))
        if asked.form is not None:
            values = {field.id: field.value for field in asked.form.fields}
            pack.play(state, pack.decode({**asked.form.move, "values": values}))
        assert asked.choices or asked.form or move is None


COUNT = st.integers(0, 9)


@st.composite
def positions(draw):
    """Final positions of two players that can lie on a table."""
    seals = draw(st.permutations(SEALS))
    tiles = draw(st.permutations(FINALS))
    found = []
    for seat in range(2):
        mine = sorted(tiles[2 * seat : 2 * seat + draw(st.integers(0, 2))])
        sheet = {
            name: draw(COUNT)
            for name in ("technology", "wall_row", "blue", "cathedral_row", "red", "walls", "upgrades", "gold", "stone")
        }
        sheet |= {name: draw(st.integers(0, 4)) for name in ("wall_column", "cathedral_column", "eggs")}
        sheet |= {"track": draw(st.integers(0, 150)), "multiplier": draw(st.integers(0, 3))}
        sheet |= {"university": draw(st.integers(0, 8)), "mines": draw(st.integers(3, 8))}
        sheet |= {"quarries": draw(st.integers(2, 7)), "v_tiles": mine}
        sheet["v_rows_points"] = draw(st.integers(0, 20)) if "rows" in mine else 0
        sheet["seals"] = sorted(seals[2 * seat : 2 * seat + draw(st.integers(0, 2))])
        sheet["plazas"] = {
            name: draw(st.integers(0, 2))
            for name in ("points", "gold", "stone", "eggs", "technology", "university", "red", "blue")
        }
        found.append(sheet)
    return found


def entered(depth, sheets):
    """The tally of a game of this depth that ended in this position."""
    state = a_table(2, depth)
    if depth != "tally":
        while not state.played_out:
            if state.due() is not None:
                state = pack.play(state, pack.moves(state)[0]).state
            else:
                state = play(choose_free(state), {"kind": "turn"})
    for seat, sheet in enumerate(sheets):
        values = {name: value for name, value in sheet.items() if name != "plazas"}
        values |= {f"plazas.{name}": value for name, value in sheet["plazas"].items()}
        if depth == "full":
            same = {
                name: sheet[name] for name in ("gold", "stone", "mines", "quarries", "red", "blue", "walls", "eggs")
            }
            same |= {name: sheet[name] for name in ("university", "technology", "upgrades")}
            state = play(state, {"kind": "correct", "seat": seat, "values": {**same, "points": sheet["track"]}})
            values = {name: value for name, value in values.items() if name not in same and name != "track"}
        state = play(state, {"kind": "sheet", "seat": seat, "values": values})
    assert pack.over(state)
    return pack.tally(state)


@settings(max_examples=12, deadline=None)
@given(sheets=positions())
def test_all_depths_give_the_same_total_for_the_same_position(sheets):
    """Full, light, tally and the document agree, and paper agrees with them."""
    document = {"game": "praga", "players": [{"name": f"P{i}", "seat": i + 1, **one} for i, one in enumerate(sheets)]}
    wanted = [by_hand(sheet) for sheet in sheets]

    assert [player.total for player in pack.score(document, {}).players] == wanted
    for depth in ("full", "light", "tally"):
        tally = entered(depth, sheets)
        assert [player.total for player in tally.players] == wanted
        assert tally.winners == pack.score(document, {}).winners


def test_an_impossible_form_is_refused_by_its_field():
    """The same limits as the document: a tenth gold, a seal two players hold."""
    state = a_table(2, "tally")
    wrong = refused(state, {"kind": "sheet", "seat": 0, "values": {"gold": 10}})
    assert (wrong.code, wrong.say.params["name"]) == ("praga/form", "gold")
    state = play(state, {"kind": "sheet", "seat": 0, "values": {"seals": ["pair"]}})
    wrong = refused(state, {"kind": "sheet", "seat": 1, "values": {"seals": ["pair"]}})
    assert (wrong.code, wrong.say.params["name"]) == ("praga/sheet", "seals")
    wrong = refused(state, {"kind": "sheet", "seat": 1, "values": {"v_rows_points": 4}})
    assert (wrong.code, wrong.say.params["name"]) == ("praga/sheet", "v_rows_points")


@pytest.mark.sentence(193, how="prompted")
def test_the_form_of_full_depth_is_filled_with_what_was_recorded():
    """Players only confirm; printed grids the owner entered are read off."""
    box = {"grid.wall.base-rows": [0, 3, 6], "grid.wall.base-columns": [1, 2, 3]}
    state = a_table(2, "full", box, wall_row=3, wall_column=2, gold=4, university=6, points=41, seals=("six",))
    values = {field.id: field.value for field in final.fields(state, 0)}

    assert (values["gold"], values["track"], final.standing(state, 0).wall_row) == (4, 41, 6)
    assert "wall_row" not in values, "the grid says it"
    assert final.standing(state, 0).multiplier == 2
    assert values["cathedral_row"] is None, "nobody has read this one"


def test_phones_may_enter_their_own_position_at_the_same_time():
    """Everyone who has not answered is waited for, and each seat sees its own form."""
    state = a_table(3, "tally")

    assert pack.ask(state).waiting == (0, 1, 2)
    assert pack.view(state, 2).ask.form.move == {"kind": "sheet", "seat": 2}
    state = play(state, {"kind": "sheet", "seat": 2})
    assert pack.ask(state).waiting == (0, 1)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_dial_alone_ends_turns_and_nothing_else(players):
    """After a chosen tile the right station is one move; every other station is a mistake at the table."""
    state = choose_free(a_table(players))
    right = state.crane.next_box - 1
    for dial in range(12):
        found = explain(pack, state, Seen(dial=dial))
        if dial == right:
            assert (found.kind, [type(move) for move in found.candidates[0].moves]) == ("found", [moves.Turn])
        elif dial == state.crane.box - 1:
            assert found.kind == "same"
        else:
            assert found.kind == "impossible"
            say, do = pack.differs(state, next(iter(differences(pack.expect(state), Seen(dial=dial)))))
            assert (say.params["seen"], do.params["station"]) == (crane.place(dial + 1), crane.place(right + 1))


def test_a_wheel_turned_before_the_choice_is_sent_back():
    """No tile has been chosen, so no station but the present one is right."""
    state = a_table()
    found = explain(pack, state, Seen(dial=10))

    assert found.kind == "impossible"
    assert pack.differs(state, found.differences[0])[1].params == {"station": crane.place(10)}


@pytest.mark.sentence(175, 206, how="computed")
def test_a_whole_solo_game_follows_the_wheel():
    """Sixteen own turns and sixteen of the dummy, Era II after its eighth, every end of turn seen by the dial."""
    state, seen = a_table(1, "light"), []
    while not state.played_out:
        if not state.dummy:
            state = choose_free(state)
        found = explain(pack, state, Seen(dial=state.crane.next_box - 1))
        (move,) = found.candidates[0].moves
        result = pack.play(state, move)
        seen += [
            (result.state.turn, kind) for kind in events(result) if kind in ("era", "dropped", "end", "last-turns")
        ]
        state = result.state

    assert seen == [
        (10, "dropped"),
        (16, "era"),
        (21, "dropped"),
        (21, "last-turns"),
        (32, "dropped"),
        (32, "end"),
    ]
    state = play(state, {"kind": "sheet", "seat": 0, "values": {"track": 100}})
    assert pack.tally(state).notes[0].key == "praga/verdict/lost"


def test_the_view_tells_the_screen_what_the_clock_says():
    """Four players, turn 23: Era II in nine turns, after seat three in round eight."""
    state = msgspec.structs.replace(a_table(4), turn=22)
    shown = pack.view(state, None)

    assert (shown.clock.turn, shown.clock.length, shown.active) == (23, 64, 2)
    assert (shown.clock.era_in, shown.clock.era_seat, shown.clock.era_round) == (9, 2, 8)
    assert [one.price for one in shown.crane.stations][:4] == [2, 2, 1, 1]
    assert clock.platform(state.box, 4, 22) == shown.clock.platform


ANY = {
    "tile": st.integers(1, 6),
    "action": st.sampled_from(["mines", "quarries", "upgrade", "wall", "building", "road"]),
    "branch": st.sampled_from(["", "dig", "produce"]),
    "values": st.dictionaries(
        st.sampled_from(
            ["gold", "stone", "points", "special", "plaza", "place", "cost_gold", "technology", "seals", "x"]
        ),
        st.one_of(
            st.integers(-30, 60), st.booleans(), st.sampled_from(["claim", "none", ""]), st.just(("gold", "pair"))
        ),
        max_size=4,
    ),
    "track": st.sampled_from(["", "mines", "quarries"]),
    "produce": st.sampled_from(["", "gold", "stone"]),
    "pay": st.sampled_from(["gold", "mixed", "stone"]),
    "building": st.sampled_from(["wall", "cathedral"]),
    "enters": st.sampled_from([0, 2, 3]),
    "by": st.sampled_from(["windows", "arrow", "technology"]),
    "seal": st.sampled_from(list(SEALS)),
    "level": st.integers(1, 4),
    "effect": st.sampled_from(["any", "choice", "eggs", "nonsense"]),
    "token": st.sampled_from(["gold", "points"]),
    "gold": st.integers(0, 5),
    "silver": st.integers(0, 5),
    "to": st.integers(1, 12),
    "box": st.integers(2, 12),
    "stations": st.lists(st.integers(0, 6), max_size=12),
    "flagged": st.lists(st.integers(1, 6), max_size=3),
    "key": st.sampled_from(["crane.red.1", "start.mines", "track.mines_top", "crane.start.2", "nonsense"]),
    "value": st.one_of(
        st.integers(-3, 15), st.sampled_from(["lowest", "gold"]), st.lists(st.integers(0, 9), max_size=3)
    ),
}


@st.composite
def wild_moves(draw):
    """A move of the right shape that may make no sense at all."""
    kind = draw(st.sampled_from([one.__struct_config__.tag for one in moves.AnyMove.__args__]))
    shape = next(one for one in moves.AnyMove.__args__ if one.__struct_config__.tag == kind)
    fields = [name for name in shape.__struct_fields__ if name in ANY and draw(st.integers(0, 5))]
    move = {"kind": kind, **{name: draw(ANY[name]) for name in fields}}
    if kind == "final":
        move["tile"] = draw(st.sampled_from([*FINALS, "none"]))
    if draw(st.booleans()) or kind == "sheet":
        move["seat"] = draw(st.integers(0, 3))
    return move


@settings(max_examples=40, deadline=None)
@given(
    players=st.integers(1, 4),
    depth=st.sampled_from(["full", "light", "tally"]),
    wild=st.lists(wild_moves(), max_size=40),
)
def test_senseless_moves_are_refused_and_never_break_the_table(players, depth, wild):
    """Whatever comes in, the table answers with a refusal or goes on, and can always be asked, shown and scored."""
    state = a_table(players, depth, gold=5, stone=5, eggs=1, gold_windows=1, silver_windows=3)
    for move in wild:
        try:
            state = pack.play(state, pack.decode(move)).state
        except (RuleBroken, msgspec.ValidationError):
            continue
        asked = pack.ask(state)
        pack.view(state, 0)
        pack.tally(state)
        assert pack.over(state) or pack.moves(state)
        for choice in asked.choices:
            if choice.off is None:
                pack.play(state, pack.decode(choice.move))


def test_the_chart_grows_by_a_round():
    """Everybody's points at the start and after each round."""
    state = a_table(2)
    for _ in range(2):
        state = play(choose_free(state), {"kind": "note", "values": {"points": 3}}, {"kind": "turn"})

    assert [row[0] for row in pack.view(state, None).chart] == [0, 0]
    assert [row[-1] for row in pack.view(state, None).chart] == [board.points for board in state.boards]
    assert {len(row) for row in pack.view(state, None).chart} == {2}


def test_a_tally_names_the_unconfirmed_values_its_points_rest_on():
    """Points scored on blue rest on a printed number nobody has checked; confirmed, nothing is named."""
    layout = [1, 2, 3, 4, 5, 0, 0, 6, 0, 0, 0, 0]
    state = play(a_table(), {"kind": "correct", "box": 10, "stations": layout})
    assert "crane.blue.8" in pack.tally(choose_at(state, 8)).unconfirmed
    state = play(a_table(box={"crane.blue.8": 1}), {"kind": "correct", "box": 10, "stations": layout})
    assert pack.tally(choose_at(state, 8)).unconfirmed == ()


def test_undo_is_the_state_before():
    """A state never changes: box, slots, flags, platform and era come back together."""
    before = choose_free(a_table())
    kept = msgspec.json.encode((before.crane, before.boards, before.turn))
    outcome(before, {"kind": "turn"})

    assert msgspec.json.encode((before.crane, before.boards, before.turn)) == kept
