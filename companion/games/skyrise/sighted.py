"""Quick auctions under the camera: pieces come to lie on neighbourhoods as bids and go home again, and one stays.

The camera sees whose piece lies where, never its number. A bid that lies alone may be outbid or may have won: only when others
lay beside it and went home is the auction over. Until then the number, which must be told in any case, says that it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from companion.game import Ask, Choice, Picture, Text, seat_name
from companion.games.skyrise import quick
from companion.games.skyrise.auction import open_sites, piece_text, site_text, unbuilt
from companion.games.skyrise.moves import Home, Lies, Won
from companion.games.skyrise.refuse import refuse
from companion.games.skyrise.state import Piece, SkyriseState
from companion.games.skyrise.turn import Story


def owner_of(state: SkyriseState, colour: str) -> int | None:
    """Whose pieces have this colour: with two players, a figure of an unused colour is somebody's, too."""
    return next((piece.owner for piece in state.pieces.values() if piece.colour == colour), None)


def over(state: SkyriseState) -> bool:
    """Others lay beside the one bid that is left: they went home, it has won."""
    return len(state.lying) == 1 and state.most > 1


def numbers(state: SkyriseState) -> tuple[Piece, ...]:
    """What the one bid that lies there may be, by the rules."""
    if len(state.lying) != 1:
        return ()
    (site, colour) = state.lying[0]
    legal = quick.options(state)
    return tuple(
        state.pieces[piece] for piece, sites in legal.items() if site in sites and state.pieces[piece].colour == colour
    )


def sensed(state: SkyriseState) -> Sequence[Lies | Home]:
    """What hands may do on the islands now."""
    if state.phase != "quick":
        return ()
    home = [Home(site) for site, _ in state.lying]
    if over(state):
        return home
    colours = [colour for colour in dict.fromkeys(p.colour for p in state.pieces.values()) if _left(state, colour)]
    return [*home, *(Lies(site, colour) for colour in colours for site in sorted(_sites(state, colour)))]


def _left(state: SkyriseState, colour: str) -> bool:
    """A piece of this colour is still beside its owner's board."""
    lying = sum(1 for _, other in state.lying if other == colour)
    ready = sum(1 for piece in state.pieces.values() if piece.colour == colour and piece.where == "available")
    return ready > lying and owner_of(state, colour) in state.unfinished()


def _sites(state: SkyriseState, colour: str) -> set[str]:
    """Where a bid of this colour may come to lie: where auctions open, then beside any bid, for nobody saw their order."""
    free = unbuilt(state) - {site for site, _ in state.lying}
    if state.lying:
        return {near for site, _ in state.lying for near in state.islands.beside(site)} & free
    anywhere = any(piece.card == "city-hall" for piece in state.own(owner_of(state, colour) or 0, "available"))
    return free if anywhere else open_sites(state) & free


def lies(state: SkyriseState, move: Lies, story: Story) -> SkyriseState:
    """A bid was put down."""
    if move not in sensed(state):
        _refuse(state, move.site)
    lying = tuple(sorted((*state.lying, (move.site, move.colour))))
    story.tell("lies", owner_of(state, move.colour), site=site_text(state, move.site), at=move.site)
    return state.but(lying=lying, most=max(state.most, len(lying)))


def home(state: SkyriseState, move: Home, story: Story) -> SkyriseState:
    """A bid went home. When one is left of several it has won; where the rules leave one number, that is built at once."""
    if move not in sensed(state):
        _refuse(state, move.site)
    colour = dict(state.lying)[move.site]
    lying = tuple(pair for pair in state.lying if pair[0] != move.site)
    state = state.but(lying=lying, most=state.most if lying else 0)
    story.tell("home", owner_of(state, colour), site=site_text(state, move.site), at=move.site)
    known = numbers(state) if over(state) else ()
    return quick.won(state, Won(known[0].id, lying[0][0], known[0].owner), story) if len(known) == 1 else state


def _refuse(state: SkyriseState, site: str) -> NoReturn:
    if state.phase != "quick" or over(state):
        refuse("not-now")
    where = site_text(state, site) if site in state.islands.sites else Text("skyrise/piece/wonder")
    refuse("no-bid-there", page="8", site=where)


def ask(state: SkyriseState) -> Ask | None:
    """Which number lies there: one touch, which also says that nobody outbids it. `None`: nothing to ask it of."""
    known = numbers(state)
    if not known:
        return None
    site = state.lying[0][0]
    words = {"who": seat_name(known[0].owner), "site": site_text(state, site)}
    choices = tuple(
        Choice(piece.id, piece_text(piece), {"kind": "won", "piece": piece.id, "site": site, "seat": piece.owner},
               picture=_picture(piece))
        for piece in known
    )  # fmt: skip
    text = Text("skyrise/ask/number" if over(state) else "skyrise/ask/number-open", words)
    help_ = Text("skyrise/help/number" if over(state) else "skyrise/help/number-open", words)
    whose = known[0].owner if over(state) else None  # while others may still outbid it, everybody is asked
    return Ask(whose, text, choices, help_, phase="number")


def _picture(piece: Piece) -> Picture:
    return {"piece": {"seat": piece.owner, "height": piece.height, "number": piece.number}}
