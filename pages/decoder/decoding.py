"""How it chooses: greedy, beam search, sampling; from the same probabilities, step by step, different sentences."""

from viz_core.ui import page
from viz_core.ui.at_once import show_at_once
from viz_core.ui.beam import show_beam
from viz_core.ui.copying import show_copying
from viz_core.ui.sampling import show_sampling

with page("decoding") as p:
    with p.controls():
        case = p.choose("case", ["beam", "sampling", "parallel", "copying"], named=False)
    if case == "beam":
        show_beam(p)
    elif case == "sampling":
        show_sampling(p)
    elif case == "parallel":
        show_at_once(p)
    else:
        show_copying(p)
