"""Who calls: spectator, seat, host, or the operator of the server.

Whether a token is genuine never depends on the game it is used on, and whether a private game exists is told to nobody
who has no right to it.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from meadow_server.errors import ApiError, game_not_found
from meadow_server.live import LiveGame, now
from meadow_server.operators import Operators
from meadow_server.tokens import OPERATOR, Mint, Token


class Role(Enum):
    """What a caller is to a game."""

    SPECTATOR = "spectator"
    SEAT = "seat"
    HOST = "host"
    OPERATOR = "operator"


class Caller(NamedTuple):
    """Who calls, with respect to one game.

    Attributes:
        role: spectator, seat, host or operator.
        seat: the seat, for that role.
        generation: of the seat's or the host's token.
        revoked: whether the token was genuine once but its seat was released since, or another host token was made.
    """

    role: Role
    seat: int | None = None
    generation: int = 0
    revoked: bool = False

    @property
    def own_seat(self) -> int:
        """The caller's seat.

        Raises:
            ApiError: it has none.
        """
        if self.seat is None:
            raise ApiError("ROLE_NOT_ALLOWED", f"this call is for a seat, not for the {self.role.value}")
        return self.seat

    def current(self) -> Caller:
        """The caller, if the token still counts.

        Raises:
            ApiError: it was revoked.
        """
        if self.revoked:
            raise ApiError("TOKEN_UNKNOWN", "the seat was released, or the host got another, since this token was made")
        return self

    @property
    def manages(self) -> bool:
        """Whether the game is the caller's to manage: the host's, and the operator's of the server."""
        return self.role in {Role.HOST, Role.OPERATOR}

    def need_role(self, *roles: Role) -> Caller:
        """The caller, if it has one of these roles. The operator has that of the host.

        Raises:
            ApiError: it has not.
        """
        if self.role not in roles and not (self.manages and Role.HOST in roles):
            needed = " or ".join(role.value for role in roles)
            raise ApiError("ROLE_NOT_ALLOWED", f"this call is for the {needed}, not for the {self.role.value}")
        return self


SPECTATOR = Caller(Role.SPECTATOR)


class Keyring:
    """Knows genuine tokens and operators' keys."""

    def __init__(self, mint: Mint, operators: Operators) -> None:
        self._mint = mint
        self._operators = operators

    def read(self, authorization: str | None) -> Token | None:
        """The token that a call is authorized by; None for a call without authorization.

        Raises:
            ApiError: it is not genuine.
        """
        if authorization is None:
            return None
        token = self._mint.read(authorization)
        if token is not None:
            return token
        if self._operators.has(authorization):
            return OPERATOR
        raise ApiError("TOKEN_UNKNOWN", "the authorization is not 'Bearer' and a token made by this server")


def identify(live: LiveGame, token: Token | None) -> Caller:
    """Who the bearer of a genuine token, or of none, is to a game.

    Raises:
        ApiError: the game does not exist for this caller.
    """
    if token is None:
        if not live.header.public:
            raise game_not_found()
        return SPECTATOR
    if token is OPERATOR:
        return Caller(Role.OPERATOR)
    if token.game_id != live.game_id:
        raise game_not_found()
    if token.seat is None:
        return Caller(Role.HOST, None, token.generation, token.generation != live.host_generation)
    revoked = token.generation != live.seats[token.seat].generation
    if not revoked:
        live.seen[token.seat] = now()
    return Caller(Role.SEAT, token.seat, token.generation, revoked)
