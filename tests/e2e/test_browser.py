"""What the tests' browser may hear of the machine it is on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser


def test_interfaces_that_come_and_go_are_no_affair_of_the_browser(browser: Browser) -> None:
    """It breaks requests off when it is told of them; none of its processes has a socket on which the kernel says so."""
    page = browser.new_page()
    page.goto("data:text/html,here")
    assert page.inner_text("body") == "here" and page.evaluate("navigator.onLine")
    processes = {pid for pid in descendants(os.getpid()) if "chrom" in command(pid)}
    assert len(processes) >= 2, "its network has a process of its own"
    told = {row.split()[9] for row in Path("/proc/net/netlink").read_text().splitlines()[1:]}
    assert not {handle for pid in processes for handle in sockets(pid)} & told


def descendants(pid: int) -> Iterator[int]:
    """Whom a process started, and those whom they started."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield int(child)
            yield from descendants(int(child))


def command(pid: int) -> str:
    """How a process was called."""
    return Path(f"/proc/{pid}/cmdline").read_text().partition("\0")[0]


def sockets(pid: int) -> list[str]:
    """The inodes of its sockets."""
    links = [str(handle.readlink()) for handle in Path(f"/proc/{pid}/fd").iterdir()]
    return [link.removeprefix("socket:[").removesuffix("]") for link in links if link.startswith("socket:[")]
