"""Praga a second time, as a player with paper and pencil follows a recorded game: written from `docs/rules/praga.md` alone.

It shares no code with the pack, knows only what the recorded games do, and stops at anything else. What it writes down at the
end is a final position; `by_hand` scores it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Move = Mapping[str, Any]
RED = {1: 2, 2: 2, 3: 1, 4: 1}
BLUE = {8: 1, 9: 2, 10: 3, 11: 4, 12: 5}
HOOKS = (
    "special 1",
    "stone",
    "gold",
    "special 2",
    "silver",
    "egg gold",
    "stone",
    "special 1",
    "gold",
    "silver",
    "egg stone",
)
"""Section 4.1: the wheel bonus of hooks 1 to 11, clockwise from the box."""
ARROW = {2: 10, 3: 5, 4: 11}
ERA = {2: 16, 3: 26, 4: 31}
MINED, CUT, STUDIED = {5: 1, 6: 2, 7: 2, 8: 2}, {5: 1, 6: 1, 7: 1}, {6: 1, 7: 1}
"""Sections 7 and 17.3: points of a production by mines and by quarries, technology steps by quarries."""
TOKENS = {"gold": {"gold": 1}, "stone": {"stone": 1}, "points": {"points": 2}, "point-gold": {"points": 1, "gold": 1}}
TOPS = {"gold": 9, "stone": 9, "mines": 8, "quarries": 7, "technology": 9, "university": 8}
GAINS = (
    *("points", "gold", "stone", "eggs", "silver_windows", "gold_windows", "red", "blue"),
    *("technology", "university", "wall_steps", "cathedral_steps"),
)


class Player:
    """What lies before one player."""

    def __init__(self) -> None:
        names = ("points", "eggs", "silver_windows", "gold_windows", "red", "blue", "walls", "upgrades", "road")
        self.has = {**dict.fromkeys((*names, "technology", "university"), 0), "gold": 2, "stone": 2}
        self.has |= {
            "mines": 3,
            "quarries": 2,
            "wall_row": 1,
            "wall_column": 1,
            "cathedral_row": 1,
            "cathedral_column": 1,
        }
        self.upgraded: dict[str, dict[str, int]] = {}
        self.tokens: dict[str, dict[str, int]] = {}
        self.reached: dict[int, int] = {}
        self.lasting: dict[str, int] = {}
        self.firsts: set[str] = set()
        self.freed = 0
        self.v_tiles: list[str] = []
        self.end: dict[str, int] = {}


class Paper:
    """One game, followed move by move."""

    def __init__(self, options: Mapping[str, Any], box: Mapping[str, Any]) -> None:
        self.box, self.people = box, len(options["names"])
        self.seats = max(2, self.people)
        self.players = [Player() for _ in range(self.people)]
        self.arrow, self.turn = ARROW[self.seats], 0
        free = [station for station in range(1, 8) if station != self.arrow]
        self.hangs = dict(zip(free, options["tiles"], strict=False))
        self.five: set[int] = set()
        self.plazas: dict[int, dict[str, Any]] = {}
        self.new_turn()

    def new_turn(self) -> None:
        """Nothing in hand, nothing done."""
        self.hand, self.bonus, self.acted, self.held = 0, "", False, False
        self.did: list[str] = []
        self.choice_paid = False
        self.building: Move = {}

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return self.turn % self.seats

    # -- moves -------------------------------------------------------------------------------------------------------

    def follow(self, move: Move) -> None:
        """One recorded move."""
        getattr(self, f"_{move['kind']}")(move)

    def _choose(self, move: Move) -> None:
        station = next(place for place, tile in self.hangs.items() if tile == move["tile"])
        self.hand = self.hangs.pop(station)
        self.bonus = HOOKS[(station - self.arrow) % 12 - 1]
        self.pay(self.seat, gold=RED.get(station, 0))
        worth = 5 if self.hand in self.five else BLUE.get(station, 0)
        self.five.discard(self.hand)
        self.gain(self.seat, points=worth)
        if worth:
            self.choice()

    def choice(self) -> None:
        """Level I: a point more, once a turn, where the choice of a tile gave points."""
        if self.awake(self.seat, "choice") and not self.choice_paid:
            self.choice_paid = True
            self.gain(self.seat, points=1)

    def _bonus(self, _move: Move) -> None:
        kind, _, of = self.bonus.partition(" ")
        self.bonus = ""
        if kind == "special":
            self.gain(self.seat, points=int(of))
            self.choice()
        elif kind == "egg":
            self.pay(self.seat, **{of: 1})
            self.gain(self.seat, eggs=1)
        elif kind == "silver":
            self.gain(self.seat, silver_windows=1)
        else:
            more = self.awake(self.seat, f"wheel-{kind}")
            self.gain(self.seat, **{kind: 1})
            self.gain(self.seat, **({"points": 1, kind: 1} if more else {}))

    def _begin(self, move: Move) -> None:
        self.building = move

    def _act(self, move: Move) -> None:
        seat, action = self.seat, move["action"]
        tile = self.box[f"hex.{action}"][(move.get("tile") or self.building.get("tile")) - 1] if action in HEX else {}
        if tile.get("special"):
            assert self.bonus.startswith("special"), "a special tile takes the special bonus"
            self.bonus = ""
        getattr(self, f"_do_{action}")(seat, move, tile)
        self.gain(seat, **self.players[seat].upgraded.get(action, {}))
        self.acted, self.building = True, {}
        self.did.append(action)
        if self.held:
            self._end_turn()

    def _turn(self, _move: Move) -> None:
        if self.seat >= self.people:  # the dummy takes the tile nearest the end of blue
            last = max(self.hangs)
            self.hand = self.hangs.pop(last)
            self.five.discard(self.hand)
            self._rotate()
        elif self.acted:
            self._end_turn()
        else:
            self.held = True

    def _later(self, _move: Move) -> None:
        self._end_turn()

    def _note(self, move: Move) -> None:
        self.gain(move["seat"], **move["values"])

    def _climb(self, move: Move) -> None:
        player, building = self.players[move["seat"]], move["building"]
        self.pay(move["seat"], silver_windows=2)
        if move.get("enters"):
            self.pay(move["seat"], gold=move["enters"] - 1, stone=move["enters"] - 1)
        player.has[f"{building}_row"] += 1
        if self.awake(move["seat"], "climb"):
            self.gain(move["seat"], points=2)
        self.land(move["seat"], building)

    def _learn(self, move: Move) -> None:
        player = self.players[move["seat"]]
        assert move["effect"] in ("wheel-gold", "wheel-stone", "choice", "climb", "building-icon")
        player.lasting[move["effect"]] = player.reached[move["level"]]

    def _token(self, move: Move) -> None:
        player = self.players[move["seat"]]
        track = next(name for name, space in (("mines", 5), ("quarries", 4)) if player.has[name] >= space)
        player.tokens[track] = TOKENS[move["token"]]

    def _final(self, move: Move) -> None:
        if move["tile"] != "none":
            self.players[move["seat"]].v_tiles.append(move["tile"])
            self.gain(move["seat"], points=3 if move["tile"] in ("university", "mines", "quarries") else 0)

    def _complete(self, move: Move) -> None:
        self.plazas.pop(move["plaza"])

    def _reward(self, move: Move) -> None:
        tile = self.box["plazas.tiles"][move["tile"] - 1] if move.get("tile") else {}
        gives = {name: tile[f"{move['row']}_{name}"] for name in GAINS if f"{move.get('row')}_{name}" in tile}
        if self.turn < 16 * self.seats:
            self.gain(move["seat"], **gives)
            return
        player = self.players[move["seat"]]
        for name, n in gives.items():
            past = max(0, player.has.get(name, 0) + player.end.get(name, 0) + n - TOPS.get(name, 99))
            steps = name in ("technology", "university")
            player.end[name] = player.end.get(name, 0) + n - (past if steps else 0)
            player.end["points"] = player.end.get("points", 0) + (2 * past if steps else 0)

    def _sheet(self, move: Move) -> None:
        assert not move.get("values"), "the recorded position is confirmed as it stands"

    # -- the six actions ---------------------------------------------------------------------------------------------

    def _do_mines(self, seat: int, move: Move, _tile: Move) -> None:
        self.track(seat, move, "mines", "gold", MINED)

    def _do_quarries(self, seat: int, move: Move, _tile: Move) -> None:
        self.track(seat, move, "quarries", "stone", CUT)

    def track(self, seat: int, move: Move, name: str, good: str, points: Mapping[int, int]) -> None:
        """One more and one good, or as many goods as there are and what is printed left of the cube."""
        player = self.players[seat]
        count = player.has[name]
        if move["branch"] == "dig":
            self.gain(seat, **{good: 1, name: 1})
            return
        self.gain(seat, **{good: count, "points": points.get(count, 0)})
        self.gain(seat, technology=STUDIED.get(count, 0) if name == "quarries" else 0)
        self.gain(seat, **player.tokens.get(name, {}))

    def _do_upgrade(self, seat: int, _move: Move, tile: Move) -> None:
        player = self.players[seat]
        player.has["upgrades"] += 1
        self.gain(seat, university=tile["era"])
        gives = {name: tile[name] for name in GAINS if name in tile}
        covers = tile["on"] in player.upgraded
        player.upgraded[tile["on"]] = gives
        for _ in range(0 if covers else self.did.count(tile["on"])):
            self.gain(seat, **gives)

    def _do_wall(self, seat: int, _move: Move, tile: Move) -> None:
        self.pay(seat, stone=tile.get("cost_stone", 0), gold=tile.get("cost_gold", 0))
        self.players[seat].has["walls"] += 1
        self.gain(seat, **{name: tile[name] for name in GAINS if name in tile})

    def _do_building(self, seat: int, move: Move, tile: Move) -> None:
        site = move.get("values", {})
        self.pay(seat, stone=tile.get("cost_stone", 0), gold=tile.get("cost_gold", 0))
        self.gain(seat, **{name: tile[name] for name in GAINS if name in tile})
        self.pay(seat, gold=site.get("site_gold", 0))
        self.gain(seat, points=site.get("site_points", 0))
        plaza = self.plazas.setdefault(self.building["plaza"], {"buildings": 0})
        plaza["buildings"] += 1
        if tile["place"] == "points":
            self.gain(seat, points=plaza["buildings"])
        if tile.get("cathedral_steps") and self.awake(seat, "building-icon"):
            self.gain(seat, points=1, **{self.box["technology.good.building-icon"]: 1})

    def _do_road(self, seat: int, move: Move, _tile: Move) -> None:
        player = self.players[seat]
        player.has["road"] += 1
        self.pay(seat, eggs=1 if player.has["road"] > 3 else 0)
        self.gain(seat, **move.get("values", {}))

    # -- the end of a turn -------------------------------------------------------------------------------------------

    def _end_turn(self) -> None:
        if self.bonus and not self.bonus.startswith("egg"):
            self._bonus({})
        player = self.players[self.seat]
        spare = player.has["silver_windows"] + player.has["gold_windows"] - 2
        if spare > 0:
            kinds = [name for name in ("silver_windows", "gold_windows") if player.has[name]]
            assert len(kinds) == 1, "two colours leave a choice"
            player.has[kinds[0]] -= spare
        self._rotate()

    def _rotate(self) -> None:
        """Section 4.2: one notch, two from station 12; what runs past blue goes to green, else to red, and is worth five."""
        notches = 2 if self.arrow == 12 else 1
        moved = {(place + notches - 1) % 12 + 1: tile for place, tile in self.hangs.items()}
        self.arrow = (self.arrow + notches - 1) % 12 + 1
        past = moved.pop(1, 0)
        if past:
            goal = next(place for place in (5, 6, 7, 4, 3, 2) if place != self.arrow and place not in moved)
            moved[goal] = past
            self.five.add(past)
        self.hangs = {**moved, 1: self.hand}
        self.turn += 1
        self.new_turn()

    # -- gaining and paying ------------------------------------------------------------------------------------------

    def pay(self, seat: int, **costs: int) -> None:
        """Nobody pays what they have not."""
        has = self.players[seat].has
        for name, n in costs.items():
            assert has[name] >= n, f"turn {self.turn}: {n} {name} to pay, {has[name]} there"
            has[name] -= n

    def gain(self, seat: int, **gives: int) -> None:
        """Everything something gives, one kind after the other."""
        for name, n in gives.items():
            if n < 0:
                self.pay(seat, **{name: -n})
            elif n and name.endswith("_steps"):
                self.sideways(seat, name.removesuffix("_steps"), n)
            elif n:
                self.one(seat, name, n)

    def one(self, seat: int, name: str, n: int) -> None:
        """So much of one kind, as far as it goes."""
        player = self.players[seat]
        before = player.has[name]
        after = player.has[name] = min(TOPS.get(name, 999), before + n)
        if name in ("technology", "university"):
            self.gain(seat, points=2 * (before + n - after))
        if name == "technology":
            for level, step in ((1, 2), (2, 4), (3, 5), (4, 6)):
                if before < step <= after:
                    player.reached.setdefault(level, self.turn)
        for mark in (6, 9) if name in ("gold", "stone") else ():
            if before < mark <= after and f"{name}-{mark}" not in player.firsts:
                player.firsts.add(f"{name}-{mark}")
                bonus = self.box[f"resource.{name}-{mark}"][0]
                if bonus != "none" and player.freed < 3:
                    player.freed += 1
                    self.gain(seat, **bonus)

    def sideways(self, seat: int, building: str, n: int) -> None:
        """Column by column, as far as there are any."""
        has = self.players[seat].has
        for _ in range(n):
            if has[f"{building}_column"] < len(self.box[f"grid.{building}.base-columns"]):
                has[f"{building}_column"] += 1
                self.land(seat, building)

    def land(self, seat: int, building: str) -> None:
        """What is printed on the space one comes to."""
        has = self.players[seat].has
        at = (has[f"{building}_row"], has[f"{building}_column"])
        spaces = {(one["row"], one["column"]): one for one in self.box[f"landing.{building}.base"]}
        assert not spaces[at]["arrow"]
        self.gain(seat, points=spaces[at]["points"])

    def awake(self, seat: int, effect: str) -> bool:
        """A lasting technology works from the owner's next turn on."""
        since = self.players[seat].lasting.get(effect)
        return (
            since is not None
            and self.turn > since
            and any(turn % self.seats == seat for turn in range(since + 1, self.turn + 1))
        )

    # -- the end -----------------------------------------------------------------------------------------------------

    def position(self, seat: int) -> dict[str, Any]:
        """What is written down for the final scoring."""
        player = self.players[seat]
        has = player.has
        university = min(8, has["university"] + player.end.get("university", 0))
        grid = {
            f"{building}_{axis}": self.box[f"grid.{building}.base-{axis}s"][has[f"{building}_{axis}"] - 1]
            for building in ("wall", "cathedral")
            for axis in ("row", "column")
        }
        return {
            **has,
            **grid,
            "track": has["points"],
            "multiplier": 3 if university == 8 else 2 if university > 5 else 1 if university > 2 else 0,
            "v_tiles": player.v_tiles,
            "v_rows_points": 0,
            "seals": (),
            "plazas": player.end,
        }


HEX = ("upgrade", "wall", "building")
