"""A change among a thousand tables costs what one table weighs: at the hall, on the line and in Debian's Chromium. Counted, not
timed: how long it takes from the hall to the screen is in docs/figures.md."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from playwright.sync_api import Browser

from hall import web
from hall.page import Page
from tests.conftest import until
from tests.hall.lively import here, said
from tests.hall.test_page import SIZES, open_tab, page

__all__ = ["page"]
TABLES, TURNS = 1000, 5


@pytest.mark.parametrize("size", SIZES)
def test_a_change_among_a_thousand_tables_costs_what_one_table_weighs(
    browser: Browser, page: Page, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One short message, drawn in the frame after it comes, and nothing laid out but the one tile."""
    told: list[int] = []
    tell = web.Live.tell
    monkeypatch.setattr(web.Live, "tell", lambda self, line: (told.append(len(line)), tell(self, line)))
    for module in ("hall.page", "hall.web"):  # tables take turns on the big screen by the hall's clock: here it stands
        monkeypatch.setattr(f"{module}.time", SimpleNamespace(time=lambda: 1_000_000.0))
    for number in range(1, TABLES + 1):
        page.hear(here(number))
        page.hear(said(number))
    tab = open_tab(browser, page, size=size, first=LISTENING)
    until(lambda: tab.locator(".tile").count() >= (20 if size == "big" else TABLES), 30, "the tables")
    assert min(told) > 100_000, "everything, once"
    told.clear()
    work = tab.context.new_cdp_session(tab)
    work.send("Profiler.enable")
    work.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": False})
    browser.start_tracing(page=tab, categories=["devtools.timeline"])
    try:
        for turn in range(TURNS):
            name = str(tab.evaluate(WATCH))
            page.hear(said(int(name.removeprefix("table-")), 2 + turn))
            seen = tab.evaluate("() => window.seen")
            assert 1 <= len(seen["changed"]) <= 20 and {*seen["changed"]} == {name}, "only there is anything drawn"
            assert seen["frames"] <= 1, "drawn as soon as it is known"
    finally:
        trace = json.loads(browser.stop_tracing())["traceEvents"]
    scripts = work.send("Profiler.takePreciseCoverage")["result"]
    calls = sum(part["count"] for one in scripts for called in one["functions"] for part in called["ranges"])
    assert calls <= TURNS * 15 * TABLES, "what has not changed is not made anew"
    assert len(told) == TURNS and max(told) < 1000
    layouts = [event["args"]["beginData"] for event in trace if event["name"] == "Layout"]
    assert sum(one["dirtyObjects"] for one in layouts) <= TURNS * 50 < max(one["totalObjects"] for one in layouts)
    assert sum(event["args"]["elementCount"] for event in trace if event["name"] == "UpdateLayoutTree") <= TURNS * 20


LISTENING = """
window.setInterval = () => 0;
const Real = window.WebSocket;
window.WebSocket = class extends Real {
  constructor(...how) {
    super(...how);
    this.addEventListener('message', () => {
      window.frames_since = 0;
      const frame = () => { window.frames_since += 1; requestAnimationFrame(frame); };
      if (!window.counting) requestAnimationFrame(frame);
      window.counting = true;
    });
  }
};
"""
"""Counts the frames since the last message; and nothing is drawn because a second is over."""
WATCH = """() => {
  const tile = document.querySelector('.tile');
  window.seen = new Promise((done) => {
    const changed = [];
    let frames = null;
    new MutationObserver((records, watcher) => {
      for (const { target } of records) {
        const there = target.closest ? target : target.parentNode;
        if (there !== document.body && !there.closest('head')) changed.push(there.closest('.tile')?.dataset.table);
      }
      if (changed.length === 0 || frames !== null) return;
      frames = window.frames_since;
      const end = () => { watcher.disconnect(); done({ frames, changed }); };
      requestAnimationFrame(() => requestAnimationFrame(end));
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  return tile.dataset.table;
}"""
"""Watches the page until something in it changes, and two frames more, in which that is laid out."""
