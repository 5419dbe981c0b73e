"""The table of contents: which parts make which variant of Meadow."""

from __future__ import annotations

from functools import lru_cache

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
from meadow_engine.meadow.catalogue import BASE, DOWNSTREAM, ENVELOPE_U, ENVELOPE_Z, ENVELOPES, Catalogue
from meadow_engine.meadow.downstream import extras, kayak, taking, watery_ground
from meadow_engine.meadow.downstream.catalogue import LAZY_RIVER, WILD_RAPIDS, Downstream
from meadow_engine.meadow.downstream.lazy_river import LazyRiver
from meadow_engine.meadow.downstream.river_board import RiverBoard
from meadow_engine.meadow.downstream.solo import RoverOnTheRiver
from meadow_engine.meadow.downstream.state import River, TokenArea
from meadow_engine.meadow.downstream.wild_rapids import WildRapids
from meadow_engine.meadow.envelopes import BigEncounters
from meadow_engine.meadow.goals import Goals
from meadow_engine.meadow.hidden import resample
from meadow_engine.meadow.observation import observation
from meadow_engine.meadow.parts import Part, Parts
from meadow_engine.meadow.position import parse_position, read_envelopes, variant_id
from meadow_engine.meadow.rover import RoverPart, RoversDeck
from meadow_engine.meadow.state import MeadowState, Player, Rover
from meadow_engine.meadow.view import MeadowView, meadow_view

FAMILY = "meadow"
RULES_REVISION = 2
FIRST_SEAT_STREAM = "first seat"

_ENVELOPES = ListOption(
    "envelopes",
    "Letters of the envelopes whose cards are shuffled in, in any mix.",
    "envelope letters of the content pack, such as T",
    (0, 1, 2, 3, 4, 5),
)
_RIVER_ENVELOPES = ListOption(
    "envelopes",
    "Letters of the envelopes whose cards are shuffled in, in any mix; U always is.",
    "envelope letters of the content pack, such as Z",
    (0, 1, 2, 3, 4, 5, 6),
)
_BEGINNERS = BoolOption("beginners_deal", "Deal the five starting cards at random, for a first game.")
_FIRST_SEAT = IntOption("first_seat", "The seat that starts; -1 leaves it to the seed.", -1, -1, 3)

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
        _FIRST_SEAT,
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


def _river_variant(side: str, title: str, about: str) -> Variant:
    return Variant(
        id=f"downstream_{side}",
        title=f"Meadow: Downstream, {title}",
        about=f"Two to four naturalists paddle down the river while they observe. {about}",
        family=FAMILY,
        min_seats=2,
        max_seats=4,
        options=(_RIVER_ENVELOPES, _BEGINNERS, _FIRST_SEAT),
        rules_revision=RULES_REVISION,
        hidden_zones=("decks", "hands"),
    )


def _solo_river_variant(side: str, title: str, zones: tuple[str, ...]) -> Variant:
    return Variant(
        id=f"downstream_{side}_solo",
        title=f"Meadow: Downstream, {title}, solo",
        about="One naturalist on the river; Rover takes cards away, the book's table tells how well it went.",
        family=FAMILY,
        min_seats=1,
        max_seats=1,
        options=(_RIVER_ENVELOPES, _BEGINNERS),
        rules_revision=RULES_REVISION,
        hidden_zones=("decks", "rover's pile", "solo cards", *zones),
    )


LAZY = _river_variant(LAZY_RIVER, "Lazy River", "The calm side: beaver dams and goals on the way.")
WILD = _river_variant(WILD_RAPIDS, "Wild Rapids", "The fast side: piers, tents and a shortcut.")
LAZY_SOLO = _solo_river_variant(LAZY_RIVER, "Lazy River", ())
WILD_SOLO = _solo_river_variant(WILD_RAPIDS, "Wild Rapids", ("piers", "tents"))
RIVER_SIDES = {LAZY: LAZY_RIVER, LAZY_SOLO: LAZY_RIVER, WILD: WILD_RAPIDS, WILD_SOLO: WILD_RAPIDS}
"""The variants on the river, and the side of the board they play on."""


@lru_cache(maxsize=64)  # parts keep nothing of a game
def parts_of(variant: Variant, catalogue: Catalogue, envelopes: tuple[str, ...]) -> Parts:
    """The parts of a variant, in the order in which they set up, act and score."""
    alone = variant.max_seats == 1
    on_river = variant in RIVER_SIDES
    sets = (BASE, *envelopes, DOWNSTREAM) if on_river else (BASE, *envelopes)
    parts: list[Part] = [
        rounds.PathTokens(),
        main_board.MainBoard(sets),
        campfire.Campfire(),
        Goals(sets),
        setup.StartingGrounds(),
        scoring.PlayedCards(),
    ]
    if ENVELOPE_U in envelopes:
        parts.append(BigEncounters())
    if alone:
        parts.append(RoverPart())
    if on_river:
        parts += _river_parts(_downstream(catalogue), RIVER_SIDES[variant], sets, alone=alone)
    elif alone:
        parts.append(RoversDeck())
    return Parts(*parts)


def _river_parts(components: Downstream, side: str, sets: tuple[str, ...], *, alone: bool) -> list[Part]:
    """What Downstream adds to the base game."""
    parts: list[Part] = [RiverBoard(components, side, sets)]
    parts.append(LazyRiver(components, sets) if side == LAZY_RIVER else WildRapids())
    if alone:
        parts.append(RoverOnTheRiver(components, side))
    return parts


def _downstream(catalogue: Catalogue) -> Downstream:
    if catalogue.downstream is None:
        raise BadOption("the content pack has no components of Downstream", option="pack")
    return catalogue.downstream


class MeadowFamily:
    """Meadow as `meadow_engine.kernel.variant.Family` wants it."""

    name = FAMILY
    variants = (MEADOW, MEADOW_SOLO, LAZY, LAZY_SOLO, WILD, WILD_SOLO)
    state_classes = classes(
        MeadowState,
        Player,
        Rover,
        River,
        TokenArea,
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
        extras.AtExtraAction,
        kayak.ChoosingWay,
        kayak.MoveKayak,
        taking.ChoosingDeck,
        taking.TakingCard,
        taking.Trading,
        watery_ground.ChoosingWateryGround,
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
        envelopes = _read_envelopes(variant, catalogue, options["envelopes"])
        state = MeadowState(catalogue, parts_of(variant, catalogue, envelopes), seats, Streams(seed))
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
        variant = next(known for known in self.variants if known.id == variant_id(text))
        envelopes = read_envelopes(text, _offered(variant, catalogue))
        if variant in RIVER_SIDES and ENVELOPE_U not in envelopes:
            envelopes = (*envelopes, ENVELOPE_U)
        state = parse_position(catalogue, text, parts_of(variant, catalogue, envelopes))
        return variant, {"envelopes": list(envelopes)}, state

    def resample(self, state: MeadowState, viewer: int | None, streams: Streams) -> None:
        """Shuffle what the viewer does not know among itself."""
        resample(state, viewer, streams)


def _offered(variant: Variant, catalogue: Catalogue) -> list[str]:
    """The envelopes of the pack that can be shuffled in."""
    offered = (*ENVELOPES, ENVELOPE_Z) if variant in RIVER_SIDES else ENVELOPES
    return [name for name in catalogue.sets if name in offered]


def _read_envelopes(variant: Variant, catalogue: Catalogue, letters: OptionValue) -> tuple[str, ...]:
    """The envelopes in play: Downstream always has U (rulebook: Introduction), and alone has Z."""
    assert isinstance(letters, tuple)
    known = _offered(variant, catalogue)
    for letter in letters:
        if letter not in known:
            raise BadOption(f"there is no envelope {letter!r}; there are {', '.join(known)}", option="envelopes")
        if letters.count(letter) > 1:
            raise BadOption(f"envelope {letter} is named more than once", option="envelopes")
    # the same decks whatever the order of the letters
    always = (ENVELOPE_U,) if variant in RIVER_SIDES else ()
    return tuple(name for name in known if name in (*letters, *always))
