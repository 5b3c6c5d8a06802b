"""One lamp for all dice of a table: an owner that needs a light nobody around lies in is less likely.

A white die in the light it was taught in and a light blue one in half as much again look the same: burnt out. But light changes
smoothly over a table, and most dice can lie in one light only. They are witnesses: a plane through what they say tells in which
light each of the others lies.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.reader import owner

Floats = NDArray[np.float64]

LIGHTS = np.unique(owner.LIGHT)
LOG = np.log(LIGHTS)
FINEST = float(LOG[1] - LOG[0]) / 3
"""No die says its light more exactly than the steps in which lights are tried."""
TABLE, SLOPE = 0.16, 0.11
"""Spread of the light of a whole table against the one it was taught in, and of its change over 100 mm: logarithms."""
OWN = 0.08
"""The same of what is one die's own: how it is tilted, and where on the table its colour was taught."""
ASIDE = 0.04
"""Share of dice in a light of their own, in a shadow or under the lamp's mirror image: those are judged as if alone."""
WITNESS = 8.0
"""A die further than this from every taught colour is not a witness: it may be gone."""
DOUBTED = 4.0
"""Degrees of freedom of Student's t: a witness far from all others is believed little."""
ROUNDS = 5
TAUGHT = np.unique(owner.VEIL[owner.VEIL <= 0])[::-1]
"""Veils under which a colour may have been taught, none first."""
CLEAR = 12.0
"""By so much the next owner is further away, for a die that says how its colour was taught."""


def owners(tones: Floats, places: Floats, trusted: NDArray[np.bool_], known: owner.Shades) -> list[tuple[str, float]]:
    """Owner and share of every die, by its colour and the light told by the others; `places` in millimetres.

    Only those that are `trusted` to be dice are witnesses.
    """
    away = owner.away(tones, known)
    away += _veils(away, tones, trusted)
    alone = (away + owner.OTHERWISE_LIT).min(axis=(1, 2))
    sides = np.column_stack([np.ones(len(places)), (places - places.mean(axis=0)) / 100])
    mean, spread = told(_shine(away), sides, trusted & (alone < WITNESS))
    here = _bell(owner.LIGHT, mean, spread)
    usual = _bell(owner.LIGHT, np.zeros(1), np.full(1, owner.OTHER_LIGHT))
    unlikely = -2 * np.log((1 - ASIDE) * here + ASIDE * usual)
    far = (away + unlikely[:, None]).min(axis=2)
    return [owner.chosen(known, mine, float(least)) for mine, least in zip(far, alone, strict=True)]


def _veils(away: Floats, tones: Floats, trusted: NDArray[np.bool_]) -> Floats:
    """How unlikely every veil is for each die and owner, when a colour may have been taught under the lamp's mirror image.

    Then all its dice look deeper than what was taught, by the same veil: where several do, it is laid to the teaching.
    """
    each = np.array([owner.veiled(tones, float(veil)) for veil in TAUGHT])
    apart = np.array([(away + veiled[:, None] + owner.OTHERWISE_LIT).min(axis=2) for veiled in each])
    nearest = apart.min(axis=0)
    first = nearest.min(axis=1, keepdims=True)
    clear = (nearest == first) & ((nearest < first + CLEAR).sum(axis=1, keepdims=True) == 1) & trusted[:, None]
    together = np.where(clear, apart, 0.0).sum(axis=1) + np.square(TAUGHT / 0.1)[:, None]
    best = np.where(clear.sum(axis=0) > 1, together.argmin(axis=0), 0)
    return np.asarray(each[best].transpose(1, 0, 2), np.float64)


def told(shine: Floats, sides: Floats, witness: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """The light at every die by what the others say, a logarithm, and how far it may be off.

    What a die says is only what it adds to the word of the others (expectation propagation): one that is burnt out may lie in
    any light above some, so it adds little, and it must not draw them all towards more light.
    """
    says, sure = np.zeros(len(shine)), np.zeros(len(shine))
    mean, spread = _from_others(sides, says, sure)
    for _ in range(ROUNDS):
        weight = shine * _bell(LIGHTS, mean, spread)
        weight /= weight.sum(axis=1, keepdims=True)
        middle = weight @ LOG
        exact = 1 / np.maximum(weight @ LOG**2 - middle**2, FINEST**2)
        adds = np.maximum(exact - spread**-2, 1e-6)
        says = (middle * exact - mean / spread**2) / adds
        off = (says - mean) ** 2 / (spread**2 + 1 / adds)
        # a light is the table's, and a die's own: how it is tilted, and where its colour was taught
        sure = witness / (1 / adds + OWN**2) * (DOUBTED + 1) / (DOUBTED + off)
        mean, spread = _from_others(sides, says, sure)
    return mean, spread


def _shine(away: Floats) -> Floats:
    """How well each die agrees with every light, whoever owns it."""
    weight = np.exp((away.min(axis=(1, 2), keepdims=True) - away) / 2).sum(axis=1)
    return np.asarray(weight.reshape(len(away), -1, len(LIGHTS)).sum(axis=1), np.float64)


def _from_others(sides: Floats, says: Floats, sure: Floats) -> tuple[Floats, Floats]:
    """A plane through what all others say, at every die: nobody is a witness for himself."""
    each = sure[:, None, None] * sides[:, :, None] * sides[:, None]
    heard = (sure * says)[:, None] * sides
    others = np.diag((TABLE**-2, SLOPE**-2, SLOPE**-2)) + each.sum(axis=0) - each
    back = np.linalg.solve(others, sides[:, :, None])[:, :, 0]
    mean = (back * (heard.sum(axis=0) - heard)).sum(axis=1)
    return mean, np.sqrt((back * sides).sum(axis=1) + OWN**2)


def _bell(light: Floats, mean: Floats, spread: Floats) -> Floats:
    away = (np.log(light)[None] - mean[:, None]) / spread[:, None]
    return np.asarray(np.exp(-0.5 * away**2) / spread[:, None], np.float64)
