"""One person at the table: shows, asks, submits, and tells what the others do."""

from __future__ import annotations

import random
from collections.abc import Callable

from meadow_api.v1 import game_pb2
from rich.console import Console
from rich.text import Text

from meadow_client.cli.common import standing
from meadow_client.cli.faces import face_of_game
from meadow_client.cli.table.prompts import Command, LeaveTable, Prompt, SeatLost
from meadow_client.errors import IllegalAction, Refused, StaleVersion
from meadow_client.messages import Choice
from meadow_client.seat import ENDED, Seat


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
        self.face = face_of_game(seat.client, seat.game())
        found = seat.view()
        self.view, self.legal = found.view, found.legal_actions
        self._story = self.face.story(self.view.seats, seat.seat)

    def run(self) -> bool:
        """Play; answers whether the game has ended (else the person left).

        Raises:
            SeatLost: the person resigned, and a bot plays on.
        """
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
        if self.face.has_table(self.view):
            self.console.print(self.face.table(self.view, self.console, self.seat.seat))
        else:
            self._say("waiting for the other seats to be taken")

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
            if self.face.has_table(news):
                self.view, self.legal, self.seat.version = news, legal, news.version
            if self.legal.actions:
                self.show()
                return

    def _tell(self, record: game_pb2.GameRecord) -> None:
        for line in self._story.record(record):
            self._say(line, style="italic")

    def _say(self, words: str, style: str = "") -> None:
        self.console.print(Text(f"  {words}", style=style))

    # ---- choosing ----------------------------------------------------------------------------------------------

    def _choose(self) -> None:
        if self._by_chance:
            self._by_chance -= 1
            self.submit(self._dice.choice(self.legal.actions))
            return
        choice = self.face.ask(self._prompt, self.seat, self.view, self.legal.actions)
        if isinstance(choice, Command):
            self._obey(choice)
        elif choice is not None:
            self.submit(choice)

    def submit(self, choice: Choice) -> None:
        """Submit a choice and tell what it did; a refusal is explained and leaves everything as it was."""
        try:
            answer = self.seat.submit(choice, expected_version=self.view.version)
        except IllegalAction as refused:
            self._say(f"not allowed: {self.face.why(refused)}")
            return
        except StaleVersion:
            found = self.seat.view()
            self.view, self.legal = found.view, found.legal_actions
            return
        for record in answer.records:
            self._tell(record)
        self.view, self.legal = answer.view, answer.legal_actions
        if self.legal.actions and not self._by_chance and self.face.shows_table_before(self.view):
            self.show()

    def _obey(self, command: Command) -> None:
        match command.name:
            case "quit":
                raise LeaveTable
            case "help":
                self.console.print(Text(self.face.help))
            case "table":
                self.show()
            case "any":
                self._by_chance = command.number
            case "undo":
                self._undo(command.number)
            case "resign":
                self._resign()
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

    def _resign(self) -> None:
        """Give the game up, if that is meant.

        Raises:
            SeatLost: a bot plays on.
        """
        if self._prompt.line("Give the game up? Type resign again") != "resign":
            self._say("you play on")
            return
        game = self.seat.resign()
        if game.state not in ENDED:
            raise SeatLost(game.seats[self.seat.seat].bot.bot)
        found = self.seat.view(legal_actions=False)
        self.view, self.legal = found.view, found.legal_actions

    def _scores(self) -> None:
        for line in self.face.scores(self.view, self.seat.score_sheet()):
            self._say(line)
