"""Over positions of recorded games, whatever one phone says: nothing changes that only another may change, and nobody learns
from an answer what another player hides."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.skyrise.state import SkyriseState
from companion.games.skyrise.wonders import WONDERS
from companion.journal import recorded
from companion.shown.skyrise import FACTIONS
from companion.wire.messages import Answer
from tests.companion.desk import Desk
from tests.conftest import ROOT
from tests.views import shown_by

GAMES = ("scorepad", "skytopia", "praga", "skyrise")
NAMES = ("Ada", "Ben", "Cy", "Dee")
MOMENT = re.compile(rb'"(ts|seq|since|table)":[0-9.e+-]+|"spent":\[[0-9.e+,-]*\]')


class Position(msgspec.Struct, frozen=True):
    """A moment of a recorded game: where it stood, the move that led on, and a move that was made later."""

    record: recorded.Record
    before: Any
    last: dict[str, Any]
    following: dict[str, Any]


def _pad() -> recorded.Record:
    chance = random.Random(3)
    moves: list[dict[str, Any]] = []
    for _ in range(12):
        moves.append({"kind": "points", "seat": chance.randrange(3), "points": chance.randint(-5, 20)})
        moves.append({"kind": "score", "values": {f"p{seat}": chance.randint(0, 9) for seat in range(2)}})
    options = {"names": list(NAMES[:3]), "rounds": 0, "categories": "roads, towns"}
    return recorded.Record("scorepad", options, {}, tuple(moves))


@cache
def positions(game: str) -> list[Position]:
    """Every fifth moment of every recorded game of this kind, and every one in which secrets are chosen."""
    files = sorted((ROOT / "tests" / "games" / game).glob("*.jsonl")) if game != "scorepad" else []
    records = [recorded.read(file.read_bytes()) for file in files] or [_pad()]
    found = []
    for one in records:
        steps = [(state, dict(move)) for state, move, _ in one.steps()]
        for i in range(len(steps) - 1):
            if files and i % 5 and getattr(steps[i][0], "phase", "") != "choose":
                continue
            later = steps[min(i + 1 + i % 3, len(steps) - 1)][1]
            found.append(Position(one, *steps[i], later))
    return found


class Stage:
    """A core in memory with one recorded game, put into one position of it after another; a phone sits at every seat."""

    def __init__(self, directory: Path, played: recorded.Record) -> None:
        self.desk = Desk(directory)
        self.game = played.game
        names = [str(name) for name in played.options["names"]]
        options = {key: value for key, value in played.options.items() if key not in ("names", "colours")}
        self.desk.new(played.game, *names, **options)
        self.phones = [self.desk.sit(seat) for seat in range(len(names))]
        self.said: list[tuple[str, bytes]] = []
        publish = self.desk.core.publish

        def record_too(topic: str, message: Any) -> None:
            self.said.append((topic, message if isinstance(message, bytes) else msgspec.json.encode(message)))
            publish(topic, message)

        self.desk.core.publish = record_too  # type: ignore[method-assign]

    @property
    def session(self) -> Any:
        return self.desk.table.session

    def put(self, position: Position, twin: int | None = None) -> None:
        """The game stands here, its last move just made; as `twin`, with other secrets in that player's hand."""
        table, session = self.desk.table, self.session
        session.state, session.done, session._moment = position.before, [], None
        session.play(position.last, sender="display", cause="touch")
        if twin is not None:
            session.state, session._moment = with_other_secrets(session.state, twin), None
        table._offered.clear()
        table._wanted_back = ("", 0)
        table.announcer._told.clear()
        table.publish(())
        self.desk.pump()
        self.said.clear()

    def say(self, seat: int, fields: dict[str, Any]) -> Answer:
        """One message of the phone at a seat, as it travels."""
        name = f"p{next(self.desk.numbers)}"
        wire = msgspec.json.encode({"id": name, **fields})
        self.desk.display.publish(f"move/{self.phones[seat]}", wire)
        return self.desk.answer(name)

    def heard_by(self, seat: int) -> list[tuple[str, bytes]]:
        """What the core said that this seat may hear, without the moment it was said at."""
        own = (f"answer/{self.phones[seat]}", f"seat/{seat}/private")
        return [
            (topic, re.sub(rb'"id":"p\d+"', b'"id":""', MOMENT.sub(rb'"\1":0', body)))
            for topic, body in self.said
            if topic in own or not topic.startswith(("answer/", "seat/", "join"))
        ]


def with_other_secrets(state: Any, seat: int) -> Any:
    """The same game in which one player hides something else, and tiles only they have looked under show something else."""
    if not isinstance(state, SkyriseState):
        return state
    player = state.players[seat]
    changed: dict[str, Any] = {}
    if not player.objective_shown and player.objective:
        changed["objective"] = FACTIONS[(FACTIONS.index(player.objective) + 1) % 4]
    if player.hand:
        spare = [card for card in reversed(WONDERS) if card not in player.hand]
        changed["hand"] = tuple(spare[: len(player.hand)])
        changed["chosen"] = changed["hand"][: len(player.chosen)]
    held = {letter for i, other in enumerate(state.players) if i != seat for letter in other.patrons}
    patrons = {letter: value if letter in held else value + 1 for letter, value in state.patrons.items()}
    return state.with_player(seat, **changed).but(patrons=patrons)


# messages ----------------------------------------------------------------------------------------------------------

JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 2**53), st.text(max_size=5), st.lists(st.integers(), max_size=2)
)
BY_HAND: dict[str, list[dict[str, Any]]] = {
    "scorepad": [{"kind": "correct", "entry": e, "points": 7} for e in range(4)] + [{"kind": "end"}],
    "skytopia": [
        {"kind": "correct", "what": what, "value": 2, "slot": "gold-1", "tower": "gold"}
        for what in ("coins", "points", "turn", "dial", "deck", "round", "city", "end", "card", "guilds")
    ]
    + [{"kind": "box", "key": "setup.coins", "value": 9}, {"kind": "reveal", "card": "B1a", "tower": "blue", "level": 1}],
    "praga": [
        {"kind": "correct", "values": {"gold": 2}},
        {"kind": "correct", "box": 5},
        {"kind": "correct", "values": {"box": 5}},
        {"kind": "note", "values": {"points": -3}},
        {"kind": "box", "key": "crane.red.1", "value": 0},
        {"kind": "sheet", "values": {}},
        {"kind": "tell", "grid": "wall.base", "spaces": [{"row": 2, "column": 0, "shows": 4}]},
    ],
    "skyrise": [
        {"kind": "leave"},
        {"kind": "correct", "site": "C.N", "token": ""},
        {"kind": "box", "key": "score.control", "value": 1},
        {"kind": "enter", "objective": "brown"},
        {"kind": "reveal", "values": {"objectives-1": "brown"}},
        {"kind": "peek", "letter": "A", "value": 2},
    ],
}  # fmt: skip
ANYWAY = {"leave", "peek", "enter"}
BENDS = ("plain", "own", "own", "other", "form", "form", "form", "over", "junk", "less", "undo", "answer")


def who(stage: Stage) -> st.SearchStrategy[int]:
    """A seat; more often than not the one that is asked."""
    asked, seats = stage.session.pack.ask(stage.session.state).seat, list(range(len(stage.phones)))
    return st.sampled_from(seats if asked is None else [asked] * len(seats) + seats)


def guesses(state: Any) -> list[dict[str, Any]]:
    """What somebody would try who wants to know another's hand, or the value under a tile."""
    if not isinstance(state, SkyriseState):
        return []
    hands = [{"kind": "choose", "cards": list(player.hand[:1])} for player in state.players if player.hand]
    if state.phase == "choose":
        return hands * 6
    return hands + [{"kind": "peek", "letter": letter, "value": value} for letter, value in state.patrons.items()]


@st.composite
def messages(draw: st.DrawFn, stage: Stage, position: Position, seat: int) -> dict[str, Any]:
    """Something a phone might say: a move of this moment, of another, or of another player, bent in one way or another."""
    pack, state = stage.session.pack, stage.session.state
    ask = pack.ask(state)
    offered = [choice.move for choice in ask.choices] + ([ask.form.move] if ask.form else [])
    legal = [pack.encode(move) for move in list(pack.moves(state))[:12]]
    pool = [position.last, position.following, *BY_HAND[stage.game], *offered, *legal, *guesses(state)]
    move = dict(draw(st.sampled_from(pool)))
    players = len(stage.phones)
    whose = st.sampled_from([*(one for one in range(players) if one != seat)] * 3 + [seat, None, 7, True, "1"])
    match draw(st.sampled_from(BENDS)):
        case "own":
            move["seat"] = seat
        case "other":
            move["seat"] = draw(whose)
        case "form":
            kind = draw(st.sampled_from(["peek", "correct", "box", move["kind"]]))
            inner = {**move.get("values", {}), **{k: v for k, v in move.items() if k != "values"}}
            move = {"kind": kind, "seat": seat, "values": {**inner, "seat": draw(whose)}}
        case "over":
            values = move.get("values") if isinstance(move.get("values"), dict) else {}
            move = {**move, "seat": seat, "values": {**values, draw(st.sampled_from(sorted(move))): draw(JUNK)}}
        case "junk":
            move[draw(st.sampled_from([*sorted(move), "owner", "values"]))] = draw(JUNK)
        case "less":
            move.pop(draw(st.sampled_from(sorted(move))))
        case "undo":
            return {"undo": True, "consent": draw(st.booleans()), "seq": stage.session.seq, "move": {}}
        case "answer":
            move = {"kind": "@answer", "question": "q1", "answer": draw(JUNK)}
    return {"move": move, "seq": draw(st.sampled_from([*[stage.session.seq] * 6, None, 1]))}


# what must hold ----------------------------------------------------------------------------------------------------


def others(view: dict[str, Any], seat: int) -> dict[str, Any]:
    """The public view without what is this player's."""
    kept = {key: value for key, value in view.items() if key != "entries"}
    for key in ("players", "chart"):
        if isinstance(kept.get(key), list):
            kept[key] = [row for i, row in enumerate(kept[key]) if i != seat]
    return kept


def secrets(pack: Any, state: Any, seat: int) -> dict[int, Any]:
    """What each other player alone may see."""
    return {
        one: shown_by(pack, state, one).get("secret")
        for one in range(len(shown_by(pack, state)["players"]))
        if one != seat
    }


def assert_nobody_elses(stage: Stage, seat: int, before: Any, undone: Any, fields: dict[str, Any]) -> None:
    """An accepted message of this seat changed nothing that only another may change."""
    session = stage.session
    pack, after = session.pack, session.state
    if fields.get("undo"):
        assert undone.seat in (None, seat)
        assert undone.row.body["kind"] not in ("correct", "box") or undone.seat == seat
        assert not undone.reveals or len(session.seats) == 1, "nobody else was asked"
        return
    done = session.done[-1]
    body, ask = done.row.body, pack.ask(before)
    assert body["kind"] != "box", "no printed value was asked for"
    assert body.get("seat") in (None, seat)
    mine = ask.seat in (None, seat) or seat in ask.waiting
    assert mine or body["kind"] in ("correct", *ANYWAY), body
    if not done.reveals:
        assert secrets(pack, before, seat) == secrets(pack, after, seat)
    if body["kind"] == "correct" or not (mine or body["kind"] == "leave"):
        assert others(shown_by(pack, before), seat) == others(shown_by(pack, after), seat), body
    if stage.game == "scorepad":
        kept = [entry for entry in before.entries if entry.seat != seat]
        assert [entry for entry in after.entries if entry.seat != seat][: len(kept)] == kept


class Stages:
    """One core for each recorded game that is looked at, used for all its positions."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.made: dict[int, Stage] = {}

    def at(self, position: Position, twin: int | None = None) -> Stage:
        """The core of this game, in this position."""
        number = id(position.record)
        if number not in self.made:
            self.made[number] = Stage(self.root / str(number), position.record)
        self.made[number].put(position, twin)
        return self.made[number]


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stages]:
    """Cores that need not wait for the disk: nothing here is about losing power."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fdatasync", lambda file: None)
        yield Stages(tmp_path_factory.mktemp("stages"))


def drawn(data: st.DataObject, game: str = "skyrise") -> Position:
    """A moment of one of its recorded games."""
    return positions(game)[data.draw(st.integers(0, len(positions(game)) - 1))]


def choosing(data: st.DataObject) -> Position:
    """A moment in which wonder cards are chosen in secret."""
    found = [position for position in positions("skyrise") if getattr(position.before, "phase", "") == "choose"]
    return found[data.draw(st.integers(0, len(found) - 1))]


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=200)
@given(data=st.data())
def test_no_message_of_a_seat_changes_what_only_another_may_change(
    stages: Stages, game: str, data: st.DataObject
) -> None:
    """Accepted, it is this seat's or everybody's; refused, everything is as it was, and it is said once."""
    position = drawn(data, game)
    stage = stages.at(position)
    seat = data.draw(who(stage))
    fields = data.draw(messages(stage, position, seat))
    session = stage.session
    before, seq, undone = session.state, session.seq, session.done[-1]
    answer = stage.say(seat, fields)
    assert len([topic for topic, _ in stage.said if topic.startswith("answer/")]) == 1
    if answer.ok and session.seq == seq:
        assert session.state is before, "another was asked, and has not answered"
        assert fields["move"]["kind"] == "correct"
    elif answer.ok:
        assert_nobody_elses(stage, seat, before, undone, fields)
    else:
        assert (session.state is before, session.seq, len(session.done)) == (True, seq, 1)


@settings(max_examples=300)
@given(data=st.data())
def test_no_answer_depends_on_what_another_player_hides(stages: Stages, data: st.DataObject) -> None:
    """Two games that differ in one player's secrets: to the same message of another, all that seat hears is the same bytes."""
    position = data.draw(st.sampled_from((drawn, choosing)))(data)
    stage = stages.at(position)
    seat = data.draw(who(stage))
    twin = data.draw(st.sampled_from([one for one in range(len(stage.phones)) if one != seat]))
    fields = data.draw(messages(stage, position, seat))
    heard, revealed = [], False
    for hides in (None, twin):
        stage.put(position, hides)
        fields = {**fields, "seq": fields["seq"] and stage.session.seq}
        answer = stage.say(seat, fields)
        revealed |= answer.ok and (stage.session.pack.over(stage.session.state) or _shown(stage))
        heard.append(stage.heard_by(seat))
    if revealed:
        heard = [[one for one in said if one[0].startswith("answer/")] for said in heard]
    assert heard[0] == heard[1]


def _shown(stage: Stage) -> bool:
    """The last move laid something open; or an undo took one back."""
    return not stage.session.done or stage.session.done[-1].reveals


def test_the_recorded_games_hold_what_the_property_looks_for() -> None:
    """Secrets to differ in, in most positions of Skyrise; and every other game has none."""
    found = [
        position
        for position in positions("skyrise")
        if isinstance(position.before, SkyriseState) and with_other_secrets(position.before, 1) != position.before
    ]
    assert len(found) > 0.5 * len(positions("skyrise")) > 30
    assert all(len(positions(game)) > 20 for game in GAMES)
