"""The bridge to the hall: what leaves the table, and what comes in, as lines of its broker's configuration (docs/hall.md).

Two connections, one to each of the hall's brokers, carry the same. They begin anew each time (`cleansession`): everything that
goes out is retained, so Mosquitto says it again whenever it reaches the hall.
"""

from __future__ import annotations

import logging
from pathlib import Path

from companion.wire.config import Config
from companion.wire.files import read_text
from companion.wire.mosquitto import line

log = logging.getLogger("tableside.bridge")

ROOMS = ("companion", "firmware_bridge", "vision", "display", "speech")
OUT = ("score", "result", *(f"health/{room}" for room in ROOMS))
"""All that ever leaves the table: how it stands, how games ended, whether its rooms are well."""
IN = ("hall/here", "hall/stored", "hall/pairing", "hall/call", "hall/message")


def connections(config: Config) -> str:
    """The lines; none for a table that belongs to no hall, or whose pinned certificate is gone: it is whole on its own."""
    hall = config.hall
    if not (hall.name and hall.key and hall.addresses):
        return ""
    import ssl  # most tables belong to no hall

    try:
        certificate = read_text(Path(hall.certificate))
        ssl.PEM_cert_to_DER_cert(certificate)
    except (OSError, ValueError) as wrong:
        log.warning("the hall's certificate %s cannot be used (%s): join the hall again", hall.certificate, wrong)
        return ""
    return "".join(_connection(config, number, address) for number, address in enumerate(hall.addresses))


def _connection(config: Config, number: int, address: str) -> str:
    here, there, hall = f"tableside/{config.table.id}/", f"tables/{config.hall.name}/", config.hall
    topics = [f"{topic} out 1 {here} {there}" for topic in OUT]
    for whose in (hall.name, "all"):
        topics += [f"{topic.removeprefix('hall/')} in 1 {here}hall/ hall/{whose}/" for topic in IN]
    # `bridge_insecure`: the certificate itself is pinned and signs nothing else, so wherever it is found is the hall
    # `notifications`: the hall hears at once, by the bridge's last will, that this table is gone
    settings = {
        "connection": f"hall-{number}",
        "local_clientid": f"hall-{number}",
        "address": address,
        "remote_username": hall.name,
        "remote_clientid": hall.name,
        "remote_password": hall.key,
        "bridge_cafile": hall.certificate,
        "bridge_insecure": "true",
        "cleansession": "true",
        "restart_timeout": "1",
        "keepalive_interval": "5",
        "bridge_attempt_unsubscribe": "false",
        "notifications": "true",
        "notification_topic": f"{there}here",
    }
    lines = [line(key, value) for key, value in settings.items()] + [line("topic", topic) for topic in topics]
    return "\n" + "".join(lines)
