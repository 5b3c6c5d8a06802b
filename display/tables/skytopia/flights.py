"""What moves on the Skytopia table: golems go home, a finished card flies to its tower, a moved golem slides.

Nothing is told about motion; it is seen by comparing the table with how it was a moment ago.
"""

from __future__ import annotations

import msgspec

from companion.shown.skytopia import SkytopiaView
from display.motion import ease_out
from display.page import Page
from display.paint.crests import crest
from display.paint.die import die
from display.theme import TOWERS
from display.view import View
from display.widgets import Rect, slab

Die = tuple[int, int]
"""Owner and face."""
WHOLE = 500
SLIDE = 280
FLIGHTS_AT_ONCE = 12
"""More than this at once is a table laid out anew, not a move."""


class Flight(msgspec.Struct, frozen=True):
    """One thing on its way; `to` is a slot or, as a number, a player's panel."""

    what: str
    start: str
    to: str | int
    owner: int = 0
    face: int = 0
    crest: str = ""


class Seen(msgspec.Struct, frozen=True):
    """The table as far as things on it can fly."""

    game: str
    cards: dict[str, tuple[str, str]]
    """Slot -> card and crest."""
    dice: dict[str, tuple[Die, ...]]
    home: dict[int, int]
    towers: dict[int, frozenset[str]]


def seen(view: View) -> Seen:
    """What lies where now."""
    table = view.shown(SkytopiaView)
    slots, players = table.market.slots, table.players
    return Seen(
        view.state.game_id if view.state else "",
        {s.slot: (s.card or "", s.crest) for s in slots},
        {s.slot: tuple((d.owner, d.face) for d in s.dice) for s in slots},
        {p.seat: p.home for p in players},
        {p.seat: frozenset(one.card for tower in p.towers.values() for one in tower if one.card) for p in players},
    )


def flights(before: Seen, now: Seen) -> tuple[Flight, ...]:
    """What must have moved between two looks."""
    if before.game != now.game:
        return ()
    found: list[Flight] = []
    for slot, (card, sign) in before.cards.items():
        if card and now.cards.get(slot, ("", ""))[0] != card:
            builder = next((s for s, built in now.towers.items() if card in built - before.towers.get(s, built)), None)
            if builder is not None:
                found.append(Flight("card", slot, builder, crest=sign))
    left = [(slot, one) for slot, dice in before.dice.items() for one in _gone(dice, now.dice.get(slot, ()))]
    come = [(slot, one) for slot, dice in now.dice.items() for one in _gone(dice, before.dice.get(slot, ()))]
    back = {seat: count - before.home.get(seat, count) for seat, count in now.home.items()}
    for slot, (owner, face) in left:
        target = next((place for place, (other, _) in come if other == owner and place != slot), None)
        if target is not None:
            come = [(place, one) for place, one in come if place != target or one[0] != owner]
            found.append(Flight("slide", slot, target, owner, face))
        elif back.get(owner, 0) > 0:
            back[owner] -= 1
            found.append(Flight("die", slot, owner, owner, face))
    return tuple(found) if len(found) <= FLIGHTS_AT_ONCE else ()


def _gone(before: tuple[Die, ...], now: tuple[Die, ...]) -> list[Die]:
    rest = list(now)
    return [one for one in before if one not in rest or rest.remove(one)]  # type: ignore[func-returns-value]


def in_the_air(page: Page, view: View) -> tuple[tuple[Flight, ...], float]:
    """What flies now, and how far it has come (1: nothing flies)."""
    notes, now = page.motion.notes, seen(view)
    before = notes.get("table")
    if now != before:
        going = flights(before, now) if isinstance(before, Seen) else ()
        notes["table"], notes["flights"] = now, going
        notes["flown"] = int(notes.get("flown", 0)) + bool(going)
    going = notes.get("flights", ())
    slow = any(one.what != "slide" for one in going)
    ms = 0 if page.theme.reduced_motion or not going else WHOLE if slow else SLIDE
    share = page.motion.fresh("flights", notes.get("flown", 0), ms)
    return going, share


def draw_flights(
    page: Page, view: View, going: tuple[Flight, ...], share: float, slots: dict[str, Rect], panels: dict[int, Rect]
) -> None:
    """Each thing at its place on the way, over everything but sheets."""
    if share >= 1:
        return
    for i, one in enumerate(going):
        start = slots.get(one.start)
        end = panels.get(one.to) if isinstance(one.to, int) else slots.get(one.to)
        if start is None or end is None:
            continue
        _fly(page, view, one, i, share, start, end)


def _fly(page: Page, view: View, one: Flight, index: int, share: float, start: Rect, end: Rect) -> None:
    t = page.theme
    lift = min(1.0, share * 5)
    way = ease_out(max(0.0, (share - 0.12) / 0.88)) if one.what != "slide" else ease_out(share)
    x = start[0] + start[2] / 2 + (end[0] + end[2] / 2 - start[0] - start[2] / 2) * way
    y = start[1] + start[3] / 2 + (end[1] + end[3] / 2 - start[1] - start[3] / 2) * way - t.u(6, 4) * lift
    if one.what == "card":
        k = 1 - 0.6 * way
        w, h = start[2] * k, start[3] * k
    else:
        w = h = t.u(48, 33) * (1 - (0.6 * way if one.what == "die" else 0.0))
    place = (round(x - w / 2), round(y - h / 2), round(w), round(h))

    def paint() -> None:
        if one.what == "card":
            enamel = TOWERS.get(one.start.split("-")[0], TOWERS["blue"])
            slab(page, place, enamel.fill, min(t.u(12, 9), h * 0.2))
            if one.crest:
                page.blit(crest(one.crest, min(w, h) * 0.28, enamel.mark, enamel.fill), x, y)
        else:
            page.blit(die(t.player(view.colour(one.owner)), one.face, w * 0.9, t), x, y)

    page.piece(f"flight {index}", (place[0] - 3, place[1] - 3, place[2] + 6, place[3] + 10), place, paint, layer=1)


def arriving(going: tuple[Flight, ...], share: float) -> set[str]:
    """Slots whose newest golem is still sliding there."""
    return {one.to for one in going if one.what == "slide" and isinstance(one.to, str)} if share < 1 else set()
