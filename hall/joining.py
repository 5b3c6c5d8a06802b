"""At a table: come to a hall by its invitation, or leave it. The hall's certificate is looked at once and pinned."""

from __future__ import annotations

import socket
import ssl
import time
from pathlib import Path

from companion.wire.config import HALL, Config, as_toml
from companion.wire.files import write_private
from companion.wire.invitation import Invitation, fingerprint
from hall.settings import CannotStartError

CONNECT_SECONDS = 5.0
PINNED = "hall.pem"


def look_at(address: str) -> bytes:
    """The certificate (DER) of whoever answers there; whether it is the right one its fingerprint says."""
    host, _, port = address.rpartition(":")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection((host, int(port)), CONNECT_SECONDS) as plain, context.wrap_socket(plain) as line:
        return line.getpeercert(binary_form=True) or b""


def join(config: Config, invitation: Invitation) -> None:
    """Pin the hall's certificate and keep the invitation beside the games; raises `CannotStartError`, with nothing changed."""
    certificate, wrong = b"", "nobody"
    for address in invitation.addresses:
        try:
            certificate = look_at(address)
            break
        except (OSError, ValueError) as trouble:
            wrong = f"{address}: {getattr(trouble, 'strerror', None) or trouble}"
    if not certificate:
        raise CannotStartError(f"the hall is not responding ({wrong}). Is this table on its network?")
    if fingerprint(certificate) != invitation.fingerprint:
        raise CannotStartError("what answers there is not the hall of this invitation. Check the code again.")
    pinned = config.state_dir.absolute() / PINNED
    section = {
        "addresses": list(invitation.addresses),
        "name": invitation.name,
        "key": invitation.key,
        "certificate": str(pinned),
        "since": time.time(),
    }
    try:
        write_private(pinned, ssl.DER_cert_to_PEM_cert(certificate).encode())
        write_private(config.state_dir / HALL, as_toml({"hall": section}).encode())
    except OSError as trouble:
        raise CannotStartError(f"{trouble.filename} cannot be written: {trouble.strerror}") from trouble


def leave(state_dir: Path) -> bool:
    """Forget the hall; says whether there was one."""
    there = (state_dir / HALL).exists()
    for name in (HALL, PINNED, "hall-stored.json"):
        (state_dir / name).unlink(missing_ok=True)
    return there
