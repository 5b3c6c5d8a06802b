"""What a seated phone, or one that watches, could do to others. Each attack answers what got through, or nothing."""

from __future__ import annotations

import itertools
import os
import signal
import time
from pathlib import Path
from typing import Any

from stand import Checkout, Line, Table, resident


def _prompt(table: Table) -> dict[str, Any]:
    """What is asked; this version says it with the state, earlier ones beside it."""
    stands = table.host.last("state")
    return dict(stands.get("prompt") or table.host.last("prompt"))


def _bid(table: Table) -> tuple[int, dict[str, Any]]:
    """Whose turn the auction is, and a bid that may be made."""
    ask = _prompt(table)["ask"]
    values = {field["id"]: field.get("value") for field in ask["form"]["fields"]}
    return int(ask["seat"]), {key: value for key, value in values.items() if key in ("piece", "site")}


def plays_for_another(checkout: Checkout) -> str:
    """The kind and the seat stand in `values`."""
    with checkout.table() as table:
        table.begin("skyrise", 3)
        turn, values = _bid(table)
        other = (turn + 1) % 3
        phone = table.seated(other)
        direct = phone.move({"kind": "bid", "seat": turn, **values})
        for outer in ("correct", "peek", "enter"):
            bent = {"kind": outer, "values": {"kind": "bid", "seat": turn, **values}}
            answer = phone.move(bent) or {}
            if answer.get("ok"):
                return (
                    f"refused when said plainly ({_code(direct)}), taken as {outer!r}: seat {other} bid for seat {turn}"
                )
    return ""


def reads_a_hand(checkout: Checkout) -> str:
    """Whether a card is in somebody's hand shows in the answers to trial choices for them."""
    with checkout.table() as table:
        table.begin("skyrise", 3)
        phone = table.seated(0)
        for _ in range(300):
            ask = _prompt(table)["ask"]
            if ask.get("phase") == "choose":
                break
            table.host.move(_some_answer(ask), cause="touch")
        else:
            raise TimeoutError("no wonders are chosen")
        codes = set()
        for card in WONDERS:
            for outer in ("correct", "peek"):
                move = {"kind": outer, "values": {"kind": "choose", "seat": 1, "cards": [card]}}
                codes.add(_code(phone.move(move)))
    return f"answers differ by the card tried: {', '.join(sorted(codes))}" if len(codes) > 1 else ""


WONDERS = (
    "hammer",
    "city-hall",
    "atlantis",
    "futurist",
    "olmsted",
    "atelier",
    "splinter",
    "la-boca",
    "le-baron",
    "crypt",
)


def _some_answer(ask: dict[str, Any]) -> dict[str, Any]:
    """Somebody bids, everybody else passes."""
    ways = [choice["move"] for choice in ask.get("choices", ())]
    passing = [move for move in ways if move["kind"] == "pass"]
    if passing:
        return dict(passing[0])
    if ask.get("form"):
        fields = {field["id"]: field.get("value") for field in ask["form"]["fields"]}
        return dict(ask["form"]["move"]) | {
            "values": {key: value for key, value in fields.items() if value is not None}
        }
    return dict(ways[0])


def _code(answer: dict[str, Any] | None) -> str:
    if answer is None:
        return "no answer"
    return "done" if answer["ok"] else str(answer["refusal"]["code"])


def _ends_core(checkout: Checkout, game: str, *moves: Any, **options: Any) -> str:
    """Whether any of these messages ends the core."""
    with checkout.table() as table:
        table.begin(game, 2, **options)
        phone = table.seated(0)
        core = table.pids["companion"]
        for move in moves:
            answer = phone.move(move, 6.0)
            if table.pids.get("companion") != core:
                return "the core ended"
            if answer is None:
                return "no answer"
    return ""


def long_player_id(checkout: Checkout) -> str:
    """A player's id of 5,000 digits."""
    return _ends_core(checkout, "scorepad", {"kind": "score", "values": {"p" + "1" * 5000: 1}})


def wrong_type_in_reveal(checkout: Checkout) -> str:
    """A number where a list belongs."""
    move = {"kind": "correct", "objectives": 5, "values": {"kind": "reveal", "objectives-0": "yellow"}}
    plain = {"kind": "reveal", "seat": 0, "objectives": 5, "values": {"objectives-0": "yellow"}}
    return _ends_core(checkout, "skyrise", move, plain)


def deep_box_value(checkout: Checkout, game: str) -> str:
    """A printed value nested 985 deep."""
    deep: Any = 1
    for _ in range(985):
        deep = [deep]
    keys = {"skytopia": "setup.coins", "praga": "start.gold"}
    return _ends_core(checkout, game, {"kind": "box", "key": keys[game], "value": deep}, {"kind": "box", "key": deep})


def core_kept_down(checkout: Checkout) -> str:
    """Of the screen's moves, how many are answered while a phone goes on for ten seconds."""
    with checkout.table() as table:
        table.begin("scorepad", 2, rounds=0)
        phone = table.seated(0)
        core, end = table.pids["companion"], time.monotonic() + 10
        asked = answered = 0
        while time.monotonic() < end:
            seq = (phone.last("state") or {}).get("seq")
            bad = {"kind": "score", "values": {"p" + "1" * 5000: 1}}
            phone.say(f"move/{phone.name}", {"v": 1, "id": f"x{time.monotonic_ns()}", "seq": seq, "move": bad})
            asked += 1
            answered += table.host.move({"kind": "points", "seat": 0, "points": 1}, 2.0, cause="touch") is not None
            time.sleep(0.25)
        again = table.pids.get("companion") != core
    return f"{asked - answered} of {asked} moves of the screen were not answered, the core ended" if again else ""


def undo_unasked(checkout: Checkout) -> str:
    """Somebody's move is taken back by another phone that says everybody agrees."""
    with checkout.table() as table:
        table.begin("scorepad", 2, rounds=0)
        ada, ben = table.seated(0), table.seated(1)
        ada.move({"kind": "points", "seat": 0, "points": 50})
        table.until(lambda: _points(ben, 0) == 50, "Ada's points")
        answer = ben.move({}, undo=True, consent=True)
        table.works()
        return f"Ada's 50 points are gone ({_code(answer)})" if _points(ben, 0) == 0 else ""


def _points(line: Line, seat: int) -> int:
    return int(line.last("state")["view"]["players"][seat]["points"])


def next_game_seat(checkout: Checkout) -> str:
    """The phone of seat 3 in the next game, which has two seats."""
    with checkout.table() as table:
        table.begin("scorepad", 4, rounds=0)
        phone = table.seated(3)
        table.begin("scorepad", 2, rounds=0)
        for move in ({"kind": "score", "values": {"p0": 7}}, {"kind": "points", "seat": 0, "points": 7}):
            answer = phone.move(move, 4.0)
            if answer and answer["ok"]:
                return f"{move['kind']} for Ada was accepted from a seat that is not there"
    return ""


def others_line(checkout: Checkout) -> str:
    """Phone 1 corrects phone 0's line of the pad."""
    with checkout.table() as table:
        table.begin("scorepad", 2, rounds=0)
        ada, ben = table.seated(0), table.seated(1)
        ada.move({"kind": "points", "seat": 0, "points": 50})
        table.until(lambda: _points(ben, 0) == 50, "Ada's points")
        ben.move({"kind": "correct", "entry": 0, "points": 1})  # at best Ada is asked whether she agrees
        ada.move({"kind": "points", "seat": 0, "points": 5})
        table.until(lambda: _points(ben, 0) != 50, "Ada's next points")
        if _points(ben, 0) != 55:
            return "Ada's line says what Ben wrote there"
    return ""


def printed_value_for_ever(checkout: Checkout) -> str:
    """A phone in turn changes a printed value, which stays in the owner's box and is not taken back by undo."""
    with checkout.table() as table:
        table.begin("skytopia", 2)
        phone = table.seated(int(_prompt(table)["ask"].get("seat") or 0))
        answer = phone.move({"kind": "box", "key": "effects.B1.pp", "value": 9})
        kept = [path for path in checkout.state.rglob("*") if path.is_file() and _holds(path)]
        if answer and answer["ok"]:
            return f"accepted, and kept in {', '.join(sorted({path.name for path in kept})) or 'nothing'}"
    return ""


def _holds(path: Path) -> bool:
    return path.suffix in (".toml", ".json") and "B1" in path.read_text(errors="replace")


def watcher_goes_on(checkout: Checkout) -> str:
    """Somebody who watched the last game hears the next one, after the core was started again in between."""
    with checkout.table() as table:
        table.begin("scorepad", 2, rounds=0)
        watcher = table.seated(None)
        core = table.pids["companion"]
        os.kill(core, signal.SIGKILL)
        table.until(lambda: table.pids.get("companion") not in (None, core), "another core")
        table.until(table.works, "a core that answers")
        table.order("end game")
        before = len(watcher.heard)
        table.begin("scorepad", 3, rounds=0)
        time.sleep(2)
        heard = [body for at, body in watcher.heard[before:] if at == "state" and body and body.get("game")]
    return "it hears the next game" if any(len(one["view"]["players"]) == 3 for one in heard) else ""


def old_question(checkout: Checkout) -> str:
    """State and prompt travel apart, so that a tap on the old question can name the new row."""
    with checkout.table() as table:
        table.begin("scorepad", 2, rounds=0)
        phone = table.seated(0)
        told = phone.last("state") or {}
        apart = phone.last("prompt") is not None and "prompt" not in told
    return "the next question is a message of its own, after the row it belongs to" if apart else ""


def hundred_thousand_moves(checkout: Checkout) -> str:
    """All at once from one phone; how long the screen's next move takes."""
    return _flooded(
        checkout, 100_000, lambda phone, n: (f"move/{phone.name}", {"kind": "points", "seat": 0, "points": 1})
    )


def twenty_thousand_here(checkout: Checkout) -> str:
    """A phone says 20,000 times that it is there."""
    return _flooded(checkout, 20_000, lambda phone, n: (f"here/{phone.name}", None))


def _flooded(checkout: Checkout, count: int, say: Any) -> str:
    with checkout.table() as table:
        table.begin("scorepad", 2, rounds=0)
        phone = table.seated(0)
        began, rest = table.pids["companion"], resident(table.pids["companion"])
        stands = table.host.last("state")["seq"]
        for number in range(count):
            topic, move = say(phone, number)
            name = f"f{number}"
            body = {"v": 1, "here": True, "line": name}
            if move is not None:
                body = {"v": 1, "id": name, "seq": stands + number, "move": move, "cause": "phone"}
            phone.say(topic, body)
        worst = 0.0
        for _ in itertools.repeat(None, 5):
            start = time.monotonic()
            answer = table.host.move({"kind": "points", "seat": 1, "points": 1}, 30.0, cause="touch", seq=None)
            worst = max(worst, time.monotonic() - start if answer else 99.0)
        more = resident(table.pids.get("companion", began)) - rest
    slow = f"a move of the screen took {'more than 30' if worst > 90 else f'{worst:.1f}'} s, {more} MB more in the core"
    return slow if worst > 1.0 else ""


def endless_pad(checkout: Checkout) -> str:
    """A score pad of more lines than anybody writes."""
    return checkout.script(
        """
from companion.game import RuleBroken
from companion.games.scorepad import pack
seats = [{"name": "Ada", "seat": 0}, {"name": "Ben", "seat": 1}]
for options in ({"names": ["Ada", "Ben"], "rounds": 0}, {"seats": seats, "rounds": 0}):
    try:
        state = pack.new(options, {})
        break
    except (ValueError, KeyError, TypeError):
        continue
lines = 0
try:
    while lines < 25000:
        state = pack.play(state, pack.decode({"kind": "score", "values": {"p0": 1, "p1": 2}})).state
        lines += 2
except RuleBroken:
    print("")
else:
    print(f"{lines} lines and no end")
""",
        300,
    )


ATTACKS = {
    "another seat's bid in a form": plays_for_another,
    "a hand read by trial": reads_a_hand,
    "a player id of 5,000 digits": long_player_id,
    "a wrong type in reveal": wrong_type_in_reveal,
    "a box value 985 deep, Skytopia": lambda checkout: deep_box_value(checkout, "skytopia"),
    "a box value 985 deep, Praga": lambda checkout: deep_box_value(checkout, "praga"),
    "the same again and again": core_kept_down,
    "undo with consent nobody gave": undo_unasked,
    "a tap on the old question": old_question,
    "a seat of the last game": next_game_seat,
    "another's line of the pad": others_line,
    "a printed value from a phone": printed_value_for_ever,
    "a watcher of the last game": watcher_goes_on,
    "100,000 moves from one phone": hundred_thousand_moves,
    "20,000 times here": twenty_thousand_here,
    "a pad without end": endless_pad,
}
