"""Errors of the engine, one class per *reason*.

Every error carries a stable ``code`` (UPPER_SNAKE, part of the public contract) and the arguments a user interface
needs to phrase its own message. The English text is for people who debug.
"""

from __future__ import annotations

from typing import ClassVar


class EngineError(Exception):
    """Base of everything the engine refuses.

    Attributes:
        code: stable name of the reason.
        details: arguments of the reason, as plain strings, in the order given.
    """

    code: ClassVar[str] = "ENGINE_ERROR"

    def __init__(self, message: str, **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.details = {name: str(value) for name, value in details.items()}


class IllegalAction(EngineError):
    """The action is not among the legal ones; the state is untouched.

    Attributes:
        rule: name of the rule that forbids it, from the game's own list of rules.
    """

    code = "ILLEGAL_ACTION"

    def __init__(self, rule: str, message: str, **details: object) -> None:
        super().__init__(message, **details)
        self.rule = rule


class NotYourTurn(EngineError):
    """Another seat has to choose."""

    code = "NOT_YOUR_TURN"


class GameOver(EngineError):
    """The game has ended: nothing more can be chosen."""

    code = "GAME_OVER"


class GameNotRunning(EngineError):
    """The game has not started yet, or was aborted."""

    code = "GAME_NOT_RUNNING"


class UndoBarrier(EngineError):
    """Nothing of this seat's can be taken back: another seat acted, or something was revealed since."""

    code = "UNDO_BARRIER"


class BadChance(EngineError):
    """The chance outcomes handed to ``apply_with`` cannot happen in this state."""

    code = "BAD_CHANCE"


class UnknownVariant(EngineError):
    """No variant has this id."""

    code = "UNKNOWN_VARIANT"


class BadOption(EngineError):
    """An option, seat count or seed given at creation is not possible."""

    code = "BAD_OPTION"


class BadNotation(EngineError):
    """A text does not describe an action or a position."""

    code = "BAD_NOTATION"


class BadEncoding(EngineError):
    """Bytes do not decode into a state, a record or a pack."""

    code = "BAD_ENCODING"


class RulesRevisionUnsupported(EngineError):
    """The game was recorded under a rules revision this engine does not have."""

    code = "RULES_REVISION_UNSUPPORTED"
