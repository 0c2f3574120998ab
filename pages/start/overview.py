"""Overview: what this is, the translation, and the architecture with this sentence's shapes."""

from viz_core.analysis.shapes import shapes_of
from viz_core.components.architecture import show_architecture
from viz_core.figures.architecture import architecture
from viz_core.ui import page
from viz_core.ui.drawing import details, sentence_of
from viz_core.ui.tour import go, tour_list

with page("overview") as p:
    view = p.view
    numbers = details(view)
    svg = architecture(
        sentence_of(view),
        shapes_of(view.trace, view.layer),
        p.table("label", **numbers),
        p.table("caption", **numbers),
        layers=view.config.n_layers,
        norm=view.config.norm,
        palette=p.palette,
    )
    go(show_architecture(svg))
    p.write(f"norm_{view.config.norm}")
    p.write("shapes", **numbers)
    tour_list(p.text("tour"))
