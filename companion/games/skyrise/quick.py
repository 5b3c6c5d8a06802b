"""Quick auctions: people bid at the table, and only the result is told: whose number won, and where.

What no auction could have led to is refused. Bids that went home again are nobody's to enter, so of what rests on them only
that much is checked: a chain of lower bids must have been able to reach the site.
"""

from __future__ import annotations

import msgspec

from companion.game import Text, seat_name
from companion.games.skyrise.auction import barred_sites, may_open_with, open_sites, piece_text, site_text, unbuilt
from companion.games.skyrise.moves import Won
from companion.games.skyrise.refuse import refuse
from companion.games.skyrise.state import Bid, Piece, SkyriseState
from companion.games.skyrise.turn import Story, resolve


def steps(state: SkyriseState) -> dict[str, int]:
    """Unbuilt site -> how many bids must lie before one that wins there; sites no auction reaches are left out."""
    free, board = unbuilt(state), state.islands
    found = dict.fromkeys(open_sites(state), 0)
    edge = list(found)
    while edge:
        edge = list(dict.fromkeys(near for site in edge for near in board.beside(site) & free if near not in found))
        depth = max(found.values(), default=0) + 1
        found |= dict.fromkeys(edge, depth)
    return found


def options(state: SkyriseState) -> dict[str, tuple[str, ...]]:
    """Piece id -> the sites it may have won, for every piece of everybody that may have won one; worked out once a position."""
    known: dict[str, tuple[str, ...]] | None = state.__dict__.get("quick_options")
    if known is None:
        known = state.__dict__["quick_options"] = _options(state)
    return known


def _options(state: SkyriseState) -> dict[str, tuple[str, ...]]:
    reach, order = steps(state), state.islands.sites
    found = {seat: _of(state, seat, reach) for seat in state.unfinished()}
    listed = {piece: sites for own in found.values() for piece, sites in own.items()}
    return {piece: tuple(site for site in order if site in sites) for piece, sites in listed.items() if sites}


def _of(state: SkyriseState, seat: int, reach: dict[str, int]) -> dict[str, set[str]]:
    """What one player may have won with each piece."""
    opening = open_sites(state)
    barred = frozenset[str]()
    if state.box["settings.hammer-release"] != "any":  # released in a later bid, nobody could say when
        barred = barred_sites(state.but(phase="open"), seat, opening)
    numbers = sorted(p.number for s in state.unfinished() for p in state.own(s, "available") if not p.wonder)
    found = {}
    for piece in state.own(seat, "available"):
        lower = sum(1 for number in numbers if piece.wonder or number < piece.number)
        sites = {site for site, before in reach.items() if before <= lower}
        if piece.wonder and not may_open_with(state, piece):
            sites = {site for site in sites if _outbids_at(state, site, reach)} if lower else set()
        elif piece.card == "city-hall":
            sites = unbuilt(state)
        found[piece.id] = sites - barred if piece.tall else sites
    return found


def _outbids_at(state: SkyriseState, site: str, reach: dict[str, int]) -> bool:
    """A bid may have lain beside the site when the wonder was put there."""
    return any(near in reach for near in state.islands.beside(site))


def won(state: SkyriseState, move: Won, story: Story) -> SkyriseState:
    """The result of an auction as the table tells it: built, paid out, and on to the next."""
    piece = _check(state, move)
    standing = msgspec.structs.replace(piece, where="bid", site=move.site)
    state = state.with_pieces({piece.id: standing}).but(
        bids=(Bid(piece.owner, piece.id, move.site),), turn=piece.owner, lying=(), most=0
    )
    return resolve(state, story)


def _check(state: SkyriseState, move: Won) -> Piece:
    if state.phase != "quick":
        refuse("not-now", Text("skyrise/do/not-now"))
    piece = state.pieces.get(move.piece)
    if piece is None or move.seat not in (None, piece.owner):
        refuse("not-yours", Text("skyrise/do/who-won"), "8")
    if piece.owner not in state.unfinished():
        refuse("finished", Text("skyrise/do/who-won"), "9", who=seat_name(piece.owner))
    if piece.where != "available":
        refuse(f"piece-{piece.where}", Text("skyrise/do/who-won"), "6", piece=piece_text(piece))
    if move.site not in state.islands.sites:
        refuse("no-such-site", Text("skyrise/do/who-won"), site=move.site)
    if move.site in state.occupants():
        refuse("occupied", Text("skyrise/do/who-won"), "8", site=site_text(state, move.site))
    if move.site not in options(state).get(piece.id, ()):
        key = "map.central.edges" if move.site[0] == "C" else f"map.outer-{move.site.partition('.')[0]}.edges"
        unsure = "" if state.box.confirmed(key) else key
        refuse("no-way-there", Text("skyrise/do/no-way-there"), "8", unsure,
                piece=piece_text(piece), site=site_text(state, move.site))  # fmt: skip
    return piece
