"""Overview: the whole forward pass at a glance, live."""

from viz_core.components.machine import show_machine
from viz_core.ui import cache, page
from viz_core.ui.tour import tour_list

with page("overview") as p:
    view, config = p.view, p.view.config
    p.mounted["machine"] = cache.get_machine(view.checkpoint, view.explanation)
    show_machine(p.mounted["machine"])
    p.write("reading", d_model=config.d_model, layers=config.n_layers, heads=config.n_heads)
    p.write(f"norm_{config.norm}")
    tour_list(p.text("tour"))
