"""Everything Praga says exists in three languages, with the same blanks to fill."""

from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter

import msgspec
import pytest

from companion.box.printed import printed
from companion.game import Text
from companion.games import praga
from companion.games.praga import pack
from companion.wire.words import LANGUAGES, read_package
from tests.companion.praga.a_table import a_random_game

PACKAGE = "companion.games.praga"
WORDS = {language: read_package(PACKAGE, language) for language in LANGUAGES}


def blanks(text: str) -> set[str]:
    """The named places of a sentence."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def texts_in(value):
    """Every `Text` inside a structure."""
    if isinstance(value, Text):
        yield value
        for inner in value.params.values():
            yield from texts_in(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from texts_in(inner)
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts_in(inner)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from texts_in(getattr(value, name))


def test_the_three_languages_say_the_same_things():
    """Same keys, same blanks, in every form."""
    assert set(WORDS["en"]) == set(WORDS["pl"]) == set(WORDS["fr"])
    for key in WORDS["en"]:
        if key:
            wanted = blanks(WORDS["en"][key][-1])
            for language in LANGUAGES:
                for form in WORDS[language][key]:
                    assert form, f"{key} is empty in {language}"
                    assert blanks(form) | {"n"} == wanted | {"n"}, f"{key} in {language}"


def test_polish_plurals_have_three_forms():
    """What is plural in English has three forms in Polish and two in French."""
    for key, forms in WORDS["en"].items():
        if key and len(forms) == 2:
            assert (len(WORDS["pl"][key]), len(WORDS["fr"][key])) == (3, 2), key


def test_french_signs_keep_their_hard_space():
    """No plain space stands before a French double sign."""
    for key, forms in WORDS["fr"].items():
        for form in forms if key else ():
            assert not any(f" {sign}" in form for sign in ":;!?"), f"{key}: {form}"


def test_every_refusal_says_what_is_wrong_and_what_to_do():
    """Two sentences for each code."""
    said, told = (
        {key.removeprefix(f"praga/{part}/") for key in WORDS["en"] if key.startswith(f"praga/{part}/")}
        for part in ("refuse", "do")
    )
    assert len(said) > 40
    assert said == told


def test_every_printed_value_has_a_name():
    """The owner is asked in words, not in keys."""
    for key in printed(PACKAGE):
        assert f"praga/box/{key}" in WORDS["en"], key


@pytest.mark.parametrize(("players", "depth"), [(1, "full"), (2, "full"), (3, "full"), (4, "full"), (2, "light")])
def test_whole_games_say_nothing_that_has_no_words(players, depth):
    """Prompts, events and tallies of whole games are all in the catalogue, with every blank filled."""
    seen: dict[str, Text] = {}
    for seed in range(3):
        for state, move in a_random_game(players, depth, seed):
            for text in texts_in(pack.ask(state)):
                seen[text.key] = text
            if move is not None:
                for text in texts_in(pack.play(state, move).events):
                    seen[text.key] = text
        for text in texts_in(pack.tally(state)):
            seen[text.key] = text
    for text in texts_in((pack.options(), pack.title())):
        seen[text.key] = text
    for key, text in seen.items():
        if key != "seat":
            assert key in WORDS["en"], key
            assert blanks(WORDS["en"][key][-1]) <= set(text.params), f"{key}: {text.params}"
    assert len(seen) > (90 if depth == "full" else 40)


def test_the_pack_is_pure():
    """No clock, no chance, no files: only the protocol, the box and the standard library's pure parts."""
    allowed = {"__future__", "collections.abc", "typing", "msgspec", "companion.box.printed", "companion.game"}
    allowed |= {"companion.panels", "companion.sensing", "companion.shown.praga"}
    allowed |= {f"companion.games.kit.{name}" for name in ("documents", "names", "refusals")}
    for file in Path(praga.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [node.module] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert name in allowed or name.startswith(PACKAGE), f"{file.name}: {name}"
