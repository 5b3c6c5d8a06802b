"""Setting the table: pieces, islands, and what chance must bring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

import msgspec

from companion.box.printed import Box, load
from companion.game import Event, Field, Option, Text, seat_name
from companion.games.skyrise import board
from companion.games.skyrise.board import OUTER, SLOTS, Problem, tokens_left
from companion.games.skyrise.moves import UNSEEN, Deal, Lay, OwnCopy
from companion.games.skyrise.refuse import refuse
from companion.games.skyrise.scoring import PANORAMA
from companion.games.skyrise.state import COLOURS, HIDDEN, PACKAGE, PATRONS, Piece, Player, SkyriseState
from companion.games.skyrise.wonders import WONDERS
from companion.shown.skyrise import FACTIONS

PER_HEIGHT = {1: {"small": 2, "medium": 4, "tall": 1}, 2: {"small": 2, "medium": 1, "tall": 2}}


SEAT_COLOURS = {"coral": "red", "leaf": "green", "sun": "yellow", "snow": "grey"}
"""What a seat's colour at the table means in this box."""


OPTIONS = {
    "depth": ("full", "light", "tally"),
    "auction": ("quick", "full"),
    "deal": ("digital", "physical"),
    "board": ("table", "drawn"),
}
"""What is asked at the set-up, what is usual first."""
BEFORE = {"auction": "full", "board": "drawn"}
"""What held before it was asked: a game whose first row does not say it was begun by an older version."""


def fields() -> tuple[Field, ...]:
    """The set-up form: how closely auctions are followed, who keeps the secrets, and who lays the islands."""
    return tuple(
        Field(
            name,
            Text(f"skyrise/option/{name}"),
            "pick",
            values[0],
            options=tuple(Option(value, Text(f"skyrise/{name}/{value}")) for value in values),
            help=Text(f"skyrise/help/{name}"),
        )
        for name, values in OPTIONS.items()
    )


def check_buildings(box: Box) -> Iterable[Problem]:
    """Twelve numbers per colour, all different, with the heights and dots of the game."""
    seen: dict[int, str] = {}
    for colour in COLOURS:
        for era, counts in PER_HEIGHT.items():
            for height, count in counts.items():
                key = f"buildings.{colour}.era-{era}.{height}"
                if len(box[key]) != count:
                    yield Problem(key, f"{len(box[key])} numbers where {count} belong")
                for number in box[key]:
                    if number in seen:
                        yield Problem(key, f"{number} is also in {seen[number]}")
                    seen[number] = key


def check_cards(box: Box) -> Iterable[Problem]:
    """Enough patrons, cards and tokens for every number of players."""
    if len(box["patrons.values"]) != len(PATRONS):
        yield Problem("patrons.values", "four values, one for each tile")
    for players in (2, 3, 4):
        cards, kept = box[f"setup.{players}.wonder-cards"], box[f"setup.{players}.wonders"]
        if cards * players > len(WONDERS) or kept > cards:
            yield Problem(f"setup.{players}.wonder-cards", f"{cards} each of {len(WONDERS)}, {kept} kept")
        if kept != (2 if players == 2 else 1):
            yield Problem(f"setup.{players}.wonders", "two figures each with two players, one otherwise")
        if min(tokens_left(box, players).values()) < 0:
            yield Problem(f"setup.{players}", "more tokens are removed than there are")


def check(box: Box, key: str = "") -> tuple[Problem, ...]:
    """Everything wrong with the owner's box, or with what one value of it touches."""
    if key.startswith("buildings."):
        return tuple(check_buildings(box))
    if key and not key.startswith(("map.", "setup.")):
        return tuple(check_cards(box))
    return (*check_buildings(box), *check_cards(box), *board.check(box))


def corrected(box: Box, key: str, value: Any) -> Box:
    """The box with one value as the owner's copy has it; refused where it cannot be."""
    try:
        found = box.corrected(key, value)
    except ValueError as wrong:
        refuse("box-value", what=str(wrong))
    for problem in check(found, key):
        if not problem.warning:
            refuse("box-value", what=str(problem))
    return found


def new(options: Mapping[str, Any], overrides: Mapping[str, Any]) -> SkyriseState:
    """The first state; `ValueError` names what is wrong."""
    names = tuple(str(name) for name in options["names"])
    if not 2 <= len(names) <= 4:
        raise ValueError("names: Skyrise is for 2 to 4 players")
    colours = _colours(options.get("colours") or (), len(names))
    told = {name: options.get(name, BEFORE.get(name, values[0])) for name, values in OPTIONS.items()}
    for name, value in told.items():
        if value not in OPTIONS[name]:
            raise ValueError(f"{name}: {value!r} is not one of the choices")
    box = load(PACKAGE, overrides)
    for problem in check(box) if overrides else ():
        if not problem.warning:
            raise ValueError(str(problem))
    deal, laid = told["deal"], told["board"]
    players = tuple(Player(name, colour) for name, colour in zip(names, colours, strict=True))
    pieces = {piece.id: piece for seat in range(len(names)) for piece in _pieces(box, seat, colours)}
    quick, asks = told["auction"] == "quick" and not options.get("robots"), "auction" in options  # robots must bid
    phase = "lay" if laid == "table" and deal == "physical" and not asks else "deal"
    return SkyriseState(players, pieces, phase, deal, laid, quick, asks, dict(overrides))  # type: ignore[arg-type]


def _colours(wanted: Sequence[str], players: int) -> tuple[str, ...]:
    """The colour of each player's pieces; a seat's colour at the table stands for the nearest set in the box."""
    if wanted and len(wanted) != players:
        raise ValueError(f"colours: {len(wanted)} colours for {players} players")
    named = [SEAT_COLOURS.get(colour, colour) for colour in wanted] or list(COLOURS[:players])
    free = [colour for colour in COLOURS if colour not in named]
    found: list[str] = []
    for colour in named:
        found.append(colour if colour in COLOURS and colour not in found else free.pop(0))
    return tuple(found)


def _pieces(box: Box, seat: int, colours: tuple[str, ...]) -> Iterable[Piece]:
    colour = colours[seat]
    for era, counts in PER_HEIGHT.items():
        for height in counts:
            for number in sorted(box[f"buildings.{colour}.era-{era}.{height}"]):
                where = "available" if era == 1 else "locked"
                yield Piece(f"{colour}-{number}", seat, colour, number, height, era, where)  # type: ignore[arg-type]
    yield Piece(f"{colour}-wonder", seat, colour)
    if len(colours) == 2:
        unused = [other for other in COLOURS if other not in colours]
        yield Piece(f"{unused[seat]}-wonder", seat, unused[seat])


def request(state: SkyriseState) -> dict[str, Any] | None:
    """What must be shuffled now, and the move that brings it back; `None` when nothing is left to chance.

    The table service plays `move` with each pile of `shuffle` in a random order: `{"kind": "deal", "wonders": [...]}`.
    """
    if state.phase != "deal":
        return None
    players, box = len(state.players), state.box
    piles: dict[str, list[Any]] = {}
    if state.board == "drawn" or state.asks:
        piles["slots"], piles["islands"], piles["panorama"] = list(SLOTS), list(OUTER), list(PANORAMA)
        piles["opener"] = list(range(players))
    if state.board == "drawn":
        piles["tokens"] = [token for token, count in tokens_left(box, players).items() for _ in range(count)]
    if state.deal == "digital":
        piles["objectives"], piles["wonders"] = list(FACTIONS), list(WONDERS)
        piles["patrons"] = list(box["patrons.values"])
    return {"move": {"kind": "deal"}, "shuffle": piles}


def not_now() -> NoReturn:
    """Refuse a move that belongs to another moment or another depth of play."""
    refuse("not-now")


def deal(state: SkyriseState, move: Deal) -> tuple[SkyriseState, Event]:
    """Lay out what was drawn: public things on the table, secrets in hands."""
    wanted = request(state)
    if wanted is None:
        refuse("not-now")
    for name in move.__struct_fields__:
        dealt, pile = Counter(getattr(move, name)), Counter(wanted["shuffle"].get(name, ()))
        if name == "wonders" and UNSEEN in dealt:  # a finished game as it was exported
            unseen = dealt.pop(UNSEEN)
            dealt, pile = (
                Counter({"": unseen + dealt.total()}),
                Counter({"": pile.total()}) if dealt <= pile else Counter(),
            )
        if dealt != pile:
            refuse("not-drawn", what=name)
    players = len(state.players)
    if state.board == "drawn" or state.asks:  # laid by hand, it is what the table proposes
        outer = int(state.box[f"setup.{players}.outer-islands"])
        placement = dict(zip(move.slots[:outer], move.islands[:outer], strict=True))
        state = state.but(placement=placement, panorama=move.panorama[:2], opener=move.opener[0])
    if state.board == "drawn":
        state = state.but(tokens=dict(zip(state.islands.sites, move.tokens, strict=False)))
    if state.deal == "digital":
        state = state.but(patrons=dict(zip(PATRONS, move.patrons, strict=True)))
        hand = int(state.box[f"setup.{players}.wonder-cards"])
        for seat in range(players):
            cards = tuple(card for card in move.wonders[seat * hand : (seat + 1) * hand] if card != UNSEEN)
            state = state.with_player(seat, objective=move.objectives[seat], hand=cards)
    return state, Event("dealt", None, Text("skyrise/event/dealt"))


def lay(state: SkyriseState, move: Lay) -> tuple[SkyriseState, Event]:
    """The islands, the panorama and the opener as the table tells them; tokens are told when they are taken."""
    if state.phase != "lay":
        refuse("not-now")
    placement = {slot: getattr(move, slot) for slot in SLOTS if getattr(move, slot)}
    outer = int(state.box[f"setup.{len(state.players)}.outer-islands"])
    if len(placement) != outer or len(set(placement.values())) != outer:
        refuse("islands", n=outer)
    if move.first == move.second or not {move.first, move.second} <= set(PANORAMA):
        refuse("panorama")
    if move.opener >= len(state.players):
        refuse("no-seat")
    state = state.but(placement=placement, panorama=(move.first, move.second), opener=move.opener)
    state = state.but(tokens=dict.fromkeys(state.islands.sites, HIDDEN))
    return state, Event("laid", None, Text("skyrise/event/laid", {"who": seat_name(move.opener)}))


def room_for(state: SkyriseState, token: str) -> bool:
    """The bag still held one of these that is accounted for nowhere else."""
    lying = sum(1 for other in state.tokens.values() if other == token)
    return lying + state.taken.get(token, 0) < tokens_left(state.box, len(state.players))[token]


def own_copy(state: SkyriseState, move: OwnCopy) -> tuple[SkyriseState, Event]:
    """A printed value as the owner's copy has it; pieces and islands follow."""
    box = corrected(state.box, move.key, move.value)
    if state.phase not in ("lay", "deal") and move.key.startswith((f"setup.{len(state.players)}.", "tokens.")):
        refuse("set-up-done")
    after = state.but(overrides=box.overrides)
    if state.placement and set(after.islands.sites) != set(state.islands.sites):
        refuse("box-value", what=move.key)
    if move.key.startswith("buildings."):
        after = _renumbered(after, state.box, move.key)
    return after, Event("box", None, Text("skyrise/event/box", {"key": move.key}), {"key": move.key})


def _renumbered(state: SkyriseState, before: Box, key: str) -> SkyriseState:
    """Buildings with the numbers the owner's copy has, each in the place of the one it was taken for."""
    _, colour, era, height = key.split(".")
    new = dict(zip(sorted(before[key]), sorted(state.box[key]), strict=True))
    names = {}
    pieces = {}
    for piece in state.pieces.values():
        number = piece.number
        if (piece.colour, f"era-{piece.era}", piece.height) == (colour, era, height):
            number = new.get(piece.number, piece.number)
        name = f"{colour}-{number}" if state.asks and number != piece.number else piece.id
        names[piece.id] = name
        pieces[name] = msgspec.structs.replace(piece, id=name, number=number)
    bids = tuple(msgspec.structs.replace(bid, piece=names[bid.piece]) for bid in state.bids)
    return state.but(pieces=pieces, bids=bids)
