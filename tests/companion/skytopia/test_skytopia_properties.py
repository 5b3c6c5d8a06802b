"""What must always hold: the invariants of §17 at every move of every kind of game, old states, no dead ends."""

import json
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from skytopia_digest import digest
from skytopia_table import NAMES, check, digest_json, random_game, read_off, variants
from skytopia_written import of_state

from companion.game import Event, RuleBroken
from companion.games.skytopia import pack, printed
from companion.games.skytopia import play as play_module
from companion.games.skytopia import state as state_module
from companion.games.skytopia.moves import Correct
from companion.games.skytopia.state import slot_names

slow = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])

other_boxes = st.fixed_dictionaries(
    {},
    optional={
        "chronometer.dir": st.sampled_from([-1, 1]),
        "chronometer.start_value": st.sampled_from([1, 2, 3]),
        "chronometer.price_by_steps.1": st.integers(0, 12),
        "rules.chain_protection": st.booleans(),
        "rules.activate_cards_added_mid_activation": st.booleans(),
        "rules.violet_base_may_pick_base": st.booleans(),
        "rules.rotate_over_occupied": st.booleans(),
        "rules.own_second_die_coins": st.integers(0, 3),
        "effects.R4.pay": st.booleans(),
        "effects.R4.source": st.sampled_from(["reserve", "reserve_or_market"]),
        "bases.red.source": st.sampled_from(["reserve", "reserve_or_market"]),
        "effects.R4.price_face": st.sampled_from([0, 1, 3, 7]),
        "effects.V1.add_cards": st.integers(1, 2),
        "effects.V2.colours": st.sampled_from([["blue", "gold", "red"], ["violet", "red"], ["blue", "violet"]]),
        "effects.V4.colours": st.sampled_from([["blue", "gold", "red"], ["violet", "gold"]]),
        "bases.violet.crest": st.sampled_from(["own_base_crest", "C1", "C3"]),
        "abilities.T3A.timing": st.sampled_from(["end_phase_1", "end_phase_2"]),
        "abilities.T4B.timing": st.sampled_from(["end_phase_1", "end_phase_2"]),
        "abilities.T3B.timing": st.sampled_from(["end_phase_1", "end_phase_2"]),
        "abilities.tile_colour.T1": st.sampled_from(["blue", "gold"]),
        "endgame.extra_rounds": st.integers(0, 2),
        "setup.dice_per_player": st.integers(2, 5),
    },
)


@slow
@given(
    seed=st.integers(0, 10**6),
    options=st.sampled_from(variants()),
    box=other_boxes,
    hidden=st.sampled_from([0.0, 0.3, 1.0]),
)
def test_the_invariants_hold_at_every_move_of_every_variant_and_box(seed, options, box, hidden):
    steps = random_game(seed, options, box, hidden)
    for before, _, after in steps:
        check(after)
        for old, new in zip(before.players, after.players, strict=True):
            assert new.points >= old.points, "prestige never falls"
    final = steps[-1][2]
    assert final.phase == "over"
    assert final.round == final.last == len(final.chart)
    turns = len([1 for before, _, after in steps if before.round and before.turn != after.turn])
    assert turns <= final.round * len(final.players)
    assert len(steps) < 3000


@pytest.mark.parametrize("options", variants(), ids=json.dumps)
def test_random_games_of_every_variant_come_to_their_end(options):
    for seed in range(25):
        final = random_game(seed, options)[-1][2]
        assert pack.over(final)
        assert pack.moves(final) == []
        tally = pack.tally(final)
        assert pack.score(of_state(final), {}) == read_off(tally)
        assert tally.winners


def test_every_player_has_taken_as_many_turns_as_there_were_rounds():
    for options in variants():
        steps = random_game(5, options)
        placed = [0] * len(options["names"])
        for before, move, _ in steps:
            if type(move).__name__ == "Place":
                placed[before.turn] += 1
        final = steps[-1][2]
        assert all(count <= final.round for count in placed)
        assert max(placed) == final.round


def test_old_states_never_change():
    steps = random_game(11, {"names": NAMES[:4], "sides": "each"}, hidden=0.2)
    kept = [digest_json(before) for before, _, _ in steps]
    for before, move, _ in steps:
        pack.ask(before)
        pack.view(before, 0)
        pack.expect(before)
        pack.tally(before)
        pack.play(before, move)
    assert [digest_json(before) for before, _, _ in steps] == kept


def test_what_happened_is_put_into_words_only_when_somebody_reads_it(monkeypatch):
    """A whole game is tried without one event being made; asked afterwards, each move tells, and the same each time."""
    made = []
    for module in (state_module, play_module):
        monkeypatch.setattr(module, "Event", lambda *told: made.append(told) or Event(*told))
    steps = random_game(13, {"names": NAMES[:2]})
    assert made == []
    for before, move, after in steps:
        outcome = pack.play(before, move)
        assert outcome.state == after
        assert outcome.events
        assert outcome.events == outcome.events
    assert len(made) >= 3 * len(steps)


def test_a_refused_move_changes_nothing():
    steps = random_game(12, {"names": NAMES[:3]})
    foreign = [move for _, move, _ in steps[::7]]
    refused = 0
    for before, _, _ in steps[::5]:
        kept = digest(before)
        for move in foreign:
            try:
                pack.play(before, move)
            except RuleBroken as broken:
                refused += 1
                assert broken.say.key
                assert broken.do.key
            assert digest(before) == kept
    assert refused > 1000


@slow
@given(seed=st.integers(0, 10**6), hidden=st.sampled_from([0.0, 0.5]), data=st.data())
def test_prompts_offer_exactly_the_legal_moves(seed, hidden, data):
    options = data.draw(st.sampled_from(variants()))
    steps = random_game(seed, options, hidden=hidden)
    for before, _, _ in data.draw(st.lists(st.sampled_from(steps), min_size=10, max_size=30)):
        ask = pack.ask(before)
        ids = [choice.id for choice in ask.choices]
        assert len(ids) == len(set(ids))
        offered = [choice.move for choice in ask.choices if choice.off is None]
        legal = [pack.encode(move) for move in pack.moves(before)]
        for move in legal:
            assert move in offered, f"{move} is legal but not offered"
        for move in offered:
            assert move in legal or move["kind"] in ("deal", "reveal"), f"{move} is offered but not legal"
            pack.play(before, pack.decode(move))


def correction(state, chance):
    """Some correction that may or may not be possible here."""
    seat, slot = chance.randrange(len(state.players)), chance.choice(slot_names(state.rows))
    face, was = (chance.choice([None, 1, 2, 3, 4, 5, 6]) for _ in range(2))
    cards, colour = ["", "?", *printed.numbers({}).cards], chance.choice(printed.COLOURS)
    return chance.choice(
        [
            Correct("coins", seat, chance.randint(-1, 60)),
            Correct("points", seat, chance.randint(-1, 60)),
            Correct("die", seat, slot=slot, face=face, was=was),
            Correct("card", value=chance.choice(cards), slot=slot),
            Correct("tower", seat, tower=colour, cards=tuple(chance.choices(cards, k=chance.randrange(4)))),
            Correct("dial", value=chance.randint(0, 7)),
            Correct("deck", value=chance.randint(0, 12), tower=colour),
            Correct("turn", seat),
            Correct("round", value=chance.randint(1, 30)),
        ]
    )


@pytest.mark.parametrize("seed", range(30))
def test_the_game_goes_on_after_any_correction(seed):
    chance = random.Random(seed)
    steps = random_game(seed, chance.choice(variants()))
    state, made = chance.choice(steps)[0], 0
    for _ in range(12):
        try:
            state = pack.play(state, correction(state, chance)).state
            made += 1
        except RuleBroken:
            continue
    assert made
    for _ in range(3000):
        if pack.over(state):
            break
        pack.ask(state)
        legal = pack.moves(state)
        assert legal, f"a dead end after corrections: {state.stack[-1]}"
        state = pack.play(state, chance.choice(legal)).state
        for seat, player in enumerate(state.players):
            on = sum(die.owner == seat for slot in state.slots for die in slot.dice)
            assert player.home + on == state.numbers.dice
            assert player.coins >= 0
        for colour in range(4):
            lying = sum(bool(s.card) for s in state.slots[colour * state.rows : (colour + 1) * state.rows])
            built = sum(len(player.towers[colour]) for player in state.players)
            assert state.decks[colour] + lying + built + state.removed[colour] == 12
    assert pack.over(state)
