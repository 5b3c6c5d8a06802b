"""PostgreSQL's own streaming replication, as docs/hall.md has it: the primary is killed, the standby has every result."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from companion.virtual.own_table import end
from companion.wire.hall import PlayerResult, Result
from companion.wire.process import hold
from hall.database import AT_ONCE, Database
from hall.postgres import Cluster, program
from hall.store import StoreAwayError
from tests.conftest import ROOT, until
from tests.hall.conftest import answers


def settings_of_the_page() -> dict[str, str]:
    """What docs/hall.md says to put into postgresql.conf."""
    text = (ROOT / "docs" / "hall.md").read_text()
    lines = re.search(r"```conf\n(.*?)```", text, re.DOTALL)
    assert lines is not None
    return dict(re.findall(r"^(\w+) = '([^']*)'", lines[1], re.MULTILINE))


@pytest.mark.long(5)
def test_the_standby_has_every_result_the_primary_acknowledged() -> None:
    """Results are told while the primary is killed; what has a receipt is at the standby, and it takes the rest."""
    with tempfile.TemporaryDirectory(prefix="tableside-pair-") as place, hold() as held:
        Path(place).chmod(0o711)
        port = str(held.getsockname()[1])
        primary, standby = Cluster(Path(place) / "primary"), Cluster(Path(place) / "standby")
        page = settings_of_the_page()
        assert page["synchronous_standby_names"] == "standby"
        primary.make(fsync="off", port=port)
        server = start_on(primary, port)
        dsn = f"{primary.dsn} port={port}"
        copy = [
            program("pg_basebackup"),
            "-d",
            dsn,
            "-D",
            str(standby.folder),
            "--write-recovery-conf",
            "--checkpoint=fast",
        ]
        standby.make_socket()
        standby.make_folder()
        subprocess.run(copy, check=True, capture_output=True, cwd="/", **standby.as_user())
        named = standby.folder / "postgresql.auto.conf"
        text = named.read_text().replace("user=", "application_name=standby user=")
        named.write_text(text)
        second = start_on(standby, port)
        with psycopg.connect(dsn, autocommit=True) as owner:
            for key, value in page.items():
                owner.execute(f"ALTER SYSTEM SET {key} = '{value}'")
            owner.execute("SELECT pg_reload_conf()")
            until(
                lambda: owner.execute("SELECT sync_state FROM pg_stat_replication").fetchall() == [("sync",)],
                20,
                "in step",
            )
        receipts: list[str] = []
        telling = threading.Thread(target=tell, args=(dsn, receipts))
        telling.start()
        until(lambda: len(receipts) >= 50, 20, "fifty receipts")
        server.kill()
        server.wait()
        telling.join()
        other = f"{standby.dsn} port={port}"
        with psycopg.connect(other, autocommit=True) as owner:
            owner.execute("SELECT pg_promote()")
            owner.execute("ALTER SYSTEM RESET synchronous_standby_names")
            owner.execute("SELECT pg_reload_conf()")
        after = Database(other)
        kept = [held.result.game_id for held in after.results()]
        assert set(receipts) <= set(kept), "0 lost"
        assert len(kept) - len(receipts) in (0, 1), "the one that was under way may be there without a receipt"
        last = len(receipts)
        after.record("t-1", [a_result(number) for number in range(last - 10, last + 10)])
        assert [held.result.game_id for held in after.results()] == [a_result(n).game_id for n in range(last + 10)]
        after.close()
        end(second)
        for cluster in (primary, standby):
            shutil.rmtree(cluster.socket)


def tell(dsn: str, receipts: list[str]) -> None:
    """One result after the other, for as long as the primary takes them."""
    store = Database(dsn)
    with suppress(StoreAwayError):
        for number in range(AT_ONCE):
            told = a_result(number)
            store.record("t-1", [told])
            receipts.append(told.game_id)
    store.close()


def start_on(cluster: Cluster, port: str) -> subprocess.Popen[bytes]:
    server = subprocess.Popen([*cluster.command(), "-p", port], stderr=subprocess.DEVNULL, cwd="/", **cluster.as_user())
    until(lambda: answers(f"{cluster.dsn} port={port}"), 30, "PostgreSQL")
    return server


def a_result(number: int) -> Result:
    players = (PlayerResult(seat=0, name="Ada", points=number, won=True),)
    return Result(game="yacht", game_id=f"g-{number:03}", seq=9, began=1.0, ended=2.0, players=players)
