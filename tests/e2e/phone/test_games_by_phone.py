"""Praga and Skyrise on phones: what is drawn is what the core says, and a touch is a move."""

from __future__ import annotations

import random

from phone_guests import Guest
from phone_texts import in_the_end, plain
from picture_games import Mirror, bid, phase
from playwright.sync_api import Browser

from benches.phones import LiveTable
from companion.game import Text
from companion.games.praga import crane
from tests.views import view_of


def test_the_crane_is_drawn_and_a_tile_is_taken_by_touch(browser: Browser, table: LiveTable) -> None:
    """Turn, stations, prices and goods as in the view; a tile that is too dear says why; the arrow's goal is marked."""
    game = Mirror(table, "praga", 5)
    game.until(lambda ask: ask.phase == "choose" and len(game.truth.chart) >= 3)
    guest = Guest(browser, table, game.seat, language="pl").sit()
    watcher = Guest(browser, table, None, language="fr", scheme="light", width=320, height=640).sit()
    for one in (guest, watcher):
        one.assert_shows()
        _shows_crane(one)
        one.assert_accessible()
    assert table.prompt is not None
    tiles = [choice for choice in table.prompt.ask.choices if choice.group == "tile"]
    for choice in tiles:
        button = guest.page.locator(f'[data-choice="{choice.id}"]')
        assert (button.get_attribute("aria-disabled") == "true") == (choice.off is not None)
        assert guest.say(choice.off or choice.text) in plain(button.text_content() or "")
    watcher.counts("[data-choice]", 0)
    wanted = next(choice for choice in tiles if choice.off is None)
    guest.page.locator(f'[data-choice="{wanted.id}"]').click()
    table.until(lambda: table.prompt is not None and phase(table) == "action", "the tile to be taken")
    for one in (guest, watcher):
        one.assert_shows()
        _shows_crane(one)
    guest.counts(".crane-goal", 1)
    guest.assert_accessible()
    for one in (guest, watcher):
        one.leave()


def test_a_plaza_is_touched_on_the_map_where_it_lies(browser: Browser, table: LiveTable) -> None:
    """The first of them goes to the place touched and lies there from then on, for every phone and the owner's box."""
    table.new_game("praga", ["Magda", "Tomek"])
    guest = Guest(browser, table, 0, language="pl").sit()
    opening = {"kind": "begin", "action": "building", "seat": 0}
    tile = {"cost_gold": 1, "points": 2, "place": "points"}
    for move in ({"kind": "hang", "skip": True}, {"kind": "choose", "tile": 5}, {**opening, "values": tile}):
        assert table.move(move).ok
    guest.caught_up()
    guest.counts('.plan [data-choice^="place-"]', 24)
    guest.assert_accessible()
    guest.page.locator('[data-choice="place-15"]').click()
    table.until(lambda: table.prompt is not None and table.prompt.ask.text.key == "praga/ask/site", "the site")
    assert view_of(table.state)["plazas"][0]["at"] == 15
    assert table.move({**opening, "tile": 1}).ok
    guest.caught_up()
    _names(
        guest, '.plaza.lies[data-choice="plaza-1"]', guest.own("praga/plaza/in", number=1, town=Text("praga/town/new"))
    )
    guest.page.locator('.plaza.lies[data-choice="plaza-1"]').click()
    table.until(lambda: table.prompt is not None and table.prompt.ask.text.key == "praga/ask/site", "the site again")
    guest.leave()


@in_the_end
def _shows_crane(guest: Guest) -> None:
    """The picture's name and the list behind it say what the view says."""
    state = guest.table.state
    assert state is not None
    view, words = view_of(state), guest.words()
    assert guest.page.locator(".crane .hub-number").all_text_contents() == [str(view["clock"]["turn"])]
    named = plain(guest.page.locator(".crane-row .ring-place").get_attribute("aria-label") or "")
    assert (
        guest.own("phone/praga/crane-now", turn=view["clock"]["turn"], station=crane.place(view["crane"]["box"]))
        in named
    )
    hanging = [one for one in view["crane"]["stations"] if one["tile"]]
    rows = [plain(text or "") for text in guest.page.locator(".crane-row .sr li").all_text_contents()]
    assert len(rows) == len(hanging) == guest.page.locator(".crane-tile").count()
    for one, said in zip(hanging, rows, strict=True):
        assert said.startswith(plain(words.say("praga/choice/tile", station=crane.place(one["station"]))))
        assert all(plain(words.say(f"praga/action/{name}")) in said for name in one["actions"])
    seat = guest.seat if guest.seat is not None else (guest.table.prompt.ask.seat or 0)  # type: ignore[union-attr]
    me = view["players"][seat]
    goods = ("gold", "stone", "eggs", "silver_windows", "gold_windows")
    assert guest.texts(".goods .hero") == [str(me[name]) for name in goods]


def test_a_bid_is_made_by_touching_a_number_and_a_lit_site(browser: Browser, table: LiveTable) -> None:
    """My available numbers, the lit sites of the core, another island a touch away; a spectator sees and cannot touch."""
    table.new_game("skyrise", ["Magda", "Tomek"], deal="digital")
    chance = random.Random(2)
    for _ in range(14):
        bid(table, chance)
    while phase(table) != "bid":
        bid(table, chance)
    assert table.prompt is not None and table.state is not None
    seat = table.prompt.ask.seat
    assert seat is not None
    guest = Guest(browser, table, seat, language="pl", width=320, height=640).sit()
    watcher = Guest(browser, table, None, scheme="light").sit()
    legal: dict[str, list[str]] = view_of(table.state)["auction"]["legal"]
    for one in (guest, watcher):
        one.assert_shows()
        one.assert_accessible()
    watcher.counts(".site-key, .piece-key, [data-secret]", 0)
    assert {key.get_attribute("data-piece") for key in guest.page.locator(".piece-key").all()} == set(legal)
    _shows_bids(guest)
    piece = sorted(legal)[-1]
    guest.page.locator(f'[data-piece="{piece}"]').click()
    site = legal[piece][-1]
    guest.page.wait_for_selector(f'[data-piece="{piece}"][aria-pressed="true"]')
    guest.page.locator(f'[data-island="{site.partition(".")[0]}"]').click()
    guest.page.wait_for_selector(f'[data-site="{site}"]')
    keys = {key.get_attribute("data-site") for key in guest.page.locator(".site-key").all()}
    assert keys <= set(legal[piece]) and site in keys
    if len(legal[piece]) > 1:
        assert guest.page.locator('[data-choice="form"]').get_attribute("aria-disabled") == "true"
    guest.page.locator(f'[data-site="{site}"]').click()
    guest.page.wait_for_selector(f'[data-site="{site}"][aria-pressed="true"]')
    guest.assert_accessible()
    seq = table.state.seq
    guest.page.locator('[data-choice="form"]').click()
    table.until(lambda: table.state is not None and table.state.seq > seq, "the bid")
    placed = [one for one in view_of(table.state)["sites"] if one["id"] == site]
    assert placed[0].get("piece", {}).get("piece") == piece
    for one in (guest, watcher):
        one.assert_shows()
        _shows_bids(one)
        one.leave()


def test_a_result_is_told_by_two_touches_on_the_winners_phone(browser: Browser, table: LiveTable) -> None:
    """A quick auction: my number, then any site it may have won, wherever that island lies; another's number is not mine."""
    table.new_game("skyrise", ["Magda", "Tomek", "Iris", "Sam"], deal="digital", auction="quick", board="drawn")
    guest = Guest(browser, table, 2, width=390, height=844).sit()
    guest.caught_up()
    guest.assert_shows()
    guest.assert_accessible()
    assert table.state is not None
    legal: dict[str, list[str]] = view_of(table.state)["auction"]["legal"]
    mine = [one["piece"] for one in view_of(table.state)["players"][2]["available"]]
    assert {key.get_attribute("data-piece") for key in guest.page.locator(".piece-key").all()} == set(mine) & set(legal)
    piece = mine[-1]
    guest.page.locator(f'[data-piece="{piece}"]').click()
    guest.page.wait_for_selector(f'[data-piece="{piece}"][aria-pressed="true"]')
    assert {key.get_attribute("data-site") for key in guest.page.locator(".site-key").all()} == set(legal[piece])
    seq, site = table.state.seq, legal[piece][-1]
    guest.page.locator(f'[data-site="{site}"]').click()
    table.until(lambda: table.state is not None and table.state.seq > seq, "the result")
    stands = next(one for one in view_of(table.state)["sites"] if one["id"] == site)
    assert (stands["piece"]["piece"], stands["piece"]["where"]) == (piece, "built")
    guest.leave()


def test_a_token_taken_is_put_right_on_ones_own_phone(browser: Browser, table: LiveTable) -> None:
    """The token I have, the one it really is, and one touch to send it."""
    table.new_game("skyrise", ["Magda", "Tomek"], deal="digital", auction="quick", board="table")
    assert table.prompt is not None and table.prompt.ask.form is not None
    laid = {field.id: field.value for field in table.prompt.ask.form.fields}
    assert table.move({**table.prompt.ask.form.move, "values": laid}).ok
    table.until(lambda: phase(table) == "quick", "the first auction")
    assert table.state is not None
    mine = view_of(table.state)["players"][0]["available"][0]["piece"]
    assert table.move({"kind": "won", "piece": mine, "site": view_of(table.state)["auction"]["legal"][mine][0]}).ok
    assert table.move({"kind": "token", "seat": 0, "token": "yellow"}).ok
    guest = Guest(browser, table, 0, language="fr").sit()
    guest.caught_up()
    guest.touch(guest.own("phone/menu"))
    guest.touch(guest.own("phone/correct"))
    guest.counts("fieldset.field", 2)
    was, real = guest.page.locator("fieldset.field").all()
    assert was.locator(".chip").count() == 1
    real.locator(".chip").nth(4).click()
    seq = table.state.seq
    guest.page.locator('[role="dialog"] button[type="submit"], dialog button[type="submit"]').first.click()
    table.until(lambda: table.state is not None and table.state.seq > seq, "the correction")
    board = view_of(table.state)["players"][0]
    assert (board["patrons"], sum(board["rows"].values())) == (["A"], 0)
    guest.leave()


OWN = "[...document.querySelectorAll('.form input')].filter((one) => one.checkVisibility()).map((one) => one.id)"


def test_each_phone_counts_its_own_board_within_two_screens(browser: Browser, table: LiveTable) -> None:
    """Newcomer B6 in Skyrise: counts, named as on the board; the others' lie folded away; nobody waits for the slowest."""
    table.new_game("skyrise", ["Magda", "Tomek", "Iris", "Sam"], depth="tally")
    told = {"panorama-0": "chains", "panorama-1": "lakes", "finish-0": "2", "finish-1": "1"}
    assert table.move({"kind": "final", "values": told}).ok
    for seat in (0, 1, 3):
        own = {f"p{seat}/prestige": 20 + seat}
        assert table.move({"kind": "final", "apart": True, "values": own}).ok
    guest = Guest(browser, table, 2, language="pl").sit()
    guest.caught_up()
    shown = guest.page.evaluate(OWN)
    assert len(shown) == 33
    assert {name.split("/")[0] for name in shown} == {"field-p2"}
    assert guest.page.evaluate("document.documentElement.scrollHeight") <= 2 * 800
    guest.says_nothing_raw("skyrise/")
    assert guest.page.locator(".cell").evaluate_all("cells => cells.every((one) => one.scrollWidth <= one.clientWidth)")
    guest.assert_accessible()
    for name, value in (("prestige", 30), ("central/tall", 2), ("structures/green", 4), ("objective", 10)):
        guest.page.fill(f'[id="field-p2/{name}"]', str(value))
    guest.page.click('[data-choice="form"]')
    table.until(lambda: table.state is not None and table.state.tally is not None, "the tally")
    assert table.state is not None and table.state.tally is not None
    totals = [player.total for player in table.state.tally.players]
    assert totals == [20, 21 + 4, 30 + 10 + 5 + 4 * 2 + 10, 23]
    guest.leave()


@in_the_end
def _shows_bids(guest: Guest) -> None:
    """Everybody's highest bid of this auction, the last one on top."""
    state = guest.table.state
    assert state is not None
    best: dict[int, int | None] = {}
    for one in view_of(state)["auction"]["bids"]:
        best.pop(one["seat"], None)
        best[one["seat"]] = one["number"]
    names = {one.seat: one.name for one in state.seats}
    expected = [names[seat] for seat in reversed(best)]
    shown = guest.texts(".bids li:not(.passed) .who") + guest.texts(".bids li.passed .who")
    assert sorted(shown[: len(expected)]) == sorted(expected)
    figures = [str(number) for number in best.values() if number]
    assert sorted(guest.texts(".bids .total")) == sorted(figures)


@in_the_end
def _names(guest: Guest, selector: str, said: str) -> None:
    """What is there is called this, perhaps only for those who hear it."""
    assert said in plain(guest.page.locator(selector).text_content() or "")
