"""An invitation to the hall: what a table needs to come, short enough to be typed and whole enough for a QR code.

`tableside-hall:club-3@192.168.1.10:8883,192.168.1.10:8884#K7QD-…`: the table's name there, both brokers, and eight groups of four
characters: the table's key (80 bits) and the fingerprint of the hall's certificate (80 bits), by which the table knows the hall.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets as chance

import msgspec

PREFIX = "tableside-hall:"
HALF = 16
"""Characters of the key, and of the fingerprint."""
_WHOLE = re.compile(r"(?P<name>[a-z0-9-]{1,32})@(?P<addresses>[A-Za-z0-9.:,-]{3,600})#(?P<code>[A-Za-z2-7 -]{32,60})")
_ADDRESS = re.compile(r"[A-Za-z0-9.-]{1,253}:[0-9]{1,5}")


class Invitation(msgspec.Struct, frozen=True):
    """Everything a table needs."""

    name: str
    addresses: tuple[str, ...]
    key: str
    fingerprint: str

    @property
    def code(self) -> str:
        """Key and fingerprint as somebody types them."""
        letters = self.key + self.fingerprint
        return "-".join(letters[i : i + 4] for i in range(0, len(letters), 4))

    @property
    def text(self) -> str:
        """All of it, as the QR code has it."""
        return f"{PREFIX}{self.name}@{','.join(self.addresses)}#{self.code}"


def new_key() -> str:
    """A key nobody guesses."""
    return base64.b32encode(chance.token_bytes(HALF * 5 // 8)).decode()


def fingerprint(certificate: bytes) -> str:
    """Of a certificate (DER), as an invitation has it."""
    return base64.b32encode(hashlib.sha256(certificate).digest()[: HALF * 5 // 8]).decode()


def read(text: str) -> Invitation:
    """An invitation as it was scanned or typed; `ValueError` says what is wrong with it."""
    found = _WHOLE.fullmatch(text.strip().removeprefix(PREFIX))
    if found is None:
        raise ValueError(
            "this is not an invitation: one reads NAME@ADDRESS:PORT,ADDRESS:PORT#CODE, as the hall shows it"
        )
    addresses = tuple(found["addresses"].split(","))
    if len(addresses) > 2 or not all(map(_ADDRESS.fullmatch, addresses)):
        raise ValueError(f"{found['addresses']}: one or two addresses of the hall are wanted, each with its port")
    letters = re.sub("[ -]", "", found["code"]).upper()
    if len(letters) != 2 * HALF:
        raise ValueError(f"the code has {len(letters)} characters instead of {2 * HALF}: look at it again")
    return Invitation(found["name"], addresses, letters[:HALF], letters[HALF:])
