"""Sample views beside the game: the first steps, the box check, finished games."""

from __future__ import annotations

from typing import Any

import msgspec

from benches import samples
from companion.game import Text
from companion.games.skyrise.mat import islands_mat
from companion.wire.messages import DialSeen, MarketSeen
from companion.wire.past import Past
from companion.wire.replies import BoxList, BoxValue, Checked, Sites
from display.theme import COLOUR_ORDER, TOWER_ORDER
from display.view import Told, View


def welcome(language: str = "en", step: str = "language", **local: Any) -> View:
    """The first steps on a new table, with a camera that finds it a little dark."""
    say, do = Text("vision/check/dark/say"), Text("vision/check/dark/do")
    parts = {"mat": 1.0, "resolution": 0.9, "angle": 0.95, "light": 0.42, "even": 0.8, "glare": 1.0, "sharp": 0.86}
    return msgspec.structs.replace(
        samples.lobby(language, scene="welcome", **{"welcome-step": step, "welcome-turns": 0, **local}),
        dial=DialSeen(state="ready", ts=0.0, position=2, turns=2),
        market=MarketSeen(state="ready", ts=0.0, score=0.42),
        told=Told(check=Checked(0.42, parts, {}, say, do)),
    )


def sites(language: str = "en", taps: int = 3) -> View:
    """Sites of a board being tapped on the live picture."""
    mat = islands_mat()
    places = {
        spot.id: (round(0.28 + 0.44 * spot.x / mat.width, 3), round(spot.y / mat.height, 3)) for spot in mat.spots
    }
    order = dict(sorted(places.items(), key=lambda one: one[0].rpartition("-")[0]))
    view = samples.table(language, scene="calibration", sites=[[x + 0.01, y] for x, y in list(order.values())[:taps]])
    assert view.state is not None
    shown = msgspec.structs.replace(view.state, mat=mat)
    return msgspec.structs.replace(view, state=shown, told=Told(sites=Sites(order)))


def _value(key: str, value: Any, *, first: bool = True, **more: Any) -> BoxValue:
    return BoxValue(key=key, value=value, first=first, **more)


def box_check(language: str = "en", game: str = "skytopia", **local: Any) -> View:
    """Printed values of a game, some to be looked at."""
    colours = tuple(TOWER_ORDER)
    values = {
        "skytopia": [
            _value("chronometer.start_value", 1, low=1, high=6),
            _value("chronometer.dir", -1, options=(-1, 1)),
            _value("chronometer.price_by_steps.1", 10, low=0, high=30),
            _value("chronometer.price_by_steps.3", 3, low=0, high=30),
            _value("setup.initial_die_value", 5, low=1, high=6),
            _value("abilities.tile_colour.T1", "blue", options=colours),
            _value("abilities.tile_colour.T2", "gold", options=colours),
            _value("effects.B4.tiers", [[1, 1], [3, 2], [5, 3]]),
            _value("cards.B1a.crest", "C1", first=False, options=("C1", "C2", "C3", "C4")),
            _value("rules.chain_protection", True, first=False),
        ],
        "skyrise": [
            _value("buildings.red.era-1.medium", [33, 54, 62, 72]),
            _value("wonders.jane-jacobs-gardens.initiative", 9, low=1, high=99),
            _value("panorama.airships.reward", 3, low=0, high=50),
            _value("wonders.crypt.reach", "adjacent", options=("adjacent", "island", "anywhere")),
            _value("patrons.values", [2, 3, 4, 5]),
            _value("settings.empty-island-scores", False),
        ],
    }[game]
    shown = samples.lobby(language, scene="box", **{"box-game": game, **local})
    return msgspec.structs.replace(shown, told=Told(box=BoxList(game, tuple(values))))


def past(language: str = "en", **local: Any) -> View:
    """An evening's worth of finished games."""
    names = samples.NAMES[language]
    scores = ((82, 82, 91, 78), (64, 71, 58, 60), (90, 77, 85, 81))
    plays = [
        {
            "id": f"game-{i}", "game": "skytopia", "title": {"key": "skytopia/title"}, "ts": 1794514500.0 - 86_400 * i,
            "minutes": 74 + i, "chart": [list(row) for row in samples.CHART], "spent": [],
            "players": [
                {
                    "seat": k, "name": names[k], "colour": COLOUR_ORDER[k], "total": total, "won": total == max(totals),
                    "lines": [
                        {"id": name, "text": {"key": f"display/demo/line/{name}"}, "points": points[k]}
                        for name, points in samples.LINES
                    ],
                }
                for k, total in enumerate(totals)
            ],
        }
        for i, totals in enumerate(scores)
    ]  # fmt: skip
    record = {"skytopia": {"plays": 3, "mean": 77.4, "best": 91}, "praga": {"plays": 1, "mean": 142.0, "best": 142}}
    sources = {
        "skytopia": [
            {"id": name, "text": {"key": f"display/demo/line/{name}"}, "points": 3 * sum(points)}
            for name, points in samples.LINES
            if sum(points) > 0
        ]
    }
    known = {
        "games": plays,
        "count": 3,
        "players": {names[k]: {"plays": 4 - k % 2, "wins": 3 - k, "games": record} for k in range(4)},
        "sources": sources,
        "beat": {names[0]: {names[1]: 2, names[2]: 1}, names[2]: {names[0]: 3, names[3]: 1}},
    }
    shown = samples.lobby(language, scene="past", **local)
    return msgspec.structs.replace(shown, told=Told(history=msgspec.convert(known, Past)))
