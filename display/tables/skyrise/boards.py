"""Players' boards on the screen: in a column beside the islands, and whole on a sheet, where slips are put right."""

from __future__ import annotations

from companion.game import Ask, Choice, Text
from companion.shown.skyrise import FACTIONS, Board
from display.layout import TablePlan
from display.page import Page
from display.paint.shapes import mark
from display.scenes.choices import act_for, alone
from display.scenes.common import ask_of
from display.scenes.curtain import hand_to, without_phone
from display.scenes.sheet import CLOSE, Opener, Sheet
from display.tables.skyrise.map import shown
from display.tables.skyrise.pieces import building, faction, put_token, wonder
from display.touch import Act, Both, Play, Put
from display.view import View
from display.widgets import Rect, button, dashed, dots, inset, say_key, slab, split

TOKENS = (*FACTIONS, "A", "B", "C", "D", "wild", "commission")


def draw_boards(page: Page, view: View, plan: TablePlan) -> None:
    """Everybody in the right column; a touch opens the whole board."""
    t, players, ask = page.theme, shown(view).players, ask_of(view)
    n = max(1, len(players))
    x, y, w, h = plan.right
    each = min(t.u(150, 110), (h - t.gap * (n - 1)) / n)
    for i, player in enumerate(players):
        seat = player.seat
        box = (x, y + i * (each + t.gap), w, each)
        active = ask is not None and (seat == ask.seat or seat in ask.waiting)
        content = (player, active, view.colour(seat), view.name(seat))
        page.part(f"player {seat}", (x, box[1], w, each), content, _player, view, player, box, active)


def _player(page: Page, view: View, player: Board, box: Rect, active: bool) -> None:
    t, c = page.theme, page.c
    paint = t.player(view.colour(player.seat))
    edge = (paint.edge if t.light else paint.fill) if active else None
    pressed = page.touch(f"board {player.seat}", box, Put({"sheet": f"board {player.seat}"}))
    slab(page, box, c.press if pressed else c.raised if active else c.surface, t.u(14, 10), outline=edge, width=3)
    x, y, w, h = inset(box, t.u(14, 8), t.u(6, 4))
    r = min(t.u(15, 10), h * 0.2)
    points = min(w * 0.34, t.u(96, 58) * min(1.25, t.zoom))
    page.blit(mark(paint, r, t), x + r, y + h * 0.27)
    left = x + 2 * r + t.u(10, 6)
    page.text(view.name(player.seat), (left, y, w - points - (left - x), h * 0.5), "body", floor=0.4, typed=True)
    high = h if player.initiative is None else h * 0.6
    page.text(str(player.points), (x + w - points, y, points, high), "points", align="right", floor=0.4)
    if player.initiative is not None:
        words = Text("skyrise/screen/initiative", {"initiative": player.initiative})
        page.text(words, (x + w * 0.5, y + h * 0.62, w * 0.5, h * 0.38), "small", c.dim, align="right", floor=0.86)
    share = 0.5 if player.initiative is not None else 1.0
    _means(page, view, player, (x, y + h * 0.52, (w - points - t.u(6, 4)) * max(share, 0.8), h * 0.48))


def _means(page: Page, view: View, player: Board, box: Rect) -> None:
    """What stands on the islands, by height."""
    t = page.theme
    x, y, w, h = box
    paint = t.player(view.colour(player.seat))
    built = player.built
    each = w / 3
    r = min(0.36 * h, 0.3 * each)
    for i, (kind, count) in enumerate((("tall", built.tall), ("medium", built.medium), ("small", built.small))):
        page.blit(building(paint, kind, r, t), x + each * i + 0.74 * r, y + h * 0.5)
        page.text(str(count), (x + each * i + 1.6 * r, y, each - 1.62 * r, h), "label", floor=0.45)


def draw_tokens(page: Page, view: View, box: Rect, ask: Ask) -> None:
    """Which token lay there: each as it looks, with its name."""
    t = page.theme
    across = -(-len(ask.choices) // 2)
    cells = [cell for row in split(box, 2, t.gap, down=True) for cell in split(row, across, t.u(6, 4))]
    for choice, cell in zip(ask.choices, cells, strict=False):
        content = (choice, cell, view.pending == choice.id)
        page.part(f"token {choice.id}", cell, content, _token_key, view, ask, choice, cell)


def _token_key(page: Page, view: View, ask: Ask, choice: Choice, box: Rect) -> None:
    t, c = page.theme, page.c
    pressed = page.touch(choice.id, box, act_for(choice, ask), small=box[2] < t.touch)
    if choice.off is not None:
        dashed(page, box, c.line, t.u(12, 8))
    else:
        slab(page, box, c.press if pressed else c.raised, t.u(12, 8), shine=True)
    if view.pending == choice.id:
        dots(page, box, c.text)
        return
    x, y, w, h = inset(box, t.u(4, 2), t.u(4, 2))
    r = min(h * 0.27, w * 0.3)
    put_token(page, choice.id, x + w / 2, y + h * 0.34, r)
    ink = c.faint if choice.off is not None else c.dim
    name = choice.off if choice.off is not None else Text(f"skyrise/token/{choice.id}")
    page.text(alone(page, name), (x, y + h * 0.64, w, h * 0.36), "small", ink, align="center", lines=2, floor=0.86)


# -- the sheets --------------------------------------------------------------------------------------------------------


def _of(view: View, seat: str) -> Board | None:
    return next((player for player in shown(view).players if str(player.seat) == seat), None)


def _whole(page: Page, view: View, seat: str) -> Sheet | None:
    """A player's whole board: pieces, tokens, keys, wonders, and what can be put right."""
    player = _of(view, seat)
    if player is None:
        return None
    content = (player, view.colour(player.seat), view.name(player.seat), shown(view).values, view.seats)
    return repr(content), (0.86, 0.86), lambda box: _paint_board(page, view, player, box)


def _paint_board(page: Page, view: View, player: Board, box: Rect) -> None:
    t = page.theme
    x, y, w, h = inset(box, t.u(24, 12), t.u(16, 8))
    head, foot = h * 0.13, max(t.touch, t.u(70, 54))
    _title(page, view, player, (x, y, w, head))
    body = (x, y + head, w, h - head - foot - t.gap)
    left, right = (
        (body[0], body[1], body[2] * 0.46, body[3]),
        (body[0] + body[2] * 0.5, body[1], body[2] * 0.5, body[3]),
    )
    _pieces(page, view, player, (left[0], left[1], left[2], left[3] * 0.42))
    _tokens(page, view, player, (left[0], left[1] + left[3] * 0.46, left[2], left[3] * 0.54))
    _wonders(page, view, player, right)
    keys: list[tuple[str, Text, Act]] = [("sheet-shut", say_key("close"), CLOSE)]
    if view.state is not None and view.state.phase == "playing":
        keys.insert(0, ("board-token", Text("skyrise/screen/wrong-token"), Put({"sheet": f"token {player.seat}"})))
        if not player.gone:
            keys.insert(1, ("board-leave", Text("skyrise/screen/goes-home"), Put({"sheet": f"leave {player.seat}"})))
        if player.seat in without_phone(view):
            secrets = Both((CLOSE, hand_to(player.seat)))
            keys.insert(0, ("board-secrets", say_key("curtain/mine"), secrets))
    cells = split((x, y + h - foot, w, foot), len(keys), t.gap)
    for (name, text, act), cell in zip(keys, cells, strict=True):
        button(page, name, cell, text, act, look="ghost" if act is CLOSE else "raised", role="label")


def _title(page: Page, view: View, player: Board, box: Rect) -> None:
    t = page.theme
    x, y, w, h = box
    r = min(t.u(20, 13), h * 0.34)
    page.blit(mark(t.player(view.colour(player.seat)), r, t), x + r, y + h / 2)
    page.text(view.name(player.seat), (x + 3 * r, y, w * 0.34 - 3 * r, h), "strong", floor=0.4, typed=True)
    words = Text("skyrise/screen/plays", {"colour": Text(f"skyrise/pieces/{player.colour}")})
    if len(player.figures) > 1:
        second = Text(f"skyrise/colour/{player.figures[1]}")
        words = Text("skyrise/screen/plays-two", {"colour": Text(f"skyrise/pieces/{player.colour}"), "second": second})
    page.text(words, (x + w * 0.36, y, w * 0.46, h), "label", page.c.dim, lines=2, floor=0.5)
    page.text(str(player.points), (x + w * 0.84, y, w * 0.16, h), "points", align="right", floor=0.4)


def _pieces(page: Page, view: View, player: Board, box: Rect) -> None:
    """The numbers still to be built: those that may be bid now, those of era II."""
    t, c = page.theme, page.c
    rows = split(box, 2, t.u(6, 4), down=True)
    numbers = [str(one.number) for one in player.available if one.number]
    later = [str(one.number) for one in player.locked if one.number]
    for row, key, known in zip(rows, ("numbers", "dotted"), (numbers, later), strict=True):
        head = (row[0], row[1], row[2], row[3] * 0.38)
        page.text(Text(f"skyrise/screen/{key}"), head, "small", c.dim, floor=0.55)
        words = "  ".join(known) or "–"
        page.text(words, (row[0], row[1] + row[3] * 0.38, row[2], row[3] * 0.6), "figure", lines=2, floor=0.35)


def _tokens(page: Page, view: View, player: Board, box: Rect) -> None:
    """The four rows with what a structure there is worth; patrons, commissions, surplus and keys below."""
    t, c = page.theme, page.c
    x, y, w, h = box
    values = shown(view).values
    cells = split((x, y, w, h * 0.46), 4, t.u(6, 4))
    for name, cell in zip(FACTIONS, cells, strict=True):
        count = player.rows.get(name, 0)
        r = min(cell[3] * 0.24, cell[2] * 0.16)
        page.blit(faction(name, r, ground=c.surface), cell[0] + 1.2 * r, cell[1] + cell[3] * 0.32)
        page.text(str(count), (cell[0] + 2.6 * r, cell[1], cell[2] - 2.6 * r, cell[3] * 0.64), "figure", floor=0.4)
        worth = Text("skyrise/screen/worth", {"n": values[count] if count < len(values) else 0})
        page.text(worth, (cell[0], cell[1] + cell[3] * 0.62, cell[2], cell[3] * 0.38), "small", c.dim, floor=0.5)
    items = [*player.patrons, *["commission"] * player.commissions, *["wild"] * player.surplus]
    r = min(h * 0.12, w / max(8, len(items)) / 2.4)
    for i, token in enumerate(items):
        put_token(page, token, x + r + i * 2.4 * r, y + h * 0.64, r)
    said = [page.say("skyrise/screen/surplus", n=player.surplus)] if player.surplus else []
    said += [page.say(f"skyrise/key/{key}") for key in player.keys]
    if player.objective:
        said.append(page.say("skyrise/screen/objective", objective=Text(f"skyrise/faction/{player.objective}")))
    page.text(" · ".join(said), (x, y + h * 0.78, w, h * 0.2), "small", c.dim, lines=2, floor=0.5)


def _wonders(page: Page, view: View, player: Board, box: Rect) -> None:
    """The wonders with name, initiative, figure and what they do."""
    t, c = page.theme, page.c
    if not player.wonders:
        page.text(Text("skyrise/screen/no-wonder"), box, "body", c.dim, align="center", lines=3, floor=0.5)
        return
    each = min(box[3] / len(player.wonders) - t.gap / 2, t.u(236, 150))
    for i, card in enumerate(player.wonders):
        cell = (box[0], box[1] + i * (each + t.gap), box[2], each)
        slab(page, cell, c.raised, t.u(12, 8), shadow=False)
        x, y, w, h = inset(cell, t.u(14, 8), t.u(8, 5))
        r = min(t.u(26, 16), h * 0.2)
        page.blit(wonder(t.player(view.colour(player.seat)), r, t), x + r, y + h * 0.26)
        left = x + 2.6 * r
        page.text(Text(f"skyrise/wonder/{card.card}"), (left, y, x + w - left, h * 0.3), "strong", floor=0.45)
        state = Text("skyrise/screen/built" if card.built else "skyrise/screen/unbuilt")
        figure = Text(f"skyrise/colour/{card.colour}")
        told = Text("skyrise/screen/card", {"initiative": card.initiative, "figure": figure, "state": state})
        page.text(told, (left, y + h * 0.3, x + w - left, h * 0.2), "small", c.dim, floor=0.5)
        page.text(card.effect, (x, y + h * 0.54, w, h * 0.46), "body", lines=3, floor=0.45)


def _leaves(page: Page, view: View, seat: str) -> Sheet | None:
    """Somebody goes home: asked once more, since the others play on without them."""
    player = _of(view, seat)
    if player is None:
        return None

    def paint(box: Rect) -> None:
        t = page.theme
        x, y, w, h = inset(box, t.u(24, 14))
        text = Text("skyrise/screen/leave-sure", {"who": view.name(player.seat)})
        page.text(text, (x, y, w, h * 0.5), "prompt", align="center", lines=3, floor=0.45, typed=True)
        no, yes = split((x, y + h * 0.6, w, h * 0.4), 2, t.gap)
        button(page, "leave-no", no, say_key("close"), CLOSE, look="ghost")
        gone = Both((Play({"kind": "leave", "seat": player.seat}), CLOSE))
        button(page, "leave-yes", yes, Text("skyrise/screen/goes-home"), gone)

    return (seat, view.name(player.seat)), (0.56, 0.5), paint


def _held(player: Board) -> list[str]:
    """Tokens on a player's board that may have been told wrongly, each once."""
    found = [name for name in FACTIONS if player.rows.get(name, 0)]
    return [*found, *dict.fromkeys(player.patrons), *(["commission"] if player.commissions else [])]


def _wrong_token(page: Page, view: View, rest: str) -> Sheet | None:
    """A token that was told wrongly: which one it is in the record, then which one it really is."""
    seat, _, was = rest.partition(" ")
    player = _of(view, seat)
    if player is None:
        return None
    asked = Text("skyrise/screen/which-right" if was else "skyrise/screen/which-wrong", {"who": view.name(player.seat)})
    acts: dict[str, Act] = {}
    for name in _held(player) if not was else [one for one in TOKENS if one not in (was, "wild")]:
        move = {"kind": "correct", "seat": player.seat, "was": was, "token": name}
        acts[name] = Both((Play(move), CLOSE)) if was else Put({"sheet": f"token {seat} {name}"})
    return (rest, player), (0.8, 0.62), lambda box: _choose_token(page, asked, acts, box)


def _lying(page: Page, view: View, site: str) -> Sheet | None:
    """The token on an unbuilt neighbourhood is another one, or there is none."""
    if site not in {one.id for one in shown(view).sites}:
        return None
    acts: dict[str, Act] = {
        name: Both((Play({"kind": "correct", "site": site, "token": name if name != "none" else ""}), CLOSE))
        for name in (*TOKENS, "none")
    }
    return site, (0.8, 0.62), lambda box: _choose_token(page, Text("skyrise/screen/which-lies"), acts, box)


def _choose_token(page: Page, asked: Text, acts: dict[str, Act], box: Rect) -> None:
    t, c = page.theme, page.c
    x, y, w, h = inset(box, t.u(20, 12))
    page.text(asked, (x, y, w, h * 0.2), "strong", lines=2, floor=0.45, typed=True)
    across = 4 if t.kind != "tall" else 3
    rows = max(1, -(-len(acts) // across))
    cells = [
        cell
        for row in split((x, y + h * 0.24, w, h * 0.76), rows, t.gap, down=True)
        for cell in split(row, across, t.gap)
    ]
    for (name, act), cell in zip(acts.items(), cells, strict=False):
        pressed = page.touch(f"token-{name}", cell, act)
        slab(page, cell, c.press if pressed else c.raised, t.u(12, 8), shine=True)
        r = min(cell[3] * 0.3, cell[2] * 0.16)
        if name != "none":
            put_token(page, name, cell[0] + t.u(8, 5) + r, cell[1] + cell[3] / 2, r)
        words = (cell[0] + 2 * r + t.u(18, 11), cell[1], cell[2] - 2 * r - t.u(24, 14), cell[3])
        page.text(Text(f"skyrise/token/{name}"), words, "label", lines=2, floor=0.5)


SHEETS: dict[str, Opener] = {"board": _whole, "leave": _leaves, "token": _wrong_token, "lying": _lying}
"""What opens a sheet of Skyrise, by the first word of what was touched."""
