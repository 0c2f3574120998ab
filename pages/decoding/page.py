"""How it chooses: beam search, sampling, non-autoregressive decoding and copying."""

from pages.decoding.beam import show_beam
from pages.decoding.controls import CASE
from pages.decoding.copying import show_copying
from pages.decoding.non_autoregressive import show_non_autoregressive
from pages.decoding.sampling import show_sampling
from viz_core.app import page_options
from viz_core.app.controls import picked
from viz_core.app.frame import page

VIEWS = {"beam": show_beam, "sampling": show_sampling, "non_autoregressive": show_non_autoregressive, "copying": show_copying}

is_copying = picked(CASE) == "copying"
page_options.clear_stale_cell(is_copying)  # in the tree a cell is a candidate, here a token

with page("decoding", cell_of_step=is_copying) as p:
    with p.controls():
        case = CASE.draw(p)
    VIEWS[case](p)
