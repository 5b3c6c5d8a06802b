"""Mosquitto on this machine: where it is, how a line of its configuration is written, whether one answers. For the table's own
broker and for the hall's."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
from pathlib import Path

from companion.wire.config import CONTROL

PLUGIN = "mosquitto_dynamic_security.so"
CONNECT, WELCOME = b"\x10\x0c\x00\x04MQTT\x04\x02\x00\x05\x00\x00", b"\x20"
"""A stranger's CONNECT, and how any answer to it begins, a refusal too."""


class BrokerMissingError(Exception):
    """Mosquitto or its plugin is not on this machine."""


class BrokerFilesError(BrokerMissingError):
    """The broker's files cannot be written, and there are none from before."""


def find_mosquitto() -> tuple[str, str]:
    """The program and its dynamic-security plugin."""
    program = shutil.which(
        "mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin:/opt/homebrew/sbin"
    )
    # Debian keeps it in the library folder of the architecture; a search of all folders would cost half the start.
    plugins = [
        found
        for root in ("/usr/lib", "/usr/local/lib")
        for found in (*Path(root).glob(f"*/{PLUGIN}"), *Path(root).glob(PLUGIN))
    ]
    if not program or not plugins:
        raise BrokerMissingError("Mosquitto is not installed. Run: sudo apt-get install mosquitto")
    return program, str(plugins[0])


def line(key: str, value: object) -> str:
    """One line of mosquitto.conf. A line break in a value would begin another: a `plugin`, whose code the broker runs."""
    text = f"{key} {value}".strip()
    if CONTROL.search(text):
        raise BrokerFilesError(f"{text!r} cannot stand in the broker's configuration: it is more than one line of text")
    return text + "\n"


def every_broker() -> str:
    """How mosquitto.conf begins, at a table and in a hall."""
    # `user`: as root Mosquitto would change its user, and lose the signal that ends it with its parent
    # `persistence false`: what matters is said again by whoever knows it, the tables their own and the hall its own
    # `log_type`: warnings would be one for each phone, whose line is not TCP and ignores `set_tcp_nodelay`
    return f"""\
{line("user", getpass.getuser())}per_listener_settings false
allow_anonymous false
persistence false
set_tcp_nodelay true
connection_messages false
log_dest stderr
log_type error
"""


def answers(host: str, port: int, timeout: float = 1.0, *, tls: bool = False) -> bool:
    """The broker speaks MQTT: a stranger's CONNECT is refused, but answered. A frozen one accepts and stays silent."""
    try:
        with socket.create_connection((host, port), timeout) as plain, _secured(plain, tls) as line:
            line.sendall(CONNECT)
            return line.recv(4)[:1] == WELCOME
    except OSError:
        return False


def _secured(line: socket.socket, tls: bool) -> socket.socket:
    """The same line, encrypted when it has to be; whose certificate it is does not matter to a sign of life."""
    if not tls:
        return line
    import ssl

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(line)
