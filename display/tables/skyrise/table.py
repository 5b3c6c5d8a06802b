"""The Skyrise table: the islands with their lit sites, the auction or everybody's numbers, and what to choose from."""

from __future__ import annotations

import msgspec

from companion.game import Ask, Choice, Text
from companion.shown.skyrise import PieceShown
from display.layout import TablePlan, foot, table_plan
from display.page import Page
from display.scenes.choices import draw_choices
from display.scenes.common import ask_of, draw_band, draw_banner
from display.scenes.curtain import handing
from display.scenes.sheet import draw_sheet
from display.tables import generic
from display.tables.skyrise import islands as skyrise_islands
from display.tables.skyrise.auction import draw_auction, draw_panorama
from display.tables.skyrise.boards import SHEETS, draw_boards, draw_tokens
from display.tables.skyrise.keys import draw_keys, draw_numbers, won
from display.tables.skyrise.map import draw_map, fits_whole, in_focus, moment, shown
from display.touch import Act, Both, Play, Put
from display.view import View
from display.widgets import Rect, band_height

ROMAN = {1: "I", 2: "II"}
AUCTION = ("open", "bid", "quick")


def draw(page: Page, view: View) -> None:
    """The whole table; forms without islands are the generic ones."""
    ask, table = ask_of(view), shown(view)
    if not table.sites or (ask is not None and ask.form is not None and ask.phase not in AUCTION):
        generic.draw(page, view)
        return
    if view.pick("sky-edit"):
        skyrise_islands.draw(page, view)
        return
    era = Text("skyrise/screen/era", {"era": ROMAN.get(table.era, "I"), "auction": table.auction.number})
    draw_band(page, view, _explained(view, ask), ((era, False),))
    draw_table = _draw_quick if table.auction.quick else _draw_full
    aside = draw_table(page, view, ask)
    draw_banner(page, view, table_plan(page.theme, band_height(page)).banner, page.motion.now, aside)
    draw_sheet(page, view, SHEETS)


def _explained(view: View, ask: Ask | None) -> Ask | None:
    """While a wonder is picked, the band says what it does."""
    held = {one.piece: one for player in shown(view).players for one in player.available}.get(picked(view))
    if ask is None or ask.phase not in ("open", "bid") or held is None or held.number:
        return ask
    return msgspec.structs.replace(ask, help=_effect(view, held))


def _draw_full(page: Page, view: View, ask: Ask | None) -> Rect:
    """Every bid is entered: one island large, the auction, players, and the bids to choose from."""
    plan = _plan(page, ask)
    legal = shown(view).auction.legal
    piece = picked(view)
    lit = set(legal[piece]) if piece else {site for sites in legal.values() for site in sites}
    acts = _site_acts(view, ask, lit) | _crypt_acts(ask)
    large, small = (plan.middle, plan.left) if page.theme.kind == "tall" else (plan.left, plan.middle)
    draw_map(page, view, large, lit | set(_crypt_acts(ask)), acts)
    draw_auction(page, view, small, in_focus(view, lit | set(_crypt_acts(ask))))
    draw_boards(page, view, plan)
    _draw_answers(page, view, ask, piece, plan.choices)
    return foot(page.theme, small)


def _plan(page: Page, ask: Ask | None) -> TablePlan:
    """Ten tokens side by side are too narrow for their names: they stand in two rows."""
    rows = 2 if ask is not None and ask.phase == "token" else 1
    return table_plan(page.theme, band_height(page), middle_share=0.3, rows=rows)


def _draw_answers(page: Page, view: View, ask: Ask | None, piece: str, box: Rect) -> None:
    """What may be answered now; which token lay somewhere, and which number, are pictures side by side."""
    if ask is None or ask.phase not in ("token", "number"):
        choices, local = _choices(
            view, ask, piece, effects=page.theme.kind != "small" and len(shown(view).auction.legal) < 3
        )
        draw_choices(page, view, box, choices, local=local)
        return
    draw_choices(page, view, box, ())
    first = max(page.theme.touch, page.theme.u(142 if page.theme.kind == "wide" else 104, 76)) + page.theme.u(16, 10)
    rest = (box[0] + first, box[1], box[2] - first, box[3])
    if ask.phase == "token":
        draw_tokens(page, view, rest, ask)
    else:
        draw_numbers(page, view, rest, ask)


def _draw_quick(page: Page, view: View, ask: Ask | None) -> Rect:
    """Only results are told: all islands at once where a finger can meet them, and everybody's numbers beside them."""
    t, plan = page.theme, _plan(page, ask)
    asked = ask is not None and ask.phase != "quick"
    large, side, low = _halves(page, plan, asked)
    legal, crypt, piece, touched = shown(view).auction.legal, _crypt_acts(ask), picked(view), picked_site(view)
    lit = set(legal[piece]) if piece else {site for sites in legal.values() for site in sites}
    acts: dict[str, Act] = {
        site: won(piece, site) if piece else Put({"sky-site": [site, *moment(view)]}) for site in lit
    }
    whole = fits_whole(page, view, _halves(page, plan, asked=False)[0])
    shine = {touched} if touched in lit and not piece else lit | set(crypt)
    if ask is not None and ask.phase == "number" and not piece and not touched:
        shine = {str(choice.move["site"]) for choice in ask.choices}
    draw_map(page, view, large, shine, acts | crypt, whole=whole)
    draw_keys(page, view, side, piece, touched)
    undo = max(t.touch, t.u(142 if t.kind == "wide" else 104, 76)) + t.u(16, 10)
    strip = (low[0] + undo, low[1] + low[3] * 0.2, low[2] - undo, low[3] * 0.6) if not asked else low
    island = "" if whole else in_focus(view, lit)
    page.piece("panorama", strip, (shown(view).panorama, island, strip),
               lambda: draw_panorama(page, view, strip, island))  # fmt: skip
    _draw_answers(page, view, ask, piece, plan.choices if asked else low)
    return foot(t, side)


def _halves(page: Page, plan: TablePlan, asked: bool) -> tuple[Rect, Rect, Rect]:
    """Where the islands stand, where the numbers, and what is left below the numbers; answers take a row of their own."""
    t, gap = page.theme, page.theme.gap
    if t.kind == "tall":
        wide = plan.right[0] + plan.right[2] - plan.left[0]
        low = plan.choices if not asked else (plan.left[0], plan.middle[1] - t.u(40), wide, t.u(36))
        return plan.middle, (plan.left[0], plan.left[1], wide, plan.left[3] - (t.u(36) if asked else 0)), low
    x, y, _, h = plan.left
    strip: float = t.u(34, 22)
    if not asked:
        h, strip = plan.choices[1] + plan.choices[3] - y, plan.choices[3]
    room = plan.right[0] + plan.right[2] - x
    share = 0.52 if t.kind == "wide" else 0.48
    right, wide = x + room * share, room * (1 - share)
    return (
        (x, y, room * share - gap, h),
        (right, y, wide, h - strip - gap),
        (right, y + h - strip, wide, strip),
    )


# -- what may be bid ---------------------------------------------------------------------------------------------------


def picked(view: View) -> str:
    """The piece touched in this moment of the auction, or the only one there is."""
    legal, chosen = shown(view).auction.legal, view.pick("sky-piece")
    if isinstance(chosen, list) and chosen[1:] == moment(view) and chosen[0] in legal:
        return str(chosen[0])
    return next(iter(legal)) if len(legal) == 1 else ""


def picked_site(view: View) -> str:
    """The site touched in this moment of the auction."""
    chosen = view.pick("sky-site")
    return str(chosen[0]) if isinstance(chosen, list) and chosen[1:] == moment(view) else ""


def _bid(seat: int | None, piece: str, site: str) -> Act:
    move = {"kind": "bid", "seat": seat, "piece": piece, "site": site}
    return Both((Play(move), Put({"sky-piece": None, "sky-site": None})))


def _site_acts(view: View, ask: Ask | None, lit: set[str]) -> dict[str, Act]:
    """A lit site takes the picked piece; without one it waits for a number."""
    piece = picked(view)
    seat = ask.seat if ask else None
    return {site: _bid(seat, piece, site) if piece else Put({"sky-site": [site, *moment(view)]}) for site in lit}


def _crypt_acts(ask: Ask | None) -> dict[str, Act]:
    """Sites the Crypt may rob."""
    found = ask.choices if ask and ask.phase == "crypt" else ()
    return {choice.id: Play(choice.move) for choice in found}


def _choices(view: View, ask: Ask | None, piece: str, *, effects: bool) -> tuple[tuple[Choice, ...], dict[str, Act]]:
    """Pass, the highest number that does not do, and everything that does; a touch picks a piece or sends the bid. Where
    `effects` would be small print, a wonder says what it does in the band, once it is picked."""
    if ask is None or ask.phase == "quick":
        return (), {}
    if ask.phase not in ("open", "bid"):
        hands, local = handing(view)
        return (*ask.choices, *hands), local
    own = {one.piece: one for player in shown(view).players if player.seat == ask.seat for one in player.available}
    choices = [choice for choice in ask.choices if choice.off is None]
    off = [choice for choice in ask.choices if choice.off is not None]
    choices += [msgspec.structs.replace(one, text=_name(own[one.id])) if one.id in own else one for one in off[-1:]]
    local = {}
    site = picked_site(view)
    for name, sites in shown(view).auction.legal.items():
        held = own.get(name)
        if held is None:
            continue
        kind = "skyrise/piece/wonder" if not held.number else f"skyrise/height/{held.height}"
        note = _effect(view, held) if effects and not held.number else Text(kind)
        choices.append(Choice(name, _name(held), {}, note=note, primary=name == piece))
        local[name] = _bid(ask.seat, name, site) if site in sites else Put({"sky-piece": [name, *moment(view)]})
    return tuple(choices), local


def _name(piece: PieceShown) -> Text:
    if piece.number:
        return Text("skyrise/screen/number", {"number": piece.number})
    return Text(f"skyrise/wonder/{piece.card}") if piece.card else Text("skyrise/piece/wonder")


def _effect(view: View, piece: PieceShown) -> Text:
    """What a wonder does, so that no two look alike."""
    cards = {one.card: one for player in shown(view).players for one in player.wonders}
    return cards[piece.card].effect if piece.card in cards else Text("skyrise/piece/wonder")
