"""One person at the table: shows, asks, submits, and tells what the others do."""

from __future__ import annotations

import random
from collections.abc import Callable

from meadow_api.v1 import game_pb2
from meadow_api.v1 import spring_meadow_pb2 as pb
from rich.console import Console
from rich.text import Text

from meadow_client.cli.common import spring_catalogue, standing
from meadow_client.cli.narrate import Narrator
from meadow_client.cli.table.boards import board_panel
from meadow_client.cli.table.glyphs import glyphs_for
from meadow_client.cli.table.placing import Placing
from meadow_client.cli.table.prompts import Command, LeaveTable, Prompt
from meadow_client.cli.table.screen import table
from meadow_client.cli.table.words import HELP, why
from meadow_client.drawing.scene import scene_of
from meadow_client.errors import IllegalAction, Refused, StaleVersion
from meadow_client.messages import Choice
from meadow_client.seat import ENDED, Seat

_AT_THE_BOARD = (
    pb.SPRING_MEADOW_DECISION_KIND_PLACE_TILE,
    pb.SPRING_MEADOW_DECISION_KIND_PLACE_ROCK,
    pb.SPRING_MEADOW_DECISION_KIND_PLACE_MARMOT,
)
"""Choices that come with a drawing of the board of their own."""


class Session:
    """A game of one seat, from now to its end or until the person leaves.

    Args:
        seat: the seat to play.
        console: where to show the table.
        read: asks for a line with a prompt; raises EOFError when there are no more.
        dice: what chooses for the command `any`.
    """

    def __init__(self, seat: Seat, console: Console, read: Callable[[str], str], dice: random.Random) -> None:
        self.seat = seat
        self.console = console
        self._prompt = Prompt(read, console)
        self._dice = dice
        self._by_chance = 0
        self.catalogue = spring_catalogue(seat.client, seat.game())
        found = seat.view()
        self.view, self.legal = found.view, found.legal_actions
        self._narrator = Narrator(self.view.seats, self.catalogue, seat.seat)

    def run(self) -> bool:
        """Play; answers whether the game has ended (else the person left)."""
        try:
            self.show()
            while self.view.state not in ENDED:
                if self.legal.actions:
                    self._choose()
                else:
                    self._wait()
        except (EOFError, KeyboardInterrupt, LeaveTable):
            return False
        self.show()
        self._say(standing(self.seat.game()) or "the game was ended by its host")
        return True

    def show(self) -> None:
        """Print the table."""
        if self.view.HasField("spring_meadow"):
            self.console.print(table(scene_of(self.view, self.catalogue), self.console, mine=self.seat.seat))
        else:
            self._say("waiting for the other seats to be taken")

    def _show_burrows(self) -> None:
        """Print the seat's board with the burrows that could take a marmot marked."""
        places = [action.action.spring_meadow.place_marmot for action in self.legal.actions]
        board = scene_of(self.view, self.catalogue).boards[self.seat.seat]
        self.console.print(board_panel(board, glyphs_for(self.console), {(at.row, at.column) for at in places}))

    # ---- waiting -----------------------------------------------------------------------------------------------

    def _wait(self) -> None:
        """Follow the others until this seat has to choose or the game ends."""
        for message in self.seat.watch(after_version=self.view.version):
            kind = message.WhichOneof("message")
            if kind == "update":
                self._tell(message.update.record)
                news: game_pb2.GameView = message.update.view
                legal = message.update.legal_actions
            elif kind == "snapshot":
                news, legal = message.snapshot.view, message.snapshot.legal_actions
            else:
                found = self.seat.view()
                self.view, self.legal = found.view, found.legal_actions
                return
            if news.HasField("spring_meadow"):
                self.view, self.legal, self.seat.version = news, legal, news.version
            if self.legal.actions:
                self.show()
                return

    def _tell(self, record: game_pb2.GameRecord) -> None:
        for line in self._narrator.record(record):
            self._say(line, style="italic")

    def _say(self, words: str, style: str = "") -> None:
        self.console.print(Text(f"  {words}", style=style))

    # ---- choosing ----------------------------------------------------------------------------------------------

    def _choose(self) -> None:
        if self._by_chance:
            self._by_chance -= 1
            self.submit(self._dice.choice(self.legal.actions))
            return
        decision = self.view.pending.spring_meadow
        choice = self._ask(decision)
        if isinstance(choice, Command):
            self._obey(choice)
        elif choice is not None:
            self.submit(choice)

    def _ask(self, decision: pb.SpringMeadowDecision) -> Choice | Command | None:
        """A choice, a command, or None for another question."""
        match decision.kind:
            case pb.SPRING_MEADOW_DECISION_KIND_CHOOSE_TILE:
                return self._prompt.tile(self.view, self.legal.actions, self.catalogue)
            case pb.SPRING_MEADOW_DECISION_KIND_PLACE_TILE | pb.SPRING_MEADOW_DECISION_KIND_PLACE_ROCK:
                return Placing(self, self._prompt, self.legal.actions).ask()
            case pb.SPRING_MEADOW_DECISION_KIND_PLACE_MARMOT:
                self._show_burrows()
                return self._prompt.marmot(self.legal.actions)
            case _:
                return self._prompt.one_of(self.legal.actions)

    def submit(self, choice: Choice) -> None:
        """Submit a choice and tell what it did; a refusal is explained and leaves everything as it was."""
        try:
            answer = self.seat.submit(choice, expected_version=self.view.version)
        except IllegalAction as refused:
            self._say(f"not allowed: {why(refused)}")
            return
        except StaleVersion:
            found = self.seat.view()
            self.view, self.legal = found.view, found.legal_actions
            return
        for record in answer.records:
            self._tell(record)
        self.view, self.legal = answer.view, answer.legal_actions
        if self.legal.actions and not self._by_chance and self.view.pending.spring_meadow.kind not in _AT_THE_BOARD:
            self.show()

    def _obey(self, command: Command) -> None:
        match command.name:
            case "quit":
                raise LeaveTable
            case "help":
                self.console.print(Text(HELP))
            case "table":
                self.show()
            case "any":
                self._by_chance = command.number
            case "undo":
                self._undo(command.number)
            case _:
                self._scores()

    def _undo(self, count: int) -> None:
        try:
            answer = self.seat.undo(count)
        except Refused as refused:
            self._say(f"that cannot be taken back: {refused.message}")
            return
        self.view, self.legal = answer.view, answer.legal_actions
        self.show()

    def _scores(self) -> None:
        sheet = self.seat.score_sheet()
        for line in sheet.spring_meadow.running:
            name = scene_of(self.view, self.catalogue).boards[line.seat].name
            parts = f"rows {line.row_points} + next row {line.partial_points} + burrows {line.burrow_points}"
            self._say(f"{name}: {parts} = {line.total}")
