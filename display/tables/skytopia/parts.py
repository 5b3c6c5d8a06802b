"""Cards, panels and tiles of the Skytopia table."""

from __future__ import annotations

import pygame

from companion.shown.skytopia import Card, City, Effect, Golem, SkytopiaView, Slot
from companion.wire.messages import MarketSeen
from display import fonts
from display.page import Page
from display.paint.crests import crest
from display.paint.die import die
from display.paint.shapes import mark
from display.paint.sprite import Pen, lay, sprite
from display.paint.tokens import coin, flag, sign, star
from display.paint.towers import tower
from display.theme import TOWER_ORDER, TOWERS, mix
from display.touch import Act, Put
from display.view import View
from display.widgets import Rect, chip, dashed, slab


def lying(view: View, place: Slot) -> list[tuple[str, int]] | None:
    """The dice the camera, settled and sure, sees here, by colour and face; `None` where it does not say."""
    seen: MarketSeen | None = view.market
    for slot in seen.slots if seen is not None and seen.state == "ready" else ():
        if slot.slot == place.slot and slot.sure and not slot.covered:
            return sorted((d.owner, max(range(6), key=lambda i: d.faces[i]) + 1) for d in slot.dice)
    return None


def differs(view: View, place: Slot) -> bool:
    """The camera, settled and sure, sees other dice here than the table has."""
    there = lying(view, place)
    return there is not None and there != sorted((view.colour(d.owner), d.face) for d in place.dice)


def awaited(view: View, place: Slot, first: Golem | None) -> tuple[Golem, ...]:
    """Dice that belong here and are not seen here: those the table has, and the first golem somebody is to set."""
    there = lying(view, place)
    missing = place.dice if there is not None else ()
    return tuple(
        golem
        for golem in (*missing, *((first,) if first is not None else ()))
        if (view.colour(golem.owner), golem.face) not in (there or ())
    )


def card(
    page: Page,
    view: View,
    colour: str,
    place: Slot,
    box: Rect,
    *,
    chosen: bool,
    lit: bool,
    act: Act,
    first: Golem | None = None,
) -> None:
    """One market card: enamel strip with crest and effect, dice below; `lit` when it is an answer to what is asked,
    `first` the one golem that is to be set on it."""
    t, c = page.theme, page.c
    slot = place.slot
    effect = view.shown(SkytopiaView).effects.get(place.effect)
    odd = differs(view, place) or any(
        n.slot == slot and n.kind in ("warn", "bad") for n in (view.state.notices if view.state else ())
    )
    ghosts = awaited(view, place, first)
    dice = (*place.dice, *(golem for golem in ghosts if golem not in place.dice))
    landed = page.motion.fresh(f"dice {slot}", dice, 0 if t.reduced_motion else 220)
    colours = tuple(view.colour(d.owner) for d in dice)
    m = t.u(8, 7)
    area = (box[0] - m, box[1] - m, box[2] + 2 * m, box[3] + 2 * m + 2)
    content = (place, effect, colours, chosen, lit, odd, round(landed, 2), act, ghosts)

    def paint() -> None:
        pressed = page.touch(slot, box, act)
        if place.card == "":
            dashed(page, box, c.line, t.u(12, 9))
        else:
            _card_face(page, place, effect, colour, box, raised=chosen or pressed)
        if dice:
            _dice(page, view, dice, box, landed, ghosts)
        if odd:
            _outline(page, box, c.warn)
            side = t.u(26, 20)
            chip(page, (box[0] + box[2] - side * 0.9, box[1] - side * 0.25, side, side), "?", look="brass")
        elif chosen:
            _outline(page, box, c.text)
        elif lit:
            _outline(page, box, c.brass)

    page.piece(f"card {slot}", area, content, paint)


def _outline(page: Page, box: Rect, colour: tuple[int, int, int]) -> None:
    t = page.theme
    out, w = t.u(3.5, 3), t.u(3.5, 3)
    x, y, bw, bh = (round(v) for v in box)
    full = (bw + 2 * (out + w), bh + 2 * (out + w))

    def paint(pen: Pen) -> None:
        pen.rect(-full[0] / 2, -full[1] / 2, full[0], full[1], colour, t.u(17, 13), w)

    lay(page.surface, sprite(("outline", colour, t.u(17, 13)), *full, paint), (x - out - w, y - out - w))


def strip_height(page: Page, box: Rect) -> float:
    """The enamel strip of a card."""
    return min(page.theme.u(34, 23) * min(1.15, page.theme.zoom), box[3] * 0.36)


def _card_face(page: Page, place: Card, effect: Effect | None, colour: str, box: Rect, *, raised: bool) -> None:
    t, c = page.theme, page.c
    enamel = TOWERS.get(colour, TOWERS["blue"])
    x, y, w, h = (round(v) for v in box)
    strip, radius, drop = round(strip_height(page, box)), t.u(12, 9), t.u(3, 3)
    fill = c.raised if raised else c.surface

    def paint(pen: Pen) -> None:
        left, top = -w / 2, -(h + drop) / 2
        pen.rect(left, top + drop, w, h, c.shadow, radius)
        pen.rect(left, top, w, h, fill, radius)
        pygame.draw.rect(
            pen.surface,
            enamel.fill,
            (0, 0, w * pen.fine, strip * pen.fine),
            border_top_left_radius=radius * pen.fine,
            border_top_right_radius=radius * pen.fine,
        )

    lay(page.surface, sprite(("card", colour, fill, strip, radius, t.light), w, h + drop, paint), (x, y))
    r = strip * 0.33
    if place.crest:
        page.blit(crest(place.crest, r, enamel.mark, enamel.fill), x + t.u(23, 15), y + strip / 2)
    elif place.card is None:
        page.text("?", (x + t.u(10, 6), y, w * 0.4, strip), "chip", enamel.mark)
    put_effect(page, effect, enamel.mark, (x + w * 0.4, y, w * 0.6 - t.u(8, 5), strip))


def put_effect(page: Page, effect: Effect | None, ink: tuple[int, int, int], box: Rect) -> None:
    """The mark at the right of the strip: how much of what."""
    if effect is None:
        return
    kind, value = effect.mark, effect.value
    x, y, w, h = box
    r = h * 0.3
    cx, cy = x + w - r, y + h / 2
    if kind == "coins":
        page.blit(coin(r), cx, cy)
    elif kind == "points":
        page.blit(star(r * 1.05, ink), cx, cy)
    else:
        page.blit(sign(kind, r * 0.94, ink), cx - r * 0.1, cy)
        if kind in ("laboratory",):
            page.blit(star(r * 0.8, ink), cx - 2.2 * r, cy)
            cx -= 2.0 * r
    if value and kind not in ("move", "place", "add", "repeat", "row"):
        page.text(str(value), (x, y, cx - x - r * 1.25, h), "chip", ink, align="right", size=h * 0.66, floor=0.5)


def _dice(page: Page, view: View, dice: tuple[Golem, ...], box: Rect, landed: float, ghosts: tuple[Golem, ...]) -> None:
    t = page.theme
    strip = strip_height(page, box)
    x, y, w, h = box[0], box[1] + strip, box[2], box[3] - strip
    n = len(dice)
    side: float = t.u(48, 33) if n <= 2 else t.u(32, 22) if n == 3 else t.u(30, 21)
    per = n if n <= 3 else 3
    rows = -(-n // per)
    side = min(side, (h - t.u(10, 6)) / (rows * 1.2), (w - t.u(8, 6)) / (per * 1.18))
    pitch = side * (1.2 if n != 3 else 1.26)
    for i, one in enumerate(dice):
        row, column = divmod(i, per)
        across = min(per, n - row * per)
        cx = x + w / 2 + (column - (across - 1) / 2) * pitch
        cy = y + h / 2 + (row - (rows - 1) / 2) * side * 1.14 - side * 0.03
        grown = side * (1 + 0.25 * (1 - landed) ** 3) if i == n - 1 else side
        picture = die(t.player(view.colour(one.owner)), one.face, grown, t, glow=one.finishes, ghost=one in ghosts)
        page.blit(picture, cx, cy)


def deck(page: Page, colour: str, count: int, box: Rect) -> None:
    """How many cards are left to draw: the game ends when one pile does."""
    t, c = page.theme, page.c
    enamel = TOWERS.get(colour, TOWERS["blue"])

    def paint() -> None:
        x, y, w, h = box
        layers = min(3, max(1, count))
        for i in range(layers):
            off = (layers - 1 - i) * t.u(3, 2)
            fill = mix(enamel.fill, c.bg, 0.35 * (layers - 1 - i) / 2) if count else c.surface
            slab(page, (x, y + off, w, h - (layers - 1) * t.u(3, 2)), fill, t.u(9, 7), shadow=False)
        page.text(
            page.forms("display/skytopia/deck", n=count),
            (x + t.u(8, 5), y, w - 2 * t.u(8, 5), h - t.u(4, 3)),
            "chip",
            enamel.mark if count else c.warn,
            align="center",
            floor=0.5,
        )

    page.piece(f"deck {colour}", (box[0], box[1], box[2], box[3] + 4), (count, colour), paint)


# -- players ---------------------------------------------------------------------------------------------------------


def player_panel(page: Page, view: View, player: City, box: Rect) -> None:
    """One player: shape, name, points; coins, golems at home, towers."""
    t = page.theme
    seat = player.seat
    table, ask = view.shown(SkytopiaView), view.prompt.ask if view.prompt else None
    active = seat == (table.turn if ask is None or ask.seat is None else ask.seat)
    points = round(page.motion.toward(f"points {seat}", float(player.points), 0 if t.reduced_motion else 600))
    gained = _gained(page, seat, player.points)
    coins = round(page.motion.toward(f"coins {seat}", float(player.coins), 0 if t.reduced_motion else 600))
    sizes = {c: 1 + len(player.towers.get(c, ())) for c in TOWER_ORDER}
    first = seat == table.first
    info = next((s for s in view.seats if s.seat == seat), None)
    content = (
        view.colour(seat),
        player.name,
        active,
        points,
        coins,
        player.home,
        player.dice,
        tuple(sizes.items()),
        first,
        info.phone if info else False,
        (gained[0], round(gained[1], 2)) if gained[1] < 1 else None,
    )
    m = 4

    def paint() -> None:
        _panel(page, view, player, box, active=active, points=points, coins=coins, sizes=sizes, first=first)
        if gained[1] < 1:
            _rise(page, gained[0], gained[1], box)

    page.piece(f"player {seat}", (box[0] - m, box[1] - m, box[2] + 2 * m, box[3] + 2 * m + 2), content, paint)


def _gained(page: Page, seat: int, points: int) -> tuple[int, float]:
    """How many points just came, and how long ago (1 is over)."""
    memory, key = page.motion.memory, f"points {seat}"
    since = page.motion.fresh(f"gain {seat}", points, 0 if page.theme.reduced_motion else 700)
    if memory.get(key) != points:
        memory[f"gain {seat}"] = points - memory.get(key, points)
        memory[key] = points
    return round(memory.get(f"gain {seat}", 0)), since


def _rise(page: Page, gain: int, share: float, box: Rect) -> None:
    """ "+3" rises beside the points and fades."""
    if not gain:
        return
    t = page.theme
    words = f"{gain:+d}".replace("-", "−")
    picture = fonts.glyphs(words, "bold", round(t.size("number")), page.c.brass_hi)
    x, y = box[0] + box[2] - t.u(110, 76), box[1] + box[3] * 0.42 - t.u(24, 16) * share
    page.put_words(picture, x, y, 1 - share**2)


def _panel(
    page: Page,
    view: View,
    player: City,
    box: Rect,
    *,
    active: bool,
    points: int,
    coins: int,
    sizes: dict[str, int],
    first: bool,
) -> None:
    t, c = page.theme, page.c
    seat = player.seat
    paint = t.player(view.colour(seat))
    pressed = page.touch(f"player {seat}", box, Put({"sheet": f"player {seat}"}))
    fill = c.press if pressed else c.raised if active else c.surface
    edge = (paint.edge if t.light else paint.fill) if active else None
    slab(page, box, fill, t.u(14, 10), outline=edge, width=3)
    x, y, w, h = box
    pad = t.u(14, 8)
    small = t.kind == "small"
    r = min(t.u(15, 11), h * 0.16)
    top = h * 0.3
    page.blit(mark(paint, r, t), x + pad + r + 2, y + top)
    points_w = t.u(78, 50) * min(1.3, t.zoom)
    name_x = x + pad + 2 * r + t.u(14, 8)
    name_end = x + w - pad - (t.u(6, 0) if small else points_w + t.u(8, 6)) - (t.u(28, 18) if first else 0)
    label = page.text(
        player.name,
        (name_x, y + h * 0.08, name_end - name_x, h * 0.46),
        "body",
        c.text,
        floor=0.55,
        lines=2,
        typed=True,
        size=t.size("body") * 1.08,
    )
    if first:
        page.blit(flag(t.u(24, 16), c.brass if not t.light else c.brass_text), label.right + t.u(18, 11), y + top)
    points_box = (
        (x + w - pad - points_w, y + h * 0.46, points_w, h * 0.5)
        if small
        else (x + w - pad - points_w, y + h * 0.04, points_w, h * 0.5)
    )
    page.text(str(points), points_box, "points", c.text, align="right", floor=0.5)
    if view.state is None or view.state.depth == "full":  # else nobody follows coins, golems and towers
        _means(page, player, box, points_box[0], coins, sizes, paint.edge if t.light else paint.fill)


def _means(
    page: Page,
    player: City,
    box: Rect,
    points_left: float,
    coins: int,
    sizes: dict[str, int],
    fill: tuple[int, int, int],
) -> None:
    """What a player has apart from points."""
    t, (x, y, w, h) = page.theme, box
    pad, small = t.u(14, 8), t.kind == "small"
    low = y + h * 0.73
    cr = min(t.u(13, 9), h * 0.13)
    page.blit(coin(cr), x + pad + cr, low)
    number_w = t.u(34, 24) * min(1.3, t.zoom)
    page.text(
        str(coins), (x + pad + 2 * cr + t.u(7, 4), low - h * 0.2, number_w, h * 0.4), "strong", page.c.text, floor=0.6
    )
    gx = x + pad + 2 * cr + t.u(10, 5) + number_w
    end = x + w - pad
    tower_w = 0.0 if small or t.zoom > 1.25 else t.u(112)
    golems_end = points_left - t.u(4, 3) if small else end - tower_w
    _golems(page, player, (gx, low - h * 0.12, golems_end - gx, h * 0.24), fill)
    if tower_w:
        _towers(page, sizes, (end - tower_w + t.u(4), y + h * 0.5, tower_w, h * 0.45))


def _golems(page: Page, player: City, box: Rect, fill: tuple[int, int, int]) -> None:
    """Five little squares; the filled ones are at home."""
    t = page.theme
    count, home = player.dice, player.home
    side = min(t.u(12.5, 9), (box[2] / max(1, count)) * 0.78)
    gap = min(side * 0.35, (box[2] - side * count) / max(1, count - 1)) if count > 1 else 0
    for i in range(count):
        x, y = box[0] + i * (side + gap), box[1] + (box[3] - side) / 2
        if i < home:
            slab(page, (x, y, side, side), fill, side * 0.22, shadow=False)
        else:
            slab(page, (x, y, side, side), page.c.surface, side * 0.22, shadow=False, outline=page.c.faint, width=1.6)


def _towers(
    page: Page, sizes: dict[str, int], box: Rect, crests: dict[str, list[str]] | None = None, unit: float | None = None
) -> None:
    x, y, w, h = box
    each = w / len(TOWER_ORDER)
    for i, colour in enumerate(TOWER_ORDER):
        picture = tower(
            colour, sizes.get(colour, 1), each * 0.62, h, unit or page.theme.u(8.5, 6), (crests or {}).get(colour, ())
        )
        lay(
            page.surface,
            picture,
            (round(x + each * (i + 0.5) - picture.get_width() / 2), round(y + h - picture.get_height())),
        )


def draw_city(page: Page, player: City, box: Rect) -> None:
    """A player's four towers with their crests."""
    sizes, crests = {}, {}
    for colour in TOWER_ORDER:
        cards = player.towers.get(colour, ())
        sizes[colour] = 1 + len(cards)
        crests[colour] = [player.bases.get(colour, ""), *(k.crest for k in cards)]
    _towers(page, sizes, box, crests, unit=page.theme.u(44, 30))
