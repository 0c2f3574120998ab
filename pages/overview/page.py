"""Overview: the whole forward pass at a glance, live; an attention that one opens is on the stage below."""

from viz_core.browser.overview import show_machine
from viz_core.app import cache, page
from viz_core.app.attention import show_attention
from viz_core.app.view_options import staged
from viz_core.app.tour import tour_list

with page("overview", stage="open") as p:
    view, config = p.view, p.view.config
    p.mounted["overview"] = cache.get_machine(view.checkpoint, view.explanation)
    show_machine(p.mounted["overview"])
    if kind := staged(p.stage, p.look):
        show_attention(p, kind)
    p.write("reading", d_model=config.d_model, layers=config.n_layers, heads=config.n_heads)
    p.write(f"norm_{config.norm}")
    tour_list(p.text("tour"))
