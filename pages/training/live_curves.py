"""The curves of a live run over its steps, with those of the run before it behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from pages.training.curves_figure import Chart, Curve, charts
from viz_core.app.markup import number
from viz_core.app.page import Page
from viz_core.figures.base import percent
from viz_core.training.live import LiveTrainer, Recipe, Snapshot, TrainingStep
from viz_core.training.scheduled import sampling_share

DRAWN = 500
"""Points of the loss that are drawn."""
USUAL = 4.0
"""The loss axis reaches so far, and further only where the loss of the run on display does."""


@dataclass(frozen=True, eq=False)
class Seen:
    """What is seen of a run: its steps and snapshots until now; the worker may add to both while they are drawn."""

    recipe: Recipe
    measured: Sequence[TrainingStep]
    snapshots: Sequence[Snapshot]

    @classmethod
    def of(cls, trainer: LiveTrainer) -> Seen:
        """As it stands now."""
        return cls(trainer.recipe, list(trainer.measured), list(trainer.snapshots))


def curves(p: Page, run: Seen, before: Seen | None, guessing: float, at: int | None, until: int, height: int) -> go.Figure:
    """Loss above, what is right below. at: the step on display; until: how far the axis reaches at least."""
    end = max(until, len(run.measured), len(before.measured) if before else 0)
    losses = [_loss(p, run, faint=False), *([_loss(p, before, faint=True)] if before else [])]
    right = [_right(p, run, faint=False), *([_right(p, before, faint=True)] if before else [])]
    if run.recipe.decay != "off":
        right.append(_own(p, run.recipe, end))
    top = max(USUAL, *(value for value in losses[0].values if np.isfinite(value)), 0.0)
    drawn = [
        Chart(p.text("axis_loss"), losses[::-1], (0.0, top), [(guessing, p.text("level_guessing"))]),
        Chart(p.text("axis_accuracy"), right[::-1], (0.0, 1.05), format=".0%"),
    ]
    title = p.text("title_curves_before" if before else "title_curves")
    return charts(drawn, title=title, axis=p.text("steps"), span=(0.0, float(end)), at=at, height=height, palette=p.palette)


def _loss(p: Page, run: Seen, *, faint: bool) -> Curve:
    thin = run.measured[:: max(1, -(-len(run.measured) // DRAWN))]
    said = [_hover(p, "hover_loss", each.step, number(each.loss), faint) for each in thin]
    steps, values = [each.step for each in thin], [each.loss for each in thin]
    return Curve(p.text("name_loss"), steps, values, said, role="k", dash=int(faint), faint=faint)


def _right(p: Page, run: Seen, *, faint: bool) -> Curve:
    said = [_hover(p, "hover_accuracy", each.step, percent(each.accuracy), faint) for each in run.snapshots]
    steps, values = [each.step for each in run.snapshots], [each.accuracy for each in run.snapshots]
    return Curve(p.text("name_accuracy"), steps, values, said, role="v", dash=int(faint), dots=not faint, faint=faint)


def _own(p: Page, recipe: Recipe, end: int) -> Curve:
    """The whole schedule: it is known before it comes."""
    steps = sorted({1, end, *np.linspace(1, end, 100).astype(int).tolist()})
    shares = [sampling_share(recipe.decay, step, recipe.own) for step in steps]
    said = [p.text("hover_own", step=f"{step:,}", share=percent(share)) for step, share in zip(steps, shares, strict=True)]
    return Curve(p.text("name_own_words"), steps, shares, said, role="output", dash=2, label=p.text("name_own_words"))


def _hover(p: Page, key: str, step: int, value: str, faint: bool) -> str:
    said = p.text(key, step=f"{step:,}", value=value)
    return p.text("hover_before", said=said) if faint else said
