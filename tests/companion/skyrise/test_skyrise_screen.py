"""The Skyrise table on the touchscreen: whole labels, fingers' room, and bids in two touches."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import msgspec
import pygame
import pytest
from skyrise_table import a_table, bid, era_two, passes, play, random_game, with_built
from test_skyrise_quick import a_quick_table

from companion.game import RuleBroken, Text
from companion.games.skyrise import pack
from companion.games.skyrise.state import SkyriseState
from companion.wire.messages import Health, Prompt, SeatInfo, Undo
from companion.wire.messages import State as Public
from display.page import Page
from display.tables.skyrise import islands as skyrise_islands
from display.tables.skyrise import table as skyrise
from display.tables.skyrise.map import in_focus, moment, spots
from display.touch import Both, Play, Put, Touch
from display.view import View
from tests.display import views
from tests.views import view_of

NAMES = {"en": ("Sam", "Tomek", "Magda", "Iris"), "pl": ("Zdzisław", "Małgosia", "Łucja", "Wawrzyniec")}
NAMES["fr"] = ("Jean-Baptiste", "Maximilienne", "Élodie", "Gaëtan")
COLOURS = ("coral", "leaf", "sun", "snow")
SIZES = ((800, 480), (1280, 720), (720, 1280))


@pytest.fixture(autouse=True, scope="module")
def _video() -> Any:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((64, 64))
    yield  # pygame stays up: fonts other tests of this process have cached would be gone with it


def seen(state: SkyriseState, language: str = "en", **local: Any) -> View:
    """What the screen is told about this state."""
    names = NAMES[language]
    seats = tuple(SeatInfo(seat=i, name=names[i], colour=COLOURS[i]) for i in range(len(state.players)))
    table = msgspec.Raw(msgspec.json.encode(pack.view(state, None)))
    told = Public(table="t", phase="playing", game="skyrise", game_id="g", seats=seats, view=table,
                  prompt=Prompt(ask=pack.ask(state)), undo=Undo(text=Text("undo/last")))  # fmt: skip
    rooms = ("companion", "vision", "firmware_bridge", "display")
    health = {room: Health(room=room, status="online") for room in rooms}  # type: ignore[arg-type]
    return View(state=told, local=local, health=health)


def drawn(view: View, size: tuple[int, int] = (1280, 720), language: str = "en", text_size: int = 100) -> Page:
    """The page a view makes."""
    return views.drawn(view, *size, language, text_size, draw=skyrise.draw)


def auction() -> SkyriseState:
    """The rulebook's auction at red's second turn."""
    state = with_built(a_table(), ("green-52", "C.N"), ("red-33", "1.1"), ("yellow-94", "1.8"))
    state = passes(bid(state, "red-24", "1.14"), 1)
    return bid(bid(state, "yellow-32", "1.13"), "grey-64", "1.10")


def wonders() -> SkyriseState:
    """Era II: a wonder was placed and the Hammer may beat it."""
    cards = {"red-wonder": "hammer", "green-wonder": "jane-jacobs-gardens", "yellow-wonder": "crypt"}
    state = bid(era_two(a_table(), cards, 0), "red-24", "C.N")
    return bid(state, "green-wonder", "C.E")


def quick_until(here: Callable[[SkyriseState], bool], **how: str) -> SkyriseState:
    """The first position of a quick game that is like this."""
    return next(o.state for _, _, o in random_game(4, 6, auction="quick", **how) if here(o.state))


def lying(*bids: tuple[str, str], gone: str = "") -> SkyriseState:
    """A quick auction as the camera sees it: bids came to lie there, and one went home again."""
    state = a_quick_table()
    for site, colour in bids:
        state = play(state, {"kind": "lies", "site": site, "colour": colour}).state
    return play(state, {"kind": "home", "site": gone}).state if gone else state


STATES = {
    "opening": a_table,
    "opening of two": lambda: a_table(2),
    "auction": auction,
    "hammer": wonders,
    "late": lambda: next(o.state for _, _, o in random_game(4, 6)[90:] if o.state.phase == "open"),
    "quick": a_quick_table,
    "quick of two": lambda: a_quick_table(2),
    "quick, era II": lambda: quick_until(lambda s: s.phase == "quick" and s.era == 2),
    "a card nobody has read": lambda: quick_until(lambda s: s.phase == "word"),
    "a bid lies alone": lambda: lying(("C.N", "red")),
    "which number won": lambda: lying(("C.N", "red"), ("C.E", "green"), gone="C.N"),
    "which token": lambda: quick_until(lambda s: s.phase == "token", board="table"),
    "choosing wonders": lambda: a_table(3).but(phase="choose"),
    "a colour for the wild": lambda: a_table().but(phase="colour", pending=("colour",)),
}


@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.usefixtures("blank_pictures")
def test_no_label_is_cut_or_overlaps(name: str, size: tuple[int, int]) -> None:
    """In three languages and two text sizes, every word is whole and clear of the others."""
    state = STATES[name]()
    for language, text_size in (("en", 100), ("pl", 100), ("fr", 100), ("pl", 130)):
        labels = drawn(seen(state, language), size, language, text_size).labels()
        assert len(labels) > 10
        cut = [label.text for label in labels if not label.fits and not label.typed]
        assert not cut, (language, text_size, cut)
        for a, b in itertools.combinations(labels, 2):
            shared = pygame.Rect(a.box).clip(pygame.Rect(b.box))
            meets = shared.width > 2 and shared.height > min(a.box[3], b.box[3]) * 0.2
            assert not meets, (language, text_size, a.text, b.text)


def touches(page: Page) -> dict[str, Touch]:
    """Touch areas by id."""
    return {touch.id: touch for touch in page.touches()}


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_sites_and_numbers_are_as_large_as_a_finger(size: tuple[int, int]) -> None:
    """Nine millimetres on a seven-inch panel."""
    page = drawn(seen(auction()), size)
    small = [t.id for t in page.touches() if not t.small and min(t.box[2], t.box[3]) < page.theme.touch - 1]
    assert not small


@pytest.mark.parametrize("sheet", ["board 1", "leave 1", "token 1", "token 1 yellow", "lying C.N"])
@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.usefixtures("blank_pictures")
def test_a_whole_board_and_what_puts_it_right_can_be_read(size: tuple[int, int], sheet: str) -> None:
    """Pieces, tokens, keys, wonders with their effect; in every language."""
    state = quick_until(lambda s: s.phase == "quick" and s.era == 2 and s.auction > 45)
    for language in ("en", "pl", "fr"):
        page = drawn(seen(state, language, sheet=sheet), size, language)
        cut = [label.text for label in page.labels() if not label.fits and not label.typed]
        assert not cut, (language, cut)
        assert [touch for touch in page.touches() if isinstance(touch.act, (Both, Put))]


def test_two_wonders_of_one_player_never_look_alike() -> None:
    """Finding 3: each key of era II says which card it is, in full auctions with what it does."""
    two = {"red-wonder": "niemeyers-legacy", "yellow-wonder": "crypt"}
    quick = drawn(seen(era_two(a_quick_table(2), two, 0)))
    texts = [label.text for label in quick.labels()]
    assert {"Crypt", "Niemeyer’s Legacy"} <= {text.replace(" / ", " ") for text in texts}
    full = drawn(seen(era_two(with_built(a_table(2), *_all_of(a_table(2), 0)), two, 0)))
    said = " ".join(label.text for label in full.labels()).replace(" / ", " ")
    assert "Crypt" in said and "Niemeyer’s Legacy" in said
    assert "longest chain" in said


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_who_built_nothing_has_every_key_in_their_own_row(size: tuple[int, int], players: int) -> None:
    """All numbers and both wonders are still there in era II: no key leaves the glass, none lies on another."""
    state = era_two(a_quick_table(players), {"red-wonder": "niemeyers-legacy", "yellow-wonder": "crypt"}, 0)
    page = drawn(seen(state), size)
    keys = [pygame.Rect(*map(round, touch.box)) for touch in page.touches() if touch.id.startswith("piece ")]
    assert len(keys) == sum(piece.where == "available" for piece in state.pieces.values())
    assert all(key.left >= 0 and key.right <= size[0] for key in keys)
    assert not [(a, b) for a, b in itertools.combinations(keys, 2) if a.clip(b).w > 1 and a.clip(b).h > 1]


def _all_of(state: SkyriseState, seat: int) -> list[tuple[str, str]]:
    """All buildings of a player, built somewhere: the wonders are what is left to open with."""
    pieces = [piece.id for piece in state.own(seat) if not piece.wonder]
    return list(zip(pieces, [site for site in state.islands.sites if site[0] != "C"], strict=False))


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("gone", ["", "C.N"])
def test_every_number_a_seen_bid_may_have_is_one_touch_as_large_as_a_finger(size: tuple[int, int], gone: str) -> None:
    """Nothing is behind "more", and nothing that was only seen looks like a wonder."""
    state = lying(("C.E", "green")) if not gone else lying(("C.N", "red"), ("C.E", "green"), gone=gone)
    page = drawn(seen(state), size)
    known = touches(page)
    for choice in pack.ask(state).choices:
        touch = known[choice.id]
        assert min(touch.box[2], touch.box[3]) >= page.theme.touch - 1 and isinstance(touch.act, Play)
        after = pack.play(state, pack.decode(touch.act.move)).state
        assert after.pieces[choice.id].site == "C.E"
    assert len(pack.ask(state).choices) == 7
    assert "?" in [label.text for label in page.labels()]
    assert known["site C.S"].act != known["site C.E"].act, "another result can still be told"


def test_exactly_the_legal_sites_answer_to_a_finger() -> None:
    """The screen lights what may be bid on and nothing else."""
    lit = {name.removeprefix("site ") for name in touches(drawn(seen(auction()))) if name.startswith("site ")}
    assert lit == {"1.6", "1.9", "1.11"}


def test_a_number_and_a_site_make_a_bid_in_either_order() -> None:
    """Two touches; the second one sends."""
    view = seen(auction())
    first = touches(drawn(view))["red-72"].act
    assert isinstance(first, Put)
    site = touches(drawn(msgspec.structs.replace(view, local=first.values)))["site 1.9"].act
    assert isinstance(site, Both)
    sent = site.acts[0]
    assert isinstance(sent, Play)
    assert pack.play(auction(), pack.decode(sent.move)).state.last.piece == "red-72"
    place = touches(drawn(view))["site 1.11"].act
    assert isinstance(place, Put)
    number = touches(drawn(msgspec.structs.replace(view, local=place.values)))["red-92"].act
    assert isinstance(number, Both)
    assert number.acts[0] == Play({"kind": "bid", "seat": 0, "piece": "red-92", "site": "1.11"})


def test_a_pick_is_forgotten_when_the_auction_moves_on() -> None:
    """A number picked for the last bid does not wait for the next one."""
    view = seen(auction())
    pick = touches(drawn(view))["red-72"].act
    assert isinstance(pick, Put)
    after = seen(bid(auction(), "red-72", "1.6"), **pick.values)
    assert skyrise.picked(after) == "yellow-73", "the only one that may still be bid, not the one picked before"


def test_the_map_follows_the_last_bid_and_shows_the_far_ends_of_its_bridges() -> None:
    """Another island is one touch away."""
    view = seen(auction())
    assert in_focus(view, set()) == "1"
    shown = spots(pack.view(auction(), None), "1")
    assert {spot.site for spot in shown if spot.far} == {"C.W", "C.N"}
    assert len(shown) == 16
    act = touches(drawn(view))["islands"].act
    assert isinstance(act, Put)
    other = in_focus(msgspec.structs.replace(view, local=act.values), set())
    assert other != "1"
    assert in_focus(seen(a_table()), {"C.N", "C.E"}) == "C"


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("mode", skyrise_islands.MODES)
def test_the_map_editor_is_readable_and_touchable(mode: str, size: tuple[int, int]) -> None:
    """Every mode in three languages."""
    for language in ("en", "pl", "fr"):
        page = drawn(seen(auction(), language, **{"sky-edit": mode}), size, language)
        assert not [label.text for label in page.labels() if not label.fits]
        small = [t.id for t in page.touches() if min(t.box[2], t.box[3]) < page.theme.touch - 1]
        assert not small


def test_borders_at_an_airship_are_listed_for_the_owner() -> None:
    """Audit 9: a corner at an airship is no border, and the made-up map has 39 that may be such corners."""
    view = seen(auction())
    found = [pair for island in ("C", "1", "2", "3", "4") for pair in skyrise_islands.by_airship(view, island)]
    assert len(found) == 39
    page = drawn(seen(auction(), **{"sky-edit": "border"}))
    said = " ".join(label.text for label in page.labels())
    assert all(f"{a}–{b}" in said for a, b in skyrise_islands.by_airship(view, "1"))


def corrected(state: SkyriseState, *taps: str, mode: str, **local: Any) -> SkyriseState:
    """The state after these sites were tapped in a mode of the editor."""
    local = {"sky-edit": mode, **local}
    for site in taps:
        act = touches(drawn(seen(state, **local)))[f"site {site}"].act
        for one in act.acts if isinstance(act, Both) else (act,):
            if isinstance(one, Play):
                state = pack.play(state, pack.decode(one.move)).state
            elif isinstance(one, Put):
                local |= one.values
    return state


def test_taps_correct_the_map_and_the_rules_follow() -> None:
    """Faction, border, features and bridges of the owner's copy, each a move of its own."""
    state = auction()
    assert corrected(state, "1.5", mode="faction").islands.sites["1.5"].faction == "white"
    joined = corrected(state, "1.1", "1.6", mode="border")
    assert "1.6" in joined.islands.beside("1.1")
    assert "1.6" not in corrected(joined, "1.6", "1.1", mode="border").islands.beside("1.1")
    lakes = [f.sites for f in corrected(state, "1.2", mode="lake").islands.features if f.kind == "lake"]
    assert frozenset({"1.2", "1.5", "1.6", "1.9", "1.10"}) in lakes
    more = corrected(state, "1.7", mode="windmill", **{"sky-feature": 3})
    assert [f.id for f in more.islands.features if f.sites == {"1.7"}] == ["1.windmill-4"]
    bridged = corrected(state, "1.13", mode="bridge")
    assert {a for a, b in bridged.islands.bridges if a[0] == "1"} == {"1.14", "1.13"}


def _on(state: SkyriseState, island: str) -> dict[str, Any]:
    """Another island was picked on the small map."""
    return {"sky-island": [island, *moment(seen(state))]}


def test_the_ends_of_the_central_bridges_are_tapped_on_the_central_island() -> None:
    """Slot by slot: the older end gives way to the tapped one."""
    state = auction()
    before = {a: b for a, b in state.islands.bridges if b[0] == "C"}
    after = corrected(state, "C.S", mode="bridge", **_on(state, "C"))
    changed = {
        a: (b, after_b)
        for (a, b), after_b in zip(before.items(), dict(after.islands.bridges).values(), strict=False)
        if b != after_b
    }
    assert [new for _, new in changed.values()][-1] == "C.S"
    first = next(iter(before)).partition(".")[0]
    assert {a.partition(".")[0] for a in changed} == {first}


def test_a_ring_bridge_is_built_and_taken_away_by_two_taps_on_two_islands() -> None:
    """The first end stays picked while the other island is looked for."""
    state = auction()
    other = next(i for i in state.islands.islands if i not in ("C", "1"))
    half = {"sky-first": "1.3", **_on(state, other)}
    built = corrected(state, f"{other}.1", mode="ring", **half)
    assert {"1.3", f"{other}.1"} in [set(bridge) for bridge in built.islands.bridges]
    gone = corrected(built, f"{other}.1", mode="ring", **{"sky-first": "1.3", **_on(built, other)})
    assert len(gone.islands.bridges) == len(state.islands.bridges)


def test_features_lie_on_the_table_too() -> None:
    """Lakes, airships and windmills of the island shown, not only in the editor."""
    with_them = seen(auction())
    assert with_them.state is not None
    bare = msgspec.structs.replace(
        with_them.state, view=msgspec.Raw(msgspec.json.encode({**view_of(with_them.state), "features": []}))
    )
    pictures = [
        pygame.image.tobytes(drawn(v).surface, "RGB")
        for v in (with_them, msgspec.structs.replace(with_them, state=bare))
    ]
    assert pictures[0] != pictures[1]


def test_a_map_that_falls_apart_is_refused() -> None:
    """The last border of a neighbourhood stays."""
    state = corrected(auction(), "1.3", "1.2", mode="border")
    state = corrected(state, "1.3", "1.6", mode="border")
    with pytest.raises(RuleBroken) as no:
        corrected(state, "1.3", "1.7", mode="border")
    assert no.value.code == "skyrise/box-value"


def test_the_editor_opens_from_the_islands_name_and_closes_again() -> None:
    """It is one touch away and one touch back."""
    view = seen(auction())
    act = touches(drawn(view))["edit islands"].act
    assert isinstance(act, Both)
    opening = act.acts[0]
    assert isinstance(opening, Put)
    page = drawn(msgspec.structs.replace(view, local=opening.values))
    back = touches(page)["back"].act
    assert isinstance(back, Put)
    assert back.values["sky-edit"] is None


def test_secrets_are_not_on_the_shared_screen() -> None:
    """While wonders are chosen the screen names players, never cards."""
    state = a_table(3).but(phase="choose").with_player(1, chosen=("summit",))
    said = " ".join(label.text for label in drawn(seen(state)).labels())
    assert "has chosen" in said
    assert "Summit" not in said and "Hammer" not in said
