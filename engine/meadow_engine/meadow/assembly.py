"""The table of contents: which parts make which variant of Meadow."""

from __future__ import annotations

from meadow_engine.content.pack import Pack
from meadow_engine.kernel.actions import ActionSpace
from meadow_engine.kernel.codec import classes
from meadow_engine.kernel.errors import BadOption
from meadow_engine.kernel.rng import Streams
from meadow_engine.kernel.stack import run
from meadow_engine.kernel.variant import BoolOption, IntOption, ListOption, OptionValue, Outcome, Variant
from meadow_engine.kernel.zones import HiddenPile
from meadow_engine.meadow import (
    actions,
    campfire,
    content,
    labels,
    looking,
    main_board,
    notation,
    playing,
    rounds,
    scoring,
    setup,
)
from meadow_engine.meadow.catalogue import BASE, ENVELOPE_U, ENVELOPES, Catalogue
from meadow_engine.meadow.envelopes import BigEncounters
from meadow_engine.meadow.goals import Goals
from meadow_engine.meadow.hidden import resample
from meadow_engine.meadow.observation import observation
from meadow_engine.meadow.parts import Part, Parts
from meadow_engine.meadow.position import is_solo, parse_position, read_envelopes
from meadow_engine.meadow.rover import RoverPart
from meadow_engine.meadow.state import MeadowState, Player, Rover
from meadow_engine.meadow.view import MeadowView, meadow_view

FAMILY = "meadow"
RULES_REVISION = 1
FIRST_SEAT_STREAM = "first seat"

_ENVELOPES = ListOption(
    "envelopes",
    "Letters of the envelopes whose cards are shuffled in, in any mix.",
    "envelope letters of the content pack, such as T",
    (0, 1, 2, 3, 4, 5),
)
_BEGINNERS = BoolOption("beginners_deal", "Deal the five starting cards at random, for a first game.")

MEADOW = Variant(
    id="meadow",
    title="Meadow",
    about="Two to four naturalists collect observations over six or eight rounds.",
    family=FAMILY,
    min_seats=2,
    max_seats=4,
    options=(
        _ENVELOPES,
        _BEGINNERS,
        IntOption("first_seat", "The seat that starts; -1 leaves it to the seed.", -1, -1, 3),
    ),
    rules_revision=RULES_REVISION,
    hidden_zones=("decks", "hands"),
)
MEADOW_SOLO = Variant(
    id="meadow_solo",
    title="Meadow, solo",
    about="One naturalist against Rover, six rounds; the book's table tells how well it went.",
    family=FAMILY,
    min_seats=1,
    max_seats=1,
    options=(_ENVELOPES, _BEGINNERS),
    rules_revision=RULES_REVISION,
    hidden_zones=("decks", "rover's pile"),
)


def parts_of(variant: Variant, envelopes: tuple[str, ...]) -> Parts:
    """The parts of a variant, in the order in which they set up, act and score."""
    sets = (BASE, *envelopes)
    parts: list[Part] = [main_board.MainBoard(sets), campfire.Campfire(), Goals(sets), scoring.PlayedCards()]
    if ENVELOPE_U in envelopes:
        parts.append(BigEncounters())
    if variant is MEADOW_SOLO:
        parts.append(RoverPart())
    return Parts(*parts)


class MeadowFamily:
    """Meadow as `meadow_engine.kernel.variant.Family` wants it."""

    name = FAMILY
    variants = (MEADOW, MEADOW_SOLO)
    state_classes = classes(
        MeadowState,
        Player,
        Rover,
        Streams,
        HiddenPile,
        campfire.AtCampfire,
        campfire.CampfireTurn,
        looking.KeepingCard,
        looking.LookAt,
        looking.PuttingUnder,
        main_board.ChoosingSpot,
        playing.Discarding,
        playing.PlayingCard,
        rounds.EndRound,
        rounds.NextTurn,
        rounds.PlacingToken,
        rounds.StartRound,
        setup.CardsTaken,
        setup.ChoosingGround,
        setup.ChoosingRow,
        setup.DealBeginner,
        setup.SetUp,
    )

    def catalogue(self, pack: Pack) -> Catalogue:
        """Cards, goal tokens and boards of a pack."""
        return content.catalogue(pack)

    def action_space(self, catalogue: Catalogue) -> ActionSpace:
        """All actions with this content."""
        return actions.action_space(catalogue)

    def new_state(
        self, variant: Variant, catalogue: Catalogue, seats: int, options: dict[str, OptionValue], seed: bytes
    ) -> MeadowState:
        """A game set up and run to its first decision."""
        envelopes = _read_envelopes(catalogue, options["envelopes"])
        state = MeadowState(catalogue, parts_of(variant, envelopes), seats, Streams(seed))
        state.beginners = bool(options["beginners_deal"])
        first = options.get("first_seat", 0)
        assert isinstance(first, int)
        if first >= seats:
            raise BadOption(f"seat {first} is not in this game", option="first_seat")
        state.first_seat = first if first >= 0 else state.streams.below(FIRST_SEAT_STREAM, seats)
        state.push(setup.SetUp())
        run(state)
        return state

    def clone(self, state: MeadowState) -> MeadowState:
        """An independent copy."""
        return state.clone()

    def view(self, state: MeadowState, viewer: int | None) -> MeadowView:
        """What a seat or a spectator may see."""
        return meadow_view(state, viewer)

    def observation(self, state: MeadowState, viewer: int | None) -> list[int]:
        """See `meadow_engine.meadow.observation` for the layout."""
        return observation(state, viewer)

    def score_sheet(self, state: MeadowState) -> scoring.MeadowScoreSheet:
        """Points by source."""
        return scoring.score_sheet(state)

    def returns(self, state: MeadowState) -> tuple[int, ...]:
        """Points of each seat."""
        return tuple(score.total for score in scoring.score_sheet(state).seats)

    def outcome(self, state: MeadowState) -> Outcome:
        """Ranks, or the band of the solo table."""
        return scoring.outcome(state)

    def label(self, state: MeadowState, action_id: int) -> str:
        """A short description."""
        return labels.label(state, actions.action_space(state.catalogue).action(action_id))

    def action_text(self, catalogue: Catalogue, action: actions.MeadowAction) -> str:
        """The one-line form."""
        return notation.action_text(catalogue, action)

    def parse_action(self, catalogue: Catalogue, text: str) -> actions.MeadowAction:
        """The action of a one-line form."""
        return notation.parse_action(catalogue, text)

    def text(self, view: MeadowView, catalogue: Catalogue) -> str:
        """A view as text."""
        return notation.view_text(view, catalogue)

    def parse_position(self, catalogue: Catalogue, text: str) -> tuple[Variant, dict[str, object], MeadowState]:
        """See `meadow_engine.meadow.position` for the form."""
        envelopes = read_envelopes(catalogue, text)
        variant = MEADOW_SOLO if is_solo(text) else MEADOW
        state = parse_position(catalogue, text, parts_of(variant, envelopes))
        return variant, {"envelopes": list(envelopes)}, state

    def resample(self, state: MeadowState, viewer: int | None, streams: Streams) -> None:
        """Shuffle what the viewer does not know among itself."""
        resample(state, viewer, streams)


def _read_envelopes(catalogue: Catalogue, letters: OptionValue) -> tuple[str, ...]:
    assert isinstance(letters, tuple)
    known = [name for name in ENVELOPES if name in catalogue.sets]
    for letter in letters:
        if letter not in known:
            raise BadOption(f"there is no envelope {letter!r}; there are {', '.join(known)}", option="envelopes")
        if letters.count(letter) > 1:
            raise BadOption(f"envelope {letter} is named more than once", option="envelopes")
    # the same decks whatever the order of the letters
    return tuple(name for name in known if name in letters)
