"""What each seat may see: the table for everybody, the secrets for their owner alone."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from companion.games.skyrise import quick, sighted
from companion.games.skyrise.answers import waiting_to_choose
from companion.games.skyrise.ask import private
from companion.games.skyrise.auction import options
from companion.games.skyrise.cards import effect, initiative
from companion.games.skyrise.record import tally
from companion.games.skyrise.state import Piece, SkyriseState
from companion.games.skyrise.turn import figures
from companion.shown.skyrise import (
    FACTIONS,
    AuctionShown,
    BidShown,
    Board,
    BuiltShown,
    CardShown,
    FeatureShown,
    IslandShown,
    PanoramaShown,
    PassedShown,
    PieceShown,
    Secret,
    SiteShown,
    SkyriseView,
)


def view(state: SkyriseState, seat: int | None) -> SkyriseView:
    """The public view; for a seat, its own secrets and its secret question beside it."""
    return SkyriseView(
        era=state.era,
        phase=state.phase,
        auction=_auction(state),
        turn=state.turn if state.phase not in ("lay", "deal", "quick", "choose", "reveal", "over") else None,
        islands=_islands(state),
        sites=_sites(state),
        bridges=tuple(state.islands.bridges) if state.placement else (),
        borders=tuple(state.islands.edges) if state.placement else (),
        features=_features(state),
        players=tuple(_player(state, index) for index in range(len(state.players))),
        panorama=tuple(
            PanoramaShown(card=card, reward=int(state.box[f"panorama.{card}.reward"])) for card in state.panorama
        ),
        patrons=dict(state.patrons) if state.phase == "over" else {},
        values=tuple(int(state.box[f"rows.{i}"]) for i in range(5)),
        finished=state.finished,
        waiting=waiting_to_choose(state),
        chart=_chart(state),
        unconfirmed=len(state.box.unconfirmed(_in_use(state))),
        secret=None if seat is None else _secret(state, seat),
        ask=None if seat is None else private(state, seat),
    )


def _secret(state: SkyriseState, seat: int) -> Secret:
    player = state.players[seat]
    return Secret(
        seat=seat,
        objective=player.objective,
        hand=tuple(_card(state, card) for card in player.hand),
        chosen=player.chosen,
        patrons={letter: state.patrons[letter] for letter in player.patrons if letter in state.patrons},
        values=tuple(sorted(set(state.box["patrons.values"]))) if state.deal == "physical" else (),
    )


def _card(state: SkyriseState, card: str, colour: str = "", built: bool = False) -> CardShown:
    number = initiative(state.box, card)
    return CardShown(card=card, initiative=number, effect=effect(state.box, card), colour=colour, built=built)


def _in_use(state: SkyriseState) -> tuple[str, ...]:
    """The printed values this game rests on."""
    colours = tuple(player.colour for player in state.players)
    return _keys(colours, state.panorama, tuple(state.placement.items()), tuple(state.box))


@lru_cache(maxsize=64)
def _keys(
    colours: tuple[str, ...],
    panorama: tuple[str, ...],
    placement: tuple[tuple[str, str], ...],
    printed: tuple[str, ...],
) -> tuple[str, ...]:
    starts = tuple(f"buildings.{colour}." for colour in colours) + tuple(f"panorama.{card}." for card in panorama)
    islands = ("map.central.", *(f"map.outer-{island}." for _, island in placement))
    slots = {f"map.slots.{slot}" for slot, _ in placement}
    found = [key for key in printed if key.startswith(starts) or key in slots]
    found += [key for key in printed if key.startswith(islands) and not key.endswith((".places", ".names"))]
    return (*found, "map.ring.bridges", *(f"rows.{i}" for i in range(5)), "patrons.values")


def _chart(state: SkyriseState) -> tuple[tuple[int, ...], ...]:
    """Each player's prestige at the start, after era I, after every wonder, and at the end."""
    rows = track(state)
    if state.phase == "over":
        for player in tally(state).players:
            rows[player.seat].append(player.total)
    return tuple(tuple(row) for row in rows)


def track(state: SkyriseState) -> list[list[int]]:
    """Each player's prestige at the start, after era I and after every wonder."""
    seats = range(len(state.players))
    points = [0 for _ in seats]
    rows = [[0] for _ in seats]
    for i, line in enumerate(state.scored):
        points[line.seat] += line.points
        following = state.scored[i + 1] if i + 1 < len(state.scored) else None
        if line.era == 2 or following is None or following.era == 2:
            for seat in seats:
                rows[seat].append(points[seat])
    return rows


def _auction(state: SkyriseState) -> AuctionShown:
    legal: dict[str, tuple[str, ...]] = {}
    if state.phase == "quick":
        legal = quick.options(state)
    elif state.phase in ("open", "bid"):
        legal = options(state, state.turn)
    return AuctionShown(
        number=state.auction,
        opener=state.opener,
        quick=state.quick,
        bids=tuple(BidShown(**_plain(state.pieces[bid.piece]), site=bid.site) for bid in state.bids),
        passed=tuple(PassedShown(seat=passed.seat, why=passed.why) for passed in state.passed),
        legal=legal,
    )


def _plain(piece: Piece) -> dict[str, Any]:
    return {
        "piece": piece.id,
        "seat": piece.owner,
        "colour": piece.colour,
        "number": piece.number,
        "height": piece.height,
        "card": piece.card,
        "where": piece.where,
    }


def _piece(piece: Piece) -> PieceShown:
    return PieceShown(**_plain(piece))


def _bid(state: SkyriseState, colour: str) -> Piece:
    """A bid the camera sees: whose it is, and nothing more."""
    return Piece("", sighted.owner_of(state, colour) or 0, colour, where="bid")


def _islands(state: SkyriseState) -> tuple[IslandShown, ...]:
    if not state.placement:
        return ()
    board = state.islands
    return tuple(IslandShown(id=island, place=board.places[island]) for island in board.islands)


def _sites(state: SkyriseState) -> tuple[SiteShown, ...]:
    if not state.placement:
        return ()
    occupants = {**state.occupants(), **{site: _bid(state, colour) for site, colour in state.lying}}
    return tuple(
        SiteShown(
            id=site.id,
            island=site.island,
            faction=site.faction,
            x=site.x,
            y=site.y,
            token=state.tokens.get(site.id, ""),
            piece=_piece(occupants[site.id]) if site.id in occupants else None,
        )
        for site in state.islands.sites.values()
    )


def _features(state: SkyriseState) -> tuple[FeatureShown, ...]:
    if not state.placement:
        return ()
    return tuple(FeatureShown(id=f.id, kind=f.kind, sites=tuple(sorted(f.sites))) for f in state.islands.features)


def _player(state: SkyriseState, seat: int) -> Board:
    player = state.players[seat]
    heights = [piece.standing for piece in state.built(seat)]
    own = figures(state, seat)
    opens = sorted(state.unfinished(), key=state.initiative)
    return Board(
        seat=seat,
        name=player.name,
        colour=player.colour,
        points=player.prestige,
        rows=dict(zip(FACTIONS, player.rows, strict=True)),
        surplus=player.surplus,
        patrons=player.patrons,
        commissions=player.commissions,
        keys=player.keys,
        objective=player.objective if player.objective_shown else "",
        wonders=tuple(_card(state, piece.card, piece.colour, piece.where == "built") for piece in own if piece.card),
        figures=tuple(piece.colour for piece in own),
        initiative=state.initiative(seat)[0] if player.cards else None,
        place=opens.index(seat) + 1 if player.cards and seat in opens else None,
        available=tuple(_piece(piece) for piece in state.own(seat, "available")),
        locked=tuple(_piece(piece) for piece in state.own(seat, "locked")),
        built=BuiltShown(
            tall=heights.count("tall"),
            medium=heights.count("medium"),
            small=heights.count("small"),
            wonders=sum(1 for piece in state.built(seat) if piece.wonder),
            all=len(heights),
        ),
        gone=player.gone,
    )
