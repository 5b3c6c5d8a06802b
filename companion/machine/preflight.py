"""Settings that are right by themselves and still cannot work on this machine: one line, before anything starts."""

from __future__ import annotations

import errno
import time
from collections.abc import Iterator
from pathlib import Path

from companion.machine.listening import listening
from companion.wire.config import Config
from companion.wire.files import read_file

LET_GO = 3.0
"""Seconds a table that just died gets to let go of its ports."""


def obstacle(config: Config) -> str:
    """What stands in the way of starting, and what to change; empty when nothing does."""
    return next((line for line in (*_hosts(config), tls(config)) if line), "")


def _listeners(config: Config) -> dict[str, tuple[str, int]]:
    """Where we listen: the setting of the port, the address, the port."""
    web, broker = config.web, config.broker
    own = {"[broker] websocket_port": (broker.websocket_host, broker.websocket_port)} if broker.own else {}
    return {"[web] port": (web.host, web.port), **own, **({"[broker] port": ("127.0.0.1", broker.port)} if own else {})}


def _hosts(config: Config) -> Iterator[str]:
    for setting, (host, _) in _listeners(config).items():
        name = setting.replace("port", "host")
        if _refusal(host, 0) is not None:
            yield f"{host!r} is not an address of this machine. Change {name}, or remove it to listen on all."


def ports(config: Config) -> str:
    """The port somebody else has, and which setting to change; a table that just died gets a moment to let go."""
    end = time.monotonic() + LET_GO
    for setting, (host, port) in _listeners(config).items():
        while (refusal := _refusal(host, port)) is not None:
            if refusal != errno.EADDRINUSE:
                return f"Port {port} may not be opened by this user. Change {setting} to one above 1023."
            if time.monotonic() > end:
                return f"Port {port} is taken by another program. Change {setting}."
            time.sleep(0.1)
    return ""


def _refusal(host: str, port: int) -> int | None:
    """Why nobody can listen there; nothing when somebody can."""
    try:
        for door in listening(host, port):
            door.close()
    except OSError as wrong:
        return wrong.errno or errno.EADDRNOTAVAIL
    except UnicodeError:
        return errno.EADDRNOTAVAIL
    return None


def tls(config: Config) -> str:
    """What is wrong with the files of an encrypted table."""
    broker, serving = config.broker, (config.broker.tls and config.broker.own) or config.web.tls
    wanted = {"ca_file": broker.ca_file} if broker.tls else {}
    wanted |= {"cert_file": broker.cert_file, "key_file": broker.key_file} if serving else {}
    for name, file in wanted.items():
        try:
            if not file:
                return f"[broker] {name}: not set, and tls needs it. docs/security.md tells how to make it."
            read_file(Path(file))
        except OSError as wrong:
            return f"[broker] {name}: {file} cannot be read: {wrong.strerror}. docs/security.md tells how to make it."
    if not wanted:
        return ""
    import ssl  # a moment nobody waits for without reason

    try:
        if serving:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(broker.cert_file, broker.key_file, password="")
        if broker.tls:
            ssl.create_default_context(cafile=broker.ca_file)
    except OSError as wrong:
        return f"The certificate cannot be used: {wrong}. docs/security.md tells how to make it."
    return ""
