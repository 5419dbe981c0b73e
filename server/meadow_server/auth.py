"""Who calls: spectator, seat or host.

Whether a token is genuine never depends on the game it is used on, and whether a private game exists is told to nobody
who has no right to it.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from meadow_server.errors import ApiError, game_not_found
from meadow_server.live import LiveGame, now
from meadow_server.tokens import Mint, Token

_SCHEME = "bearer "


class Role(Enum):
    """What a caller is to a game."""

    SPECTATOR = "spectator"
    SEAT = "seat"
    HOST = "host"


class Caller(NamedTuple):
    """Who calls, with respect to one game.

    Attributes:
        role: spectator, seat or host.
        seat: the seat, for that role.
        generation: of the seat's token.
        revoked: whether the token was genuine once but its seat was released since.
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
            raise ApiError("TOKEN_UNKNOWN", "the seat was released since this token was made")
        return self

    def need_role(self, *roles: Role) -> Caller:
        """The caller, if it has one of these roles.

        Raises:
            ApiError: it has not.
        """
        if self.role not in roles:
            needed = " or ".join(role.value for role in roles)
            raise ApiError("ROLE_NOT_ALLOWED", f"this call is for the {needed}, not for the {self.role.value}")
        return self


SPECTATOR = Caller(Role.SPECTATOR)


def read_token(authorization: str | None, mint: Mint) -> Token | None:
    """The token that a call is authorized by; None for a call without authorization.

    Raises:
        ApiError: it is not genuine.
    """
    if authorization is None:
        return None
    token = mint.read(bearer(authorization))
    if token is None:
        raise ApiError("TOKEN_UNKNOWN", "the authorization is not 'Bearer' and a token made by this server")
    return token


def bearer(authorization: str) -> str:
    """What follows the word Bearer in an authorization; empty if it is none."""
    return authorization[len(_SCHEME) :].strip() if authorization[: len(_SCHEME)].lower() == _SCHEME else ""


def identify(live: LiveGame, token: Token | None) -> Caller:
    """Who the bearer of a genuine token, or of none, is to a game.

    Raises:
        ApiError: the game does not exist for this caller.
    """
    if token is None:
        if not live.header.public:
            raise game_not_found()
        return SPECTATOR
    if token.game_id != live.game_id:
        raise game_not_found()
    if token.seat is None:
        return Caller(Role.HOST)
    revoked = token.generation != live.seats[token.seat].generation
    if not revoked:
        live.seen[token.seat] = now()
    return Caller(Role.SEAT, token.seat, token.generation, revoked)
