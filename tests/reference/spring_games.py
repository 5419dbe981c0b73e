"""Spring Meadow by brute force, second part: whole games for several players, for one, and the campaign.

Chance is never drawn here: the caller hands over what the shuffles gave, and the table checks that it was possible.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.reference.spring_table import ROWS, Ask, Board, Chance, Contents, Play, Table

Line = tuple[int, int, int, int]
"""Points of a seat in a Scoring: full rows, first incomplete row, cleared burrows, picnic."""

SOLO_TURNS = 24
QUEUE = 20


def score_line(board: Board, *, picnic: bool) -> Line:
    """The points of a board in a Scoring (S15, S16)."""
    run = board.full_run()
    return (10 * run, board.counts(run) if run < ROWS else 0, len(board.cleared()), 2 if picnic else 0)


def start_rocks(seats: int) -> list[int]:
    """Size of the rock each player takes at the start, in order of play; 0 is none."""
    return {2: [0, 2], 3: [0, 1, 3], 4: [0, 1, 2, 3]}[seats]


class Match(Table):
    """Two to four players, with or without the expert variant's queue."""

    def __init__(
        self,
        contents: Contents,
        faces: Sequence[int],
        first: int,
        hiking_map: Sequence[int],
        queue: Sequence[int] | None,
        chance: Chance,
    ) -> None:
        """A table after Set-up; `queue` is None without the expert variant."""
        super().__init__(contents, len(faces), chance)
        assert len({contents.board_of_face[face] for face in faces}) == len(faces), "a board was dealt twice"
        for seat, face in enumerate(faces):
            self.take_board(seat, face)
        self.map = list(self.draw(hiking_map))
        self.expert = queue is not None
        self.queue = self.draw(queue or [])
        assert len(self.queue) == (QUEUE if self.expert else 0)
        self.first = first
        self.turn = 0
        self.tileless = 0
        self.pins = [0] * self.seats
        self.winner: int | None = None
        self.scorings: list[tuple[int, tuple[Line, ...], int]] = []
        """Active seat, points of each seat, winner."""

    def play(self) -> Play:
        """The whole game, turn after turn."""
        sizes = start_rocks(self.seats)
        while True:
            order = self.turn % self.seats
            seat = (self.first + order) % self.seats
            short = self.left_on_path() <= (2 if self.seats == 2 else 1)
            if short or self.tileless == len(self.paths):
                self.score(seat)
                if self.winner is not None:
                    return
                self.refill()
            earned = yield from self.tile_step(seat)
            self.tileless = self.tileless + 1 if earned is None else 0
            yield from self.rock_step(seat, sizes[order] if self.turn < self.seats else 0, earned or [])
            self.turn += 1
            self.path = (self.path + 1) % len(self.paths)

    def score(self, active: int) -> None:
        """A Scoring: points, the winner's pin, marmots unless the pin ends the game (S5, S16)."""
        self.tileless = 0
        lines = tuple(score_line(self.board(seat), picnic=seat == active) for seat in range(self.seats))
        best = max(sum(line) for line in lines)
        clockwise = [(active + step) % self.seats for step in range(1, self.seats + 1)]
        winner = next(seat for seat in clockwise if sum(lines[seat]) == best)
        self.scorings.append((active, lines, winner))
        self.pins[winner] += 1
        if self.pins[winner] == 2:
            self.winner = winner
            return
        for cell in self.board(winner).cleared():
            self.board(winner).seat_marmot(cell)

    def refill(self) -> None:
        """Fill the gaps of the map row by row, from the box or from the head of the queue (S8, S17)."""
        gaps = [space for space in range(25) if self.map[space] is None]
        in_box = self.unseen.total()
        if self.expert:
            gaps = gaps[: len(self.queue) + in_box]
            joining = max(0, min(in_box, len(gaps) + QUEUE - len(self.queue)))
            line = self.queue + self.draw(self.chance.queue(joining))
            tiles, self.queue = line[: len(gaps)], line[len(gaps) :]
        else:
            gaps = gaps[:in_box]
            tiles = self.draw(self.chance.refill(gaps))
        for space, tile in zip(gaps, tiles, strict=True):
            self.map[space] = tile

    def ranks(self) -> list[int]:
        """Place of each seat: more pins are better, equal pins share a place (S25)."""
        return [1 + sum(other > pins for other in self.pins) for pins in self.pins]


class Alone(Table):
    """Solo and campaign: one game of 24 turns, or four of them on four boards with the box dealt into four piles."""

    def __init__(
        self, contents: Contents, games: int, faces: Sequence[int], hiking_map: Sequence[int], chance: Chance
    ) -> None:
        """A table with the first pile laid out; `faces` holds one face for each game, or nothing to be asked."""
        super().__init__(contents, 1, chance)
        self.games = games
        self.chosen_faces = list(faces)
        self.used_boards: set[int] = set()
        self.map = list(self.draw(hiking_map))
        self.turn = 1
        self.row_scores: list[int] = []
        self.results: list[int] = []

    def play(self) -> Play:
        """One game after the other."""
        for game in range(self.games):
            if game:
                self.map = list(self.draw(self.chance.pile()))
            self.path, self.turn, self.row_scores = 0, 1, []
            self.boards, self.faces = [None], [-1]
            yield from self.choose_board(game)
            yield from self.circuit()
            self.results.append(sum(self.row_scores) + len(self.board(0).cleared()))

    def choose_board(self, game: int) -> Play:
        """Take a board that was not played on yet, either side up (S12, S20)."""
        boards = self.contents.board_of_face
        if self.chosen_faces:
            face = self.chosen_faces[game]
        else:
            free = [face for face, board in enumerate(boards) if board not in self.used_boards]
            _, (face,) = yield Ask(0, "choose_board", frozenset(("choose_board", (face,)) for face in free))
        assert boards[face] not in self.used_boards
        self.used_boards.add(boards[face])
        self.take_board(0, face)

    def circuit(self) -> Play:
        """At most 24 turns, fewer when only 5 tiles are left (S9, S18, S19)."""
        for self.turn in range(1, SOLO_TURNS + 1):
            self.path = self.turn - 1
            before = self.board(0).full_run()
            earned = yield from self.tile_step(0)
            yield from self.rock_step(0, 0, earned or [])
            self.row_scores += [25 - self.turn] * (self.board(0).full_run() - before)
            if sum(tile is not None for tile in self.map) <= 5:
                return
