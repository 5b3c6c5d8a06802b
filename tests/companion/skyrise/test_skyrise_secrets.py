"""Secrets stay secret: what others see does not change when a secret does, through whole games."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from skyrise_table import NAMES, a_table, bid, passes, play, random_game, refused

from companion.games.skyrise import pack
from companion.games.skyrise.state import SkyriseState
from companion.games.skyrise.wonders import WONDERS
from companion.shown.skyrise import FACTIONS


def text(value: Any) -> str:
    """Anything as the JSON that travels."""
    return msgspec.json.encode(value).decode()


def public(state: SkyriseState) -> str:
    """All that leaves the table for everybody."""
    return text([pack.view(state, None), pack.ask(state), pack.tally(state)])


def with_other_secrets(state: SkyriseState, seat: int) -> SkyriseState:
    """The same game in which one player holds other secrets of the same kind."""
    player = state.players[seat]
    changed: dict[str, Any] = {}
    if not player.objective_shown and player.objective:
        changed["objective"] = FACTIONS[(FACTIONS.index(player.objective) + 1) % 4]
    spare = [card for card in reversed(WONDERS) if card not in player.hand]
    if player.hand:
        changed["hand"] = tuple(spare[: len(player.hand)])
        changed["chosen"] = changed["hand"][: len(player.chosen)]
    return state.with_player(seat, **changed)


@pytest.mark.parametrize("options", [{}, {"deal": "physical", "board": "table"}], ids=["digital", "printed"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_nobody_else_sees_a_difference_when_a_secret_differs(players: int, options: dict[str, str]) -> None:
    """In every other state of a whole game: the public view, the ask and every other seat's view are the same."""
    compared = 0
    for _, _, outcome in random_game(players, 11, **options)[::2]:
        state: SkyriseState = outcome.state
        if state.phase in ("deal", "lay", "over"):
            continue
        for seat in range(players):
            other = with_other_secrets(state, seat)
            compared += other != state
            assert public(other) == public(state)
            for watcher in range(players):
                if watcher != seat:
                    assert text(pack.view(other, watcher)) == text(pack.view(state, watcher))
    assert compared > 25


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_wonder_card_is_named_before_all_have_chosen_and_unchosen_ones_never(players: int) -> None:
    """Views, asks, events, refusals and redacted moves of a whole game, searched for the names of hidden cards."""
    unchosen: set[str] = set()
    for state, move, outcome in random_game(players, 3):
        after: SkyriseState = outcome.state
        chosen = {card for player in after.players for card in player.cards}
        hidden = set(WONDERS) - chosen
        said = public(after) + text(outcome.events) + text(pack.redact(move)) + text(pack.describe(move))
        assert not [card for card in hidden if f'"{card}"' in said or f"wonder/{card}" in said]
        unchosen |= {card for player in state.players for card in player.hand} - chosen if chosen else set()
        for seat, player in enumerate(after.players):
            own = text(pack.view(after, seat))
            foreign = hidden - set(player.hand)
            assert not [card for card in foreign if f'"{card}"' in own]
    assert unchosen, "some cards went back to the box unseen"


def test_a_patron_value_is_seen_only_by_holders_of_its_letter_until_the_end() -> None:
    """Section 3 and edge case 22: from the first token on, also in the middle of an auction."""
    for _, _, outcome in random_game(4, 8):
        state: SkyriseState = outcome.state
        if state.phase == "deal":
            continue
        if state.phase == "over":
            assert pack.view(state, None).patrons == state.patrons
            break
        assert pack.view(state, None).patrons == {}
        for seat, player in enumerate(state.players):
            assert set(pack.view(state, seat).secret.patrons) == set(player.patrons)
        unseen = {
            letter: value + 50 for letter, value in state.patrons.items() if letter not in state.players[0].patrons
        }
        assert text(pack.view(state.but(patrons={**state.patrons, **unseen}), 0)) == text(pack.view(state, 0))


def test_locking_a_choice_says_only_that_it_is_locked() -> None:
    """The event and the public view name the player, not the card; it may be changed until all have locked."""
    state = a_table(3).but(phase="choose")
    hand = state.players[1].hand
    first = play(state, {"kind": "choose", "seat": 1, "cards": [hand[0]]})
    second = play(state, {"kind": "choose", "seat": 1, "cards": [hand[1]]})
    assert text(first.events) == text(second.events)
    assert public(first.state) == public(second.state)
    assert pack.ask(first.state).waiting == (0, 2)
    changed = play(first.state, {"kind": "choose", "seat": 1, "cards": [hand[1]]}).state
    assert changed.players[1].chosen == (hand[1],)


def test_the_secret_question_travels_only_in_the_seats_own_view() -> None:
    """With two players one card after the other, each for its figure; nobody hears of the first before both are locked."""
    state = a_table(3).but(phase="choose")
    ask = pack.view(state, 1).ask
    assert [choice.id for choice in ask.choices] == list(state.players[1].hand)
    assert play(state, ask.choices[2].move).state.players[1].chosen == (state.players[1].hand[2],)
    assert pack.view(state, None).ask is None
    two = a_table(2).but(phase="choose")
    first = play(two, pack.view(two, 0).ask.choices[0].move)
    assert (first.events, pack.ask(first.state).waiting, public(first.state)) == ((), (0, 1), public(two))
    second = pack.view(first.state, 0).ask
    assert second.text.params["colour"].key == "skyrise/colour/yellow", "the figure of a colour nobody plays"
    locked = play(first.state, second.choices[0].move).state
    assert locked.players[0].chosen == two.players[0].hand[:2]
    assert pack.ask(locked).waiting == (1,)


def test_wrong_choices_are_refused_without_naming_a_card() -> None:
    """Not in hand, too many, twice the same: the refusal says the rule only."""
    state = a_table(3).but(phase="choose")
    theirs = state.players[2].hand[0]
    for cards, code in (
        ([theirs], "not-in-hand"),
        ([], "wonder-count"),
        (list(state.players[1].hand[:2]), "wonder-count"),
    ):
        no = refused(state, {"kind": "choose", "seat": 1, "cards": cards})
        assert no.code == f"skyrise/{code}"
        assert not [card for card in WONDERS if card in text([no.say, no.do])]


def printed_table() -> SkyriseState:
    """Three players with printed cards, islands laid by hand."""
    state = pack.new({"names": NAMES[:3], "deal": "physical", "board": "table"}, {})
    values = {"NW": "1", "NE": "2", "SE": "3", "first": "lakes", "second": "chains", "opener": 0}
    return play(state, {"kind": "lay", "values": values}).state


def test_printed_cards_are_entered_in_private_and_only_their_shape_is_checked() -> None:
    """A hand of three; a card another player also entered is not refused, that would tell."""
    ask = pack.view(printed_table(), 1).ask
    told = play(printed_table(), {**ask.form.move, "values": {"objective": "brown"}})
    assert (told.state.players[1].objective, pack.view(told.state, 1).ask) == ("brown", None)
    assert "brown" not in text(told.events)
    state = told.state.but(phase="choose")
    ask = pack.view(state, 1).ask
    hand = ["hammer", "crypt", "summit"]
    entered = play(state, {**ask.form.move, "values": {"wonders": hand}})
    assert entered.state.players[1].hand == tuple(hand)
    assert not [card for card in hand if card in text(entered.events)]
    assert refused(state, {"kind": "enter", "seat": 1, "wonders": hand[:2]}).code == "skyrise/hand-count"
    assert refused(state, {"kind": "enter", "seat": 1, "wonders": ["moon", *hand[:2]]}).code == "skyrise/hand-count"
    again = play(entered.state, {"kind": "enter", "seat": 2, "wonders": hand})
    assert again.state.players[2].hand == tuple(hand)


def test_the_same_printed_card_chosen_twice_is_noticed_at_the_reveal_without_naming_it() -> None:
    """Both players look again; nothing is revealed."""
    state = printed_table().but(phase="choose")
    hands = (["hammer", "crypt", "summit"], ["hammer", "olmsted", "atelier"], ["futurist", "splinter", "la-boca"])
    for seat, hand in enumerate(hands):
        state = play(state, {"kind": "enter", "seat": seat, "wonders": hand}).state
    for seat in (0, 1):
        state = play(state, {"kind": "choose", "seat": seat, "cards": ["hammer"]}).state
    outcome = play(state, {"kind": "choose", "seat": 2, "cards": ["splinter"]})
    assert [event.kind for event in outcome.events] == ["locked", "same-card"]
    assert not outcome.reveals
    assert pack.ask(outcome.state).waiting == (0, 1)
    assert "hammer" not in text(outcome.events)


def test_edge_22_peeking_at_a_patron_needs_its_token_and_a_slip_can_be_put_right() -> None:
    """Edge case 22: refused before owning a token, allowed at any moment after, also in mid-auction; the last word holds."""
    state = printed_table()
    assert refused(state, {"kind": "peek", "seat": 0, "letter": "B", "value": 4}).code == "skyrise/no-patron"
    state = state.with_player(0, patrons=("B",)).with_player(2, patrons=("B", "B"))
    state = bid(state, "red-24", "C.N")
    outcome = play(state, {"kind": "peek", "seat": 0, "letter": "B", "value": 4})
    assert "4" not in text([event.params for event in outcome.events])
    state = outcome.state
    assert pack.view(state, 2).secret.patrons == {"B": 4}
    assert pack.view(state, 1).secret.patrons == {}
    again = play(state, {"kind": "peek", "seat": 0, "letter": "B", "value": 5}).state
    assert pack.view(again, 2).secret.patrons == {"B": 5}
    digital = a_table(3).with_player(0, patrons=("B",))
    assert refused(digital, {"kind": "peek", "seat": 0, "letter": "B", "value": 3}).code == "skyrise/digital-patrons"


def test_what_was_never_told_is_entered_openly_in_the_last_scoring() -> None:
    """Printed cards: the end waits for the objectives and patron values it needs, and for nothing else."""
    state = printed_table().with_player(0, objective="brown", patrons=("A",)).but(phase="reveal", era=2)
    form = pack.ask(state).form
    assert form is not None
    assert [field.id for field in form.fields] == ["objectives-1", "objectives-2", "patrons-A"]
    values = {"objectives-1": "white", "patrons-A": 4}
    assert refused(state, {**form.move, "values": values}).code == "skyrise/still-missing"
    over = play(state, {**form.move, "values": {**values, "objectives-2": "green"}}).state
    assert pack.over(over)
    assert {line.id: line.points for line in pack.tally(over).players[0].lines}["patrons"] == 4


def test_kahns_ambition_with_a_printed_objective_asks_for_it_openly() -> None:
    """It is shown to everybody anyway."""
    state = printed_table()
    for piece in ("red-wonder",):
        built = msgspec.structs.replace(state.pieces[piece], where="built", site="C.N", card="kahns-ambition")
        state = state.with_pieces({piece: built})
    state = state.but(phase="objective", era=2, turn=0, pending=("effect red-wonder", "check"))
    ask = pack.ask(state)
    assert (ask.seat, len(ask.choices)) == (0, 4)
    state = play(state, ask.choices[3].move).state
    assert pack.view(state, None).players[0].objective == "brown"
    assert state.phase == "open"


def test_a_redacted_deal_keeps_what_lies_open_and_nothing_else() -> None:
    """Logs and the export of an open game show the redacted move."""
    state = pack.new({"names": NAMES}, {})
    (deal,) = pack.moves(state)
    shown = pack.redact(deal)
    assert {"objectives", "wonders", "patrons"}.isdisjoint(shown)
    assert len(shown["tokens"]) == 60
    assert pack.redact(pack.decode({"kind": "choose", "seat": 1, "cards": ["hammer"]})) == {"kind": "choose", "seat": 1}


def test_what_reveals_something_needs_consent_to_undo() -> None:
    """The deal, a first patron token, the reveal of wonders and the last scoring; a plain bid does not."""
    state = a_table(tokens={"C.N": "A", "C.E": "green"})
    opening = play(state, {"kind": "bid", "seat": 0, "piece": "red-24", "site": "C.N"})
    assert not opening.reveals
    state = passes(passes(opening.state, 1), 2)
    assert play(state, {"kind": "pass", "seat": 3}).reveals
