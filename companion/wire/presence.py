"""Whether the phone of a seat is there: asked when somebody else comes with its key."""

from __future__ import annotations

from typing import Annotated

import msgspec

from companion.wire.messages import Message


class Knock(Message, frozen=True):
    """Somebody wants to take a seat up that is alive: is its phone there?"""

    knock: Annotated[str, msgspec.Meta(max_length=64)]


class Here(Message, frozen=True):
    """A seat's phone listens now, answers a knock, or (as its last will) is gone."""

    line: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    """Names the connection, so that a late last will ends no newer one."""
    here: bool = True
    knock: Annotated[str, msgspec.Meta(max_length=64)] = ""
