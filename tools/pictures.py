"""The pictures of the scenes in `docs/pictures`: made by a command, never by hand."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pygame
from numpy.typing import NDArray

from benches.random_boards import board, turned
from companion.game import Choice
from companion.sensing import Mat
from companion.wire.messages import CardSeen, DialSeen, DieSeen, MarketSeen, SlotSeen
from companion.wire.replies import Sites
from display import scenes
from display.page import Page
from display.scenes.box import opened
from display.theme import Theme
from display.touch import Both, Go, Play, Put, Tell
from display.view import Told, View
from display.wording import Wording
from tools import replay
from tools.stage import Stage
from vision import mat as mats
from vision.check import look
from vision.mat import of as mat_of
from vision.virtual.plan import Lens
from vision.virtual.scene import Light, Studio

WIDE, SMALL, TALL = (1280, 720), (800, 480), (720, 1280)
GAMES = Path("tests/games")
"""Recorded games: moments of real ones are drawn where they are at hand."""

Shot = tuple[str, View, tuple[int, int], str, bool]
"""Name, view, size, language, light theme."""


def render(
    view: View, size: tuple[int, int], language: str, *, light: bool = False, text_size: int = 100
) -> pygame.Surface:
    """One view, still."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    if not pygame.display.get_init():
        pygame.display.init()
        pygame.display.set_mode((64, 64))
    theme = Theme(*size, text_size, light, language=language)
    page = Page(pygame.Surface(size), theme, Wording(language, {seat.seat: seat.name for seat in view.seats}))
    page.motion.still = True
    page.begin(0.0)
    scenes.draw(page, view)
    page.finish()
    return page.surface


def camera_picture(stage: Stage, light: Light, around: str = "", laid: tuple[int, int] | None = None) -> bytes:
    """What the virtual camera sees of the market as it stands, the whole mat or one slot of it; `laid`: whose golem was just laid
    there, and the face it shows."""
    session = stage.table.session
    assert session is not None
    assert session.mat is not None
    expected, colours = session.moment.expect, [seat.colour for seat in session.seats]
    slots = {
        slot.slot: {
            "card": slot.card or "",
            "dice": [
                {"colour": colours[die.owner], "face": die.face, "x": 0.28 + 0.4 * i, "y": 0.5, "angle": 17.0 * i - 20}
                for i, die in enumerate(slot.dice)
            ],
        }
        for slot in expected.slots
    }
    if laid is not None:
        golem = {"colour": colours[laid[0]], "face": laid[1], "x": 0.5, "y": 0.5, "angle": 24.0}
        slots[around]["dice"] = [*slots[around]["dice"], golem]
    studio = Studio(session.mat, lens=Lens(1920, 1080), seed=3)
    picture = studio.sensor(studio.picture(slots, None, light), light, 1)
    if around:
        matrix = studio.lens.projection(session.mat)
        area = next(one for one in session.mat.areas if one.id == around)
        corners = np.array(
            [[x, y, 0.0, 1.0] for x in (area.x, area.x + area.width) for y in (area.y, area.y + area.height)]
        )
        flat = corners @ matrix.T
        spots = flat[:, :2] / flat[:, 2:]
        (left, top), (right, low) = spots.min(axis=0).astype(int), spots.max(axis=0).astype(int)
        picture = picture[max(0, top) : low, max(0, left) : right]
    ok, data = cv2.imencode(".jpg", picture)
    assert ok
    return bytes(data)


def _moment(games: Path, record: str, language: str, phase: str, share: float, **local: Any) -> View:
    """A moment of a recorded game: so far into the prompts of one phase."""
    found = [v for v in replay.views(games / record, language) if v.prompt and v.prompt.ask.phase == phase]
    return msgspec.structs.replace(found[int(share * (len(found) - 1))], local=local, settings={"language": language})


def recorded(games: Path) -> list[Shot]:
    """Moments of Praga and Skyrise as their records have them."""
    praga, skyrise = "praga/four-players.jsonl", "skyrise/four-players-digital.jsonl"
    quick, hand = "skyrise/four-players-quick.jsonl", {"scene": "curtain", "curtain": 1}
    return [
        ("praga", _moment(games, praga, "en", "choose", 0.6), WIDE, "en", False),
        ("praga-action", _moment(games, praga, "fr", "action", 0.5), WIDE, "fr", False),
        ("praga-form", _moment(games, praga, "pl", "form", 0.0), SMALL, "pl", False),
        ("praga-tally", _moment(games, praga, "en", "over", 0.0), WIDE, "en", False),
        ("skyrise", _moment(games, quick, "en", "quick", 0.5), WIDE, "en", False),
        ("skyrise-board", _moment(games, quick, "en", "quick", 0.8, sheet="board 1"), WIDE, "en", False),
        ("skyrise-curtain", _moment(games, quick, "pl", "choose", 0.0, **hand), SMALL, "pl", False),
        ("skyrise-bids", _moment(games, skyrise, "en", "bid", 0.2), WIDE, "en", False),
        ("skyrise-small", _moment(games, quick, "pl", "quick", 0.3), SMALL, "pl", False),
        ("skyrise-map", _moment(games, skyrise, "fr", "bid", 0.5, **{"sky-edit": "lake"}), WIDE, "fr", False),
        ("skyrise-tally", _moment(games, skyrise, "fr", "over", 0.0), WIDE, "fr", False),
    ]


def skytopia(games: Path) -> list[Shot]:
    """Moments of a recorded game of four, led through the real core: what is drawn is what people saw."""
    record = games / "skytopia/four-players.jsonl"
    made: list[Shot] = []

    def stage(language: str) -> Stage:
        one = Stage(language)
        one.play(record, "place", least=120)
        return one

    english, french, polish = stage("en"), stage("fr"), stage("pl")
    slot = _a_card(english)
    made.append(("table", english.view(slot=slot), WIDE, "en", False))
    made.append(("correct-dial", french.view(sheet="dial"), SMALL, "fr", False))
    french.do(Put({"sheet": None, "slot": slot}), Play(_too_dear(french).move))
    made.append(("refusal", french.view(at_once=True), WIDE, "fr", False))
    _take_back_what_was_shown(polish, record)
    made.append(("undo", polish.view(scene="undo"), WIDE, "pl", False))
    made.append(("question", _question(games), WIDE, "en", False))
    english.do(Both((Tell("rebuild"), Put({"rebuild": True}), Go("rebuild"))))
    made.append(("rebuild", english.view(), WIDE, "en", False))
    over = Stage("fr")
    over.play(record)
    made.append(("tally", over.view(), WIDE, "fr", False))
    return made


def _a_card(stage: Stage) -> str:
    """A card whose golem has several prices."""
    assert stage.ask is not None
    groups: dict[str, set[int]] = {}
    for choice in stage.ask.choices:
        if choice.group and choice.off is None:
            groups.setdefault(choice.group, set()).add(int(choice.picture.get("coins", 0)))
    return max(groups, key=lambda group: len(groups[group]))


def _too_dear(stage: Stage) -> Choice:
    """A face whose printed price is more than the player has."""
    assert stage.ask is not None
    dear = [choice for choice in stage.ask.choices if choice.off is not None and choice.off.key.endswith("/short")]
    return max(dear, key=lambda choice: int(choice.picture.get("coins", 0)))


def _take_back_what_was_shown(stage: Stage, record: Path) -> None:
    """Play on until something was turned up; taking that back is everybody's affair."""
    while stage.client.view.state is not None and not (
        stage.client.view.state.undo and stage.client.view.state.undo.consent
    ):
        assert stage.ask is not None
        possible = [choice for choice in stage.ask.choices if choice.off is None]
        stage.do(Play(next((one for one in possible if one.primary), possible[0]).move))


def _question(games: Path) -> View:
    """The camera saw the golem that was set next, and two faces are likely."""
    stage = Stage("en")
    stage.play(games / "skytopia/four-players.jsonl", "place", least=120)
    session = stage.table.session
    assert session is not None
    assert stage.ask is not None
    colours = [seat.colour for seat in session.seats]
    places = [choice for choice in stage.ask.choices if choice.off is None and choice.id.startswith("place/")]
    slot = _a_card(stage)
    faces = [int(choice.picture["die"]["face"]) for choice in places if choice.group == slot][:2]
    laid = next(choice for choice in places if choice.group == slot)

    def seen(owner: int, *likely: int) -> DieSeen:
        shares = tuple(0.96 / len(likely) if face in likely else 0.01 for face in range(1, 7))
        return DieSeen(owner=colours[owner], owner_share=0.99, faces=shares, x=0.5, y=0.5)  # type: ignore[arg-type]

    slots = []
    for one in session.moment.expect.slots:
        dice = [seen(die.owner, die.face) for die in one.dice]
        if one.slot == slot:
            dice.append(seen(int(laid.picture["die"]["owner"]), *faces))
        card = CardSeen(card=one.card or "", share=0.99)
        slots.append(SlotSeen(slot=one.slot, dice=tuple(dice), card=card, sure=one.slot != slot))
    stage.sees(MarketSeen(state="ready", ts=5.0, frame=9, slots=tuple(slots)))
    picture = camera_picture(stage, Light(glare=0.9), slot, (int(laid.picture["die"]["owner"]), faces[0]))
    stage.sends(f"slot-{slot}", picture)
    return stage.view()


def around(games: Path) -> list[Shot]:
    """Beside the game: the set-up, first steps, box, status, the pad, finished games."""
    made: list[Shot] = []
    stage = Stage("en")
    for record in ("skytopia/three-players.jsonl", "skytopia/two-players.jsonl", "skytopia/four-players.jsonl"):
        stage.play(games / record)
        stage.order("end game")
    made.append(("setup", stage.view(setup={"game": "skytopia"}), WIDE, "en", False))
    stage.do(Both((Tell("history"), Go("past"))))
    stage.settle()
    made.append(("past", stage.view(), WIDE, "en", False))
    polish = Stage("pl")
    polish.play(games / "skytopia/four-players.jsonl")
    polish.order("end game")
    polish.do(Both((Tell("history"), Go("past"))))
    polish.settle()
    past = polish.client.view.told.history
    assert past is not None
    local: dict[str, Any] = {"past-open": past.games[0].id}
    made.append(("past-game", polish.view(**local), WIDE, "pl", False))
    joined = Stage("pl")
    joined.play(games / "skytopia/four-players.jsonl", "place")
    made.append(("join", joined.view(scene="join"), WIDE, "pl", False))
    joined.fails("vision")
    made.append(("health", joined.view(scene="health"), WIDE, "pl", False))
    french = Stage("fr")
    made.append(("settings", french.view(scene="settings"), WIDE, "fr", False))
    french.do(opened("skytopia"))
    made.append(("box", french.view(), WIDE, "fr", False))
    made.append(("form", _counting(), WIDE, "pl", False))
    made.append(("scorepad", _pad(), SMALL, "en", False))
    made += _camera(games)
    return made


def _counting() -> View:
    """The end of a game that was only counted, with the first player's numbers half entered."""
    stage = Stage("pl", sensors=False)
    stage.new("skytopia", ["Magda", "Tomek", "Łucja"], depth="tally")
    stage.do(Play({"kind": "final", "values": {"guilds": ["mechanics", "merchants", "artists"]}}))
    return stage.view(form={"p0/track": 45, "p0/coins": 22, "p0/blue": 3, "p0/gold": 1})


def _pad() -> View:
    stage = Stage("en", sensors=False)
    stage.new("scorepad", ["Magda", "Tomek", "Élodie"], title="Rummikub", rounds=6)
    for points in ((12, -7, 9), (5, 9, -20), (3, 31, 8)):
        stage.do(Play({"kind": "score", "values": {f"p{seat}": value for seat, value in enumerate(points)}}))
    return stage.view(form={"p1": 14})


def _camera(games: Path) -> list[Shot]:
    """Camera and dial looked at, on a table that is a little dark: the picture is the virtual camera's, the verdict its check."""
    made: list[Shot] = []
    scenes_of: dict[str, dict[str, Any]] = {
        "welcome-camera": {"scene": "welcome", "welcome-step": "camera"},
        "calibration": {"scene": "calibration"},
    }
    for name, local in scenes_of.items():
        stage = Stage("en")
        stage.play(games / "skytopia/four-players.jsonl", "place", least=60)
        picture = camera_picture(stage, Light(level=0.32))
        session = stage.table.session
        assert session is not None
        assert session.mat is not None
        checked = look(photo(picture), mat_of(session.mat))
        stage.sees(
            MarketSeen(state="ready", ts=1.0, score=checked.score), DialSeen(state="ready", ts=0.0, position=2, turns=2)
        )
        stage.sends("live", picture)
        view = stage.view(**local)
        made.append((name, msgspec.structs.replace(view, told=Told(check=checked)), WIDE, "en", False))
    return [*made, ("sites", _sites(games), SMALL, "en", False)]


def _sites(games: Path) -> View:
    """The sites of an island that lies a quarter turn round, after two touches."""
    stage = Stage("en")
    stage.play(games / "skyrise/four-players-quick.jsonl", "quick", least=2)
    session = stage.table.session
    assert session is not None and session.mat is not None
    declared = session.mat
    scene = board(turned(declared, "nw", "se"), 3, colours=("coral",), shapes=("tower",), tokens=True)
    image = scene.studio.sensor(scene.studio.picture(scene.bare, None, scene.light), scene.light, 1)
    matrix = mats.registered(mats.find(image), mat_of(declared))
    assert matrix is not None

    def places(of: Mat) -> dict[str, tuple[float, float]]:
        laid = ((spot.id, mats.in_picture(matrix, (spot.x, mats.BAND + spot.y))) for spot in of.spots)
        found = {name: (x / image.shape[1], y / image.shape[0]) for name, (x, y) in laid}
        return dict(sorted(found.items(), key=lambda one: one[0].rpartition("-")[0]))

    stage.sends("live", cv2.imencode(".jpg", cv2.resize(image, (1280, 720)))[1].tobytes())
    known, really = places(declared), places(turned(declared, "nw", "se"))
    before = [name for name in known if name < "nw"]
    taps = [*([] for _ in before), *(list(place) for name, place in really.items() if name.startswith("nw"))][
        : len(before) + 2
    ]
    return msgspec.structs.replace(stage.view(scene="calibration", sites=taps), told=Told(sites=Sites(known)))


def photo(data: bytes) -> NDArray[np.uint8]:
    """A picture taken apart again."""
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def shots(games: Path = GAMES) -> list[Shot]:
    """Every picture of the screen, made of recorded games and moves at a real core."""
    return [*skytopia(games), *around(games), *recorded(games)]


def make(folder: Path, games: Path = GAMES) -> list[Path]:
    """Draw them all."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for name, view, size, language, light in shots(games):
        path = folder / f"{name}.png"
        pygame.image.save(render(view, size, language, light=light), str(path))
        made.append(path)
    return made


def main(arguments: list[str] | None = None) -> int:
    """`python -m tools.pictures`: every scene once, or with `--replay` a recorded game prompt by prompt."""
    ask = argparse.ArgumentParser(prog="python -m tools.pictures", description=__doc__)
    ask.add_argument("folder", nargs="?", type=Path, default=Path("docs/pictures"))
    ask.add_argument("--games", type=Path, default=GAMES, help="recorded games to draw moments of")
    ask.add_argument("--replay", type=Path, metavar="FILE", help="draw this recorded game instead")
    ask.add_argument("--size", default="1280x720", help="with --replay: size of the pictures, for example 800x480")
    ask.add_argument("--language", choices=("en", "pl", "fr"), default="en", help="with --replay")
    chosen = ask.parse_args(arguments)
    if chosen.replay is None:
        sys.stdout.write(f"{len(make(chosen.folder, chosen.games))} pictures in {chosen.folder}\n")
        return 0
    width, _, height = chosen.size.partition("x")
    try:
        count = draw_all(chosen.replay, chosen.folder, (int(width), int(height)), chosen.language)
    except (replay.ReplayError, ValueError) as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 1
    sys.stdout.write(f"{count} pictures in {chosen.folder}\n")
    return 0


def draw_all(path: Path, out: Path, size: tuple[int, int], language: str) -> int:
    """A recorded game, one PNG per prompt; returns how many."""
    out.mkdir(parents=True, exist_ok=True)
    count = 0
    for count, view in enumerate(replay.views(path, language), 1):
        pygame.image.save(render(view, size, language), str(out / f"{count:04d}.png"))
    return count


if __name__ == "__main__":
    sys.exit(main())
