"""Overview: the whole forward pass at a glance, live."""

from viz_core.components.machine import show_machine
from viz_core.payload.machine import machine_payload
from viz_core.ui import page
from viz_core.ui.tour import tour_list

with page("overview") as p:
    view, config = p.view, p.view.config
    p.mounted["machine"] = machine_payload(view.explanation, view.checkpoint.tokenizer)
    show_machine(p.mounted["machine"])
    p.write("reading", d_model=config.d_model, layers=config.n_layers, heads=config.n_heads)
    p.write(f"norm_{config.norm}")
    tour_list(p.text("tour"))
