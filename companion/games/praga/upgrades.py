"""What pays again and again: upgrades lying on actions, and sections of the King's Road that last (rules, sections 5 and 11)."""

from __future__ import annotations

from collections.abc import Mapping

from companion.game import Text, seat_name
from companion.games.praga.gains import gain
from companion.games.praga.state import Pending, Work

ROAD = {"plain-buildings": 3, "walls": 2, "upgrades": 2}
"""Points of a lasting section for a building without the Cathedral's icon, a wall, an upgrade."""
EACH_ERA_ONE, EACH_WINDOW = 3, 2
"""Points of a section for each upgrade of Era I and each silver window held on entering it."""


def lay(play: Work, seat: int, action: str, gives: Mapping[str, int]) -> None:
    """An upgrade lies on its action; what it gives counts for what was done this turn already.

    Where it covers one that has paid for that, the player uses one of the two for each time: the older was booked.
    """
    board = play.board(seat)
    covered = action in board.upgraded
    play.put(seat, upgraded={**board.upgraded, action: dict(gives)})
    play.say("upgraded", seat, who=seat_name(seat), action=Text(f"praga/action/{action}"))
    if not covered:
        for _ in range(play.state.did.count(action)):
            fire(play, seat, action)


def fire(play: Work, seat: int, action: str) -> None:
    """The upgrade of an action pays, whatever the action came from."""
    gives = play.board(seat).upgraded.get(action)
    if gives:
        play.say("upgrade-pays", seat, who=seat_name(seat), action=Text(f"praga/action/{action}"))
        gain(play, seat, **gives)


def road_pays(play: Work, seat: int, effect: str) -> None:
    """The section of the King's Road a pawn stands on pays for what was just done, where the box knows it."""
    section = play.board(seat).road
    if not 1 <= section <= 3 or play.box[f"road.{section}"] != effect:
        return
    play.rests_on(seat, f"road.{section}")
    play.say("road-pays", seat, who=seat_name(seat), section=Text(f"praga/level/{section}"))
    gain(play, seat, points=ROAD[effect])
    if effect == "upgrades":
        play.owe(Pending("good", seat, play.state.turn, "road"))


def section_entered(play: Work, seat: int, section: int) -> None:
    """What a section gives for what one has, counted where the box knows the section."""
    effect = play.box[f"road.{section}"] if section <= 3 else ""
    board = play.board(seat)
    worth = {
        "era-one-upgrades": EACH_ERA_ONE * board.era_one,
        "windows": EACH_WINDOW * board.silver_windows,
    }.get(effect, 0)
    if worth:
        play.rests_on(seat, f"road.{section}")
        play.say("road-pays", seat, who=seat_name(seat), section=Text(f"praga/level/{section}"))
        gain(play, seat, points=worth)
