"""What may be drawn beside an answer: every key a screen or phone knows. A pack names those that fit, as a plain dictionary."""

from __future__ import annotations

from typing import TypedDict


class PictureDie(TypedDict):
    """A die: whose, and the face on top."""

    owner: int
    face: int


class PicturePiece(TypedDict):
    """A building of Skyrise."""

    seat: int
    height: str
    number: int | None


class PictureHex(TypedDict):
    """A hex tile of Praga, as its copy has it."""

    stone: int
    gold: int
    """What it costs."""
    on: str
    """The action it improves, if it does."""
    special: bool
    claim: bool
    gives: dict[str, int]
    taken: bool
    """Already in this game."""


class Picture(TypedDict, total=False):
    """Drawn beside an answer, for example `{"die": {"owner": 0, "face": 5}, "coins": 6}`."""

    die: PictureDie
    coins: int
    points: int
    rounds: int
    icon: str
    slot: str
    """A place the camera looks at, where the answer is about one."""
    to: str
    card: str | None
    tower: str
    level: int
    was: int
    """The face a die showed before."""
    guild: str
    ability: str
    bases: dict[str, str]
    """Crests of a city's ground floors, by colour."""
    # Praga
    tile: int
    station: int
    zone: str
    cost: int
    worth: int
    flag: bool
    action: str
    actions: list[str]
    branch: str
    bonus: str
    hex: PictureHex
    plaza: int
    site: list[int]
    """Gold a site asks and points it gives."""
    gain: str
    n: int
    landing: str
    arrow: str
    # Skyrise
    piece: PicturePiece
    token: str
    wonder: str
    initiative: int
