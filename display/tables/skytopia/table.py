"""The Skytopia table: chronometer, market, players, and the answers to the one question."""

from __future__ import annotations

import msgspec

from companion.game import Ask, Choice, Text
from companion.shown.skytopia import Dial, Golem, SkytopiaView, Slot
from display import fonts
from display.layout import TablePlan, foot, grid, table_plan
from display.page import Page
from display.paint.chronometer import put_chronometer
from display.paint.icons import icon
from display.scenes.choices import draw_choices
from display.scenes.common import ask_of, draw_band, draw_banner
from display.scenes.sheet import draw_sheet
from display.tables.generic import draw as draw_generic
from display.tables.generic import draw_middle
from display.tables.skytopia import parts
from display.tables.skytopia.flights import arriving, draw_flights, in_the_air
from display.tables.skytopia.guilds import guild_row
from display.tables.skytopia.sheet import SHEETS
from display.touch import Put
from display.view import View
from display.widgets import Rect, band_height, chip, inset, say_key, slab

PHASES = ("finish", "place", "refill")


def draw(page: Page, view: View) -> None:
    """The whole table; a form, as lighter depths have it, takes the room of ring and market."""
    ask, table = ask_of(view), view.shown(SkytopiaView)
    if ask is not None and ask.form is not None:
        draw_generic(page, view)
        return
    chips = tuple((say_key(f"skytopia/phase/{name}"), name == table.phase) for name in PHASES)
    draw_band(page, view, _told(view, ask), chips if table.phase in PHASES else ())
    plan = table_plan(page.theme, band_height(page))
    _ring(page, view, plan)
    going, share = in_the_air(page, view)
    slots: dict[str, Rect] = {}
    if table.market.rows:
        slots = _market(page, view, plan, ask, arriving(going, share))
    else:
        draw_middle(page, view, ask, plan.middle)  # lighter depths know no market: their form, or the curve
    panels = _players(page, view, plan)
    draw_flights(page, view, going, share, slots, panels)
    draw_choices(page, view, plan.choices, _shown(view, ask), hint=_hint(view, ask))
    asides = (foot(page.theme, plan.left), foot(page.theme, plan.left, button=True))
    draw_banner(page, view, plan.banner, page.motion.now, *asides)
    draw_sheet(page, view, SHEETS)


def groups(ask: Ask | None) -> dict[str, list[Choice]]:
    """The choices of each market card."""
    found: dict[str, list[Choice]] = {}
    for choice in ask.choices if ask else ():
        if choice.group:
            found.setdefault(choice.group, []).append(choice)
    return found


def picked(view: View, ask: Ask | None) -> str:
    """The card whose choices are shown: the one touched, or the only one there is."""
    known = groups(ask)
    chosen = str(view.pick("slot", ""))
    if chosen in known:
        return chosen
    return next(iter(known)) if len(known) == 1 else ""


def _shown(view: View, ask: Ask | None) -> tuple[Choice, ...]:
    if ask is None:
        return ()
    slot = picked(view, ask)
    loose = [choice for choice in ask.choices if not choice.group]
    return (*groups(ask).get(slot, []), *loose) if slot else tuple(loose)


def _hint(view: View, ask: Ask | None) -> Text | None:
    """Where the answers are that have no button yet."""
    if not groups(ask) or picked(view, ask):
        return None
    if _placing(ask):
        return say_key("skytopia/touch-a-card")
    loose = ask is not None and any(not choice.group for choice in ask.choices)
    return say_key("skytopia/touch-a-lit-card" if loose else "skytopia/touch-a-lit-card-only")


def _told(view: View, ask: Ask | None) -> Ask | None:
    """The question; once a card is touched, with what that card does."""
    does = _does(view, picked(view, ask)) if _placing(ask) and picked(view, ask) else None
    return ask if ask is None or does is None else msgspec.structs.replace(ask, help=does)


def _does(view: View, slot: str) -> Text | None:
    """The effect of the card that lies there, in a sentence."""
    table = view.shown(SkytopiaView)
    lying = next((one for one in table.market.slots if one.slot == slot), None)
    effect = table.effects.get(lying.effect) if lying is not None else None
    return effect.text if effect is not None else None


def _placing(ask: Ask | None) -> bool:
    """A golem is to be set for a price: what hands do is said beside the prices."""
    return ask is not None and ask.phase != "setup" and any("coins" in choice.picture for choice in ask.choices)


def lit(ask: Ask | None, lying: set[str]) -> set[str]:
    """Cards that are an answer to what is asked; where every card is one, there is nothing to tell apart."""
    legal = {slot for slot, choices in groups(ask).items() if any(choice.off is None for choice in choices)}
    return legal if lying - legal else set()


def first_golems(ask: Ask | None) -> dict[str, Golem]:
    """The golem hands are to set on a card before the first round, where its owner has no other card to choose."""
    placed: dict[tuple[int, int], set[str]] = {}
    for choice in ask.choices if ask is not None and ask.phase == "setup" else ():
        if choice.off is None and choice.group and "die" in choice.picture:
            placed.setdefault((choice.picture["die"]["owner"], choice.picture["die"]["face"]), set()).add(choice.group)
    return {slots.pop(): Golem(*die) for die, slots in placed.items() if len(slots) == 1}


# -- the ring --------------------------------------------------------------------------------------------------------


def _turned(page: Page, view: View, dial: Dial) -> tuple[float, bool]:
    """How far the faces stand from where the state says, and whether the position is sure."""
    faces = dial.faces
    n = len(faces)
    seen = view.dial
    offset, sure, by_hand = 0.0, True, False
    if seen is not None and seen.state != "no dial" and seen.positions == n:
        sure = seen.state not in ("unconfirmed", "starting")
        by_hand = seen.state == "turning"
        if sure and (by_hand or _dial_asked(ask_of(view))):
            offset = (seen.position + seen.angle - dial.position + n / 2) % n - n / 2
    place = faces.index(min(faces)) + offset
    known = float(page.motion.memory.get("ring", place))
    unrolled = known + (place - known + n / 2) % n - n / 2
    page.motion.memory["ring"] = unrolled
    ms = 0 if by_hand or page.theme.reduced_motion else 180 if seen is not None and offset else 420
    shown = page.motion.toward("ring", unrolled, ms)
    return offset + shown - unrolled, sure


def _dial_asked(ask: Ask | None) -> bool:
    """Somebody is to turn it: it is followed as it stands."""
    return ask is not None and any(choice.id == "turn_dial" for choice in ask.choices)


def shown_on_dial(view: View) -> int | None:
    """The face a dial at rest shows where the game has another: it was not turned when that was said."""
    dial, seen = view.shown(SkytopiaView).dial, view.dial
    n = len(dial.faces)
    if seen is None or seen.state != "ready" or seen.positions != n or _dial_asked(ask_of(view)):
        return None
    face = dial.faces[(dial.position - seen.position) % n]
    return face if seen.position % n != dial.position % n else None


def belongs_at_symbol(view: View) -> int | None:
    """The face the table asks for where a dial at rest shows another one."""
    dial, seen, told = view.shown(SkytopiaView).dial, view.dial, view.state.notices if view.state else ()
    if seen is None or seen.state != "ready" or seen.positions != len(dial.faces) or not _dial_asked(ask_of(view)):
        return None
    face = next((one.text.params.get("face") for one in told if one.slot == "dial" and one.kind == "warn"), None)
    others = {one for one in dial.faces if one != dial.faces[(dial.position - seen.position) % len(dial.faces)]}
    return face if isinstance(face, int) and face in others else None


def _ring(page: Page, view: View, plan: TablePlan) -> None:
    t, table = page.theme, view.shown(SkytopiaView)
    dial, ask = table.dial, ask_of(view)
    hands = ask.change if ask is not None and not _placing(ask) else ()
    guilds = table.guilds if not hands else ()
    x, y, w, h = plan.left
    tile_h = _room_for(page, hands, plan.left) if hands else t.u(92, 66) * (1 + 0.2 * (t.zoom - 1)) if guilds else 0
    r = min(w / 2 / 1.01, (h - tile_h - (t.u(16, 12) if tile_h else 0)) / 2 / 1.03)
    cx, cy = x + w / 2, y + r * 1.045
    turned, sure = _turned(page, view, dial)
    faces, prices, number, odd = dial.faces, dial.prices, table.round, shown_on_dial(view)
    wanted = belongs_at_symbol(view)
    content = (faces, prices, round(turned, 3), sure, number, round(r), odd, wanted)

    def paint() -> None:
        put_chronometer(page.surface, cx, cy, r, t, faces, prices, turned=turned, sure=sure, wanted=wanted)
        hub = r * 0.27
        ivory, dim = (248, 239, 224), (210, 194, 171)
        page.touch("ring", (cx - r, cy - r, 2 * r, 2 * r), Put({"sheet": "dial"}), grow=0)
        if not sure:
            page.text("?", (cx - hub, cy - hub, 2 * hub, 2 * hub), "figure", ivory, align="center", size=0.4 * r)
            return
        word = page.say("display/round")
        size = max(0.115 * r, 0.85 * t.size("small"))
        said = (
            fonts.width(word, t.face("small"), round(size)) <= 1.72 * hub
        )  # where it would be small print, the number stands alone
        if said:
            head = (cx - hub * 0.86, cy - hub * 0.8, hub * 1.72, hub * 0.5)
            page.text(word, head, "small", dim, align="center", size=size, floor=1.0)
        page.text(
            str(number),
            (cx - hub * 0.9, cy - hub * (0.3 if said else 0.6), 1.8 * hub, hub * 1.2),
            "figure",
            ivory,
            align="center",
            size=0.3 * r,
            floor=0.4,
        )
        if odd is not None:
            high = max(t.u(34, 26), 0.17 * r)
            spot = (cx - 0.8 * r, cy + hub * 1.06, 1.6 * r, high)
            chip(page, spot, page.forms("display/skytopia/dial-shows", face=odd)[0], look="brass")

    page.piece("ring", (cx - 1.08 * r, cy - 1.1 * r, 2.16 * r, 2.18 * r), content, paint)
    if hands:
        _hands(page, hands, (x, y + h - tile_h, w, tile_h))
    elif guilds:
        guild_row(page, view, (x, y + h - tile_h, w, tile_h))


def _room_for(page: Page, lines: tuple[Text, ...], column: Rect) -> float:
    """So high that three or four lines are no small print; the ring gives way, up to a little more than half of the column."""
    t = page.theme
    wanted = len(lines) * t.u(36, 39) * t.zoom + 2 * t.u(6, 4)
    return max(foot(t, column)[3], min(wanted, column[3] * 0.58))


def _hands(page: Page, lines: tuple[Text, ...], box: Rect) -> None:
    """What hands are to do with the pieces, one line each, as on the phones."""
    t, c = page.theme, page.c

    def paint() -> None:
        x, y, w, h = inset(box, t.u(12, 8), t.u(6, 4))
        slab(page, box, c.surface, t.u(14, 10))
        each = min(h / len(lines), t.u(52, 41) * t.zoom * (2 if len(lines) == 1 else 1))  # alone it may be long
        r = min(t.u(10, 7), each * 0.26)
        for i, line in enumerate(lines):
            page.blit(icon("right", r, c.brass_text), x + r, y + each * (i + 0.5) - t.u(2, 1.5))
            room = (x + 2 * r + t.u(10, 6), y + each * i, w - 2 * r - t.u(10, 6), each - t.u(4, 3))
            forms = tuple(form[:1].upper() + form[1:] for form in page.forms(line))
            page.text(forms, room, "label", lines=4 if len(lines) == 1 else 2, floor=0.5)

    page.piece("hands", (box[0], box[1], box[2], box[3] + 4), lines, paint)


# -- the market ------------------------------------------------------------------------------------------------------


def _market(page: Page, view: View, plan: TablePlan, ask: Ask | None, awaited: set[str]) -> dict[str, Rect]:
    """The cards; a golem still on its way to one of `awaited` is not yet there. Returns where each lies."""
    t = page.theme
    market = view.shown(SkytopiaView).market
    columns, rows = market.columns, market.rows
    x, y, w, h = plan.middle
    cells = grid(plan.middle, len(columns), rows, t.gap, tallest=t.u(150, 110))
    used = rows * cells[0][0][3] + (rows - 1) * t.gap
    if h - used > t.u(40, 26):
        strip = min(h - used - t.gap, t.u(44, 30))
        for column, name in enumerate(columns):
            box = (cells[column][0][0], y, cells[column][0][2], strip)
            parts.deck(page, name, market.decks.get(name, 0), box)
        cells = grid((x, y + strip + t.gap, w, h - strip - t.gap), len(columns), rows, t.gap, tallest=t.u(150, 110))
    by_slot = {s.slot: s for s in market.slots}
    open_slots, chosen = groups(ask), picked(view, ask)
    firsts = first_golems(ask)
    legal = lit(ask, {slot for slot, place in by_slot.items() if place.card != ""})
    for column, name in enumerate(columns):
        for row in range(rows):
            slot = f"{name}-{row + 1}"
            place = by_slot.get(slot) or Slot("", slot=slot)
            act = (
                Put({"slot": slot, "choices-page": 0})
                if slot in open_slots and slot != chosen
                else Put({"sheet": f"card {slot}"})
            )
            if slot in awaited:
                place = msgspec.structs.replace(place, dice=place.dice[:-1])
            look = {"chosen": slot == chosen, "lit": slot in legal}
            parts.card(page, view, name, place, cells[column][row], **look, act=act, first=firsts.get(slot))
    return {f"{name}-{row + 1}": cells[k][row] for k, name in enumerate(columns) for row in range(rows)}


def _players(page: Page, view: View, plan: TablePlan) -> dict[int, Rect]:
    t = page.theme
    found: dict[int, Rect] = {}
    players = view.shown(SkytopiaView).players
    x, y, w, h = plan.right
    n = max(1, len(players))
    each = min(t.u(150, 110), (h - t.gap * (n - 1)) / n) if t.kind != "tall" else (h - t.gap * (n - 1)) / n
    for i, player in enumerate(players):
        box = (x, y + i * (each + t.gap), w, each)
        parts.player_panel(page, view, player, box)
        found[player.seat] = box
    return found
