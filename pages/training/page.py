"""How it learns: a tiny model live, the loss of this sentence, the learning rate, the model's own training."""

from pages.training.controls import SHOW
from pages.training.views import VIEWS, of_sentence
from viz_core.app.frame import page

with page("training", sentence=of_sentence()) as p:
    with p.controls():
        shown = SHOW.draw(p)
    p.nothing_to_guess(not of_sentence())
    VIEWS[shown](p)
