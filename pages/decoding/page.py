"""How it chooses: greedy, beam search, sampling; from the same probabilities, step by step, different sentences."""

from pages.decoding.beam import show_beam
from pages.decoding.copying import show_copying
from pages.decoding.non_autoregressive import show_non_autoregressive
from pages.decoding.sampling import show_sampling
from viz_core.app.frame import page

with page("decoding") as p:
    with p.controls():
        case = p.choose("case", ["beam", "sampling", "non_autoregressive", "copying"], named=False)
    if case == "beam":
        show_beam(p)
    elif case == "sampling":
        show_sampling(p)
    elif case == "non_autoregressive":
        show_non_autoregressive(p)
    else:
        show_copying(p)
