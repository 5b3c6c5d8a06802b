"""Evenings thought through ahead: each is counted anew, and what repeats in them cannot be avoided."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections import Counter
from itertools import chain
from pathlib import Path

import msgspec
import pytest

from hall import pairing
from hall.rounds import fewest_repeats, named_shape, read_plan, repeats, table_sizes, written
from tests.conftest import ALONE
from tests.hall import exact_pairing
from tests.hall.test_pairing import ROUNDS, apart
from tools import pairing_plans

PLANS = msgspec.json.decode(pairing_plans.FILE.read_bytes(), type=dict[str, tuple[str, ...]])
UNAVOIDABLE = {
    "3 3 3 -2": 2,
    "3 3 3 3": 7,
    "4 4 3 3 3": 1,
    "4 4 4 3 3": 2,
    "4 4 4 4 3": 3,
    "4 4 4 4 4": 6,
}
"""More than the counting bound, and no evening has fewer: the tests below try them all."""


def fields() -> list[tuple[int, int, tuple[int, ...]]]:
    """Whatever an organiser can have that is not led by its points: size, players, tables."""
    return [
        (size, players, table_sizes(players, size, pairing.allowed(size, players)))
        for size in (2, 3, 4)
        for players in range(4, pairing.ROOM[size] * ROUNDS)
    ]


@pytest.mark.parametrize("size", [2, 3, 4])
def test_no_repeat_that_can_be_avoided(size: int) -> None:
    """From four players on, six rounds."""
    for _, players, shape in (field for field in fields() if field[0] == size):
        name = named_shape(shape, players - sum(shape))
        fewest = UNAVOIDABLE.get(name, fewest_repeats(players, shape, ROUNDS))
        made = pairing.plan(players, size, pairing.allowed(size, players), ROUNDS)
        assert (name, fewest) == (name, repeats(made))


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_is_an_evening(name: str) -> None:
    """Everybody once a round at these tables, byes within one, and after any round nobody sat in one seat twice more."""
    *sizes, last = name.split()
    shape = tuple(map(int, [*sizes] if last.startswith("-") else [*sizes, last]))
    byes = int(last[1:]) if last.startswith("-") else 0
    made = read_plan(PLANS[name])

    assert len(made) == ROUNDS
    assert [written(one) for one in made] == list(PLANS[name])
    for one in made:
        assert sorted(map(len, one.tables), reverse=True) == sorted(shape, reverse=True)
        assert sorted(map(int, chain(*one.tables, one.byes))) == list(range(sum(shape) + byes))
    for number in range(1, ROUNDS + 1):
        assert apart(made[:number], min(shape)) <= 1
        out = Counter(chain(*(one.byes for one in made[:number])))
        assert max(out.values(), default=0) <= -(-number * byes // (sum(shape) + byes))


@pytest.mark.parametrize(("players", "budgets"), [(11, (0, 0, 0, 0, 0, 1)), (12, (0, 0, 1, 2, 4, 6))])
def test_no_evening_has_fewer(players: int, budgets: tuple[int, ...]) -> None:
    """Every evening of eleven with one repeat at most, and of twelve with six, tried: there is none.

    One repeat is between two rounds, and one of them may be last. With six everybody has met and six pairs met twice; the round
    with most of them last leaves at most four, and so on: two, one, none.
    """
    assert not exact_pairing.an_evening_within(players, budgets)


def test_the_solver_finds_what_there_is() -> None:
    """Five rounds of eleven without a repeat, four of twelve: a solver that always says no would prove anything."""
    assert exact_pairing.an_evening_within(11, (0, 0, 0, 0))
    assert exact_pairing.an_evening_within(12, (0, 0, 0, 0))
    assert not exact_pairing.an_evening_within(12, (0, 0, 0, 0, 0))


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`tools/pairing_proof.c`, compiled: millions of rounds are looked at."""
    compiler = shutil.which("cc")
    assert compiler is not None, "a C compiler is wanted: scripts/setup.sh tests installs one"
    made = tmp_path_factory.mktemp("proof") / "pairing_proof"
    source = Path(pairing_plans.__file__).with_name("pairing_proof.c")
    warned = ["-std=gnu11", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([compiler, *warned, "-O3", "-march=native", str(source), "-o", str(made)], check=True)
    return made


PROVEN = Path(__file__).with_name("proven.json")
"""What the program has found there is none of, and the text it had: what takes longest is not counted again each time."""


def proven() -> dict[str, str]:
    """Shape and bounds -> the program's text it was tried with, for what it has tried to the end."""
    return msgspec.json.decode(PROVEN.read_bytes(), type=dict[str, str])


def text_of_the_proof() -> str:
    """The program, in one word."""
    return hashlib.sha256(Path(pairing_plans.__file__).with_name("pairing_proof.c").read_bytes()).hexdigest()


def tried(proof: Path, *given: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(proof), *given], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("shape", "bounds"),
    [
        ("44333", "0000"),  # 20 s
        ("44433", "0001"),  # 6 s
        pytest.param("44443", "0012", marks=pytest.mark.long(3)),
        pytest.param("44444", "1235", marks=pytest.mark.long(5)),
    ],
)
def test_no_evening_of_17_to_20_at_fours_has_fewer(proof: Path, shape: str, bounds: str) -> None:
    """Why an evening with one repeat fewer than planned has an order within these bounds stands in docs/decisions.md. The two
    that take longest are tried in `make soak`, and here as soon as the program is another than the one that tried them."""
    if proven().get(f"{shape} {bounds}") == text_of_the_proof() and not ALONE:
        return
    done = tried(proof, shape, *bounds)
    assert (done.returncode, done.stdout[:5]) == (0, "none:"), done.stdout


@pytest.mark.parametrize(
    ("shape", "bounds"), [("44333", "0001"), ("44433", "0012"), ("44443", "0123"), ("44444", "2346")]
)
def test_the_proof_finds_what_there_is(proof: Path, shape: str, bounds: str) -> None:
    """One repeat more, and it finds an evening: one that always says none would prove anything."""
    done = tried(proof, shape, *bounds)
    found = read_plan(done.stdout.splitlines()[1:])
    assert done.returncode == 1 and len(found) == ROUNDS
    assert repeats(found) == int(bounds[-1])
    for one in found:
        assert sorted(map(len, one.tables), reverse=True) == list(map(int, shape))
        assert sorted(map(int, chain(*one.tables))) == list(range(sum(map(int, shape))))


def test_the_search_itself_finds_evenings() -> None:
    """What made the file still works, from nothing to seats."""
    from random import Random

    tried = pairing_plans.Annealing(9, (3, 3, 3), Random(1))
    assert tried.run(18, float("inf")) == 18
    seated = pairing_plans.seated(pairing_plans.in_order(tried.evening), Random(2))
    assert seated is not None
    made = read_plan(pairing_plans.written(seated))
    assert repeats(made) == 18 and apart(made, 3) <= 1


def test_a_shorter_evening_has_no_more_repeats_than_it_must() -> None:
    """Repeats come late: sixteen people meet everybody in five rounds."""
    for rounds in (2, 3, 4, 5):
        made = pairing.plan(16, 4, (3, 4), rounds)
        assert (len(made), repeats(made)) == (rounds, 0)
