"""Play without sight: turn the dial for the next choice, press to take it, hold to hear it all again.

Where hands are is a short stack: the choices, a form's fields, one field's value. Nothing here waits or speaks; it answers with
what is to be said and with what the table is to be asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.game import Field, Form, Text
from companion.wire.game_log import LogLine
from companion.wire.messages import State
from speech.entries import LETTERS, Entry, Wanted, entries, field_said, stepped, value_said

BACK, DONE, DELETE = "speech/back", "speech/done", "speech/delete"


class Heard(msgspec.Struct, frozen=True):
    """What a hand brought about."""

    said: tuple[Text, ...] = ()
    wanted: Wanted | None = None
    again: bool = False
    """The prompt is to be said again, before `said`."""


class Browser:
    """One pair of hands at the dial."""

    def __init__(self) -> None:
        self.state: State | None = None
        self.log: Sequence[LogLine] = ()
        self._at: int | None = None
        """The entry the dial stands at; `None`: nothing was turned since this was asked."""
        self._sure = False
        """The next press at the same entry counts."""
        self._form: Form | None = None
        self._values: dict[str, Any] = {}
        self._field: Field | None = None
        self._from = 0
        """The entry of the field that is being changed."""

    def asked(self, state: State) -> None:
        """Something else is asked: hands begin anew."""
        self.state, self._form, self._field = state, None, None
        self._begin()

    def stands(self, state: State) -> None:
        """The same is asked, and something else has changed."""
        self.state = state

    def turn(self, steps: int) -> Heard:
        """So many notches; the entry then stood at is said."""
        if self._field is not None and self._field.kind in ("number", "pick", "flag"):
            value = self._values[self._field.id] = stepped(self._field, self._values[self._field.id], steps)
            return Heard((value_said(self._field, value),))
        found = self._entries()
        if not found:
            return Heard((Text("speech/nothing"),))
        before = self._at if self._at is not None else -1 if steps > 0 else 0
        self._at, self._sure = (before + steps) % len(found), False
        return Heard(found[self._at].said)

    def press(self) -> Heard:
        """Take what the dial stands at."""
        if self._field is not None and self._field.kind in ("number", "pick", "flag"):
            return self._leave_field()
        found = self._entries()
        if self._at is None or self._at >= len(found):
            return Heard((Text("speech/turn" if found else "speech/nothing"),))
        entry = found[self._at]
        if self._form is not None:
            return self._press_in_form(self._at, entry)
        if entry.form is not None:
            self._open(entry.form)
            return Heard((Text("speech/form", {"n": len(entry.form.fields)}),))
        if entry.confirm and not self._sure:
            self._sure = True
            return Heard((Text("speech/sure"), *entry.said))
        self._sure = False
        return Heard(entry.read or (() if entry.wanted else entry.said), entry.wanted)

    def hold(self) -> Heard:
        """Once more: what is asked, and where the dial stands."""
        if self._field is not None:
            return Heard(field_said(self._field, self._values[self._field.id]))
        found = self._entries()
        here = found[self._at].said if self._at is not None and self._at < len(found) else ()
        return Heard(here or (Text("speech/turn"),), again=self._form is None)

    # -- where hands are ---------------------------------------------------------------------------------------------

    def _begin(self, at: int | None = None) -> None:
        self._at, self._sure = at, False

    def _entries(self) -> list[Entry]:
        if self._field is not None:
            return _inside(self._field, self._values[self._field.id])
        if self._form is not None:
            fields = [Entry(field_said(field, self._values[field.id])) for field in self._form.fields]
            return [*fields, Entry((self._form.send,)), Entry((Text(BACK),))]
        return entries(self.state, self.log) if self.state is not None else []

    def _open(self, form: Form) -> None:
        self._form, self._field = form, None
        self._values = {field.id: field.value for field in form.fields}
        self._begin()

    def _press_in_form(self, at: int, entry: Entry) -> Heard:
        form = self._form
        assert form is not None
        if self._field is not None:
            return self._press_in_field(self._field, at, entry)
        if at < len(form.fields):
            field = self._field = form.fields[at]
            self._from = at
            self._begin()
            return Heard((Text("speech/change"), value_said(field, self._values[field.id])))
        self._form = None
        self._begin()
        if at > len(form.fields):
            return Heard((Text("speech/closed"),), again=True)
        values = {field.id: self._values[field.id] for field in form.fields}
        return Heard((), Wanted({**form.move, "values": values}))

    def _press_in_field(self, field: Field, at: int, entry: Entry) -> Heard:
        """Of several values each is put in or taken out; words are spelt."""
        value = self._values[field.id]
        if entry.said == (Text(DONE),):
            return self._leave_field()
        if field.kind == "many":
            one, chosen = field.options[at].value, list(value or ())
            chosen = [had for had in chosen if had != one] if one in chosen else [*chosen, one]
            self._values[field.id] = tuple(option.value for option in field.options if option.value in chosen)
            return Heard(self._entries()[at].said)
        word = str(value or "")
        letter = LETTERS[at] if at < len(LETTERS) else " "
        self._values[field.id] = word[:-1] if entry.said == (Text(DELETE),) else word + letter
        return Heard((value_said(field, self._values[field.id]),))

    def _leave_field(self) -> Heard:
        field, self._field = self._field, None
        assert field is not None
        self._begin(self._from)
        return Heard((Text("speech/kept"), *field_said(field, self._values[field.id])))


def _inside(field: Field, value: Any) -> list[Entry]:
    """What can be turned through inside a field that is not a plain ring of values."""
    if field.kind == "many":
        chosen = value or ()
        marked = [
            Entry((option.text, Text("speech/yes" if option.value in chosen else "speech/no")))
            for option in field.options
        ]
        return [*marked, Entry((Text(DONE),))]
    letters = [Entry((Text("speech/letter", {"letter": letter}),)) for letter in LETTERS]
    return [*letters, Entry((Text("speech/space"),)), Entry((Text(DELETE),)), Entry((Text(DONE),))]
