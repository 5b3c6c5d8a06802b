"""Whole games: properties that hold in every state, and recorded games that replay to their score."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skyrise_table import random_game

from companion.box.printed import load
from companion.game import RuleBroken
from companion.games.skyrise import pack
from companion.games.skyrise.board import tokens_left
from companion.games.skyrise.state import HIDDEN, PACKAGE, SkyriseState

TAGS = (
    "lay",
    "deal",
    "enter",
    "bid",
    "pass",
    "token",
    "colour",
    "crypt",
    "choose",
    "peek",
    "reveal",
    "correct",
    "leave",
)
FIELDS = ("seat", "piece", "site", "token", "faction", "cards", "wonders", "objective", "letter", "value", "values")
GAMES = sorted((Path(__file__).parents[2] / "games" / "skyrise").glob("*.jsonl"))


def check_state(state: SkyriseState) -> None:
    """What is true at every moment of a game."""
    sites = [piece.site for piece in state.pieces.values() if piece.site]
    assert len(sites) == len(set(sites)), "two pieces on one site"
    if state.phase == "open":
        assert state.bids == (), "edge case 6: at an opening no bids are on the islands"
    standing = {piece.id for piece in state.pieces.values() if piece.where == "bid"}
    assert standing == {bid.piece for bid in state.bids}
    assert all(bool(piece.site) == (piece.where in ("bid", "built")) for piece in state.pieces.values())
    if state.phase not in ("deal", "lay"):
        check_tokens(state)


def check_tokens(state: SkyriseState) -> None:
    """Tokens on the islands and tokens taken are those of the bag; every taken one lies on a board."""
    bag = Counter(tokens_left(state.box, len(state.players)))
    lying, taken = Counter(state.tokens.values()), Counter(state.taken)
    if HIDDEN in lying:
        assert lying.total() + taken.total() == bag.total()
        assert not taken - bag
    else:
        assert lying + taken == bag
    held = sum(sum(p.rows) + p.surplus + len(p.patrons) + p.commissions for p in state.players)
    assert held + (state.phase == "colour") == taken.total()


@settings(max_examples=25, deadline=None)
@given(
    players=st.integers(2, 4),
    seed=st.integers(0, 10_000),
    deal=st.sampled_from(["digital", "physical"]),
    board=st.sampled_from(["drawn", "table"]),
)
def test_every_random_game_ends_with_everything_built(players: int, seed: int, deal: str, board: str) -> None:
    """No two pieces on one site, every auction ends, all structures built, tokens conserved, prestige explained."""
    steps = random_game(players, seed, deal=deal, board=board)
    longest = auction = 0
    for before, _, outcome in steps:
        check_state(outcome.state)
        auction = auction + 1 if before.phase == "bid" else 0
        longest = max(longest, auction)
    end: SkyriseState = steps[-1][2].state
    assert {piece.where for piece in end.pieces.values()} == {"built"}
    assert len(end.pieces) == (28 if players == 2 else 13 * players)
    assert longest <= len(end.pieces) + players
    assert Counter(end.finished) == Counter(range(players))
    keys = [key for player in end.players for key in player.keys]
    assert keys.count("large") == 1
    assert keys.count("small") == (0 if players == 2 else 1)
    for seat, player in enumerate(end.players):
        assert player.prestige == sum(line.points for line in end.scored if line.seat == seat)
    assert end.auction == len(end.pieces)


@settings(max_examples=8, deadline=None)
@given(players=st.integers(2, 4), seed=st.integers(0, 1000), leaving=st.integers(5, 60))
def test_a_game_goes_on_to_its_end_when_a_player_leaves(players: int, seed: int, leaving: int) -> None:
    """Edge case 31: whoever goes home, the others finish and are scored."""
    steps = random_game(players, seed)
    state: SkyriseState = next(
        (outcome.state for _, _, outcome in steps[leaving:] if outcome.state.phase in ("open", "bid", "choose")),
        steps[5][2].state,
    )
    state = pack.play(state, pack.decode({"kind": "leave", "seat": seed % players})).state
    moves = 0
    while not pack.over(state):
        legal = pack.moves(state)
        state = pack.play(state, legal[(seed + moves) % len(legal)]).state
        check_state(state)
        moves += 1
        assert moves < 1000
    others = [seat for seat in range(players) if seat != seed % players]
    assert all(piece.where == "built" for seat in others for piece in state.own(seat))
    assert len(pack.tally(state).players) == players


def test_moves_survive_the_journal_and_states_are_rebuilt_from_them() -> None:
    """Every move of a game comes back from JSON as itself, and the same moves give the same states."""
    for _, move, outcome in (steps := random_game(4, 42)):
        line = json.loads(msgspec.json.encode(pack.encode(move)))
        assert pack.decode(line) == move
        del outcome
    state = pack.new({"names": ("Red", "Green", "Yellow", "Grey")}, {})
    for _, move, outcome in steps:
        state = pack.play(state, move).state
        assert state == outcome.state


def test_every_legal_move_is_accepted_and_the_form_offers_the_same() -> None:
    """`moves` lists nothing the rules refuse; the form's pieces and sites are exactly those of the legal bids."""
    for before, _, _ in random_game(3, 9)[1::7]:
        legal = pack.moves(before)
        for move in legal[:40]:
            pack.play(before, move)
        ask = pack.ask(before)
        if before.phase in ("open", "bid"):
            assert ask.form is not None
            bids = [pack.encode(move) for move in legal if pack.encode(move)["kind"] == "bid"]
            assert {option.value for option in ask.form.fields[0].options} == {move["piece"] for move in bids}
            assert {option.value for option in ask.form.fields[1].options} == {move["site"] for move in bids}


def test_every_other_bid_is_refused_with_words() -> None:
    """In some states of a game: each piece on each site is either legal or refused with a reason and a way out."""
    for before, _, _ in random_game(2, 4)[1::9]:
        if before.phase not in ("open", "bid"):
            continue
        legal = {(m.piece, m.site) for m in pack.moves(before) if hasattr(m, "piece")}
        for piece in before.own(before.turn):
            for site in before.islands.sites:
                move = {"kind": "bid", "seat": before.turn, "piece": piece.id, "site": site}
                try:
                    pack.play(before, pack.decode(move))
                except RuleBroken as no:
                    assert (piece.id, site) not in legal
                    assert no.say.key.startswith("skyrise/refuse/") and no.do.key.startswith("skyrise/do/")
                else:
                    assert (piece.id, site) in legal


@pytest.mark.parametrize(
    "move",
    [
        {},
        {"kind": "fly"},
        {"kind": "bid", "seat": 0},
        {"kind": "bid", "seat": 9, "piece": "red-24", "site": "C.N"},
        {"kind": "bid", "seat": 0, "piece": "red-24", "site": "C.N", "extra": 1},
        {"kind": "bid", "seat": 0, "values": "red-24"},
        {"kind": "choose", "seat": 0, "cards": "hammer"},
        {"kind": "token", "seat": 0, "token": "gold"},
        {"kind": "reveal", "values": {"patrons-E": 1}},
    ],
)
def test_what_is_no_move_is_not_decoded(move: dict[str, Any]) -> None:
    """Anything else than a move is a validation error, never a crash."""
    with pytest.raises(msgspec.ValidationError):
        pack.decode(move)


def test_there_are_recorded_games_for_two_three_and_four_players() -> None:
    """One at least of each."""
    counts = {len(json.loads(game.read_text().splitlines()[0])["options"]["names"]) for game in GAMES}
    assert counts == {2, 3, 4}


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.stem)
def test_a_recorded_game_replays_to_its_final_score(game: Path) -> None:
    """The journal alone is enough to rebuild the game."""
    lines = [json.loads(line) for line in game.read_text(encoding="utf-8").splitlines()]
    first, moves, last = lines[0], lines[1:-1], lines[-1]
    assert (first["format"], first["game"]) == ("tableside-game-1", "skyrise")
    state = pack.new(first["options"], first["box"])
    for line in moves:
        state = pack.play(state, pack.decode(line["move"])).state
        check_state(state)
    assert pack.over(state)
    assert json.loads(msgspec.json.encode(pack.tally(state))) == last["tally"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 200) | st.sampled_from(["", "1", "N", "YGWB", "C.N", "hammer"]),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=6,
)
MIDDLE = [outcome.state for _, _, outcome in random_game(3, 19)[1::12]]
KEYS = sorted(load(PACKAGE))


def twisted(value: Any, chance: Any) -> Any:
    """A printed value with one part changed."""
    if isinstance(value, list) and value:
        at = chance.randrange(len(value))
        return [*value[:at], twisted(value[at], chance), *value[at + chance.randrange(2) :]]
    return {
        bool: chance.random() < 0.5,
        int: chance.randrange(-2, 120),
        str: chance.choice(["", "3", "Z", "WWWW"]),
    }.get(type(value), value)


@settings(max_examples=120, deadline=None)
@given(state=st.sampled_from(MIDDLE), key=st.sampled_from(KEYS), value=JSON, chance=st.randoms(use_true_random=False))
def test_no_correction_of_the_box_breaks_a_running_game(state: SkyriseState, key: str, value: Any, chance: Any) -> None:
    """Any value at any key is refused with words or leaves a game that can be asked, shown and played on."""
    given_value = value if chance.random() < 0.3 else twisted(state.box[key], chance)
    try:
        state = pack.play(state, pack.decode({"kind": "box", "key": key, "value": given_value})).state
    except RuleBroken as no:
        assert no.code in ("skyrise/box-value", "skyrise/set-up-done")
        return
    pack.ask(state), pack.view(state, 0), pack.tally(state)
    for move in pack.moves(state)[:3]:
        pack.play(state, move)


@settings(max_examples=150, deadline=None)
@given(
    state=st.sampled_from(MIDDLE),
    move=st.sampled_from(sorted(TAGS)),
    fields=st.dictionaries(st.sampled_from(FIELDS), JSON),
)
def test_no_move_crashes_the_rules(state: SkyriseState, move: str, fields: dict[str, Any]) -> None:
    """Whatever a phone sends is decoded and played, or refused as no move or as a broken rule."""
    before = pack.view(state, None)
    try:
        after = pack.play(state, pack.decode({"kind": move, **fields})).state
    except msgspec.ValidationError:
        return
    except RuleBroken as no:
        assert no.code.startswith("skyrise/")
        assert no.say.key and no.do.key, "a refusal says why and what to do"
        assert pack.view(state, None) == before
        return
    assert msgspec.json.encode(pack.view(after, None))
    assert pack.ask(after).text.key
    assert pack.over(after) or pack.moves(after), "the game goes on"
