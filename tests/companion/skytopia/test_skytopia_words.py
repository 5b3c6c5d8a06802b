"""English, Polish and French say everything, with the right plurals."""

import pytest
from skytopia_table import GUILDS, NAMES, random_game, table, variants
from skytopia_words import PACKAGE, assert_said, catalogue, fields

from companion.game import Text
from companion.games.skytopia import pack
from companion.games.skytopia.describe import describe
from companion.games.skytopia.moves import AnyMove
from companion.games.skytopia.printed import numbers
from companion.games.skytopia.restore import restore
from companion.wire import words

FORMS = {"en": 2, "pl": 3, "fr": 2}


@pytest.fixture
def said(monkeypatch):
    """A speaker for each language that knows Skytopia's words."""
    monkeypatch.setattr(words, "catalogue", catalogue)
    return {language: words.Words(language, dict(enumerate(NAMES))) for language in words.LANGUAGES}


def test_all_languages_have_the_same_keys():
    keys = {language: set(words.read_package(PACKAGE, language)) for language in words.LANGUAGES}
    assert keys["en"] == keys["pl"] == keys["fr"]
    assert len(keys["en"]) > 300


def test_all_languages_use_the_same_placeholders_and_the_right_number_of_forms():
    english = words.read_package(PACKAGE, "en")
    for language in words.LANGUAGES:
        for key, forms in words.read_package(PACKAGE, language).items():
            if not key:
                continue
            assert len(forms) in (1, FORMS[language]), f"{language} {key}"
            wanted = set().union(*(fields(form) for form in english[key]))
            used = set().union(*(fields(form) for form in forms))
            assert used - {"n"} <= wanted | {"n"}, f"{language} {key}"
            assert all(form.strip() for form in forms), f"{language} {key} is empty"


@pytest.mark.parametrize("options", variants(), ids=str)
def test_no_prompt_tally_or_move_shows_a_raw_key(options):
    for seed in (1, 2):
        steps = random_game(seed, options, hidden=0.3 * (seed - 1))
        after = steps[-1][2]
        for before, move, _ in steps:
            assert_said(pack.ask(before))
            assert_said(describe(move))
            assert_said(pack.play(before, move).events)
        assert_said(pack.tally(after))
        assert_said(pack.ask(after))
        assert_said(restore(steps[0][0], after))
        assert_said(restore(after, steps[len(steps) // 2][0]))
    assert_said(pack.options())
    assert_said(pack.title())


@pytest.mark.parametrize("depth", ["light", "tally"])
def test_the_other_depths_speak_too(depth):
    state = pack.new({"names": NAMES[:3], "depth": depth}, {})
    for _ in range(30):
        assert_said(pack.ask(state))
        for move in pack.moves(state):
            assert_said(describe(move))
        if pack.over(state):
            break
        state = pack.play(state, pack.moves(state)[-1 if state.step == "turn" else 0]).state
    assert_said(pack.tally(state))


def test_every_kind_of_move_can_be_described():
    for kind in AnyMove.__args__:
        tag = kind.__struct_config__.tag
        for language in words.LANGUAGES:
            assert f"skytopia/describe/{tag}" in catalogue(language), f"{language} cannot describe {tag}"


@pytest.mark.parametrize(
    ("n", "polish"), [(1, "1 moneta"), (2, "2 monety"), (5, "5 monet"), (12, "12 monet"), (22, "22 monety")]
)
def test_polish_counts_coins(said, n, polish):
    assert said["pl"].say(Text("skytopia/coins", {"n": n})) == polish


def test_a_prompt_reads_well_in_three_languages(said):
    ask = pack.ask(table(coins=(6, 5)))
    assert said["en"].say(ask.text) == "Magda: set a golem"
    assert said["pl"].say(ask.text) == "Magda: połóż Golema"
    assert said["fr"].say(ask.text) == "Magda\u00a0: posez un golem"
    choice = next(choice for choice in ask.choices if choice.id == "place/gold-2/5")
    assert said["en"].say(choice.text) == "Face 5 on gold, row 2"
    assert said["en"].say(choice.note) == "6 coins · built in 2 rounds"
    assert said["pl"].say(choice.note) == "6 monet · gotowe za 2 rundy"
    assert said["fr"].say(choice.note) == "6 pièces · achevé dans 2 manches"
    dear = next(choice for choice in ask.choices if choice.id == "place/gold-2/6")
    assert said["pl"].say(dear.off) == "brakuje 4 monet"
    taken = next(choice for choice in ask.choices if choice.id == "place/gold-2/1")
    assert said["fr"].say(taken.off) == "valeur de construction"


def test_the_tally_names_the_guilds_in_three_languages(said):
    tally = pack.score({**pack.example(), "guilds": ["mechanics", *GUILDS[1:]]}, {})
    line = tally.players[0].lines[1]
    assert said["en"].say(line.text) == "Guild of Mechanics"
    assert said["pl"].say(line.text) == "Gildia Mechaników"
    assert said["fr"].say(line.text) == "Guilde des Mécaniciens"
    assert said["pl"].say(line.reason) == "2 pary: niebieska i złota"


def test_the_values_asked_first_and_those_refusals_rest_on_are_named_in_words():
    box = numbers({}).box
    for key, leaf in box.printed.items():
        if leaf.ask == "first":
            for language in words.LANGUAGES:
                assert f"skytopia/box/{key}" in catalogue(language), f"{language} has no name for {key}"
    for key in words.read_package(PACKAGE, "en"):
        if key.startswith("skytopia/box/"):
            assert key.removeprefix("skytopia/box/") in box.printed


def test_the_view_says_what_each_effect_does():
    for effect in pack.view(table(), None).effects.values():
        assert_said(effect.text)
