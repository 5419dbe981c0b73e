"""Points by source, running and final (rulebook: Scoring, Points (Solo Game), Campaign)."""

from __future__ import annotations

from dataclasses import dataclass

from meadow_engine.spring_meadow.state import CampaignGame, RowScore, ScoreLine, ScoringPhase, SpringState
from meadow_engine.spring_meadow.view import mountain_view


@dataclass(frozen=True, slots=True)
class SpringScoreSheet:
    """Where the points come from.

    Attributes:
        running: what each board would count in a scoring phase now, without picnic.
        pins: hiking pins by seat.
        scorings: the scoring phases that took place.
        rows: solo: rows scored in the current or only game.
        burrow_points: solo: cleared burrows counted at the end.
        campaign: finished games of a campaign.
        points: alone, the total of the game or of the whole campaign so far; 0 with several seats.
    """

    running: tuple[ScoreLine, ...]
    pins: tuple[int, ...]
    scorings: tuple[ScoringPhase, ...]
    rows: tuple[RowScore, ...]
    burrow_points: int
    campaign: tuple[CampaignGame, ...]
    points: int


def spring_score_sheet(state: SpringState) -> SpringScoreSheet:
    """The sheet of a game, running or ended."""
    solo, campaign = state.solo, tuple(state.campaign or ())
    return SpringScoreSheet(
        running=tuple([mountain_view(mountain).score for mountain in state.mountains]),
        pins=tuple([mountain.pins for mountain in state.mountains]),
        scorings=tuple(state.scorings),
        rows=tuple(solo.rows) if solo else (),
        burrow_points=solo.burrow_points if solo else 0,
        campaign=campaign,
        points=_points(state, campaign),
    )


def _points(state: SpringState, campaign: tuple[CampaignGame, ...]) -> int:
    if state.solo is None:
        return 0
    finished = sum(game.points for game in campaign)
    # after the last game the current one is among the finished ones
    return finished if campaign and not state.stack else finished + state.solo.points
