"""The final score: every line of the last scoring, in the rulebook's order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from companion.box.printed import Box
from companion.game import PlayerTally, Tally, TallyLine, Text
from companion.games.skyrise.document import Heights, Island, PlayerPosition, Position, by_faction, total, whole
from companion.shown.skyrise import FACTIONS

Line = tuple[str, Text, int, Text | None]


def controllers(heights: Mapping[int, tuple[int, int, int]], empty_scores: bool = False) -> tuple[int, ...]:
    """Who controls an island: most tall, then medium, then small; those still tied all do."""
    best = max(heights.values(), default=(0, 0, 0))
    if best == (0, 0, 0) and not empty_scores:
        return ()
    return tuple(sorted(seat for seat, key in heights.items() if key == best))


class Values(msgspec.Struct, frozen=True):
    """The printed numbers a final score uses, and the box keys behind them."""

    rows: tuple[int, ...]
    rows_from_box: bool
    box: Box

    def row(self, tokens: int) -> tuple[int, tuple[str, ...]]:
        """The value of a row and the unconfirmed keys it rests on."""
        if not self.rows_from_box:
            return self.rows[tokens], ()
        return self.rows[tokens], self.box.unconfirmed([f"rows.{tokens}"])


Doubts = Mapping[str, tuple[str, ...]]
"""Line -> unconfirmed values behind it."""


def score(position: Position, box: Box, doubts: Sequence[Doubts] = ()) -> Tally:
    """Every point of every player. `doubts`, one per player, names further unconfirmed values: a recorded game knows more."""
    given = position.row_values
    values = Values(tuple(given or (box[f"rows.{i}"] for i in range(5))), given is None, box)
    lines = [
        _lines(position, seat, values, dict(doubts[seat] if doubts else {})) for seat in range(len(position.players))
    ]
    players = tuple(
        PlayerTally(
            seat,
            player.name,
            sum(line.points for line in own),
            own,
            {"structures": sum(by_faction(player.structures).values()), "keys": " ".join(player.keys)},
        )
        for seat, (player, own) in enumerate(zip(position.players, lines, strict=True))
    )
    winners, tie_break = _winners(position, players)
    unconfirmed = tuple(dict.fromkeys(key for own in lines for line in own for key in line.unconfirmed))
    return Tally(players, winners, tie_break, unconfirmed, tuple(_notes(position)))


def _lines(position: Position, seat: int, values: Values, doubts: dict[str, tuple[str, ...]]) -> tuple[TallyLine, ...]:
    player, box = position.players[seat], values.box
    lines: list[Line] = [("prestige", Text("skyrise/line/prestige"), player.prestige, None)]
    for island in position.islands:
        lines.append(_control(position, seat, island, box))
        if not any(by_height(player, island) != (0, 0, 0) for player in position.players):
            empty = box.unconfirmed(["settings.empty-island-scores"])
            doubts[lines[-1][0]] = (*doubts.get(lines[-1][0], ()), *empty)
    for card, times in zip(position.panorama, player.panorama, strict=True):
        name = Text(f"skyrise/panorama/{card.card}")
        why = Text("skyrise/why/panorama", {"n": times, "reward": card.reward})
        lines.append((f"panorama/{card.card}", name, times * card.reward, why))
    met = player.objective.met
    why = Text("skyrise/why/objective-met" if met else "skyrise/why/objective-missed")
    lines.append(("objective", Text("skyrise/line/objective"), player.objective.reward if met else 0, why))
    lines += _picture(position, player, box)
    for faction in FACTIONS:
        built, tokens = by_faction(player.structures)[faction], by_faction(player.tokens)[faction]
        worth, doubt = values.row(tokens)
        line_id = f"structures/{faction}"
        why = Text("skyrise/why/structures", {"n": built, "worth": worth, "tokens": tokens})
        lines.append((line_id, Text(f"skyrise/line/structures-{faction}"), built * worth, why))
        if built:
            doubts[line_id] = (*doubts.get(line_id, ()), *doubt)
    return tuple(
        TallyLine(key, text, points, reason, tuple(dict.fromkeys(doubts.get(key, ()))))
        for key, text, points, reason in lines
    )


def by_height(player: PlayerPosition, island: Island) -> tuple[int, int, int]:
    """A player's tall, medium and small buildings on one island."""
    own = player.buildings.get(island, Heights())
    return own.tall, own.medium, own.small


def _control(position: Position, seat: int, island: Island, box: Box) -> Line:
    heights = {i: by_height(player, island) for i, player in enumerate(position.players)}
    who = controllers(heights, bool(box["settings.empty-island-scores"]))
    tall, medium, small = heights[seat]
    why = Text("skyrise/why/control", {"tall": tall, "medium": medium, "small": small})
    points = int(box["score.control"]) if seat in who else 0
    return f"control/{island}", Text("skyrise/line/control", {"island": Text(f"skyrise/island/{island}")}), points, why


def _picture(position: Position, player: PlayerPosition, box: Box) -> Iterable[Line]:
    """The visionary's picture: patrons, surplus tokens, keys, and commissions that count them all."""
    patrons = sum(count * position.patron_values[letter] for letter, count in player.patrons.items() if count)
    held = sum(player.patrons.values())
    items = held + player.surplus + len(player.keys) + player.commissions
    keys = sum(int(box[f"score.key-{key}"]) for key in player.keys)
    yield "patrons", Text("skyrise/line/patrons"), patrons, Text("skyrise/why/patrons", {"n": held})
    surplus = player.surplus * int(box["score.surplus"])
    yield "surplus", Text("skyrise/line/surplus"), surplus, Text("skyrise/why/surplus", {"n": player.surplus})
    yield "keys", Text("skyrise/line/keys"), keys, None
    commissions = player.commissions * items * int(box["score.commission-per-item"])
    why = Text("skyrise/why/commissions", {"n": items, "commissions": player.commissions})
    yield "commissions", Text("skyrise/line/commissions"), commissions, why


def _winners(position: Position, players: tuple[PlayerTally, ...]) -> tuple[tuple[int, ...], Text | None]:
    best = max(player.total for player in players)
    tied = [player.seat for player in players if player.total == best]
    if len(tied) == 1:
        return tuple(tied), None
    order = {name: i for i, name in enumerate(position.finish_order)}
    first = min(tied, key=lambda seat: order.get(players[seat].name, 99))
    if players[first].name not in order:
        return tuple(tied), Text("skyrise/tie/unknown")
    return (first,), Text("skyrise/tie/finish", {"name": players[first].name})


def _notes(position: Position) -> Iterable[Text]:
    most = whole(len(position.players))
    for player in position.players:
        built = sum(by_faction(player.structures).values())
        if built < most:
            yield Text("skyrise/note/unfinished", {"name": player.name, "n": built, "whole": most})
        if sum(total(player, height) for height in ("tall", "medium", "small")) > built:
            yield Text("skyrise/note/more-buildings", {"name": player.name})
        if player.surplus and 4 not in by_faction(player.tokens).values():
            yield Text("skyrise/note/surplus", {"name": player.name})
    first = position.finish_order[:1]
    large = [player.name for player in position.players if "large" in player.keys]
    if first and large and first != large:
        yield Text("skyrise/note/large-key", {"name": first[0]})
