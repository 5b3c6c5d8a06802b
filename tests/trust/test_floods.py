"""Floods of the page, small and short: what must hold while they go on, as facts; `scripts/soak/floods.py` measures the large."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import ROOT


def _module() -> Any:
    spec = importlib.util.spec_from_file_location("floods", ROOT / "scripts" / "soak" / "floods.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["floods"] = module
    spec.loader.exec_module(module)
    return module


floods = _module()
SMALL = {"keepalive": 150, "slow-head": 150, "slow-body": 150, "past": 10, "joins": 8, "guesses": 60}


@pytest.fixture(scope="module")
def stand() -> Iterator[Any]:
    """A table with a phone at it and some finished games."""
    with floods.stand_for(games=200) as table:
        yield table


def _assert_held(found: dict[str, Any]) -> None:
    """Every move was answered, somebody came in meanwhile and nobody was turned away; then it is as before."""
    assert found["flood"]["done"] + found["flood"]["refused"] > 0
    assert (found["unanswered"], found["turned_away"]) == (0, [])
    assert found["moves"] > 0 and found["newcomers"] > 0
    assert found["memory_mb_above_rest"] <= floods.flood_report.MEMORY
    assert found["afterwards"]["moves"] and found["afterwards"]["comes_in"]
    assert all(more <= 2 for more in found["afterwards"]["handles"].values())


@pytest.mark.parametrize("name", SMALL)
def test_the_table_plays_on_and_lets_phones_in_while_it_is_flooded(stand: Any, name: str) -> None:
    """From the very address the guests have."""
    _assert_held(floods.flooded(stand, floods.FLOODS[name]._replace(size=SMALL[name]), seconds=3.0))


def test_silent_callers_of_a_table_with_tls_keep_nobody_waiting() -> None:
    """A hundred and thirty handshakes that nobody finishes."""
    with floods.stand_for(tls=True) as table:
        _assert_held(floods.flooded(table, floods.FLOODS["tls-silent"]._replace(size=130), seconds=3.0))


def test_every_flood_of_the_page_is_known_by_name() -> None:
    """What the long run and its report call them."""
    assert {*SMALL, "tls-silent"} <= set(floods.FLOODS)
