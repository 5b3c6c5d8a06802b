"""What the broker is told to do comes from us alone, whatever stands in the settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.machine.broker import BrokerFilesError, configuration
from companion.wire.config import BrokerConfig, Config

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
