"""What a live run has beyond teacher forcing and cross-entropy, with the numbers of one of its steps."""

from __future__ import annotations

from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.figures.base import percent
from viz_core.training.guided import penalty_matrix
from viz_core.training.live import Recipe, TrainingStep
from viz_core.training.scheduled import RISE, SLOWNESS
from viz_core.training.toy import EXAMPLE, ORDER


def added(p: Page, recipe: Recipe, at: TrainingStep) -> None:
    """Scheduled sampling and guided attention, each where the recipe has it."""
    if recipe.decay != "off":
        values = {"step": f"{at.step:,}", "share": percent(at.own), "most": percent(recipe.own), "rise": RISE, "k": SLOWNESS}
        formula = p.text(f"share_{recipe.decay}", **values)
        p.write("about_scheduled", step=f"{at.step:,}", formula=Raw(formula))
    if at.paid is not None:
        p.write("about_guide", factor=f"{recipe.guided:g}", step=f"{at.step:,}", paid=at.paid)
        places = ORDER[recipe.task](EXAMPLE)
        cost = penalty_matrix(len(places) + 1, len(places) + 1)[range(len(places)), places].mean()  # the end stands in its place
        p.write("right_is_free" if cost == 0 else "right_is_dear", cost=float(cost), task=p.texts[recipe.task])
