"""Whatever the rules of any game refuse, they say why and what to do in three languages, and no prompt shows a raw key."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from companion import games
from companion.core.registry import pack as find_pack
from companion.game import RuleBroken, Text
from companion.wire.rules import rules
from companion.wire.words import LANGUAGES, Words, read_package

NAMES = ("Magda", "Tomek", "Élodie")
PLAYED: dict[str, list[dict[str, Any]]] = {
    "skytopia": [{}, {"initial_turn": True, "abilities_by": "draft", "sides": "each"}, {"depth": "light"}],
    "praga": [{}, {"depth": "light"}],
    "skyrise": [{"deal": "digital"}, {"deal": "physical", "board": "table"}, {"depth": "light"}],
    "scorepad": [{"rounds": 3}, {"categories": "roads, cities"}],
}
ENDS = ".!?…»”)"


def a_game(name: str, options: dict[str, Any], seed: int) -> Iterator[tuple[Any, Any]]:
    """The states of a random game, each with a move that is legal there."""
    pack, chance = find_pack(name), random.Random(seed)
    state = pack.new({"names": NAMES, **options}, {})
    for _ in range(400):
        if pack.over(state):
            return
        deal = pack.deal(state)
        if deal is not None:
            piles = {key: chance.sample(pile, len(pile)) for key, pile in deal["shuffle"].items()}
            move = pack.decode({**deal["move"], **piles})
        elif name == "scorepad":
            move = pack.decode({"kind": "points", "seat": chance.randrange(3), "points": chance.randint(1, 9)})
        else:
            move = chance.choice(pack.moves(state))
        yield state, move
        state = pack.play(state, move).state


def in_words(name: str, text: Text) -> Iterator[str]:
    """A sentence in every language; none holds a raw key or an empty place."""
    for language in LANGUAGES:
        sentence = Words(language, dict(enumerate(NAMES))).say(text)
        assert f"{name}/" not in sentence, f"{language}: {sentence}"
        assert "{" not in sentence, f"{language}: {sentence}"
        assert "  " not in sentence.strip(), f"{language}: {sentence}"
        yield sentence


@pytest.mark.parametrize("name", PLAYED)
def test_moves_at_the_wrong_moment_are_refused_in_words(name: str) -> None:
    """Every move of one moment tried at other moments of other games: thousands of refusals, each read aloud."""
    pack, chance, met, said = find_pack(name), random.Random(3), set(), set()
    steps = [step for seed, options in enumerate(PLAYED[name]) for step in a_game(name, options, seed)]
    for state, _ in chance.sample(steps, min(len(steps), 60)):
        for _, move in chance.sample(steps, min(len(steps), 60)):
            try:
                pack.play(state, move)
            except RuleBroken as refused:
                met.add(refused.code)
                for text in (refused.say, refused.do):
                    if (text.key, str(text.params)) not in said:
                        said.add((text.key, str(text.params)))
                        for sentence in in_words(name, text):
                            assert len(sentence) > 4, "a word at least: Pass."
                            assert sentence.rstrip()[-1] in ENDS, sentence
    assert len(met) >= {"skytopia": 8, "praga": 6, "skyrise": 6, "scorepad": 0}[name], met


@pytest.mark.parametrize("name", PLAYED)
def test_prompts_and_choices_are_read_aloud_in_three_languages(name: str) -> None:
    """Whole games: text, help, choices, notes, reminders, and what hands should do."""
    pack, said = find_pack(name), set()
    for seed, options in enumerate(PLAYED[name]):
        for state, _ in a_game(name, options, seed + 10):
            ask = pack.ask(state)
            shown = [ask.text, ask.help, *ask.change, *ask.reminders]
            shown += [text for choice in ask.choices for text in (choice.text, choice.note, choice.off)]
            for text in shown:
                if text is not None and (text.key, *text.params) not in said:
                    said.add((text.key, *text.params))
                    assert all(in_words(name, text))
    assert len(said) > 3


def refusals(name: str) -> Iterator[tuple[str, str, set[str]]]:
    """Every place in a pack's source that refuses: where, which code, and the parameters its sentence is given."""
    for file in sorted((Path(games.__file__).parent / name).glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            place = {"refused": 0, "refuse": 0, "refusal": 1}.get(node.func.id)
            code = None if place is None else node.args[place]
            if isinstance(code, ast.Constant):
                given = {word.arg for word in node.keywords if word.arg} - {"box", "page", "do"}
                yield f"{file.name}:{node.lineno}", str(code.value), given


@pytest.mark.parametrize("name", PLAYED)
def test_every_refusal_in_the_source_fills_every_place_of_its_sentence(name: str) -> None:
    """In each language; also those no random game meets."""
    found = list(refusals(name))
    assert len(found) >= {"skytopia": 40, "praga": 40, "skyrise": 40, "scorepad": 4}[name]
    for language in LANGUAGES:
        words = read_package(f"companion.games.{name}", language)
        for where, code, given in found:
            forms = words.get(f"{name}/refuse/{code}")
            assert forms, f"{where}: {language} has no words for {code}"
            for form in forms:
                wanted = {field for _, field, _, _ in Formatter().parse(form) if field}
                assert wanted <= given, f"{where}: {language} wants {wanted - given} for {code}"


def test_a_page_is_one_of_the_printed_rulebook() -> None:
    """Nobody at the table has our own specification: a rule card names its section apart, and no refusal names one."""
    for name in PLAYED:
        for card in rules(name).cards:
            assert card.page == "" or card.page[0].isdecimal(), f"{name}: {card.id} is on page {card.page}"
    for file in Path(games.__path__[0]).rglob("*.py"):
        assert '"§' not in file.read_text(encoding="utf-8"), file
