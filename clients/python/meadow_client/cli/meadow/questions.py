"""Questions to the person at a table of Meadow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meadow_api.v1 import game_pb2
from meadow_api.v1 import meadow_cards_pb2 as card_pb
from meadow_api.v1 import meadow_pb2 as pb
from rich.text import Text

from meadow_client.cli.common import counted
from meadow_client.cli.meadow.narrate import goal_names
from meadow_client.cli.meadow.river import about, space_words
from meadow_client.cli.meadow.table import hand_lines
from meadow_client.cli.meadow.words import DIM, card_line, place_name, token_name
from meadow_client.cli.table.prompts import Command, Prompt, command_of
from meadow_client.drawing.meadow.river import board_of

Answer = game_pb2.LegalAction | Command
_TOKENS = {token_name(token).lower(): token for token in range(6)}


RIVER_TRAIL = 5
_SHOWN = 8
"""Most cards that one question for a card shows."""


def cards_called(wanted: str, catalogue: pb.MeadowCatalogue) -> list[card_pb.MeadowCard]:
    """The cards of an id or a whole name, or else those with it in their names; capital or small does not matter."""
    same = [card for card in catalogue.cards if wanted in {card.id.lower(), card.display_name.lower()}]
    names = ((card, f"{card.display_name} {card.scientific_name}".lower()) for card in catalogue.cards)
    return same or [card for card, name in names if wanted in name]


class Questions:
    """Asks for the choices of Meadow.

    Args:
        prompt: how to ask.
        catalogue: for the names of cards.
    """

    def __init__(self, prompt: Prompt, catalogue: pb.MeadowCatalogue) -> None:
        self._prompt = prompt
        self._catalogue = catalogue

    def ask(self, view: game_pb2.GameView, actions: Sequence[game_pb2.LegalAction]) -> Answer:
        """A choice of this decision, or a command."""
        if view.pending.meadow.kind == pb.MEADOW_DECISION_KIND_PLACE_TOKEN:
            return self._token(view, actions)
        if view.pending.meadow.kind == pb.MEADOW_DECISION_KIND_DISCARD:
            self._prompt.console.print(self._price(view))
        for line in (*about(view, self._catalogue), *hand_lines(view, self._catalogue)):
            self._prompt.console.print(line)
        for number, action in enumerate(actions, start=1):
            self._prompt.console.print(Text.assemble((f"  {number:2}  ", DIM), self._option(view, action)))
        return self._pick({str(number): action for number, action in enumerate(actions, start=1)})

    def _price(self, view: game_pb2.GameView) -> Text:
        """What a discard pays for, and how many are still to pay."""
        decision = view.pending.meadow
        card = self._catalogue.cards[decision.card].display_name
        return Text(f"To play {card}: {counted(decision.discards, 'card')} still to discard.", style="bold")

    def _pick(self, choices: dict[str, game_pb2.LegalAction]) -> Answer:
        while True:
            line = self._prompt.line(f"1 to {len(choices)}")
            command = command_of(line)
            if command:
                return command
            if line in choices:
                return choices[line]
            if not self._shown(line):
                self._prompt.puzzled(f"type a number from 1 to {len(choices)}")

    def _shown(self, line: str) -> bool:
        """Whether the line asked for a card, which then was shown, or said to be none."""
        word, _, wanted = " ".join(line.split()).partition(" ")
        if word != "card":
            return False
        found = cards_called(wanted, self._catalogue) if wanted else []
        for card in found[:_SHOWN]:
            species = f" ({card.scientific_name})" if card.scientific_name else ""
            self._prompt.console.print(Text.assemble("  ", (f"{card.id:6}", DIM), card_line(card), species))
        if len(found) > _SHOWN:
            self._prompt.puzzled(f"and {len(found) - _SHOWN} more; type more of the name")
        elif not found:
            said = f"no card is called {wanted}" if wanted else "which card"
            self._prompt.puzzled(f"{said}: type card and its id, or part of its name")
        return True

    def _option(self, view: game_pb2.GameView, action: game_pb2.LegalAction) -> Text:
        """A choice in words: with the card that it is about, where the label does not say enough."""
        choice = action.action.meadow
        if choice.HasField("choose_row"):
            row = choice.choose_row.row
            cards = [self._catalogue.cards[number] for number in view.meadow.board_cards[4 * row : 4 * row + 4]]
            return Text.assemble(f"row {row + 1}: ", Text("; ").join(card_line(card) for card in cards))
        if choice.HasField("claim_goal"):
            return Text(f"claim the goal {goal_names(view.meadow, choice.claim_goal.pair)}", style="bold")
        if choice.HasField("play_card"):
            return self._play(view, action)
        if choice.HasField("choose_way"):
            return self._way(view, choice.choose_way.way)
        card = self._card_of(view, choice)
        if card is None:
            return Text(action.label)
        end = ("", " at the left", " at the right")[self._end_of(choice)]
        return Text.assemble(f"{action.label.partition(' ')[0]} ", card_line(card), end)

    @staticmethod
    def _end_of(choice: pb.MeadowAction) -> int:
        """1 and 2 for the ends of the row where a watery ground is laid; else 0."""
        return choice.choose_watery_ground.end + 1 if choice.HasField("choose_watery_ground") else 0

    def _way(self, view: game_pb2.GameView, number: int) -> Text:
        """A way from a fork, with what its first space offers."""
        river = view.meadow.river
        spaces = board_of(river, self._catalogue).spaces
        way = spaces[river.players[view.pending.seat].space].ways[number]
        shortcut = " by the shortcut" if way.shortcut else ""
        return Text(f"paddle to space {way.space}{shortcut}: {space_words(spaces[way.space])}")

    def _card_of(self, view: game_pb2.GameView, choice: pb.MeadowAction) -> card_pb.MeadowCard | None:
        """The card that a choice is about, beside plays and discards, whose labels say it."""
        seen, board = view.pending.meadow.looked_at_cards, view.meadow.board_cards
        number = -1
        match choice.WhichOneof("action"):
            case "choose_ground":
                start = view.meadow.players[view.pending.seat].start_card
                number = self._catalogue.start_cards[start].sides[choice.choose_ground.side]
            case "choose_watery_ground":
                start = view.meadow.river.players[view.pending.seat].start_card
                number = self._catalogue.downstream.start_cards[start].sides[choice.choose_watery_ground.side]
            case "keep_card":
                number = seen[choice.keep_card.index]
            case "put_under":
                number = seen[choice.put_under.index]
            case "take_card":
                number = board[choice.take_card.spot]
        return self._catalogue.cards[number] if number >= 0 else None

    def _play(self, view: game_pb2.GameView, action: game_pb2.LegalAction) -> Text:
        play = action.action.meadow.play_card
        card = self._catalogue.cards[play.card]
        if card.kind != card_pb.MEADOW_CARD_KIND_OBSERVATION:
            return Text(action.label)
        top = view.meadow.players[view.pending.seat].columns[play.place].cards[-1]
        on = self._catalogue.cards[top].display_name
        return Text(f"play {card.display_name} on {on} (column {play.place + 1})")

    # ---- path tokens -------------------------------------------------------------------------------------------

    def _token(self, view: game_pb2.GameView, actions: Sequence[game_pb2.LegalAction]) -> Answer:
        by_words = {self._words(action): action for action in actions}
        for words in self._tokens(view, actions):
            self._prompt.console.print(words)
        while True:
            line = self._prompt.line("token and place, such as 3 L2")
            command = command_of(line) if line != "?" else None
            if command:
                return command
            if " ".join(line.split()) in by_words:
                return by_words[" ".join(line.split())]
            if not self._shown(line):
                examples = "3 L2, ? C1, 1 S1 or R V1" if view.meadow.HasField("river") else "3 L2, ? C1 or 1 S1"
                self._prompt.puzzled(f"a token of yours and a free place, such as {examples}")

    def _words(self, action: game_pb2.LegalAction) -> str:
        placed = action.action.meadow.place_token
        return f"{token_name(placed.token)} {place_name(placed.place, self._catalogue)}".lower()

    def _tokens(self, view: game_pb2.GameView, actions: Sequence[game_pb2.LegalAction]) -> Iterator[Text]:
        """For each numbered token the cards that it takes from the free notches."""
        notches = {notch.place: notch for notch in self._catalogue.notches}
        by_token: dict[int, list[str]] = {}
        for action in actions:
            placed = action.action.meadow.place_token
            words = by_token.setdefault(placed.token, [])
            if placed.place in notches and placed.token < 4:
                number = view.meadow.board_cards[notches[placed.place].spots[placed.token]]
                card = self._catalogue.cards[number].display_name if number >= 0 else "empty spot"
                words.append(f"{notches[placed.place].display_name} {card}")
        for token, words in sorted(by_token.items()):
            taken = "; ".join(words) or f"any card of a row or column{' of the river' if token == RIVER_TRAIL else ''}"
            yield Text.assemble((f"  token {token_name(token)}: ", "bold"), taken)
