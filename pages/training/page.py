"""How it learns: a tiny model live, this sentence's loss and gradient, fine-tuning, the learning rate, the model's training."""

from pages.training.controls import SHOW
from pages.training.fine_tuning import show_tuning
from pages.training.gradient import show_gradient
from pages.training.guided import show_guided
from pages.training.live import show_live
from pages.training.loss import show_loss
from pages.training.schedule import show_schedule
from pages.training.shipped import show_shipped, show_snapshots
from viz_core.app import page_options
from viz_core.app.controls import picked
from viz_core.app.frame import page

VIEWS = {
    "live": show_live,
    "loss": show_loss,
    "gradient": show_gradient,
    "tuning": show_tuning,
    "schedule": show_schedule,
    "shipped": show_shipped,
    "snapshots": show_snapshots,
    "guided": show_guided,
}
OF_SENTENCE = ("loss", "gradient", "snapshots", "guided")

is_guided = picked(SHOW) == "guided"  # the only view in which a cell is picked
page_options.clear_stale_cell(is_guided)
with page("training", cells="cross" if is_guided else None, cell_of_step=is_guided) as p:
    with p.controls():
        shown = SHOW.draw(p)
    p.nothing_to_guess(shown not in OF_SENTENCE)
    VIEWS[shown](p)
