"""A hall full of tables for tests: what they would say, and a page in a real browser."""

from __future__ import annotations

from random import Random

from companion.game import Text
from companion.wire.hall import PlayerResult, Result, SeatScore, TableScore
from companion.wire.messages import Health
from hall.event import Placing
from hall.messages import Said

NAMES = (
    *("Ada", "Bartek", "Celeste", "Dorota", "Émile", "Franek", "Gosia", "Hugo", "Iga", "Jean"),
    *("Kasia", "Léa", "Marek", "Noémie", "Olek", "Paulina", "Quentin", "Róża", "Staś", "Thérèse"),
)
COLOURS = ("sun", "leaf", "sky", "coral")
GAMES = ("skytopia", "praga", "skyrise", "yacht", "farkle")


def players(count: int) -> list[str]:
    """So many different names."""
    rounds = -(-count // len(NAMES))
    return [name if not again else f"{name} {chr(65 + again)}." for again in range(rounds) for name in NAMES][:count]


def a_score(number: int, seq: int = 1, names: tuple[str, ...] = (), game: str = "") -> TableScore:
    """Table `number` in mid-game; the same numbers give the same score."""
    chance = Random(number * 1000 + seq)
    names = names or tuple(chance.sample(NAMES, 4))
    points = [float(chance.randint(0, 60)) for _ in names]
    game = game or GAMES[number % len(GAMES)]
    seats = tuple(SeatScore(name=name, colour=COLOURS[seat], points=points[seat]) for seat, name in enumerate(names))
    lead = tuple(seat for seat, made in enumerate(points) if made == max(points))
    return TableScore(
        phase="playing",
        title="Tableside",
        game=game,
        game_name=Text(f"{game}/title"),
        game_id=f"g{number}",
        seq=seq,
        round=1 + seq % 9,
        turn=seq % len(names),
        seats=seats,
        lead=lead,
        ts=float(seq),
    )


def said(number: int, seq: int = 1) -> Said:
    return Said(f"table-{number}", "score", a_score(number, seq))


def here(number: int, is_here: bool = True) -> Said:
    return Said(f"table-{number}", "here", is_here)


def camera_away(number: int) -> Said:
    return Said(f"table-{number}", "health", Health(room="vision", status="offline"))


def a_result(placing: Placing, game: str, ended: float, seed: int = 0) -> Result:
    """The game at this table is over."""
    chance = Random(f"{placing.table} {ended} {seed}")
    points = [float(chance.randint(10, 90)) for _ in placing.players]
    made = tuple(
        PlayerResult(seat=seat, name=name, points=points[seat], won=points[seat] == max(points))
        for seat, name in enumerate(placing.players)
    )
    game_id = f"{placing.table}-{int(ended)}"
    return Result(game=game, game_id=game_id, seq=50, began=max(0.0, ended - 3000), ended=ended, players=made)
