"""A filled form is one move: what was entered lies in `values`, beside what the move says itself.

Nothing may be said twice. A value laid over `kind` or `seat` after somebody has looked at them would be another move.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

ALWAYS = frozenset(("kind", "seat"))
"""What only the move itself says, also where it leaves them out."""


def entered(move: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values of a form, none of which the move already has; `msgspec.ValidationError` names the first one it has."""
    values = move.get("values", {})
    if not isinstance(values, Mapping):
        raise msgspec.ValidationError("Expected `object` - at `$.values`")
    twice = sorted((ALWAYS | move.keys()) & values.keys())
    if twice:
        raise msgspec.ValidationError(f"The form says `{twice[0]}`, which is the move's own - at `$.values`")
    return values


def flat(move: Mapping[str, Any], groups: tuple[str, ...] = ()) -> dict[str, Any]:
    """The move with its values beside the rest; those of a group are gathered in it: `patrons-B` in `patrons`."""
    found = {key: value for key, value in move.items() if key != "values"}
    gathered: dict[str, dict[str, Any]] = {}
    for key, value in entered(move).items():
        group, _, name = key.partition("-")
        if group not in groups:
            found[key] = value
        elif group in move:
            raise msgspec.ValidationError(f"The form says `{key}`, and the move `{group}` - at `$.values`")
        else:
            gathered.setdefault(group, {})[name] = value
    return found | gathered
