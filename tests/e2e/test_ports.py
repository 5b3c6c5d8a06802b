"""No port but the stated ones."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import Place, Run


def listening(pids: set[int]) -> set[int]:
    """TCP ports these processes listen on, asked of the kernel."""
    inodes = set()
    for pid in pids:
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            try:
                target = str(descriptor.readlink())
            except OSError:
                continue
            if target.startswith("socket:["):
                inodes.add(target[8:-1])
    ports = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in Path(table).read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                ports.add(int(fields[1].rpartition(":")[2], 16))
    return ports


def test_only_page_phones_and_rooms_listen(place: Place) -> None:
    """8780, 8781 and 8782 (or what the settings say), and nothing else, from any process of the table."""
    run = Run(place).start()
    try:
        config = place.config()
        assert run.process is not None
        pids = {run.process.pid, *run.children().values()}
        expected = {config.web.port, config.broker.websocket_port, config.broker.port}
        assert expected == listening(pids)
    finally:
        run.stop()
