"""Slips put right: the token on a neighbourhood, and one that a player has already taken."""

from __future__ import annotations

from companion.game import Event, Text, seat_name
from companion.games.skyrise.auction import site_text
from companion.games.skyrise.moves import Correct
from companion.games.skyrise.refuse import refuse
from companion.games.skyrise.setup import room_for
from companion.games.skyrise.state import PATRONS, SkyriseState
from companion.shown.skyrise import FACTIONS


def correct(state: SkyriseState, move: Correct) -> tuple[SkyriseState, Event]:
    """Another token lies on a neighbourhood than the record has, or a player took another one."""
    if state.phase in ("lay", "deal", "over"):
        refuse("not-now")
    return _taken(state, move) if move.was else _lying(state, move)


def _lying(state: SkyriseState, move: Correct) -> tuple[SkyriseState, Event]:
    if move.site not in state.islands.sites:
        refuse("no-such-site", site=move.site)
    occupant = state.occupants().get(move.site)
    if occupant is not None and occupant.where == "built":
        refuse("token-gone")
    tokens = {site: token for site, token in state.tokens.items() if site != move.site}
    if move.token:
        if not room_for(state.but(tokens=tokens), move.token):
            refuse("no-more-tokens", token=Text(f"skyrise/token/{move.token}"))
        tokens[move.site] = move.token
    named = {"site": site_text(state, move.site), "token": Text(f"skyrise/token/{move.token or 'none'}")}
    params = {"site": move.site, "token": move.token}
    return state.but(tokens=tokens), Event("corrected", None, Text("skyrise/event/corrected", named), params)


def _taken(state: SkyriseState, move: Correct) -> tuple[SkyriseState, Event]:
    """One token of a player's board for another; the rows move with it."""
    seat = move.seat
    if seat is None or seat >= len(state.players) or move.site or not move.token or "wild" in (move.was, move.token):
        refuse("token-taken")
    if not _holds(state, seat, move.was):
        refuse("token-not-held", who=seat_name(seat), token=Text(f"skyrise/token/{move.was}"))
    if not room_for(state, move.token):
        refuse("no-more-tokens", token=Text(f"skyrise/token/{move.token}"))
    taken = {**state.taken, move.was: state.taken.get(move.was, 0) - 1}
    taken[move.token] = taken.get(move.token, 0) + 1
    state = _put(_put(state, seat, move.was, -1), seat, move.token, 1).but(taken=taken)
    named = {
        "who": seat_name(seat),
        "was": Text(f"skyrise/token/{move.was}"),
        "token": Text(f"skyrise/token/{move.token}"),
    }
    params = {"was": move.was, "token": move.token}
    return state, Event("corrected", seat, Text("skyrise/event/corrected-taken", named), params)


def _holds(state: SkyriseState, seat: int, token: str) -> bool:
    player = state.players[seat]
    if token in FACTIONS:
        return player.rows[FACTIONS.index(token)] > 0
    return token in player.patrons if token in PATRONS else player.commissions > 0


def _put(state: SkyriseState, seat: int, token: str, by: int) -> SkyriseState:
    """One token more or less on a player's board. Beyond the fourth of its row it is surplus; a full row gives up that first."""
    player = state.players[seat]
    if token == "commission":
        return state.with_player(seat, commissions=player.commissions + by)
    if token in PATRONS:
        left = list(player.patrons)
        left.append(token) if by > 0 else left.remove(token)
        return state.with_player(seat, patrons=tuple(left))
    index = FACTIONS.index(token)
    full = player.rows[index] == 4
    if full and (by > 0 or _surplus_of(player.rows, player.surplus)):
        return state.with_player(seat, surplus=player.surplus + by)
    rows = tuple(count + by if i == index else count for i, count in enumerate(player.rows))
    return state.with_player(seat, rows=rows)


def _surplus_of(rows: tuple[int, ...], surplus: int) -> bool:
    """A surplus token is surely of this colour: only one row is full."""
    return surplus > 0 and sum(1 for count in rows if count == 4) == 1
