"""What each page should say, worked out from the core's state and the catalogues alone."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

from companion.game import Ask, Text, seat_name
from companion.wire.messages import State
from companion.wire.words import Words, plural_rule, read_package
from tests.conftest import PATIENCE
from tests.views import view_of

if TYPE_CHECKING:
    from phone_guests import Guest

SPACES = re.compile(r"[\s\u00a0\u202f]+")
TOWERS = ("blue", "gold", "red", "violet")


Given = ParamSpec("Given")


def in_the_end(check: Callable[Concatenate[Guest, Given], None]) -> Callable[Concatenate[Guest, Given], None]:
    """A page draws a moment after the table has spoken, and may fetch words first: what it must say, it says in the end."""

    @wraps(check)
    def checked(guest: Guest, *args: Given.args, **more: Given.kwargs) -> None:
        last = time.monotonic() + PATIENCE
        while True:
            try:
                return check(guest, *args, **more)
            except AssertionError:
                if time.monotonic() > last:
                    raise
            guest.table.pump(0.05)

    return checked


def plain(text: str) -> str:
    """Text as it is read: spaces are spaces."""
    return SPACES.sub(" ", text).strip()


class PageWords(Words):
    """The catalogues of the core and the games, and the page's own."""

    def _template(self, text: Text, variant: str) -> str:
        forms = read_package("companion.phone.words", self.language).get(text.key)
        if not forms:
            return super()._template(text, variant)
        count = int(str(text.params.get("n", 0)))
        return forms[0] if len(forms) == 1 else forms[min(plural_rule(self.language)(abs(count)), len(forms) - 1)]


def figure(value: int) -> str:
    """A number with a proper minus sign."""
    return str(value).replace("-", "\u2212")


def named(ask: Ask, seat: int | None) -> bool:
    """The question names this seat."""
    return seat is not None and (ask.seat == seat or seat in ask.waiting)


def whose(guest: Guest, ask: Ask) -> str:
    """The line over the prompt."""
    words = guest.words()
    if named(ask, guest.seat):
        return words.say("phone/name-your-turn", name=seat_name(guest.seat or 0))
    if ask.seat is not None:
        return words.say("phone/turn-of", name=seat_name(ask.seat))
    if ask.waiting:
        return words.say("phone/waiting-for", names=tuple(seat_name(seat) for seat in ask.waiting))
    return words.say("phone/everybody")


def assert_band(guest: Guest, state: State, ask: Ask) -> None:
    """Whose turn, which round, what is asked."""
    assert guest.texts(".band .whose") == [plain(whose(guest, ask))]
    if isinstance(view_of(state).get("round"), int):
        assert guest.texts(".band .round") == [guest.own("phone/round", round=view_of(state)["round"])]
    assert guest.texts(".prompt") == [guest.say(ask.text)]
    title = plain(guest.page.title())
    assert (guest.own("phone/your-turn") in title) == named(ask, guest.seat)


def assert_strip(guest: Guest, state: State) -> None:
    """Everybody's name and points."""
    points = [figure(player["points"]) for player in view_of(state)["players"]]
    assert guest.texts(".strip .score .points") == points
    assert guest.texts(".strip .score .who") == [seat.name for seat in state.seats]


@in_the_end
def shows_skytopia(guest: Guest, state: State, seats: set[int]) -> None:
    """Chronometer with prices, market card by card, and of these players coins, golems, city and guilds."""
    view, words = view_of(state), guest.words()
    clock = plain(guest.page.locator(".ring-place").get_attribute("aria-label") or "")
    assert clock == guest.own("phone/sky/clock-now", round=view["round"], build=view["build"])
    dial = view["dial"]
    prices = [
        guest.own("phone/sky/price", face=face, price=price, n=rounds)
        for face, price, rounds in zip(dial["faces"], dial["prices"], dial["rounds"], strict=True)
        if price is not None
    ]
    assert [plain(text) for text in guest.page.locator(".clock ul.sr li").all_text_contents()] == prices
    shown = [plain(card.get_attribute("aria-label") or "") for card in guest.page.locator(".market .card").all()]
    columns = view["market"]["columns"]
    slots = sorted(view["market"]["slots"], key=lambda one: _place(one["slot"], columns))
    assert shown == [plain(_card(words, view, one)) for one in slots]
    for player in view["players"]:
        if player["seat"] in seats:
            _shows_player(guest, words, view, player)


def _place(slot: str, columns: list[str]) -> tuple[int, int]:
    column, _, row = slot.partition("-")
    return int(row), columns.index(column)


def _card(words: Words, view: dict[str, Any], slot: dict[str, Any]) -> str:
    column, _, row = slot["slot"].partition("-")
    parts = [words.say("phone/sky/slot", column=Text(f"phone/sky/tower/{column}"), row=int(row))]
    if slot["card"] == "":
        parts.append(words.say("phone/sky/empty"))
    if slot["card"] is None and not slot.get("effect"):
        parts.append(words.say("phone/sky/unknown"))
    if slot.get("crest"):
        parts.append(words.say(f"phone/sky/crest/{slot['crest']}"))
    effect = view.get("effects", {}).get(slot.get("effect") or "")
    if effect:
        parts.append(words.say(f"phone/sky/effect/{effect['mark']}", n=effect["value"]))
    parts += [words.say("phone/sky/die", owner=seat_name(die["owner"]), face=die["face"]) for die in slot["dice"]]
    return ", ".join(parts)


def _shows_player(guest: Guest, words: Words, view: dict[str, Any], player: dict[str, Any]) -> None:
    seat = player["seat"]
    guest.page.locator(".strip .score").nth(seat).click()
    guest.page.wait_for_selector(f'.strip li:nth-child({seat + 1}) .score[aria-pressed="true"]')
    assert guest.texts(".means .hero") == [str(player["coins"]), str(player["home"])]
    heading = guest.own("phone/sky/my-city") if seat == guest.seat else words.say(seat_name(seat))
    assert guest.texts(".city h2") == [plain(heading)]
    towers = []
    for tower in TOWERS:
        cards = player["towers"].get(tower, [])
        said = words.say("phone/sky/tower", tower=Text(f"phone/sky/tower/{tower}"), n=len(cards))
        crests = [words.say(f"phone/sky/crest/{card['crest']}") for card in cards if card.get("crest")]
        towers.append(plain(f"{said}: {', '.join(crests)}" if crests else said))
    assert [plain(text) for text in guest.page.locator(".towers li .sr").all_text_contents()] == towers
    names = [plain(words.say(f"skytopia/guild/{guild['id']}")) for guild in view["guilds"]]
    assert guest.texts(".guild-name") == names
    assert guest.texts(".guilds .big") == [figure(value) for value in player["guilds"]]


def assert_tally(guest: Guest, state: State) -> None:
    """Winner, totals, and every line of every player with its reason."""
    tally = state.tally
    assert tally is not None
    if isinstance(view_of(state).get("round"), int):
        assert guest.texts(".end-head .dim") == [guest.own("phone/end/rounds", n=view_of(state)["round"])]
    assert guest.texts(".end h1") == [guest.own("phone/end/title")]
    for player in tally.players:
        name = guest.own("phone/end/you", name=player.name) if player.seat == guest.seat else player.name
        row = guest.page.locator(f".winner:has-text('{player.name}'), .other:has-text('{player.name}')").first
        assert plain(name) in plain(row.inner_text())
        assert plain(row.locator(".total").inner_text()) == figure(player.total)
        row.click()
        guest.page.wait_for_selector(f'.lines[data-seat="{player.seat}"]')
        lines = guest.texts(".lines li")
        assert len(lines) == len(player.lines)
        for line, said in zip(player.lines, lines, strict=True):
            reason = f" {guest.say(line.reason)}" if line.reason is not None else ""
            assert said == plain(f"{guest.say(line.text)}{reason} {figure(line.points)}")
        assert guest.texts(".sum .total") == [figure(player.total)]
    assert guest.page.locator(".winner").count() == len(tally.winners)
    if tally.tie_break is not None:
        assert guest.say(tally.tie_break) in plain(guest.page.locator(".winner").first.inner_text())


@in_the_end
def keeps_no_key(guest: Guest) -> None:
    """Once the game is over nothing on the phone opens a seat."""
    assert "token" not in guest.storage()


def shows_door(guest: Guest, state: State) -> None:
    """Every seat with its name, free or taken, once the page has asked who sits where."""
    taken = guest.own("phone/door/taken")
    expected = [plain(f"{seat.name} {taken}") if seat.phone else seat.name for seat in state.seats]
    rows = [*expected, guest.own("phone/door/only-watch")]
    guest.reads(".seat-row", rows)
