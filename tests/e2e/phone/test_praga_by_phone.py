"""Praga on phones: the board is told on its picture, the final form filled in, and what lies before a player put right."""

from __future__ import annotations

from typing import Any

from phone_guests import Guest
from phone_texts import plain
from picture_games import phase
from playwright.sync_api import Browser

from benches.phones import LiveTable
from companion.game import Text
from tests.views import view_of


def test_the_board_is_told_on_its_picture(browser: Browser, table: LiveTable) -> None:
    """A place of the Hunger Wall is touched and set, my cube put where it stands, a plaza moved; who is not asked only looks."""
    table.new_game("praga", ["Magda", "Tomek"])
    assert table.move({"kind": "hang", "skip": True}).ok
    assert table.move({"kind": "box", "key": "plazas.places", "value": [3, 20]}).ok
    guest = Guest(browser, table, 0, language="pl").sit()
    other = Guest(browser, table, 1, scheme="light", width=844, height=390).sit()
    for one in (guest, other):
        one.caught_up()
        for part in ("wall.base", "city"):
            one.page.locator(f'[data-grid="{part}"] summary').click()
        one.page.wait_for_selector('[data-grid="wall.base"] .place')
        one.counts('[data-grid="wall.base"] .place', 4 * 5 + 4 + 5)
        one.assert_accessible()
    other.counts('[data-grid="wall.base"] .place[aria-disabled="true"]', 4 * 5 + 4 + 5)
    part = guest.page.locator('[data-grid="wall.base"]')
    part.locator('[data-place="2 0"]').click()
    part.locator("#grid-number").fill("13")
    part.locator('[data-sign="border-0"]').click()
    part.locator('[data-place="2 3"]').click()
    part.locator('[data-sign="left"]').click()
    part.locator('[data-size="rows+"]').click()
    guest.assert_accessible()
    part.locator('[data-choice="tell"]').click()
    table.until(lambda: len(view_of(table.state)["grids"][0]["spaces"]) == 2, "what was told")
    wall = view_of(table.state)["grids"][0]
    assert {(one["row"], one["column"]): one["shows"] for one in wall["spaces"]} == {(2, 0): 13, (2, 3): "left"}
    assert (wall["rows"], wall["columns"], wall["borders"]) == (5, 5, [2, 0])
    guest.caught_up()
    part.locator('[data-place="1 2"]').click()
    part.locator('[data-sign="stand"]').click()
    table.until(lambda: view_of(table.state)["players"][0]["wall_column"] == 2, "my cube")
    guest.caught_up()
    guest.page.locator('[data-spot="move-1"]').click()
    guest.page.locator('[data-spot="to-15"]').click()
    table.until(lambda: view_of(table.state)["plazas"][0]["at"] == 15, "the plaza in its new place")
    other.caught_up()
    other.counts('[data-grid="city"] [data-spot]', 2)
    other.counts('[data-spot^="to-"]', 0)
    for one in (guest, other):
        one.leave()


def test_a_final_position_is_sent_once_nothing_is_left_to_read_and_its_end_was_seen(
    browser: Browser, table: LiveTable
) -> None:
    """Until then the key is unlit and says what is missing; a touch on it leads there."""
    table.new_game("praga", ["Magda", "Tomek"])
    guest = Guest(browser, table, 0).sit()
    moves = [{"kind": "hang", "skip": True}, {"kind": "box", "key": "clock.turns", "value": 1}]
    for seat, tile in ((0, 5), (1, 6)):
        acts = {"kind": "act", "action": "mines", "branch": "dig", "seat": seat}
        moves += [{"kind": "choose", "tile": tile, "seat": seat}, acts, {"kind": "turn"}]
    for move in moves:
        answer = table.move(move)
        assert answer.ok, answer.refusal
    guest.caught_up()
    send = guest.page.locator('.answers [data-choice="form"]')
    guest.counts('.answers [data-choice="form"][aria-disabled="true"]', 1)
    assert phase(table) == "form"
    assert table.prompt is not None and table.prompt.ask.form is not None
    unread = [field for field in table.prompt.ask.form.fields if field.value is None]
    missing = guest.say(Text("praga/form/missing", {"field": unread[0].text}))
    table.until(lambda: missing in plain(send.inner_text()), missing)
    for field in unread:
        guest.page.locator(f'[aria-controls="field-{field.id}"]').nth(1).click()
    leaves = guest.own("praga/form/leaves")
    table.until(lambda: leaves in plain(send.inner_text()), leaves)
    send.click(force=True)  # unlit as it is, a finger touches it
    guest.page.wait_for_selector('.answers .primary[data-choice="form"]')
    guest.assert_accessible()
    send.click()
    table.until(lambda: view_of(table.state)["entered"][0], "the position of the first player")
    guest.leave()


def test_what_lies_before_me_is_put_right_on_my_phone(browser: Browser, table: LiveTable) -> None:
    """Technologies, production tokens, seals, V tiles and claims of Praga, each in its fold; another's are asked for."""
    table.new_game("praga", ["Magda", "Tomek"])
    assert table.move({"kind": "hang", "skip": True}).ok
    guest = Guest(browser, table, 0, language="pl").sit()
    other = Guest(browser, table, 1, language="fr", width=844, height=390).sit()

    def open_at(one: Guest) -> None:
        one.caught_up()
        one.touch(one.own("phone/menu"))
        one.touch(one.own("phone/correct"))

    def tile(one: Guest, what: str, *labels: str) -> None:
        fold = one.page.locator(f'dialog [data-kind="{what}"]')
        fold.locator("summary").click()
        for label in labels:
            fold.locator(".chip").get_by_text(label, exact=True).click()

    def sends(one: Guest, what: str) -> None:
        one.page.locator("dialog form").filter(has=one.page.locator(f'[data-kind="{what}"]')).locator(
            'button[type="submit"]'
        ).click()

    wanted = {
        "technology-1": (("technology/steps-university",), lambda: mine()["tiles"].get("technology-1")),
        "token-mines": (("token/points",), lambda: mine()["tiles"].get("token-mines")),
        "seals": (("seal/gold", "seal/six"), lambda: len(mine()["seals"])),
        "v_tiles": (("v/walls",), lambda: mine()["v_tiles"]),
    }
    told = {"technology-1": "steps-university", "token-mines": "points", "seals": 2, "v_tiles": ["walls"]}

    def mine() -> dict[str, Any]:
        board: dict[str, Any] = view_of(table.state)["players"][0]
        return board

    for name, (labels, now) in wanted.items():
        open_at(guest)
        tile(guest, f"correct-{name}", *(guest.say(Text(f"praga/{label}")) for label in labels))
        guest.assert_accessible()
        sends(guest, f"correct-{name}")
        table.until(lambda now=now, name=name: now() == told[name], name)  # type: ignore[misc]
    open_at(guest)
    guest.page.locator("#field-correct-claims-3").fill("1")
    claims = guest.page.locator("dialog form").filter(has=guest.page.locator("#field-correct-claims-3"))
    claims.locator('button[type="submit"]').click()
    table.until(lambda: view_of(table.state)["plazas"][2]["cubes"] == [1, 0], "my claim")
    open_at(other)
    other.page.locator("dialog .score").first.click()
    tile(other, "correct-technology-1-0", other.say(Text("praga/choice/none")))
    sends(other, "correct-technology-1-0")
    guest.page.locator('[data-choice="wish-yes"]').click()
    table.until(lambda: "technology-1" not in mine()["tiles"], "Magda agrees")
    for one in (guest, other):
        one.leave()
