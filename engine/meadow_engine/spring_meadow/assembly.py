"""The table of contents: which rules make which variant of Spring Meadow."""

from __future__ import annotations

from meadow_engine.content.pack import Pack
from meadow_engine.kernel.actions import ActionSpace
from meadow_engine.kernel.codec import classes
from meadow_engine.kernel.rng import Streams
from meadow_engine.kernel.variant import BoolOption, IntOption, ListOption, Option, OptionValue, Outcome, Variant
from meadow_engine.kernel.zones import HiddenPile
from meadow_engine.spring_meadow import actions, content, labels, notation, refill, rocks, scoring, solo, turn
from meadow_engine.spring_meadow.burrows import PlacingMarmot
from meadow_engine.spring_meadow.catalogue import Catalogue
from meadow_engine.spring_meadow.position import parse_position
from meadow_engine.spring_meadow.scoresheet import SpringScoreSheet, spring_score_sheet
from meadow_engine.spring_meadow.setup import TILE_STREAM, set_up, set_up_alone
from meadow_engine.spring_meadow.state import (
    CampaignGame,
    Mountain,
    RowScore,
    ScoreLine,
    ScoringPhase,
    SoloGame,
    SpringState,
)
from meadow_engine.spring_meadow.view import SpringView, spring_observation, spring_view

FAMILY = "spring_meadow"
RULES_REVISION = 1
HIDDEN_ZONES = ("box",)
BOARD_FACES = "board faces of the content pack, such as 1A"


def _faces(about: str, *lengths: int) -> Option:
    return ListOption("faces", about, BOARD_FACES, (0, *lengths))


SPRING_MEADOW = Variant(
    id="spring_meadow",
    title="Spring Meadow",
    about="Two to four hikers; the first to win two hiking pins wins.",
    family=FAMILY,
    min_seats=2,
    max_seats=4,
    options=(
        BoolOption("expert", "Refill from an open queue of 20 tiles instead of the box."),
        _faces("One board face for each seat; empty deals boards and faces from the seed.", 2, 3, 4),
        IntOption("first_seat", "The seat that starts; -1 leaves it to the seed.", -1, -1, 3),
    ),
    rules_revision=RULES_REVISION,
    hidden_zones=HIDDEN_ZONES,
)
SPRING_MEADOW_SOLO = Variant(
    id="spring_meadow_solo",
    title="Spring Meadow, solo",
    about="One hiker, at most 24 turns; rows count less the later they are finished. 140 points are good, 150 superb.",
    family=FAMILY,
    min_seats=1,
    max_seats=1,
    options=(_faces("The board face to play on; empty asks the player.", 1),),
    rules_revision=RULES_REVISION,
    hidden_zones=HIDDEN_ZONES,
)
SPRING_MEADOW_CAMPAIGN = Variant(
    id="spring_meadow_campaign",
    title="Spring Meadow, campaign",
    about="Four solo games with all 100 tiles on four boards; the objective is 600 points.",
    family=FAMILY,
    min_seats=1,
    max_seats=1,
    options=(_faces("Four board faces in order of use; empty asks the player before each game.", 4),),
    rules_revision=RULES_REVISION,
    hidden_zones=HIDDEN_ZONES,
)


class SpringFamily:
    """Spring Meadow as `meadow_engine.kernel.variant.Family` wants it."""

    name = FAMILY
    variants = (SPRING_MEADOW, SPRING_MEADOW_SOLO, SPRING_MEADOW_CAMPAIGN)
    state_classes = classes(
        SpringState,
        Streams,
        HiddenPile,
        Mountain,
        SoloGame,
        CampaignGame,
        RowScore,
        ScoreLine,
        ScoringPhase,
        PlacingMarmot,
        refill.Refill,
        rocks.ChoosingRock,
        rocks.ClaimRocks,
        rocks.PlaceRocks,
        rocks.PlacingRock,
        rocks.Rock,
        scoring.Score,
        solo.ChoosingBoard,
        solo.EndSoloGame,
        solo.EndSoloTurn,
        solo.SoloTurn,
        solo.StartSoloGame,
        turn.ChoosingTile,
        turn.MoveOn,
        turn.PlacingTile,
        turn.StartTurn,
        turn.TakeTurn,
    )

    def catalogue(self, pack: Pack) -> Catalogue:
        """Tiles, rocks, boards and maps of a pack."""
        return content.catalogue(pack)

    def action_space(self, catalogue: Catalogue) -> ActionSpace:
        """All actions with this content."""
        return actions.action_space(catalogue)

    def new_state(
        self, variant: Variant, catalogue: Catalogue, seats: int, options: dict[str, OptionValue], seed: bytes
    ) -> SpringState:
        """A game set up and run to its first decision."""
        if variant is SPRING_MEADOW:
            return set_up(catalogue, seats, options, seed)
        return set_up_alone(catalogue, options, seed, campaign=variant is SPRING_MEADOW_CAMPAIGN)

    def clone(self, state: SpringState) -> SpringState:
        """An independent copy."""
        return state.clone()

    def view(self, state: SpringState, viewer: int | None) -> SpringView:
        """The same for every viewer: only the order of the box is hidden, and it has no place in a view."""
        return spring_view(state)

    def observation(self, state: SpringState, viewer: int | None) -> list[int]:
        """See `spring_observation` for the layout."""
        return spring_observation(state, viewer)

    def score_sheet(self, state: SpringState) -> SpringScoreSheet:
        """Points by source."""
        return spring_score_sheet(state)

    def returns(self, state: SpringState) -> tuple[int, ...]:
        """Hiking pins by seat; alone, the points of the game or campaign."""
        if state.solo is None:
            return tuple(mountain.pins for mountain in state.mountains)
        return (spring_score_sheet(state).points,)

    def outcome(self, state: SpringState) -> Outcome:
        """Ranks by hiking pins, equal pins sharing a rank; alone, how many of the book's objectives were reached."""
        if state.solo is None:
            pins = [mountain.pins for mountain in state.mountains]
            return Outcome(tuple(1 + sum(other > own for other in pins) for own in pins))
        objectives = solo.SOLO_OBJECTIVES if state.campaign is None else solo.CAMPAIGN_OBJECTIVES
        return Outcome((1,), solo.band(spring_score_sheet(state).points, objectives))

    def label(self, state: SpringState, action_id: int) -> str:
        """A short description."""
        return labels.label(state, actions.action_space(state.catalogue).action(action_id))

    def action_text(self, catalogue: Catalogue, action: actions.SpringAction) -> str:
        """The one-line form."""
        return notation.action_text(catalogue, action)

    def parse_action(self, catalogue: Catalogue, text: str) -> actions.SpringAction:
        """The action of a one-line form."""
        return notation.parse_action(catalogue, text)

    def text(self, view: SpringView, catalogue: Catalogue) -> str:
        """A view as text."""
        return notation.view_text(view, catalogue)

    def parse_position(self, catalogue: Catalogue, text: str) -> tuple[Variant, dict[str, object], SpringState]:
        """See `meadow_engine.spring_meadow.position` for the form."""
        state = parse_position(catalogue, text)
        if state.solo is not None:
            return SPRING_MEADOW_SOLO, {}, state
        return SPRING_MEADOW, {"expert": state.expert}, state

    def resample(self, state: SpringState, viewer: int | None, streams: Streams) -> None:
        """Shuffle the box: nobody knows its order."""
        state.box.resample(viewer, streams, TILE_STREAM)
