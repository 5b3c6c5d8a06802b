"""Sample positions: what the pictures, the bench and the measuring of labels are drawn from.

Round 9 of a Skytopia game with a build value of 5; prices, guild values and points add up.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.game import (
    Ask,
    Choice,
    Field,
    Form,
    Option,
    Picture,
    PlayerTally,
    Tally,
    TallyLine,
    Text,
    seat_name,
)
from companion.games.skytopia.guilds import does
from companion.games.skytopia.printed import numbers
from companion.past import bgstats
from companion.past.history import Play
from companion.shown.scorepad import Entry, PadPlayer, PadView
from companion.shown.skytopia import Card, City, Dial, Effect, Golem, Guild, Market, SkytopiaView, Slot
from companion.wire.lobby import Lobby, Offer, Paused, Sitter
from companion.wire.messages import (
    Answerable,
    DialSeen,
    Health,
    JoinInfo,
    MarketSeen,
    Notice,
    Prompt,
    Question,
    SeatInfo,
    State,
    Undo,
)
from display.theme import COLOUR_ORDER, TOWER_ORDER
from display.view import Banner, View

NAMES = {
    "en": ("Magda", "Tomek", "Élodie", "Sam", "Iris", "Bartholomew"),
    "pl": ("Małgosia", "Tomek", "Łucja", "Zdzisław", "Wawrzyniec", "Żaneta"),
    "fr": ("Magda", "Tomek", "Élodie", "Jean-Baptiste", "Gaëtan", "Maximilienne"),
}
_MARKET = (
    ("B1 C1 1:4", "G2 C3 3:6 2:1", "R1 C4", "V3 C2 3:5"),
    ("B2 C3 0:2 3:1", "G1 C2", "R3 C1 1:2", "V1 C4 0:6"),
    ("B3 C4", "G3 C1 1:5 0:3 3:2", "R2 C2 3:4", "V2 C1"),
    ("B2 C2 2:3", "G2 C4", "R1 C3", "V4 C3 1:1"),
)
_EFFECTS = {
    "B1": ("points", 3), "B2": ("points", 1), "B3": ("points", 2), "G1": ("coins", 5), "G2": ("coins", 2),
    "G3": ("coins", 3), "R1": ("rotate", 2), "R2": ("rotate", 1), "R3": ("move", 0), "V1": ("add", 0),
    "V2": ("repeat", 0), "V3": ("laboratory", 5), "V4": ("row", 0),
}  # fmt: skip
_PRICES = {6: (0, 5), 1: (1, 4), 2: (3, 3), 3: (6, 2), 4: (10, 1)}
_PLAYERS = (
    (23, 7, 2, (3, 1, 0, 1), (6, 6, 9)),
    (27, 12, 1, (2, 4, 1, 0), (9, 12, 6)),
    (19, 4, 3, (1, 1, 2, 1), (6, 9, 12)),
    (31, 0, 0, (4, 1, 2, 1), (6, 6, 6)),
)
CHART = (
    (0, 1, 3, 5, 7, 9, 12, 15, 19, 23, 28, 34, 41, 48),
    (0, 0, 2, 5, 9, 13, 17, 21, 26, 32, 38, 43, 48, 52),
    (0, 2, 3, 5, 7, 9, 12, 15, 19, 23, 28, 34, 39, 44),
    (0, 1, 4, 8, 11, 15, 20, 26, 31, 35, 41, 46, 51, 55),
)


def _slot(colour: str, row: int, written: str) -> Slot:
    effect, crest, *dice = written.split()
    golems = tuple(Golem(int(d[0]), int(d[2]), finishes=d[2] == "5") for d in dice)
    return Slot(card=f"{effect}a", effect=effect, crest=crest, slot=f"{colour}-{row}", dice=golems)


def slots(rows: int = 4) -> tuple[Slot, ...]:
    """The market."""
    return tuple(_slot(c, r + 1, _MARKET[r][k]) for r in range(rows) for k, c in enumerate(TOWER_ORDER))


def _player(seat: int, name: str) -> City:
    points, coins, home, towers, guilds = _PLAYERS[seat]
    return City(
        seat=seat, name=name, points=points, coins=coins, home=home, dice=5, city=0, ability="T1A", guilds=guilds,
        bases=dict(zip(TOWER_ORDER, ("C1", "C2", "C3", "C4"), strict=True)),
        towers={
            c: tuple(Card("B1a", "B1", f"C{(i + k) % 4 + 1}") for i in range(n))
            for k, (c, n) in enumerate(zip(TOWER_ORDER, towers, strict=True))
        },
    )  # fmt: skip


def skytopia(language: str = "en", players: int = 4) -> SkytopiaView:
    """What the pack shows."""
    return SkytopiaView(
        round=9, rounds_left=None, build=5, phase="place", step="place", turn=0, first=0, final=False,
        dial=Dial(2, (5, 6, 1, 2, 3, 4), (None, 0, 1, 3, 6, 10), (0, 5, 4, 3, 2, 1)),
        market=Market(players, TOWER_ORDER, {"blue": 6, "gold": 4, "red": 5, "violet": 1}, slots(players)),
        players=tuple(_player(i, NAMES[language][i]) for i in range(players)),
        guilds=tuple(
            Guild(name, group, does(numbers({}), name))
            for group, name in enumerate(("mechanics", "merchants", "artists"), 1)
        ),
        crests={},
        effects={
            key: Effect(mark, value, Text(f"display/demo/does/{mark}", {"n": value}))
            for key, (mark, value) in _EFFECTS.items()
        },
        chart=tuple(row[:9] for row in CHART[:players]),
    )  # fmt: skip


def written(view: Any) -> msgspec.Raw:
    """A view as it travels."""
    return msgspec.Raw(msgspec.json.encode(view))


def _seats(language: str, players: int, phones: int = 0) -> tuple[SeatInfo, ...]:
    names = NAMES[language]
    return tuple(
        SeatInfo(seat=i, name=names[i], colour=COLOUR_ORDER[i], language=language, phone=i < phones)
        for i in range(players)
    )


def _text(key: str, **params: int | str | Text) -> Text:
    return Text(f"display/demo/{key}", dict(params))


def place_ask() -> Ask:
    """Place one golem: every card has its five prices."""
    choices = []
    for slot in slots():
        for face, (price, rounds) in _PRICES.items():
            off = None
            if any(d.face == face for d in slot.dice):
                off = _text("taken")
            elif price > 7:
                off = _text("short", n=price - 7)
            picture: Picture = {"die": {"owner": 0, "face": face}, "coins": price, "rounds": rounds}
            move = {"kind": "place", "seat": 0, "slot": slot.slot, "face": face}
            name = f"place/{slot.slot}/{face}"
            choices.append(Choice(name, _text("place"), move, group=slot.slot, picture=picture, off=off))
    return Ask(0, _text("place"), tuple(choices), help=_text("place-help"), phase="place")


JOIN = JoinInfo(url="http://192.168.4.20:8780/#7KQ4MX", code="7KQ4MX", address="http://192.168.4.20:8780")


def _well() -> dict[str, Health]:
    rooms = ("companion", "vision", "firmware_bridge", "display")
    return {room: Health(room=room, status="online") for room in rooms}  # type: ignore[arg-type]


def settings(language: str = "en") -> dict[str, Any]:
    """A screen's settings as they come."""
    return {
        "language": language, "text_size": 100, "theme": "dark", "palette": "standard", "brightness": 100,
        "volume": 0, "reduced_motion": False, "lock": False, "pin": "", "welcomed": True,
    }  # fmt: skip


def table(language: str = "en", players: int = 4, **local: Any) -> View:
    """The Skytopia table with a card picked."""
    state = State(
        table="demo", phase="playing", game="skytopia", game_id="demo", seq=41, seats=_seats(language, players),
        view=written(skytopia(language, players)), prompt=Prompt(ask=place_ask()), undo=Undo(text=Text("display/undo")),
        games=("skytopia", "scorepad"),
    )  # fmt: skip
    return View(
        state=state,
        join=JOIN,
        dial=DialSeen(state="ready", ts=0.0, position=2),
        health=_well(),
        local={"slot": "red-2", **local},
        settings=settings(language),
    )


def question(language: str = "en") -> View:
    """The camera is not sure of one die."""

    def answer(face: int, share: float) -> Answerable:
        price, rounds = _PRICES[face]
        picture: Picture = {"die": {"owner": 0, "face": face}, "coins": price, "rounds": rounds}
        return Answerable(
            id=str(face), text=_text(f"face-{face}"), share=share, move={"kind": "@answer"}, picture=picture
        )

    asked = Question(
        id="q1",
        text=_text("which-value"),
        answers=(answer(3, 0.78), answer(1, 0.18), answer(6, 0.02), answer(2, 0.01), answer(4, 0.01)),
        slot="red-2",
        picture="slot-red-2",
    )
    return _asking(table(language), Prompt(ask=place_ask(), question=asked))


def _asking(shown: View, prompt: Prompt) -> View:
    assert shown.state is not None
    return msgspec.structs.replace(shown, state=msgspec.structs.replace(shown.state, prompt=prompt))


LINES = (
    ("track", (48, 52, 44, 55)), ("guild/mechanics", (6, 9, 6, 6)), ("guild/merchants", (6, 12, 9, 6)),
    ("guild/artists", (9, 6, 12, 6)), ("laboratory", (5, 0, 10, 0)), ("coins", (1, 2, 0, 3)), ("golems", (2, 1, 1, 2)),
)  # fmt: skip


def tally(language: str = "en", **local: Any) -> View:
    """The end of the game, decided by the tie-break."""
    totals = [sum(points[i] for _, points in LINES) for i in range(4)]
    players = tuple(
        PlayerTally(
            i,
            NAMES[language][i],
            totals[i],
            tuple(
                TallyLine(name, _text(f"line/{name}"), points[i], _text("reason") if points[i] else None)
                for name, points in LINES
            ),
        )
        for i in range(4)
    )
    tie = _text("tie", n=82, other=seat_name(1))
    shown = table(language)
    assert shown.state is not None
    view = written(msgspec.structs.replace(skytopia(language), phase="over", chart=CHART))
    told = Tally(players, (2,), tie)
    link = bgstats.link(Play("demo", "skytopia", 1794514500.0, 1794519000.0, told))
    state = msgspec.structs.replace(shown.state, phase="over", tally=told, play_link=link, view=view, prompt=None)
    return msgspec.structs.replace(shown, state=state, local={"cell": (2, 2), **local})


def pad(language: str = "en", players: int = 4, categories: bool = False) -> View:
    """The score pad in its fourth round."""
    names = NAMES[language]
    fields = [Field(f"p{i}", seat_name(i), "number", 0, -10_000, 10_000, seat=i) for i in range(players)]
    if categories:
        options = tuple(Option(word, _text("word", word=word)) for word in ("A", "B"))
        fields.append(Field("category", _text("category"), "pick", "A", options=options))
    form = Form(tuple(fields), {"kind": "score"}, _text("write"))
    ends = (Choice("next", _text("next"), {"kind": "next"}), Choice("end", _text("end"), {"kind": "end"}))
    points = (38, 41, 29, 144, 52, 8)
    view = PadView(
        players=tuple(PadPlayer(seat=i, name=names[i], points=points[i], rounds=(9, 14, 15)) for i in range(players)),
        round=4,
        rounds=10,
        entries=tuple(Entry(i % players, 3 + i, 1 + i // 4) for i in range(12)),
        chart=tuple((5, 12, points[i]) for i in range(players)),
    )
    state = State(
        table="demo", phase="playing", game="scorepad", game_id="pad", seq=12, seats=_seats(language, players),
        view=written(view), undo=Undo(text=Text("display/undo")),
        prompt=Prompt(ask=Ask(None, _text("points"), ends, form=form, phase="score")),
    )  # fmt: skip
    return View(
        state=state,
        health=_well(),
        local={"form": {"p0": 7, "p1": -3, "p3": 12}},
        settings=settings(language),
    )


def generic(language: str = "en") -> View:
    """A game nobody has drawn: prompt, changes, players, a curve."""
    shown = table(language)
    assert shown.state is not None
    ask = Ask(
        2,
        _text("action"),
        (
            Choice("a", _text("choice-a"), {"kind": "a"}, primary=True, note=_text("note-a")),
            Choice("b", _text("choice-b"), {"kind": "b"}, off=_text("taken")),
            Choice("c", _text("choice-c"), {"kind": "c"}, picture={"coins": 2}),
        ),
        help=_text("action-help"),
        change=(_text("change-a"), _text("change-b")),
        reminders=(_text("reminder"),),
    )
    state = msgspec.structs.replace(shown.state, game="unknown", prompt=Prompt(ask=ask))
    return msgspec.structs.replace(shown, state=state, local={})


def entry_form(language: str = "en") -> View:
    """A form with every kind of field."""
    options = tuple(Option(v, _text(f"option-{v}")) for v in ("a", "b", "c", "d"))
    fields = (
        Field("n", _text("field-number"), "number", 4, 0, 60, help=_text("field-help")),
        Field("f", _text("field-flag"), "flag", True),
        Field("p", _text("field-pick"), "pick", "b", options=options[:2]),
        Field("w", _text("field-wheel"), "pick", "c", options=options),
        Field("m", _text("field-many"), "many", ("a",), options=options),
        Field("g", _text("field-many"), "many", ("b", "d"), options=(*options, Option("e", _text("option-e")))),
        Field("t", _text("field-words"), "words", "Wieża"),
    )
    ask = Ask(1, _text("action"), (), form=Form(fields, {"kind": "enter"}, _text("write")))
    return _asking(generic(language), Prompt(ask=ask))


def lobby(language: str = "en", players: int = 4, **local: Any) -> View:
    """The set-up, with the players of last time."""
    titles = {"skytopia": (2, 4), "praga": (1, 4), "skyrise": (2, 4), "scorepad": (1, 8)}
    field = Field("long", _text("field-flag"), "flag", False)
    setup = {
        name: Offer(title=Text(f"display/demo/title/{name}"), players=span, options=(field,))
        for name, span in titles.items()
    }
    last = tuple(
        Sitter(name=NAMES[language][i], colour=COLOUR_ORDER[i], language=("pl", "pl", "fr", "en", "en", "pl")[i])
        for i in range(players)
    )
    away = (
        Paused(id="20261112-201500-a1b2c3", game="skytopia", title=Text("skytopia/title"), ts=1794514500.0, seats=last, moves=57),
        Paused(id="20261110-190000-d4e5f6", game="praga", title=Text("praga/title"), ts=1794337200.0, seats=last[:2], moves=21),
    )  # fmt: skip
    told = Lobby(setup=setup, last=last, paused=away, box={"skytopia": 10, "praga": 25, "skyrise": 0})
    state = State(table="demo", phase="lobby", games=tuple(titles), lobby=told)
    return View(state=state, join=JOIN, health=_well(), local=dict(local), settings=settings(language))


def joined(language: str = "en", players: int = 4) -> View:
    """Two phones have sat down."""
    shown = table(language, scene="join")
    assert shown.state is not None
    state = msgspec.structs.replace(shown.state, seats=_seats(language, players, phones=2))
    return msgspec.structs.replace(shown, state=state)


def troubled(language: str = "en", **local: Any) -> View:
    """It is too dark, the dial has just been switched on, and the broker is away."""
    return msgspec.structs.replace(
        table(language, **{"scene": "health", **local}),
        market=MarketSeen(state="too dark", ts=0.0),
        dial=DialSeen(state="unconfirmed", ts=0.0),
        connected=False,
    )


def rebuilt(language: str = "en") -> View:
    """After an undo the table is put back."""
    shown = table(language)
    assert shown.state is not None
    notices = tuple(
        Notice(id=f"restore-{slot}", text=_text("restore", slot=slot), kind="todo", slot=slot, done=done)
        for slot, done in (("blue-1", True), ("gold-3", False), ("red-2", False), ("dial", False), ("violet-4", False))
    )
    return msgspec.structs.replace(shown, state=msgspec.structs.replace(shown.state, notices=notices), local={})


def refused(language: str = "en") -> View:
    """A refusal under the band."""
    from display.wording import Wording

    say = Wording(language).say
    banner = Banner(say("display/demo/refused"), say("display/demo/refused-do"), "bad", seconds=0)
    return msgspec.structs.replace(table(language), banner=banner)
