"""The views of the page on learning."""

from __future__ import annotations

from pages.training import controls
from pages.training.fine_tuning import show_tuning
from pages.training.guided import show_guided
from pages.training.history import show_shipped
from pages.training.live import show_live
from pages.training.loss import show_loss
from pages.training.schedule import show_schedule
from pages.training.snapshots import show_snapshots

VIEWS = {
    "live": show_live,
    "loss": show_loss,
    "guided": show_guided,
    "tuning": show_tuning,
    "schedule": show_schedule,
    "shipped": show_shipped,
    "snapshots": show_snapshots,
}


def of_sentence() -> bool:
    """Whether the view is of the sentence: the frame asks before the page's own controls are drawn."""
    return controls.SHOW.value("training") in ("loss", "guided", "snapshots")
