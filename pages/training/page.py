"""How it learns: a tiny model live, the loss of this sentence, fine-tuning, the learning rate, the model's own training."""

from pages.training.controls import SHOW
from pages.training.fine_tuning import show_tuning
from pages.training.guided import show_guided
from pages.training.live import show_live
from pages.training.loss import show_loss
from pages.training.schedule import show_schedule
from pages.training.shipped import show_shipped, show_snapshots
from viz_core.app.frame import page

VIEWS = {
    "live": show_live,
    "loss": show_loss,
    "guided": show_guided,
    "tuning": show_tuning,
    "schedule": show_schedule,
    "shipped": show_shipped,
    "snapshots": show_snapshots,
}
OF_SENTENCE = ("loss", "guided", "snapshots")

with page("training") as p:
    with p.controls():
        shown = SHOW.draw(p)
    p.nothing_to_guess(shown not in OF_SENTENCE)
    VIEWS[shown](p)
