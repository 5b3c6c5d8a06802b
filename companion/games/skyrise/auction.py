"""The auction: who may put what where, and a reason for everything that may not be."""

from __future__ import annotations

from collections.abc import Iterable

from companion.game import Text, seat_name
from companion.games.skyrise.moves import Pass, PlaceBid
from companion.games.skyrise.refuse import refuse
from companion.games.skyrise.state import PassedBy, Piece, SkyriseState


def unbuilt(state: SkyriseState) -> set[str]:
    """Neighbourhoods that hold neither a bid nor a structure."""
    return set(state.islands.sites) - set(state.occupants())


def open_sites(state: SkyriseState) -> set[str]:
    """Where an auction may open: on the central island or beside any built structure."""
    board, free = state.islands, unbuilt(state)
    beside = {site for piece in state.built() for site in board.beside(piece.site)}
    return {site for site in free if board.sites[site].island == "C" or site in beside}


def bid_sites(state: SkyriseState) -> set[str]:
    """Where the last bid may be beaten: unbuilt and adjacent to it."""
    return unbuilt(state) & state.islands.beside(state.last.site)


def barred_sites(state: SkyriseState, seat: int, lit: set[str]) -> frozenset[str]:
    """Where tall pieces of `seat` may not go: beside an opponent's Hammer, unless no other of the `lit` sites is left."""
    ground = frozenset[str]()
    for piece in state.built():
        if piece.card == "hammer" and piece.owner != seat:
            ground = state.islands.beside(piece.site)
    released = state.phase == "open" or state.box["settings.hammer-release"] == "any"
    return frozenset() if released and lit <= ground else ground


def may_open_with(state: SkyriseState, piece: Piece) -> bool:
    """A wonder opens only when nothing else is left; City Hall whenever it likes."""
    if not piece.wonder:
        return True
    if piece.card == "city-hall" and state.box["settings.city-hall-any-time"]:
        return True
    return all(other.wonder for other in state.own(piece.owner, "available"))


def playable(state: SkyriseState, piece: Piece) -> bool:
    """The piece itself may be placed now, wherever that is."""
    if piece.where != "available":
        return False
    if state.phase == "open":
        return may_open_with(state, piece)
    last = state.pieces[state.last.piece]
    if last.wonder:
        return piece.card == "hammer"
    return piece.wonder or piece.number > last.number


def options(state: SkyriseState, seat: int) -> dict[str, tuple[str, ...]]:
    """Piece id -> its legal sites in board order, for every piece that has one."""
    lit = open_sites(state) if state.phase == "open" else bid_sites(state)
    barred = barred_sites(state, seat, lit)
    order = state.islands.sites
    sites = tuple(site for site in order if site in lit)
    for_tall = tuple(site for site in sites if site not in barred)
    found = {}
    for piece in state.own(seat, "available"):
        if playable(state, piece):
            if state.phase == "open" and piece.card == "city-hall":
                free = unbuilt(state)
                found[piece.id] = tuple(site for site in order if site in free)
            else:
                found[piece.id] = for_tall if piece.tall else sites
    return {piece: legal for piece, legal in found.items() if legal}


def stuck(state: SkyriseState, seat: int) -> PassedBy | None:
    """Why this player cannot go on in the auction; `None` when they can."""
    if options(state, seat):
        return None
    last = state.pieces[state.last.piece]
    if last.wonder:
        return "wonder"
    if not bid_sites(state):
        return "site"
    higher = any(p.wonder or p.number > last.number for p in state.own(seat, "available"))
    return "barred" if higher else "number"


def still_in(state: SkyriseState) -> tuple[int, ...]:
    """Players who take part in this auction and have not passed, clockwise from the opener."""
    out = {passed.seat for passed in state.passed}
    count = len(state.players)
    order = [(state.opener + i) % count for i in range(count)]
    return tuple(seat for seat in order if seat in state.unfinished() and seat not in out)


def site_text(state: SkyriseState, site: str) -> Text:
    """A neighbourhood as players say it: island and number."""
    island, _, name = site.partition(".")
    if island == "C":
        return Text(f"skyrise/site/C.{name}") if name in "NESW" else Text("skyrise/site-central", {"site": name})
    place = Text(f"skyrise/island/{state.islands.places[island]}")
    return Text("skyrise/site", {"island": place, "site": name})


def piece_text(piece: Piece) -> Text:
    """A piece as players say it: its number, or the wonder's name."""
    if not piece.wonder:
        return Text("skyrise/piece", {"number": piece.number, "height": Text(f"skyrise/height/{piece.height}")})
    return Text(f"skyrise/wonder/{piece.card}") if piece.card else Text("skyrise/piece/wonder")


def _listed(state: SkyriseState, sites: Iterable[str]) -> tuple[Text, ...]:
    return tuple(site_text(state, site) for site in sites)


def _what_else(state: SkyriseState, seat: int) -> Text:
    """What this player could do instead."""
    legal = options(state, seat)
    if not legal:
        return Text("skyrise/do/pass")
    pieces = tuple(piece_text(state.pieces[piece]) for piece in legal)
    return Text("skyrise/do/pieces" if state.phase == "open" else "skyrise/do/pieces-or-pass", {"pieces": pieces})


def check_turn(state: SkyriseState, seat: int) -> None:
    """Refuse anyone but the player whose turn it is in the auction."""
    if state.phase not in ("open", "bid"):
        refuse("no-auction", Text("skyrise/do/answer-first"))
    if seat >= len(state.players):
        refuse("no-seat", Text("skyrise/do/wait", {"who": seat_name(state.turn)}))
    wait = Text("skyrise/do/wait", {"who": seat_name(state.turn)})
    if seat in {passed.seat for passed in state.passed}:
        refuse("passed", wait, "8", who=seat_name(seat))
    if seat in state.finished:
        refuse("finished", wait, "9", who=seat_name(seat))
    if seat != state.turn:
        refuse("out-of-turn", wait, "8", who=seat_name(state.turn))


def check_pass(state: SkyriseState, move: Pass) -> None:
    """The opener must place something."""
    check_turn(state, move.seat)
    if state.phase == "open":
        refuse("opener-passes", _what_else(state, move.seat), "8", who=seat_name(move.seat))


def check_bid(state: SkyriseState, move: PlaceBid) -> Piece:
    """The piece, if it may be put there; every refusal says why and what would be legal."""
    check_turn(state, move.seat)
    piece = state.pieces.get(move.piece)
    if piece is None or piece.owner != move.seat:
        refuse("not-yours", _what_else(state, move.seat), "8")
    if piece.where != "available":
        refuse(f"piece-{piece.where}", _what_else(state, move.seat), "6", piece=piece_text(piece))
    if move.site not in state.islands.sites:
        refuse("no-such-site", _what_else(state, move.seat), site=move.site)
    _check_piece(state, piece)
    _check_site(state, piece, move.site)
    return piece


def _check_piece(state: SkyriseState, piece: Piece) -> None:
    if state.phase == "open":
        if not may_open_with(state, piece):
            refuse("wonder-opens", _what_else(state, piece.owner), "8", piece=piece_text(piece))
        return
    last = state.pieces[state.last.piece]
    if last.wonder and piece.card != "hammer":
        refuse("only-hammer", _what_else(state, piece.owner), "12", piece=piece_text(last))
    if not piece.wonder and piece.number <= last.number:
        higher = [p for p in state.own(piece.owner, "available") if p.number > last.number]
        do = Text("skyrise/do/pass")
        if higher:
            do = Text("skyrise/do/higher", {"numbers": ", ".join(str(p.number) for p in higher)})
        box = f"buildings.{piece.colour}.era-{piece.era}.{piece.height}"
        refuse("too-low", do, "8", _unsure(state, box), number=piece.number, last=last.number)


def _check_site(state: SkyriseState, piece: Piece, site: str) -> None:
    legal = options(state, piece.owner).get(piece.id, ())
    if site in legal:
        return
    do = Text("skyrise/do/sites", {"sites": _listed(state, legal)}) if legal else _what_else(state, piece.owner)
    if site in state.occupants():
        refuse("occupied", do, "8", site=site_text(state, site))
    box = _unsure(state, "map.central.edges" if site[0] == "C" else f"map.outer-{site.partition('.')[0]}.edges")
    if state.phase == "open" and site not in open_sites(state):
        refuse("not-open", do, "8", box, site=site_text(state, site))
    if state.phase == "bid" and site not in bid_sites(state):
        refuse("not-beside", do, "8", box, site=site_text(state, site), last=site_text(state, state.last.site))
    refuse("hammer-bars", do, "12", piece=piece_text(piece), site=site_text(state, site))


def _unsure(state: SkyriseState, key: str) -> str:
    return "" if state.box.confirmed(key) else key
