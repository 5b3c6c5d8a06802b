"""What the broker is told to do comes from us alone, whatever stands in the settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.door.join import Door
from companion.machine.broker import RIGHTS, BrokerFilesError, configuration
from companion.wire.config import BrokerConfig, Config, HallConfig
from companion.wire.memory import MemoryBus
from display.client import Client
from tests.companion.desk import Desk

EVIL = "/z\nplugin /tmp/evil.so"


@pytest.mark.parametrize("key", ["ca_file", "cert_file", "key_file"])
def test_no_setting_can_bring_a_line_of_its_own(tmp_path: Path, key: str) -> None:
    """A line break in a value would be a `plugin` line, and its code would run in the broker."""
    config = Config(state_dir=tmp_path, broker=BrokerConfig(tls=True, **{key: EVIL}))
    with pytest.raises(BrokerFilesError, match="more than one line"):
        configuration(config, tmp_path, "plugin.so")


def test_no_folder_can_bring_a_line_of_its_own(tmp_path: Path) -> None:
    """The table's own folder is named in the configuration, too."""
    with pytest.raises(BrokerFilesError, match="more than one line"):
        configuration(Config(state_dir=tmp_path), tmp_path / EVIL, "plugin.so")


def listens_to(bus: MemoryBus) -> set[str]:
    return {pattern for pattern, _ in bus._handlers}


def test_core_and_screen_may_hear_what_they_listen_to_and_no_more(tmp_path: Path) -> None:
    """A right nobody uses is one a stolen password has."""
    desk = Desk(tmp_path, hall=HallConfig(addresses=("hall.example:8883",), name="one"))
    Door(desk.table)
    screen = desk.broker.bus("screen")
    Client(screen, desk.table.config)
    assert listens_to(desk.core) == set(RIGHTS["companion"][1])
    assert listens_to(screen) == set(RIGHTS["display"][1])
