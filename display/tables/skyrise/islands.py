"""The owner's map: tap a neighbourhood to change its faction, its borders, its features or its bridges.

Every change is a correction of the box: the rules check it, the journal keeps it, and the next games have it too.
"""

from __future__ import annotations

from typing import Any

from companion.game import Text
from companion.shown.skyrise import FACTIONS, SiteShown
from display.page import Page
from display.scenes.box import values
from display.scenes.common import draw_banner
from display.scenes.sheet import draw_sheet
from display.tables.skyrise.boards import SHEETS
from display.tables.skyrise.map import draw_map, in_focus, island_name, shown
from display.touch import Act, Both, Play, Put
from display.view import View
from display.widgets import Rect, button, heading, say_key, split

MODES = ("faction", "border", "lake", "airship", "windmill", "bridge", "ring", "token")
SLOTS = {"north-west": "NW", "north-east": "NE", "south-east": "SE", "south-west": "SW"}
"""Where an outer island lies, as the box writes it."""
LETTERS = "YGWB"
CLOSE = Put({"sky-edit": None, "sky-first": None, "sky-feature": None})


def draw(page: Page, view: View) -> None:
    """One island large, what a tap changes at the right."""
    t = page.theme
    island = in_focus(view, set())
    mode = str(view.pick("sky-edit"))
    title = Text("skyrise/edit/title", {"island": island_name(view, island)})
    head = heading(page, title, CLOSE)
    top, low = head + t.u(8, 6), t.height - t.u(16, 8)
    m = t.margin
    if t.kind == "tall":
        large: Rect = (m, top, t.width - 2 * m, (low - top) * 0.56)
        side: Rect = (m, top + (low - top) * 0.56 + t.gap, t.width - 2 * m, (low - top) * 0.44 - t.gap)
    else:
        wide = (t.width - 2 * m) * 0.64
        large = (m, top, wide, low - top)
        side = (m + wide + t.gap, top, t.width - 2 * m - wide - t.gap, low - top)
    draw_map(page, view, large, marked(view, island, mode), acts(view, island, mode), label="islands-edit")
    _modes(page, view, side, island, mode)
    banner = (m, low - t.u(84, 64), t.width - 2 * m, t.u(84, 64))
    draw_banner(page, view, banner, page.motion.now)
    draw_sheet(page, view, SHEETS)


def _modes(page: Page, view: View, box: Rect, island: str, mode: str) -> None:
    """What a tap changes; for features, which of them."""
    t = page.theme
    known = features(view, island, mode) if mode in ("lake", "airship", "windmill") else None
    at = _chosen(view, known) if known is not None else 0
    share = 0.58 if t.kind == "tall" else 0.7
    across = 3 if t.kind == "tall" else 2
    rows = split((box[0], box[1], box[2], box[3] * share), -(-len(MODES) // across), t.gap, down=True)
    cells = [cell for row in rows for cell in split(row, across, t.gap)]
    central = mode == "bridge" and island == "C"
    content = (mode, island, repr(known), at, box, view.pick("sky-feature"), view.pick("sky-first"), central)

    def paint(page: Page) -> None:
        for name, cell in zip(MODES, cells, strict=False):
            look = "chosen" if name == mode else "raised"
            act = Put({"sky-edit": name, "sky-first": None, "sky-feature": 0})
            word = say_key("skyrise/ring") if name == "ring" else Text(f"skyrise/edit/{name}")
            off = Text("skyrise/edit/outer-only") if name == "ring" and island == "C" else None
            button(page, f"mode {name}", cell, word, None if off else act, look=look, off=off, lines=2)
        low = (box[0], box[1] + box[3] * share + t.gap, box[2], box[3] * (1 - share) - t.gap)
        if central:
            _which_slot(page, view, low)
            return
        if known is None:
            told = _ring_help(view) if mode == "ring" else Text(f"skyrise/edit/help-{mode}")
            doubtful = by_airship(view, island) if mode == "border" else []
            words, rest = split(low, 2, t.gap, down=True) if doubtful else (low, low)
            page.text(told, words, "body", page.c.dim, align="center", lines=3, floor=0.5)
            if doubtful:
                pairs = ", ".join(f"{a}–{b}" for a, b in doubtful)
                page.text(Text("skyrise/edit/by-airship", {"pairs": pairs}), rest, "small", page.c.warn, align="center",
                          lines=3, floor=0.4)  # fmt: skip
            return
        text, rest = split(low, 2, t.gap, down=True)
        place = Text("skyrise/edit/which", {"place": at + 1, "whole": max(len(known), at + 1)})
        page.text(place, text, "body", page.c.dim, align="center", floor=0.5)
        following = (at + 1) % (len(known) + 1)
        word = Text("skyrise/edit/new" if following == len(known) else "skyrise/edit/next")
        button(page, "feature", rest, word, Put({"sky-feature": following}), sign="right")

    page.part("modes", box, content, paint)


def _which_slot(page: Page, view: View, box: Rect) -> None:
    """Which island's bridges end at the lit central neighbourhoods, and on to the next."""
    text, rest = split(box, 2, page.theme.gap, down=True)
    places = placed(view)
    at = _slot(view)
    island = places[at][0] if places else "C"
    words = say_key("skyrise/bridges-to", island=island_name(view, island))
    page.text(words, text, "body", page.c.dim, align="center", lines=2, floor=0.5)
    following = Put({"sky-feature": (at + 1) % max(1, len(places))})
    button(page, "feature", rest, Text("skyrise/edit/next"), following, sign="right")


def _ring_help(view: View) -> Text:
    return say_key("skyrise/ring-second") if view.pick("sky-first") else say_key("skyrise/ring-first")


# -- the map as the box has it -----------------------------------------------------------------------------------------


def key(island: str, what: str) -> str:
    """The box value behind a part of an island."""
    return f"map.central.{what}" if island == "C" else f"map.outer-{island}.{what}"


def _name(site: str) -> str:
    return site.partition(".")[2]


def by_airship(view: View, island: str) -> list[list[str]]:
    """Borders whose two neighbourhoods also meet at an airship: a corner is not a border, so the owner looks these over."""
    ships = [set(one.sites) for one in shown(view).features if one.kind == "airship"]
    return [
        pair for pair in edges(view, island) if any({f"{island}.{name}" for name in pair} <= ship for ship in ships)
    ]


def _own(view: View, island: str) -> list[SiteShown]:
    return [site for site in shown(view).sites if site.island == island]


def edges(view: View, island: str) -> list[list[str]]:
    """The island's borders, by name."""
    inside = {site.id for site in _own(view, island)}
    return [[_name(a), _name(b)] for a, b in shown(view).borders if a in inside and b in inside]


def features(view: View, island: str, kind: str) -> list[list[str]]:
    """The island's features of one kind, each with the names of its neighbourhoods."""
    found = [feature for feature in shown(view).features if feature.kind == kind]
    return [[_name(site) for site in feature.sites] for feature in found if feature.id.partition(".")[0] == island]


def ports(view: View, island: str) -> list[str]:
    """The two neighbourhoods that carry the central bridges."""
    return [_name(a) for a, b in shown(view).bridges if a.partition(".")[0] == island and b[0] == "C"]


def placed(view: View) -> list[tuple[str, str]]:
    """The outer islands on the table and the slot each lies in."""
    return [(one.id, SLOTS[one.place]) for one in shown(view).islands if one.place in SLOTS]


def _slot(view: View) -> int:
    return int(view.pick("sky-feature") or 0) % max(1, len(placed(view)))


def ends(view: View, island: str) -> list[str]:
    """The central neighbourhoods an island's two bridges end at, in the order of its ports."""
    found = shown(view).bridges
    return [_name(b) for a, b in found if a.partition(".")[0] == island and b.partition(".")[0] == "C"]


def ring(view: View) -> list[list[str]]:
    """Bridges between outer islands as the box writes them; those of islands not on the table are kept."""
    slots = dict(placed(view))
    lying = [
        [slots[a.partition(".")[0]], _name(a), slots[b.partition(".")[0]], _name(b)]
        for a, b in shown(view).bridges
        if a.partition(".")[0] in slots and b.partition(".")[0] in slots
    ]
    known: list[list[str]] = next((v.value for v in values(view, "skyrise") or [] if v.key == "map.ring.bridges"), [])
    return lying + [list(b) for b in known if not {b[0], b[2]} <= set(slots.values())]


def _chosen(view: View, known: list[list[str]]) -> int:
    picked = view.pick("sky-feature", 0)
    return min(int(picked or 0), len(known))


def marked(view: View, island: str, mode: str) -> set[str]:
    """The sites that glow: what the present mode is about."""
    if mode == "border":
        first = str(view.pick("sky-first") or "")
        near = {b for pair in edges(view, island) for a, b in (pair, reversed(pair)) if f"{island}.{a}" == first}
        return {first, *(f"{island}.{name}" for name in near)} if first else set()
    if mode == "bridge" and island == "C":
        places = placed(view)
        return {f"C.{name}" for name in ends(view, places[_slot(view)][0])} if places else set()
    if mode == "bridge":
        return {f"{island}.{name}" for name in ports(view, island)}
    if mode == "ring":
        first = str(view.pick("sky-first") or "")
        mine = {end for a, b in shown(view).bridges for end in (a, b) if "C" not in (a[0], b[0])}
        return {site for site in (*mine, first) if site.partition(".")[0] == island}
    if mode in ("faction", "token"):
        return set()
    known = features(view, island, mode)
    at = _chosen(view, known)
    return {f"{island}.{name}" for name in known[at]} if at < len(known) else set()


def _box(island: str, what: str, value: Any) -> Act:
    return _our(key(island, what), value)


def _our(key: str, value: Any) -> Act:
    return Play({"kind": "box", "key": key, "value": value})


def acts(view: View, island: str, mode: str) -> dict[str, Act]:
    """What a tap on each site of the island does."""
    found: dict[str, Act] = {}
    for i, site in enumerate(_own(view, island)):
        name = site.id
        if mode == "faction":
            letters = [LETTERS[FACTIONS.index(s.faction)] for s in _own(view, island)]
            letters[i] = LETTERS[(LETTERS.index(letters[i]) + 1) % 4]
            found[name] = _box(island, "factions", "".join(letters))
        elif mode == "border":
            found[name] = _border(view, island, name)
        elif mode == "bridge" and island == "C":
            places = placed(view)
            if places and _name(name) not in (now := ends(view, places[_slot(view)][0])):
                found[name] = _our(f"map.slots.{places[_slot(view)][1]}", [*now[1:], _name(name)])
        elif mode == "bridge":
            if _name(name) not in ports(view, island):
                found[name] = _box(island, "ports", [*ports(view, island)[1:], _name(name)])
        elif mode == "ring":
            if island != "C":
                found[name] = _ring(view, island, name)
        elif mode == "token":
            if site.piece is None or site.piece.where != "built":
                found[name] = Put({"sheet": f"lying {name}"})
        else:
            found[name] = _feature(view, island, mode, _name(name))
    return found


def _border(view: View, island: str, site: str) -> Act:
    """The first tap picks a site, the second draws or removes the border between them."""
    first = str(view.pick("sky-first") or "")
    if not first or first == site or first.partition(".")[0] != island:
        return Put({"sky-first": None if first == site else site})
    pair = {_name(first), _name(site)}
    known = edges(view, island)
    left = [edge for edge in known if set(edge) != pair]
    new = left if len(left) < len(known) else [*known, [_name(first), _name(site)]]
    return Both((_box(island, "edges", new), Put({"sky-first": None})))


def _ring(view: View, island: str, site: str) -> Act:
    """The first tap picks a site, the second, on another island, builds or takes away the bridge between them."""
    first = str(view.pick("sky-first") or "")
    slots = dict(placed(view))
    start = first.partition(".")[0]
    if start not in slots or start == island:
        return Put({"sky-first": None if first == site else site})
    new = [slots[start], _name(first), slots[island], _name(site)]
    known = ring(view)
    left = [b for b in known if {(b[0], b[1]), (b[2], b[3])} != {(new[0], new[1]), (new[2], new[3])}]
    after = left if len(left) < len(known) else [*known, new]
    return Both((_our("map.ring.bridges", after), Put({"sky-first": None})))


def _feature(view: View, island: str, kind: str, name: str) -> Act:
    known = [list(around) for around in features(view, island, kind)]
    at = _chosen(view, known)
    if at == len(known):
        known.append([name])
    elif name in known[at]:
        known[at].remove(name)
    else:
        known[at].append(name)
    return _box(island, f"{kind}s", [around for around in known if around])
