"""Settings that cannot work on this machine: one line that says which, instead of being started for ever."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from companion.machine import preflight
from companion.wire.config import BrokerConfig, Config, WebConfig, load
from tests.companion.test_commands import Tableside, assert_refused, tableside
from tests.conftest import PATIENCE, Place

__all__ = ["tableside"]


def _settings(tmp_path: Path, text: str) -> None:
    (tmp_path / "config").mkdir(exist_ok=True)
    (tmp_path / "config" / "tableside.toml").write_text(text)


@pytest.mark.parametrize("host", ["203.0.113.7", "no-such-host.invalid", "300.1.1.1", "a..b", "x" * 300, "2001:db8::1"])
@pytest.mark.parametrize("setting", ["[web] host", "[broker] websocket_host"])
def test_an_address_that_is_not_here_is_called_that(
    tableside: Tableside, tmp_path: Path, host: str, setting: str
) -> None:
    """It is not a port that is taken."""
    _settings(tmp_path, f'{setting} = "{host}"\n'.replace("] ", "]\n"))
    for command in (["run"], ["broker-files"]):
        assert_refused(tableside(*command), f"{host!r} is not an address of this machine. Change {setting}")


def test_a_port_that_is_taken_is_called_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the setting that names it."""
    monkeypatch.setattr(preflight, "LET_GO", 0.2)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        line = preflight.ports(Config(web=WebConfig(host="127.0.0.1", port=port)))
    assert line == f"Port {port} is taken by another program. Change [web] port."


def test_a_port_for_root_alone_is_called_that(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody else has it; it is not ours to open."""

    def refused(*words: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refused)
    assert "may not be opened by this user" in preflight.ports(Config(web=WebConfig(port=80)))


@pytest.mark.parametrize(
    "text",
    [
        "[web]\nport = 9000\n[broker]\nport = 9000\nwebsocket_port = 9000\n",
        "[web]\nport = 8781\n",
        "[broker]\nport = 8780\n[web]\nport = 8781\n",
    ],
)
def test_equal_ports_are_named_with_their_lines_and_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """A broker that cannot start would be started again for ever."""
    monkeypatch.setenv("TABLESIDE_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("TABLESIDE_STATE_DIR", str(tmp_path / "state"))
    _settings(tmp_path, text)
    config = load()
    assert (config.web.port, config.broker.port, config.broker.websocket_port) == (8780, 8782, 8781)
    assert len(config.problems) == text.count("=")
    assert all("tableside.toml:" in problem and "must differ" in problem for problem in config.problems)


def test_ports_of_a_broker_elsewhere_are_its_own_affair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what listens here must differ."""
    monkeypatch.setenv("TABLESIDE_CONFIG_DIR", str(tmp_path / "config"))
    _settings(tmp_path, '[broker]\nown = false\nhost = "elsewhere"\nport = 8780\n')
    config = load()
    assert (config.problems, config.broker.port, config.broker.host) == ((), 8780, "elsewhere")


def test_our_own_broker_is_nowhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rooms would look for it in vain, each of them for ever."""
    monkeypatch.setenv("TABLESIDE_CONFIG_DIR", str(tmp_path / "config"))
    _settings(tmp_path, '[broker]\nhost = "elsewhere"\n')
    config = load()
    assert config.broker.host == "127.0.0.1"
    assert "tableside.toml:2: [broker] host cannot be used" in config.problems[0]


def _certificate(tmp_path: Path, kind: str) -> dict[str, str]:
    """Three files of an encrypted table, the last of them of this kind."""
    files = {"ca_file": tmp_path / "ca.pem", "cert_file": tmp_path / "table.pem", "key_file": tmp_path / "table.key"}
    for file in files.values():
        file.write_text("a certificate" if kind == "text" else "")
    key = files["key_file"]
    if kind != "text":
        key.unlink()
    match kind:
        case "folder":
            key.mkdir()
        case "pipe":
            os.mkfifo(key)
        case "unset":
            return {name: str(file) for name, file in files.items() if name != "key_file"}
    return {name: str(file) for name, file in files.items()}


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe", "unset", "text"])
def test_files_of_an_encrypted_table_are_looked_at_first(tableside: Tableside, tmp_path: Path, kind: str) -> None:
    """Neither broker nor core is started to find out, and nothing falls back to open lines."""
    lines = "".join(f'{name} = "{file}"\n' for name, file in _certificate(tmp_path, kind).items())
    _settings(tmp_path, f"[broker]\ntls = true\n{lines}[web]\ntls = true\n")
    for command in ("run", "broker-files"):
        said = "certificate cannot be used" if kind == "text" else "[broker] key_file"
        assert_refused(tableside(command), said, "docs/security.md")
    doctor = tableside("doctor")
    assert doctor.exit_code == 1
    assert "BAD   tls" in doctor.stdout


def test_a_room_without_its_certificate_says_one_line(place: Place, tmp_path: Path) -> None:
    """As systemd starts it: no trace of the program's inside in the log."""
    environment = {
        **place.full_environment,
        "TABLESIDE_BROKER_TLS": "true",
        "TABLESIDE_BROKER_CA_FILE": str(tmp_path / "no"),
    }
    command = [sys.executable, "-m", "companion"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        f"[broker] ca_file: {tmp_path / 'no'} cannot be used: No such file or directory"
    ]


def test_a_certificate_with_a_password_is_not_waited_for(tmp_path: Path) -> None:
    """Nobody sits at the terminal of a service to type it."""
    key, cert = tmp_path / "k.pem", tmp_path / "c.pem"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-passout", "pass:secret", "-subj", "/CN=x"]
    subprocess.run([*make, "-keyout", str(key), "-out", str(cert)], check=True, capture_output=True)
    broker = BrokerConfig(tls=True, ca_file=str(cert), cert_file=str(cert), key_file=str(key))
    assert "certificate cannot be used" in preflight.tls(Config(broker=broker))
