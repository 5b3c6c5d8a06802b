"""Newcomer D2, D4: names and lists are typed as people are called, on the glass or on a real keyboard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pygame
import pytest

from benches import samples
from tests.display.test_client import Table

SEAT = {"where": "seat", "id": "0", "text": "Gracz 1", "fresh": True}
LIST = {"where": "variants", "id": "categories", "text": "", "fresh": False}


def typing(folder: Path, keys: dict[str, Any], size: tuple[int, int] = (480, 320)) -> Table:
    table = Table(folder, size)
    table.show(samples.lobby())
    table.client.put(keys=dict(keys))
    table.pass_time()
    return table


def text(table: Table) -> str:
    return str(table.client.view.pick("keys")["text"])


@pytest.mark.parametrize("size", [(480, 320), (800, 480), (1280, 720), (480, 800)])
def test_a_proposed_name_gives_way_to_the_first_letter(tmp_path: Path, size: tuple[int, int]) -> None:
    """Letters of the other languages are one touch away: Łucja and Élodie are written as they are."""
    table = typing(tmp_path, SEAT, size)
    for key in ("key-more", "key-ł", "key-more", "key-u", "key-c", "key-j", "key-a"):
        table.tap(key)
    assert text(table) == "Łucja"


def test_delete_keeps_what_was_proposed_but_its_end(tmp_path: Path) -> None:
    table = typing(tmp_path, SEAT)
    table.tap("key-delete")
    assert text(table) == "Gracz "


def test_a_real_keyboard_types(tmp_path: Path) -> None:
    """Whatever it is laid out for; return and backspace do what their keys on the glass do."""
    table = typing(tmp_path, SEAT)
    for letter in "Élx":
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_a, mod=0, unicode=letter))
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_BACKSPACE, mod=0, unicode="\b"))
    for _ in range(3):
        table.pass_time()
    assert text(table) == "Él"


def test_a_list_has_commas_and_digits_and_room(tmp_path: Path) -> None:
    table = typing(tmp_path, LIST)
    for _ in range(12):
        for key in ("key-w", "key-123", "key-7", "key-,", "key-123"):
            table.tap(key)
    assert text(table).lower() == "w7," * 12


PAD = {"where": "form", "id": "p0", "text": "", "number": {"low": -50, "high": 500}}


@pytest.mark.parametrize(
    ("keys", "value"),
    [("72", 72), ("-8", -8), ("8-", -8), ("--8", 8), ("999", 500), ("-999", -50), ("7x1", 71), ("", None), ("-", None)],
)
def test_points_are_typed_on_a_number_pad(tmp_path: Path, keys: str, value: int | None) -> None:
    """Newcomer D2: also negative ones; what a field cannot hold becomes the nearest it can, and nothing typed changes nothing."""
    table = typing(tmp_path, PAD)
    for key in keys:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_a, mod=0, unicode=key))
        table.pass_time()
    table.pass_time()
    table.tap("key-done")
    assert table.client.view.pick("keys") is None
    assert (table.client.view.pick("form") or {}).get("p0") == value


def test_a_total_on_the_pad_opens_it(tmp_path: Path) -> None:
    table = Table(tmp_path, (800, 480))
    table.show(samples.pad())
    table.tap("p1#")
    for key in ("key-4", "key-2", "key-done"):
        table.tap(key)
    assert table.client.view.pick("form") == {"p1": 42}
