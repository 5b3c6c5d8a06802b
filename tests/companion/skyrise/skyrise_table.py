"""A Skyrise table for tests: name only what the test is about."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from companion.game import Outcome, RuleBroken
from companion.games.skyrise import pack
from companion.games.skyrise.board import OUTER, SLOTS, tokens_left
from companion.games.skyrise.state import SkyriseState
from companion.games.skyrise.turn import Story, open_auction
from companion.games.skyrise.wonders import WONDERS
from companion.shown.skyrise import FACTIONS

NAMES = ("Red", "Green", "Yellow", "Grey")


def a_table(
    players: int = 4,
    *,
    opener: int = 0,
    tokens: Mapping[str, str] | None = None,
    panorama: tuple[str, str] = ("airships", "windmills"),
    patrons: tuple[int, ...] = (4, 3, 2, 5),
    hands: tuple[str, ...] = (),
    objectives: tuple[str, ...] = FACTIONS,
    box: Mapping[str, Any] | None = None,
) -> SkyriseState:
    """A digital deal with islands 1, 2, 3, 4 at NW, NE, SE, SW; `tokens` puts some where the test wants them."""
    state = pack.new({"names": NAMES[:players]}, box or {})
    bag = [token for token, count in tokens_left(state.box, players).items() for _ in range(count)]
    deal = {
        "kind": "deal",
        "slots": list(SLOTS),
        "islands": list(OUTER),
        "panorama": [
            *panorama,
            *(c for c in ("airships", "windmills", "lakes", "bridges", "chains") if c not in panorama),
        ],
        "opener": [opener, *(seat for seat in range(players) if seat != opener)],
        "tokens": bag,
        "objectives": [*objectives, *(faction for faction in FACTIONS if faction not in objectives)],
        "wonders": [*hands, *(card for card in WONDERS if card not in hands)],
        "patrons": list(patrons),
    }
    state = play(state, deal).state
    lying = dict(state.tokens)
    for site, token in (tokens or {}).items():
        if lying[site] != token:
            other = next(s for s, t in lying.items() if t == token and s not in (tokens or {}))
            lying[site], lying[other] = lying[other], lying[site]
    return state.but(tokens=lying)


def play(state: SkyriseState, move: Mapping[str, Any]) -> Outcome:
    """Play a move as it comes from a phone."""
    return pack.play(state, pack.decode(move))


def bid(state: SkyriseState, piece: str, site: str) -> SkyriseState:
    """The owner of the piece bids it."""
    return play(state, {"kind": "bid", "seat": state.pieces[piece].owner, "piece": piece, "site": site}).state


def passes(state: SkyriseState, seat: int) -> SkyriseState:
    """A player passes."""
    return play(state, {"kind": "pass", "seat": seat}).state


def refused(state: SkyriseState, move: Mapping[str, Any]) -> RuleBroken:
    """The refusal of a move that must be refused."""
    with pytest.raises(RuleBroken) as caught:
        play(state, move)
    return caught.value


def refused_bid(state: SkyriseState, piece: str, site: str) -> RuleBroken:
    """The refusal of a bid by the owner of the piece."""
    return refused(state, {"kind": "bid", "seat": state.pieces[piece].owner, "piece": piece, "site": site})


def with_built(state: SkyriseState, *built: tuple[str, str]) -> SkyriseState:
    """The same game with these pieces built on these sites, their tokens gone to the box."""
    for piece, site in built:
        done = msgspec.structs.replace(state.pieces[piece], where="built", site=site)
        state = state.with_pieces({piece: done})
        state = state.but(tokens={s: t for s, t in state.tokens.items() if s != site})
    return state


def era_two(state: SkyriseState, cards: Mapping[str, str], opener: int) -> SkyriseState:
    """Era II: everything unlocked, these figures carry these cards, this player opens."""
    unlocked = {
        piece.id: msgspec.structs.replace(piece, where="available", card=cards.get(piece.id, ""))
        for piece in state.pieces.values()
        if piece.where in ("locked", "available")
    }
    state = state.with_pieces(unlocked).but(era=2)
    for seat in range(len(state.players)):
        own = tuple(piece.card for piece in state.own(seat) if piece.card)
        state = state.with_player(seat, cards=own, hand=())
    return open_auction(state, opener, Story())


def only(state: SkyriseState, seat: int, *pieces: str) -> SkyriseState:
    """The same game in which this player never owned anything else."""
    kept = {
        piece.id: piece
        for piece in state.pieces.values()
        if piece.owner != seat or piece.id in pieces or piece.where == "built"
    }
    return state.but(pieces=kept)


def random_game(players: int, seed: int, *, box: Mapping[str, Any] | None = None, **options: Any) -> list[Any]:
    """A complete random game as [(state, move, outcome), ...]."""
    source = random.Random(seed)
    state = pack.new({"names": NAMES[:players], **options}, box or {})
    steps = []
    while not pack.over(state):
        request = pack.deal(state)
        if request is not None:
            piles = {name: source.sample(pile, len(pile)) for name, pile in request["shuffle"].items()}
            move = pack.decode({**request["move"], **piles})
        else:
            move = source.choice(pack.moves(state))
        outcome = pack.play(state, move)
        steps.append((state, move, outcome))
        state = outcome.state
        assert len(steps) < 3000, "the game does not end"
    return steps
