"""The views of the page on learning."""

from __future__ import annotations

from viz_core.ui.training_guided import show_guided
from viz_core.ui.training_live import show_live
from viz_core.ui.training_loss import show_loss
from viz_core.ui.training_schedule import show_schedule
from viz_core.ui.training_shipped import show_shipped
from viz_core.ui.training_way import show_way
from viz_core.ui.tuning import show_tuning
from viz_core.ui.writer import chosen

SHOW = {
    "live": show_live,
    "loss": show_loss,
    "guided": show_guided,
    "tuning": show_tuning,
    "schedule": show_schedule,
    "shipped": show_shipped,
    "way": show_way,
}
VIEWS = tuple(SHOW)


def of_sentence() -> bool:
    """Whether the view is of the sentence: the frame asks before the page's own controls are drawn."""
    return chosen("training", "show", VIEWS) in ("loss", "guided", "way")
