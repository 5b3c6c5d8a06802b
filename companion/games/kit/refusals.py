"""Why a move is refused and what to do instead, looked up under the game's id."""

from __future__ import annotations

from companion.game import RuleBroken, Text

Param = int | str | Text | tuple[Text, ...]


def refusal(
    game: str, code: str, do: str | Text = "", page: str = "", box: str = "", at: str = "", **params: Param
) -> RuleBroken:
    """`<game>/<code>`, in the words of `<game>/refuse/<code>` and `<game>/do/<code>`; the same parameters serve both.

    `do` names another sentence where several refusals share one; `at` is the form's field that is to be mended."""
    advice = do if isinstance(do, Text) else Text(f"{game}/do/{do or code}", dict(params))
    return RuleBroken(f"{game}/{code}", Text(f"{game}/refuse/{code}", dict(params)), advice, page, box, at)
