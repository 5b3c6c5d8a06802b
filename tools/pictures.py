"""The pictures of the scenes in `docs/pictures`: made by a command, never by hand."""

from __future__ import annotations

import argparse
import io
import os
import sys
from pathlib import Path
from typing import Any

import msgspec
import pygame

from benches import samples, samples_aside
from display import scenes
from display.page import Page
from display.paint.die import put_die
from display.paint.sprite import Pen
from display.theme import PLAYERS, TOWERS, Theme
from display.view import View
from display.wording import Wording
from tools import replay

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


def unclear_die() -> bytes:
    """A die under glare, as a camera might send it; drawn here."""
    side = 420
    base = pygame.Surface((side, side), pygame.SRCALPHA)
    base.fill(TOWERS["red"].fill)
    die = pygame.Surface((side, side), pygame.SRCALPHA)
    put_die(Pen(die, 1), 0, 0, side * 0.5, PLAYERS["sun"], 3, (26, 19, 14))
    turned = pygame.transform.rotozoom(die, -12, 1.0)
    base.blit(turned, turned.get_rect(center=(side // 2, side // 2 + 20)))
    glare = pygame.Surface((24, 24), pygame.SRCALPHA)
    for r in range(11, 0, -1):
        pygame.draw.circle(glare, (255, 250, 235, round(235 * (1 - r / 12))), (12, 12), r)
    base.blit(pygame.transform.smoothscale(glare, (230, 200)), (100, 105))
    soft = pygame.transform.smoothscale(pygame.transform.smoothscale(base, (side // 3, side // 3)), (side, side))
    flat = pygame.Surface((side, side), depth=24)
    flat.blit(soft, (0, 0))
    buffer = io.BytesIO()
    pygame.image.save(flat, buffer, "unclear.jpg")
    return buffer.getvalue()


def live_view() -> bytes:
    """The mat under the camera with a few golems on it, a little dark; drawn here."""
    picture = pygame.Surface((960, 540), depth=24)
    picture.fill((58, 42, 30))
    paper = pygame.Rect(180, 40, 600, 460)
    pygame.draw.rect(picture, (168, 160, 148), paper)
    for x, y in (paper.topleft, paper.topright, paper.bottomleft, paper.bottomright):
        corner = pygame.Rect(0, 0, 34, 34)
        corner.center = (x + (26 if x < 480 else -26), y + (26 if y < 270 else -26))
        pygame.draw.rect(picture, (22, 18, 15), corner)
        pygame.draw.rect(picture, (168, 160, 148), corner.inflate(-20, -20))
    faces = {(0, 0): ("sun", 4), (1, 2): ("leaf", 2), (2, 1): ("sky", 6), (3, 3): ("coral", 1)}
    for column, colour in enumerate(TOWERS.values()):
        for row in range(4):
            slot = pygame.Rect(262 + column * 114, 66 + row * 104, 92, 88)
            pygame.draw.rect(picture, tuple(round(0.6 * part) for part in colour.fill), slot, border_radius=6)
            if (column, row) in faces:
                name, face = faces[column, row]
                die = pygame.Surface((80, 80), pygame.SRCALPHA)
                put_die(Pen(die, 1), 0, 0, 42, PLAYERS[name], face, (26, 19, 14))
                turned = pygame.transform.rotozoom(die, 17 * (column + row) - 30, 1.0)
                picture.blit(turned, turned.get_rect(center=slot.center))
    picture.fill((190, 180, 165), special_flags=pygame.BLEND_RGB_MULT)
    buffer = io.BytesIO()
    pygame.image.save(picture, buffer, "live.jpg")
    return buffer.getvalue()


def _camera(language: str) -> View:
    return msgspec.structs.replace(samples_aside.welcome(language, "camera"), pictures={"live": live_view()})


def _calibration(language: str) -> View:
    shown = samples.table(language, scene="calibration")
    return msgspec.structs.replace(shown, pictures={"live": live_view()}, told=samples_aside.welcome(language).told)


def _question(language: str) -> View:
    return msgspec.structs.replace(samples.question(language), pictures={"slot-red-2": unclear_die()})


def _moment(games: Path, record: str, language: str, phase: str, share: float, **local: Any) -> View:
    """A moment of a recorded game: so far into the prompts of one phase."""
    found = [v for v in replay.views(games / record, language) if v.prompt and v.prompt.ask.phase == phase]
    return msgspec.structs.replace(
        found[int(share * (len(found) - 1))], local=local, settings=samples.settings(language)
    )


def recorded(games: Path) -> list[Shot]:
    """The tables whose pictures come from recorded games; none where there are no records."""
    if not games.is_dir():
        return []
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


def shots() -> list[Shot]:
    """Each scene once."""
    pad = msgspec.structs.replace(samples.pad("en"), local={"scene": "history"})
    return [
        ("table", samples.table("en"), WIDE, "en", False),
        ("table-small", samples.table("pl"), SMALL, "pl", False),
        ("table-upright", samples.table("fr"), TALL, "fr", False),
        ("table-light", samples.table("fr", 3), WIDE, "fr", True),
        ("question", _question("en"), WIDE, "en", False),
        ("tally", samples.tally("fr"), WIDE, "fr", False),
        ("setup", samples.lobby("en"), WIDE, "en", False),
        ("join", samples.joined("pl"), WIDE, "pl", False),
        ("scorepad", samples.pad("en"), SMALL, "en", False),
        ("history", pad, SMALL, "en", False),
        ("generic", samples.generic("fr"), WIDE, "fr", False),
        ("form", samples.entry_form("pl"), WIDE, "pl", False),
        ("health", samples.troubled("pl"), WIDE, "pl", False),
        ("settings", samples.table("fr", scene="settings"), WIDE, "fr", False),
        ("calibration", _calibration("en"), WIDE, "en", False),
        ("undo", samples.table("pl", scene="undo"), WIDE, "pl", False),
        ("rebuild", samples.rebuilt("en"), WIDE, "en", False),
        ("refusal", samples.refused("fr"), WIDE, "fr", False),
        ("menu", samples.table("en", scene="menu"), SMALL, "en", False),
        ("welcome", samples_aside.welcome("pl"), WIDE, "pl", False),
        ("welcome-camera", _camera("en"), WIDE, "en", False),
        ("box", samples_aside.box_check("fr"), WIDE, "fr", False),
        ("paused", samples.lobby("pl", paused=True), SMALL, "pl", False),
        ("past", samples_aside.past("en"), WIDE, "en", False),
        ("past-game", samples_aside.past("pl", **{"past-open": "game-0"}), WIDE, "pl", False),
        ("correct-dial", samples.table("fr", sheet="dial"), SMALL, "fr", False),
    ]


def make(folder: Path, games: Path = GAMES) -> list[Path]:
    """Draw them all."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for name, view, size, language, light in [*shots(), *recorded(games)]:
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
