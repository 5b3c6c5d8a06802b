"""A real PostgreSQL for the hall's tests: one server a worker, an empty database a test."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from companion.virtual.own_table import end
from hall.database import Database
from hall.postgres import NAME, Cluster
from tests.conftest import until


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """PostgreSQL as the hall starts it, but for `fsync`: what a test keeps need not outlive the machine.

    Not below pytest's own folder: that is closed to the user the server runs as when the tests run as root.
    """
    with tempfile.TemporaryDirectory(prefix="tableside-test-") as folder:
        Path(folder).chmod(0o711)
        found = Cluster(Path(folder) / "postgres")
        found.make(fsync="off", full_page_writes="off")
        server = start(found)
        yield found
        end(server)
        shutil.rmtree(found.socket)


def start(cluster: Cluster) -> subprocess.Popen[bytes]:
    """The server, taking connections."""
    server = subprocess.Popen(cluster.command(), stderr=subprocess.DEVNULL, cwd="/", **cluster.as_user())
    until(lambda: answers(cluster.dsn), 30, "PostgreSQL")
    return server


def answers(dsn: str) -> bool:
    try:
        psycopg.connect(dsn, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


@pytest.fixture
def dsn(cluster: Cluster, request: pytest.FixtureRequest) -> Iterator[str]:
    """An empty database of this test's own."""
    name = f"test_{abs(hash(request.node.nodeid))}"
    with psycopg.connect(cluster.dsn, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield cluster.dsn.replace(f"dbname={NAME}", f"dbname={name}")
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def store(dsn: str) -> Iterator[Database]:
    found = Database(dsn)
    yield found
    found.close()
