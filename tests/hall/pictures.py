"""The pictures of docs/hall.md, of a hall that runs: `tableside hall --demo`, then `python -m tests.hall.pictures`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.chromium import BROWSER
from tests.hall.lively import players

ADDRESS, PIN = "http://127.0.0.1:8790", "1234"
BIG, SMALL = (1920, 1080), (390, 844)


def look(browser: Browser, path: str, size: tuple[int, int], language: str) -> Page:
    width, height = size
    scale = 1 if size == BIG else 2
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=scale,
        locale=language,
        color_scheme="dark",
    )
    page = context.new_page()
    page.goto(ADDRESS + path)
    page.wait_for_selector("#page > *")
    page.wait_for_timeout(1500)
    return page


def act(page: Page, **wish: object) -> None:
    """As the desk's own buttons do it."""
    sent = "async (wish) => (await fetch('/desk', { method: 'POST', body: wish })).status"
    status = page.evaluate(sent, json.dumps(wish))
    if status != 200:
        raise SystemExit(f"the desk answers {status} to {wish}")


def main(folder: Path) -> None:
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        desk = look(browser, "/organiser", SMALL, "en")
        desk.fill("input[name=pin]", PIN)
        desk.click("form button")
        desk.wait_for_selector(".desk")
        act(desk, do="event", name="Yacht Cup", game="yacht", players=players(36), size=4)
        desk.wait_for_selector("text=Round 1 can be paired.")
        act(desk, do="pair", event="yacht-cup", minutes=45)
        look(browser, "/", BIG, "en").screenshot(path=folder / "hall-find-your-table.png")
        act(desk, do="start", event="yacht-cup")
        act(desk, do="call", table="table-2", call={"kind": "come"})
        for name, path, size, language in (
            ("hall-big", "/", BIG, "en"),
            ("hall-big-pl", "/", BIG, "pl"),
            ("hall-phone", "/", SMALL, "en"),
            ("hall-phone-pl", "/", SMALL, "pl"),
        ):
            look(browser, path, size, language).screenshot(path=folder / f"{name}.png")
        desk.reload()
        desk.wait_for_timeout(1500)
        desk.screenshot(path=folder / "hall-desk.png")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures"))
