"""The final scoring in its printed order (rules, section 12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.box.printed import Box
from companion.game import PlayerTally, Tally, TallyLine, Text, seat_name
from companion.games.praga.sheet import Sheet

Doubts = Mapping[str, Sequence[str]]
"""Line -> printed values behind it."""


def science(technology: int, multiplier: int) -> int:
    """Step 2: technology steps times the university's multiplier."""
    return technology * multiplier


def city_walls(printed: Box, walls: int) -> int:
    """Step 4: nothing up to two wall tiles, then for three, four and six."""
    reached = [count for count in (3, 4, 6) if walls >= count]
    return int(printed[f"scoring.walls.{reached[-1]}"]) if reached else 0


def egg_points(printed: Box, eggs: int) -> int:
    """Step 6: eggs left."""
    return int(printed[f"scoring.eggs.{min(eggs, 4)}"]) if eggs else 0


def best_split(printed: Box, seals: Sequence[str], gold: int, stone: int) -> tuple[int, int]:
    """Step 5, seals: most points without using any good twice, and the pairs paid for it."""
    each = {name: int(printed[f"scoring.seal.{name}"]) if name in seals else 0 for name in ("gold", "stone", "pair")}
    six = int(printed["scoring.seal.six"]) if "six" in seals else 0

    def value(pairs: int) -> int:
        return each["pair"] * pairs + each["gold"] * (gold - pairs) + each["stone"] * (stone - pairs) + six

    pairs = max(range(min(gold, stone) + 1), key=value) if "pair" in seals else 0
    return value(pairs), pairs


def final_tile(printed: Box, sheet: Sheet, tile: str) -> tuple[int, int]:
    """Step 5, V tiles: points of one tile and what it counted."""
    if tile == "rows":
        return sheet.v_rows_points, 0
    counts = {
        "university": after_step_one(printed, sheet)["university"],
        "mines": sheet.mines or 0,
        "quarries": sheet.quarries or 0,
        "upgrades": sheet.upgrades or 0,
        "walls": sheet.walls,
    }
    return counts[tile] * int(printed[f"scoring.v.{tile}"]), counts[tile]


def after_step_one(printed: Box, sheet: Sheet) -> dict[str, int]:
    """What is left to count once the unfinished plazas have paid: goods and tracks stop at their ends."""
    tops = {
        "gold": int(printed["limit.goods"]),
        "stone": int(printed["limit.goods"]),
        "university": int(printed["track.university_top"]),
    }
    if printed.confirmed("track.technology_top"):
        tops["technology"] = int(printed["track.technology_top"])
    sums = {
        field: getattr(sheet, field) + getattr(sheet.plazas, field)
        for field in ("gold", "stone", "eggs", "technology", "university", "red", "blue")
    }
    return {field: min(value, tops.get(field, value)) for field, value in sums.items()}


def _line(name: str, points: int, printed: Box, keys: Sequence[str] = (), **reason: int | str | Text) -> TallyLine:
    text = Text(f"praga/line/{name}")
    why = Text(f"praga/reason/{name}", dict(reason)) if reason else None
    return TallyLine(name, text, points, why, printed.unconfirmed(keys))


def _sideways(printed: Box, sheet: Sheet, have: Mapping[str, int]) -> list[TallyLine]:
    """Step 3: each building's column counts the other's colour: Hunger Wall blue, Cathedral red."""
    blue, red = sheet.wall_column * have["blue"], sheet.cathedral_column * have["red"]
    return [
        _line("wall_row", sheet.wall_row, printed),
        _line("cathedral_row", sheet.cathedral_row, printed),
        _line("blue_tokens", blue, printed, n=have["blue"], each=sheet.wall_column),
        _line("red_tokens", red, printed, n=have["red"], each=sheet.cathedral_column),
    ]


def _final_effects(printed: Box, sheet: Sheet, have: Mapping[str, int], doubts: Doubts) -> list[TallyLine]:
    """Step 5: V tiles one by one, then the seals."""
    lines = []
    for tile in sheet.v_tiles:
        points, count = final_tile(printed, sheet, tile)
        why = None
        if tile != "rows":
            why = Text(f"praga/reason/v/{tile}", {"n": count, "each": int(printed[f"scoring.v.{tile}"])})
        open_keys = printed.unconfirmed(doubts.get(f"v/{tile}", ()))
        lines.append(TallyLine(f"v/{tile}", Text(f"praga/line/v/{tile}"), points, why, open_keys))
    points, pairs = best_split(printed, sheet.seals, have["gold"], have["stone"])
    why = None
    if sheet.seals:
        held = tuple(Text(f"praga/seal/{name}") for name in sheet.seals)
        why = Text("praga/reason/seals", {"seals": held, "gold": have["gold"], "stone": have["stone"], "pairs": pairs})
    return [*lines, TallyLine("seals", Text("praga/line/seals"), points, why)]


def player(printed: Box, sheet: Sheet, doubts: Doubts | None = None) -> PlayerTally:
    """Every point of one player, line by line; `doubts` names printed values behind what the record filled in."""
    doubts = doubts or {}
    have = after_step_one(printed, sheet)
    steps, eggs = have["technology"], have["eggs"]
    points = science(steps, sheet.multiplier)
    egg_keys = [f"scoring.eggs.{min(eggs, 4)}"] if eggs else []
    lines = (
        _line("track", sheet.track, printed, doubts.get("track", ())),
        _line("plazas", sheet.plazas.points, printed),
        _line("science", points, printed, doubts.get("science", ()), n=steps, each=sheet.multiplier),
        *_sideways(printed, sheet, have),
        _line("walls", city_walls(printed, sheet.walls), printed, n=sheet.walls),
        *_final_effects(printed, sheet, have, doubts),
        _line("eggs", egg_points(printed, eggs), printed, egg_keys, n=eggs),
    )
    return PlayerTally(sheet.seat - 1, sheet.name or f"P{sheet.seat}", sum(line.points for line in lines), lines)


def tally(printed: Box, sheets: Sequence[Sheet], doubts: Mapping[int, Doubts] | None = None) -> Tally:
    """All players with the winner; among equals whoever took the first turn later wins."""
    players = [player(printed, sheet, (doubts or {}).get(sheet.seat - 1)) for sheet in sheets]
    best = max(one.total for one in players)
    tied = sorted(one.seat for one in players if one.total == best)
    winner = tied[-1]
    tie = (
        Text("praga/tie-break", {"winner": seat_name(winner), "tied": tuple(seat_name(seat) for seat in tied)})
        if len(tied) > 1
        else None
    )
    notes: tuple[Text, ...] = ()
    if len(players) == 1:
        players, notes = [_with_verdict(printed, players[0])], (_verdict(printed, players[0].total),)
    unconfirmed = dict.fromkeys(key for one in players for line in one.lines for key in line.unconfirmed)
    return Tally(tuple(players), (winner,), tie, tuple(unconfirmed), notes)


def _verdict(printed: Box, total: int) -> Text:
    good = int(printed["solo.good"])
    return Text("praga/verdict/won" if total > good else "praga/verdict/lost", {"good": good, "total": total})


def _with_verdict(printed: Box, one: PlayerTally) -> PlayerTally:
    good = int(printed["solo.good"])
    verdict = f"above {good}" if one.total > good else f"not above {good}"
    return PlayerTally(one.seat, one.name, one.total, one.lines, {"verdict": verdict})
