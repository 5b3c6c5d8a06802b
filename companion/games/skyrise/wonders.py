"""The twenty wonders: what each gives its owner when it is built."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.skyrise.auction import unbuilt
from companion.games.skyrise.scoring import bordered, control, longest_path, times
from companion.games.skyrise.state import Piece, SkyriseState

WONDERS = (
    "hammer",
    "city-hall",
    "lacherts-pavilion",
    "atlantis",
    "zeppelin-rock",
    "lynchs-image",
    "futurist",
    "kahns-ambition",
    "jane-jacobs-gardens",
    "intelligencium",
    "olmsted",
    "munchs-harbour",
    "sullivans-spire",
    "atelier",
    "splinter",
    "la-boca",
    "le-baron",
    "crypt",
    "summit",
    "niemeyers-legacy",
)

Effect = Callable[[SkyriseState, Piece], int]


def _printed(state: SkyriseState, piece: Piece, field: str) -> int:
    return int(state.box[f"wonders.{piece.card}.{field}"])


def _flat(state: SkyriseState, piece: Piece) -> int:
    return _printed(state, piece, "prestige")


def _rate(state: SkyriseState, piece: Piece, count: int) -> int:
    return _printed(state, piece, "rate") * count


def _capped(state: SkyriseState, piece: Piece, count: int) -> int:
    return min(_rate(state, piece, count), _printed(state, piece, "max"))


def _reward_from(state: SkyriseState, piece: Piece, count: int) -> int:
    return _printed(state, piece, "reward") if count >= _printed(state, piece, "threshold") else 0


def _pavilion(state: SkyriseState, piece: Piece) -> int:
    return _rate(state, piece, state.placed)


def _atlantis(state: SkyriseState, piece: Piece) -> int:
    return _reward_from(state, piece, len(bordered(state, piece.owner, "lake")))


def _zeppelin_rock(state: SkyriseState, piece: Piece) -> int:
    return _reward_from(state, piece, len(bordered(state, piece.owner, "airship")))


def _lynchs_image(state: SkyriseState, piece: Piece) -> int:
    beside = state.islands.beside(piece.site)
    return _rate(state, piece, sum(1 for other in state.built() if other.site in beside))


def _futurist(state: SkyriseState, piece: Piece) -> int:
    return _rate(state, piece, len(unbuilt(state) & state.islands.beside(piece.site)))


def _kahns_ambition(state: SkyriseState, piece: Piece) -> int:
    return _printed(state, piece, "reward") if state.has_met(piece.owner) else 0


def _gardens(state: SkyriseState, piece: Piece) -> int:
    return _capped(state, piece, sum(1 for count in state.players[piece.owner].rows if count))


def _intelligencium(state: SkyriseState, piece: Piece) -> int:
    island = state.islands.sites[piece.site].island
    return _flat(state, piece) + sum(
        times(state, piece.owner, card, island) * int(state.box[f"panorama.{card}.reward"]) for card in state.panorama
    )


def _olmsted(state: SkyriseState, piece: Piece) -> int:
    central = set(state.islands.on("C"))
    return _rate(state, piece, sum(1 for other in state.built() if other.site in central))


def _munchs_harbour(state: SkyriseState, piece: Piece) -> int:
    return _capped(state, piece, len(set(state.players[piece.owner].patrons)))


def _sullivans_spire(state: SkyriseState, piece: Piece) -> int:
    here = set(state.islands.on(state.islands.sites[piece.site].island))
    return _rate(state, piece, sum(1 for other in state.built() if other.tall and other.site in here))


def _splinter(state: SkyriseState, piece: Piece) -> int:
    return _rate(state, piece, len(state.players[piece.owner].patrons))


def _la_boca(state: SkyriseState, piece: Piece) -> int:
    sites = state.islands.sites
    island = sites[piece.site].island
    own = [sites[other.site] for other in state.built(piece.owner)]
    return _capped(state, piece, len({site.faction for site in own if site.island == island}))


def _le_baron(state: SkyriseState, piece: Piece) -> int:
    many = len(state.own(piece.owner, "locked", "available", "bid")) >= _printed(state, piece, "threshold")
    given = many == (state.box["wonders.le-baron.given"] == "at-least")
    return _printed(state, piece, "reward") if given else 0


def _crypt(state: SkyriseState, piece: Piece) -> int:
    return 0


def _summit(state: SkyriseState, piece: Piece) -> int:
    return _rate(state, piece, sum(1 for island in state.islands.islands if piece.owner in control(state, island)))


def _niemeyers_legacy(state: SkyriseState, piece: Piece) -> int:
    return _rate(state, piece, longest_path(state, (other.site for other in state.built(piece.owner))))


EFFECTS: dict[str, Effect] = {
    "hammer": _flat,
    "city-hall": _flat,
    "lacherts-pavilion": _pavilion,
    "atlantis": _atlantis,
    "zeppelin-rock": _zeppelin_rock,
    "lynchs-image": _lynchs_image,
    "futurist": _futurist,
    "kahns-ambition": _kahns_ambition,
    "jane-jacobs-gardens": _gardens,
    "intelligencium": _intelligencium,
    "olmsted": _olmsted,
    "munchs-harbour": _munchs_harbour,
    "sullivans-spire": _sullivans_spire,
    "atelier": _flat,
    "splinter": _splinter,
    "la-boca": _la_boca,
    "le-baron": _le_baron,
    "crypt": _crypt,
    "summit": _summit,
    "niemeyers-legacy": _niemeyers_legacy,
}


def prestige(state: SkyriseState, piece: Piece) -> int:
    """What building this wonder gives its owner now, tokens taken and losing bids back."""
    return EFFECTS[piece.card](state, piece)


def crypt_sites(state: SkyriseState, piece: Piece) -> tuple[str, ...]:
    """Unbuilt neighbourhoods in the Crypt's reach that still hold a token."""
    board, reach = state.islands, state.box["wonders.crypt.reach"]
    near = board.beside(piece.site)
    if reach == "island":
        near = frozenset(board.on(board.sites[piece.site].island))
    elif reach == "anywhere":
        near = frozenset(board.sites)
    free = unbuilt(state)
    return tuple(site for site in board.sites if site in near and site in free and site in state.tokens)
