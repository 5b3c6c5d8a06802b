"""A table stays whole on its own: a hall that is frozen, gone or a stranger's costs it nothing."""

from __future__ import annotations

import socket
import ssl
from pathlib import Path

import pytest

from companion.wire.config import as_toml
from companion.wire.files import write_private
from companion.wire.invitation import Invitation
from hall import joining
from hall.brokers import certificate
from hall.settings import CannotStartError
from tests.conftest import PATIENCE, Place, Run


def test_a_frozen_hall_keeps_nobody_from_playing(place: Place, tmp_path: Path) -> None:
    """Its brokers take the call and never answer, one of them has no machine behind it."""
    pem = tmp_path / "hall.pem"
    pem.write_text(ssl.DER_cert_to_PEM_cert(certificate(tmp_path / "hall")))
    with socket.create_server(("127.0.0.1", 0)) as frozen:
        section = {
            "addresses": [f"127.0.0.1:{frozen.getsockname()[1]}", "192.0.2.1:8883"],
            "name": "club-1",
            "key": "A" * 16,
            "certificate": str(pem),
        }
        write_private(place.config().state_dir / "hall.toml", as_toml({"hall": section}).encode())
        assert place.config().problems == ()
        run = Run(place, "--without", "vision,display,firmware_bridge,speech").start()
        try:
            frozen.settimeout(PATIENCE)
            frozen.accept()  # the bridge called, and waits for ever
            client = run.client()
            client.new_game("scorepad")
            for number in range(20):
                assert client.move({"kind": "points", "seat": 0, "points": number}).ok
            assert client.move({"kind": "end"}).ok
        finally:
            run.stop()


def test_nobody_joins_a_stranger_or_a_wall(place: Place, tmp_path: Path) -> None:
    """Nothing is written when the hall is not responding."""
    with socket.create_server(("127.0.0.1", 0)) as wall:
        port = wall.getsockname()[1]
    invited = Invitation("club-1", (f"127.0.0.1:{port}",), "A" * 16, "B" * 16)
    with pytest.raises(CannotStartError, match="is not responding"):
        joining.join(place.config(), invited)
    assert not (place.config().state_dir / "hall.toml").exists()
