"""Every scene with a view that fills it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import msgspec
import pygame

from benches import samples, samples_aside
from companion.core.registry import pack as find_pack
from companion.senses.alike import Story
from companion.senses.notices import otherwise
from companion.vocabulary import Text, seat_name
from companion.wire.messages import Notice, Prompt, Undo
from companion.wire.replies import BoxList, BoxValue
from display import fonts, scenes
from display.page import Page
from display.paint.sprite import drawing
from display.scenes.welcome import STEPS
from display.theme import Theme
from display.touch import Label
from display.view import Told, View
from display.wording import Wording

# A screen keeps to one size and language; tests go through all of them, and would open each font anew for every page.
fonts.font = lru_cache(maxsize=150)(fonts.font.__wrapped__)
fonts.width = lru_cache(maxsize=1 << 16)(fonts.width.__wrapped__)


def _local(view: View, **local: Any) -> View:
    return msgspec.structs.replace(view, local=local)


def _seat_sheet(language: str) -> View:
    seats = [
        {"name": s.name, "colour": s.colour, "language": s.language, "bot": ""}
        for s in samples.lobby(language).lobby.last
    ]
    return samples.lobby(language, setup={"game": "skytopia", "edit": 1, "seats": seats, "depth": "full"})


def _bare(view: View) -> View:
    """A table without dial, camera or network."""
    plain = {**view.settings, "vision": "none", "firmware_bridge": "none"}
    return msgspec.structs.replace(view, join=None, settings=plain, told=Told(), dial=None, market=None)


def _long_code(view: View) -> View:
    """While somebody guesses at it."""
    assert view.join is not None
    return msgspec.structs.replace(view, join=msgspec.structs.replace(view.join, code="ABCD234567"))


def _guessed_pin(language: str) -> View:
    view = samples.table(language, scene="settings", **{"pin-wait": 240})
    return msgspec.structs.replace(view, settings={**view.settings, "pin": "1234"})


def _our_copy(language: str) -> View:
    told = samples_aside.box_check(language).told
    return msgspec.structs.replace(samples.table(language, sheet="box chronometer.price_by_steps.1"), told=told)


def _another_card(language: str) -> View:
    cards = tuple(BoxValue(key=f"cards.B{n}{copy}.crest", value=f"C{n}") for n in (1, 2, 3, 4) for copy in "abc")
    shown = samples.table(language, sheet="swap blue-1")
    return msgspec.structs.replace(shown, told=Told(box=BoxList("skytopia", cards)))


def _wish(language: str) -> View:
    """Somebody would like another's coins put right: everybody reads it, and the screen may answer."""
    view = samples.table(language, 3)
    assert view.state is not None
    coins = Text("skytopia/corrected/what/coins")
    what = Text("skytopia/corrected/value-of", {"seat": seat_name(1), "what": coins, "was": 15, "now": 5})
    names = {"by": seat_name(0), "name": seat_name(1)}
    wish = Notice(id="wish-1", text=Text("wish/asked", {**names, "what": what}), do=Text("wish/do", names), seat=1)
    return msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, notices=(wish,)), banner=None)


def _taken(language: str, ways: int) -> View:
    """A golem set by a card, which may have been assigned for coins as well: the line that tells both."""
    view = samples.table(language, 3)
    assert view.state is not None
    pack = find_pack("skytopia")
    moves = (
        {"kind": "set", "seat": 1, "slot": "violet-2"},
        {"kind": "skip", "seat": 1},
        {"kind": "place", "seat": 1, "slot": "violet-2", "face": 4},
    )
    told, *other = map(pack.decode, moves)
    said = otherwise(pack, told, (Story(tuple(other)), Story((other[0],), whole=False))[:ways], 1)
    undo = Undo(text=Text("undo/last"), seat=1, otherwise=said)
    return msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, undo=undo), banner=None)


def _counted(language: str) -> View:
    """The end of a game that was only counted: everybody's own fields, one player's open."""
    pack = find_pack("skytopia")
    view = samples.table(language, 3)
    assert view.state is not None
    state = pack.new({"names": [seat.name for seat in view.seats], "depth": "tally"}, {})
    state = pack.play(state, pack.decode({"kind": "final", "values": {"guilds": MASTERS}})).state
    shown = msgspec.Raw(msgspec.json.encode(pack.view(state, None)))
    prompt = Prompt(ask=pack.ask(state))
    return msgspec.structs.replace(
        view, state=msgspec.structs.replace(view.state, view=shown, prompt=prompt), banner=None
    )


MASTERS = ["mechanics", "merchants", "artists"]
PAD = {"where": "form", "id": "p0", "text": "-12", "number": {"low": -100, "high": 100}}
VIEWS: dict[str, Callable[[str], View]] = {
    "table": samples.table,
    "table of two": lambda lang: samples.table(lang, 2),
    "table of three": lambda lang: samples.table(lang, 3),
    "no card picked": lambda lang: samples.table(lang, slot=""),
    "question": samples.question,
    "tally": samples.tally,
    "score pad": samples.pad,
    "score pad of six": lambda lang: samples.pad(lang, 6, categories=True),
    "number pad": lambda lang: _local(samples.pad(lang), keys=PAD),
    "counted by player": _counted,
    "history": lambda lang: _local(samples.pad(lang), scene="history"),
    "generic": samples.generic,
    "form": samples.entry_form,
    "picker": lambda lang: _local(samples.entry_form(lang), picker={"where": "form", "id": "g"}),
    "lobby": samples.lobby,
    "seat": _seat_sheet,
    "keyboard": lambda lang: samples.lobby(lang, keys={"where": "seat", "id": "0", "text": "Mag"}),
    "variants": lambda lang: samples.lobby(lang, variants=True),
    "join": samples.joined,
    "join, a code that grew": lambda lang: _long_code(samples.joined(lang)),
    "health": samples.troubled,
    "trouble at the table": lambda lang: samples.troubled(lang, scene=""),
    "menu": lambda lang: samples.table(lang, scene="menu"),
    "settings": lambda lang: samples.table(lang, scene="settings"),
    "guessed pin": _guessed_pin,
    "new pin": lambda lang: samples.table(lang, scene="pin"),
    "calibration": lambda lang: samples.table(lang, scene="calibration"),
    "calibration: sites": samples_aside.sites,
    "calibration: all sites": lambda lang: samples_aside.sites(lang, 60),
    "undo": lambda lang: samples.table(lang, scene="undo"),
    "rebuild": samples.rebuilt,
    "refusal": samples.refused,
    "guild": lambda lang: samples.table(lang, sheet="guild 1"),
    "player": lambda lang: samples.table(lang, sheet="player 0"),
    "card": lambda lang: samples.table(lang, sheet="card blue-1"),
    "dial sheet": lambda lang: samples.table(lang, sheet="dial"),
    "empty card": lambda lang: samples.table(lang, sheet="card gold-1"),
    "another card": _another_card,
    "why not": lambda lang: samples.table(lang, why="place/red-2/4"),
    **{f"first steps: {step}": lambda lang, step=step: samples_aside.welcome(lang, step) for step in STEPS},
    "first steps: corners": lambda lang: samples_aside.welcome(lang, "camera", corners=[[0.2, 0.1], [0.8, 0.1]]),
    "first steps: colours": lambda lang: samples_aside.welcome(lang, "camera", colours=True),
    "first steps: no sensors": lambda lang: _bare(samples_aside.welcome(lang, "camera")),
    "first steps: no dial": lambda lang: _bare(samples_aside.welcome(lang, "dial")),
    "first steps: no network": lambda lang: _bare(samples_aside.welcome(lang, "phones")),
    "box": samples_aside.box_check,
    "box of wonders": lambda lang: samples_aside.box_check(lang, "skyrise"),
    "box, a list": lambda lang: samples_aside.box_check(lang, **{"box-open": "effects.B4.tiers"}),
    "box, a colour": lambda lang: samples_aside.box_check(
        lang, picker={"where": "box-edit", "id": "abilities.tile_colour.T1"}
    ),
    "our copy": _our_copy,
    "a wish": _wish,
    "taken otherwise": lambda lang: _taken(lang, 1),
    "taken in two other ways": lambda lang: _taken(lang, 2),
    "games put away": lambda lang: samples.lobby(lang, paused=True),
    "past": samples_aside.past,
    "past game": lambda lang: samples_aside.past(lang, **{"past-open": "game-0"}),
    "past players": lambda lang: samples_aside.past(lang, **{"past-tab": "players"}),
    "past sources": lambda lang: samples_aside.past(lang, **{"past-tab": "sources"}),
    "past duels": lambda lang: samples_aside.past(lang, **{"past-tab": "duels"}),
    "waiting": lambda lang: View(connected=False),
    "link": lambda lang: samples.tally(lang, sheet="link"),
}


class _Unseen(pygame.Surface):
    """As large as a screen, its clip always shut: what is put on it is looked at as ever, and costs no paint."""

    def set_clip(self, *_: Any) -> None:
        super().set_clip((0, 0, 0, 0))


@cache
def _unseen(width: int, height: int) -> pygame.Surface:
    surface = _Unseen((width, height))
    surface.set_clip(None)
    return surface


def drawn(
    view: View,
    width: int,
    height: int,
    language: str = "en",
    text_size: int = 100,
    *,
    draw: Callable[[Page, View], object] = scenes.draw,
    **look: Any,
) -> Page:
    """The page a view makes; without paint where pictures are blank."""
    theme = Theme(width, height, text_size, language=language, **look)
    words = Wording(language, {seat.seat: seat.name for seat in view.seats})
    surface = pygame.Surface((width, height)) if drawing["on"] else _unseen(width, height)
    page = Page(surface, theme, words)
    page.motion.still = True
    page.begin(0.0)
    draw(page, view)
    page.finish()
    return page


def label_faults(labels: list[Label], width: int, height: int) -> list[str]:
    """Labels that are cut, off the screen or on each other."""
    screen = pygame.Rect(0, 0, width, height)
    found = [f"cut: {label.text!r}" for label in labels if not label.fits]
    found += [f"off the screen: {label.text!r}" for label in labels if not screen.contains(pygame.Rect(label.box))]
    for a, b in itertools.combinations(labels, 2):
        # a line's box holds its ascent and descent; ink meets only when boxes overlap by more than a few pixels
        shared = pygame.Rect(a.box).clip(pygame.Rect(b.box))
        if shared.width > 2 and shared.height > min(a.box[3], b.box[3]) * 0.2:
            found.append(f"{a.text!r} lies on {b.text!r}")
    return found
