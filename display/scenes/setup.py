"""Choose a game, who plays, and how much help the table gives."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.game import Field, Text
from companion.wire import lobby
from companion.wire.colours import of_the_pieces
from companion.wire.names import TITLE
from display import fonts
from display.drafts import GameDraft, SeatDraft
from display.keys import Key, key_row
from display.page import Page
from display.paint.icons import icon
from display.paint.shapes import mark
from display.paint.tokens import flag
from display.scenes.common import draw_banner
from display.scenes.forms import draw_fields, value_of
from display.scenes.keyboard import draw_keyboard
from display.scenes.paused import draw_paused
from display.scenes.seat import LANGUAGE_NAMES, draw_seat_sheet
from display.status import worst
from display.tables import screen_of
from display.theme import COLOUR_ORDER
from display.touch import Go, Put, Tell
from display.view import View
from display.widgets import Rect, band_height, button, check_disc, inset, say_key, slab, split, status_chip

DEPTHS = ("full", "light", "tally")
GROUPS = 3
"""Tables that have a key of their own; who sat here longer ago is known by name on the keyboard."""


class Offer(msgspec.Struct, frozen=True):
    """A game that can be started here."""

    id: str
    title: Text
    low: int = 1
    high: int = 8
    options: tuple[Field, ...] = ()
    robots: bool = True
    """A robot can sit at it."""
    colours: tuple[str, ...] = ()
    """The colours of its pieces; empty: any."""
    starts: bool = False
    """Whoever is to begin begins; else whoever sits first."""


def offers(view: View) -> list[Offer]:
    """The games, ours first."""
    setup = view.lobby.setup
    found = [
        Offer(
            name,
            told.title,
            *told.players,
            told.options,
            told.robots,
            tuple(colour for colour in told.colours if colour in COLOUR_ORDER),
            told.starts,
        )
        for name in (view.state.games if view.state else ())
        for told in (setup.get(name) or lobby.Offer(title=Text(f"{name}/title")),)
    ]
    return sorted(found, key=lambda offer: (screen_of(offer.id).place, offer.id))


def draft(view: View, known: list[Offer]) -> GameDraft:
    """What will be started: as picked here, else the same game again with the same players, and the next one begins."""
    again = view.lobby.again
    if again is None or again.game not in {one.id for one in known}:
        again = lobby.Again(game=known[0].id if known else "")
    depth = str(again.options.get("depth", "full"))
    usual: GameDraft = {"game": again.game, "first": again.first, "depth": depth, "seats": []}
    picked: Any = view.pick("setup") or {}
    wanted: GameDraft = usual | picked
    offer = next((o for o in known if o.id == wanted["game"]), None)
    low, high = (offer.low, offer.high) if offer else (1, 8)
    seats = list(wanted["seats"]) or _seated(view.lobby.last)
    least = max(low, 1 if seats else 2)
    while len(seats) < least:
        seats.append(new_seat(seats, view.settings.get("language", "en")))
    colours = of_the_pieces([seat["colour"] for seat in seats[:high]], offer.colours if offer else ())
    wanted["seats"] = [{**seat, "colour": colour} for seat, colour in zip(seats, colours, strict=False)]
    wanted["first"] = wanted["first"] if offer and offer.starts and wanted["first"] < len(wanted["seats"]) else 0
    return wanted


def _with_variants(view: View, game: str) -> View:
    """Those the same game was played with last, until somebody says otherwise."""
    again = view.lobby.again
    if view.pick("options") is not None or again is None or again.game != game:
        return view
    return msgspec.structs.replace(view, local={**view.local, "options": again.options})


def _seated(group: tuple[lobby.Sitter, ...]) -> list[SeatDraft]:
    return [{"name": s.name, "colour": s.colour, "language": s.language, "bot": s.bot} for s in group if s.name]


def new_seat(seats: list[SeatDraft], language: str) -> SeatDraft:
    """The next free colour, and a name to be changed."""
    taken = {seat["colour"] for seat in seats}
    colour = next((c for c in COLOUR_ORDER if c not in taken), "")
    word = {"pl": "Gracz", "fr": "Joueur"}.get(language, "Player")
    return {"name": f"{word} {len(seats) + 1}", "colour": colour, "language": language, "bot": ""}


def draw(page: Page, view: View) -> None:
    """Games at the left, players and help at the right, start below."""
    t = page.theme
    known = offers(view)
    wanted = draft(view, known)
    view = _with_variants(view, wanted["game"])
    offer = next((o for o in known if o.id == wanted["game"]), None)
    height = round(band_height(page) * 0.9)
    trouble = worst(view)
    page.piece("band", (0, 0, t.width, height), trouble, lambda: _top(page, view, height))
    foot_h = max(t.touch, t.u(86, 66) * (1 + 0.2 * (t.zoom - 1)))
    m = t.u(32, 10)
    foot = (m, t.height - t.u(24, 8) - foot_h, t.width - 2 * m, foot_h)
    body = (m, height, t.width - 2 * m, foot[1] - height - t.u(24, 10))
    if t.kind == "tall":
        games: Rect = (body[0], body[1], body[2], body[3] * 0.36)
        people: Rect = (body[0], body[1] + body[3] * 0.38, body[2], body[3] * 0.62)
    else:
        share = 0.375 if t.kind == "wide" else 0.34
        games = (body[0], body[1], body[2] * share, body[3])
        people = (body[0] + body[2] * share + t.u(28, 12), body[1], body[2] * (1 - share) - t.u(28, 12), body[3])
    _games(page, known, wanted, games)
    if view.pick("paused") and view.lobby.paused:
        draw_paused(page, view, view.lobby.paused, people)
    elif view.pick("variants") and offer:
        _rules(page, view, offer, wanted, people)
    else:
        _people(page, view, offer, wanted, people)
    _foot(page, view, offer, wanted, foot)
    if wanted.get("edit") is not None and not view.pick("keys"):
        robots = offer is not None and offer.robots and wanted["depth"] == "full"
        colours = offer.colours if offer else ()
        stays = offer is not None and offer.starts
        draw_seat_sheet(page, view, wanted, offer.high if offer else 8, robots=robots, colours=colours, stays=stays)
    draw_keyboard(page, view)
    draw_banner(page, view, (t.width * 0.2, height, t.width * 0.6, t.u(84, 64)), page.motion.now)


def _top(page: Page, view: View, height: int) -> None:
    t = page.theme
    side = max(t.touch, round(height * 0.7))
    page.touch("menu", (t.width - side, 0, side, height - 2), Go("menu"), key="escape", grow=0)
    page.blit(icon("dots", t.u(17, 13), page.c.dim), t.width - side / 2, height / 2)
    words = page.forms(worst(view).short)[-1]
    chip_h = t.u(42, 30) * min(1.2, t.zoom)
    chip_w = min(t.width * 0.4, fonts.width(words, "bold", round(t.size("chip"))) + chip_h * 1.4)
    status_chip(page, view, (t.width - side - chip_w, (height - chip_h) / 2, chip_w, chip_h))
    page.text(
        say_key("setup/title"), (t.u(32, 14), 0, t.width - side - chip_w - t.u(52, 24), height), "title", floor=0.5
    )


def _games(page: Page, known: list[Offer], wanted: GameDraft, box: Rect) -> None:
    t = page.theme
    n = max(1, len(known))
    columns = 2 if t.kind != "tall" else min(4, n)
    rows = -(-n // columns)
    cells = [c for row in split(box, rows, t.u(16, 10), down=True) for c in split(row, columns, t.u(16, 10))]
    tallest = t.u(216, 160)
    for offer, cell in zip(known, cells, strict=False):
        spot = (cell[0], cell[1], cell[2], min(cell[3], tallest))
        if rows > 1:
            row = (cell[1] - box[1]) / max(1.0, cell[3] + t.u(16, 10))
            spot = (cell[0], box[1] + row * (spot[3] + t.u(16, 10)), cell[2], spot[3])
        chosen = offer.id == wanted["game"]
        page.part(f"game {offer.id}", spot, (offer, chosen, repr(wanted)), _game, offer, chosen, wanted, spot)


def _game(page: Page, offer: Offer, chosen: bool, wanted: GameDraft, box: Rect) -> None:
    t, c = page.theme, page.c
    act = Put({"setup": {**wanted, "game": offer.id, "edit": None}, "options": None, "variants": None})
    pressed = page.touch(f"game-{offer.id}", box, act)
    fill = c.press if pressed else c.raised if chosen else c.surface
    slab(page, box, fill, t.u(20, 14), outline=c.brass if chosen else None, width=3)
    x, y, w, h = inset(box, t.u(10, 6), t.u(10, 6))
    art = h * 0.57
    screen_of(offer.id).cover(page, x + w / 2, y + art * 0.52, min(art, w) * 0.44)
    page.text(offer.title, (x, y + h * 0.58, w, h * 0.26), "strong", align="center", floor=0.5, lines=2)
    any_game = any(field.id == TITLE for field in offer.options)
    seats = say_key("setup/any") if any_game else say_key("setup/players-range", low=offer.low, high=offer.high)
    page.text(seats, (x, y + h * 0.83, w, h * 0.16), "label", c.dim, align="center", floor=0.5)
    if chosen:
        check_disc(page, box[0] + box[2] - t.u(30, 18), box[1] + t.u(30, 18), t.u(16, 10), c.brass)


def _people(page: Page, view: View, offer: Offer | None, wanted: GameDraft, box: Rect) -> None:
    t = page.theme
    x, y, w, h = box
    seats = wanted["seats"]
    high = offer.high if offer else 8
    label = _who(page, view, wanted, box)
    depth_h = max(t.touch, t.u(84, 62) * (1 + 0.2 * (t.zoom - 1)))
    show_depth = offer is None or screen_of(offer.id).depths
    above = t.size("body") * 1.5
    list_h = h - label - (depth_h + above if show_depth else 0) - t.u(8, 4)
    add = len(seats) < high
    least = max(t.touch, t.u(75, 60))  # a row and half the gaps around it
    columns = 1 if (len(seats) + add) * least <= list_h + t.gap else 2
    rows = -(-(len(seats) + add) // columns)
    pitch = min(t.u(78, 62), list_h / max(1, rows))
    each = pitch - t.u(10, 6)
    width = (w - t.gap * (columns - 1)) / columns
    for i in range(len(seats) + add):
        cell = (x + (i % columns) * (width + t.gap), y + label + (i // columns) * pitch, width, each)
        page.part(f"seat {i}", cell, repr(wanted), _seat, view, wanted, i, cell)
    if show_depth:
        low = y + h - depth_h
        _label(page, "depth-label", "setup/help", (x, low - above, w, above))
        page.part("depth", (x, low, w, depth_h), repr(wanted), _depth, wanted, (x, low, w, depth_h))


def _label(page: Page, name: str, word: str, box: Rect) -> None:
    page.piece(name, box, word, lambda: page.text(say_key(word), box, "body", page.c.dim))


def _who(page: Page, view: View, wanted: GameDraft, box: Rect) -> float:
    """A heading; where several groups have sat here, a key for each instead: all of them sit down at one touch."""
    t = page.theme
    names = [seat["name"] for seat in wanted["seats"]]
    groups = [_seated(group) for group in view.lobby.groups][:GROUPS]
    if not any([seat["name"] for seat in group] != names for group in groups):
        _label(page, "players-label", "setup/players", (box[0], box[1], box[2], t.size("body") * 1.5))
        return t.size("body") * 1.5
    high = max(float(t.touch), t.u(58, 46))
    keys = []
    for number, group in enumerate(groups):
        here = [seat["name"] for seat in group]
        sit = Put({"setup": {**wanted, "seats": group, "edit": None, "first": 0}})
        keys.append(Key(f"group {number}", ", ".join(here), sit, "chosen" if here == names else "ghost", role="label"))
    key_row(page, view, (box[0], box[1], box[2], high), keys)
    return high + t.gap


def _seat(page: Page, view: View, wanted: GameDraft, i: int, box: Rect) -> None:
    t, c = page.theme, page.c
    seats = wanted["seats"]
    x, y, w, h = box
    if i >= len(seats):
        more = [*seats, new_seat(seats, str(view.settings.get("language", "en")))]
        button(
            page,
            "add-seat",
            box,
            say_key("setup/add"),
            Put({"setup": {**wanted, "seats": more}}),
            look="ghost",
            sign="plus",
            role="body",
        )
        return
    seat = seats[i]
    paint = t.player(seat["colour"])
    pressed = page.touch(f"seat {i}", box, Put({"setup": {**wanted, "edit": i}}))
    slab(page, box, c.press if pressed else c.surface, t.u(16, 12))
    tab = min(t.u(84, 56), w * 0.2)
    slab(page, (x, y, tab, h), paint.fill, t.u(16, 12), shadow=False)
    page.surface.fill(paint.fill, (round(x + tab / 2), round(y), round(tab / 2), round(h)))
    page.blit(mark(paint, h * 0.22, t, ink=True), x + tab / 2, y + h / 2)
    dots_w = t.u(76, 44)
    language = LANGUAGE_NAMES.get(seat["language"], "")
    narrow = w < t.u(460, 330)
    lang_w = 0 if narrow else w * 0.2
    left = x + tab + t.u(22, 12)
    first = i == wanted["first"]
    room = x + w - dots_w - lang_w - left - t.u(10, 6) - (t.u(50, 30) if first else 0)
    name = page.text(
        seat["name"], (left, y, room, h), "body", size=t.size("body") * 1.12, floor=0.5, lines=2, typed=True
    )
    if first:
        page.blit(flag(t.u(28, 19), c.brass_text), name.right + t.u(30, 18), y + h / 2)
    if seat["bot"]:
        language = page.say(f"display/setup/robot/{seat['bot']}")
    if lang_w:
        page.text(
            language, (x + w - dots_w - lang_w, y, lang_w - t.u(14, 8), h), "label", c.dim, align="right", floor=0.6
        )
    page.blit(icon("dots", min(t.u(16, 12), h * 0.28), c.dim), x + w - dots_w / 2, y + h / 2)


def _depth(page: Page, wanted: GameDraft, box: Rect) -> None:
    t = page.theme
    slab(page, box, page.c.surface, t.u(16, 12), shadow=False)
    for depth, cell in zip(DEPTHS, split(inset(box, t.u(4, 3)), 3, t.u(4, 3)), strict=True):
        chosen = wanted["depth"] == depth
        button(
            page,
            f"depth-{depth}",
            cell,
            say_key(f"setup/depth/{depth}"),
            Put({"setup": {**wanted, "depth": depth}}),
            look="chosen" if chosen else "raised",
            note=page.forms(f"display/setup/depth/{depth}/note"),
        )


def _rules(page: Page, view: View, offer: Offer, wanted: GameDraft, box: Rect) -> None:
    """How it is played; above it games of our own whose rules are known, a touch each."""
    t = page.theme
    pads = [pad for pad in view.lobby.pads if pad.game == offer.id][:4]
    if pads:
        high = max(float(t.touch), t.u(66, 52))
        keys = [
            Key(
                f"pad {pad.title}",
                pad.title,
                Put({"options": {**pad.options, TITLE: pad.title}}),
                "ghost",
                role="label",
            )
            for pad in pads
        ]
        key_row(page, view, (box[0], box[1], box[2], high), keys)
        box = (box[0], box[1] + high + t.gap, box[2], box[3] - high - t.gap)
    draw_fields(page, view, tuple(f for f in offer.options if f.id != "depth"), box, "options")


def options_of(view: View, offer: Offer, wanted: GameDraft) -> dict[str, Any]:
    """The variants as they are sent."""
    values = {f.id: value_of(view, f, "options") for f in offer.options}
    plain = {key: list(v) if isinstance(v, tuple) else v for key, v in values.items()}
    first = {"first": wanted["first"]} if wanted["first"] else {}
    return {**plain, **first, "depth": wanted["depth"]}


def _foot(page: Page, view: View, offer: Offer | None, wanted: GameDraft, box: Rect) -> None:
    t = page.theme
    away = view.lobby.paused
    sign = "" if away and t.kind == "tall" else "phone"
    keys = [Key("phones", say_key("setup/phones"), Go("join"), "ghost", sign, share=1.1)]
    if away:
        shut = bool(view.pick("paused"))
        word = say_key("setup/paused-close") if shut else say_key("setup/paused", n=len(away))
        keys.append(Key("paused", word, Put({"paused": None if shut else True, "variants": None}), share=1.1))
    if offer is not None:
        keys += _start_keys(view, offer, wanted)
    key_row(page, view, box, keys, gap=t.u(16, 8))


def _start_keys(view: View, offer: Offer, wanted: GameDraft) -> list[Key]:
    """Variants where the game has some, and the brass button that begins it."""
    variants = [f for f in offer.options if f.id != "depth"]
    count = sum(1 for f in variants if f.value is not None and value_of(view, f, "options") != f.value)
    open_now = bool(view.pick("variants"))
    title = next((str(value_of(view, f, "options")).strip() for f in variants if f.id == TITLE), None)
    label = (
        say_key("setup/variants-close")
        if open_now
        else say_key("setup/own-rules")
        if title is not None
        else say_key("setup/variants", n=count)
        if count
        else say_key("setup/variants-none")
    )
    opening = Put({"variants": None if open_now else True, "paused": None})
    keys = [Key("variants", label, opening)] if variants else []
    seats = wanted["seats"]
    start = Tell("new game", {"game": offer.id, "seats": seats, "options": options_of(view, offer, wanted)})
    off = say_key("setup/too-few", n=offer.low) if len(seats) < offer.low else None
    start_key = Key(
        "start",
        say_key("setup/start", game=title or offer.title),
        start,
        "brass",
        role="primary",
        off=off,
        key="return",
    )
    return [*keys, msgspec.structs.replace(start_key, share=1.7)]
