"""Overview: the whole forward pass at a glance."""

from viz_core.app.data_views import inside, overview
from viz_core.app.frame import page
from viz_core.app.markup import Raw
from viz_core.trace import BLOCKS

NORM = {"pre": "norm_pre", "post": "norm_post"}

with page("overview", stage="open") as p:
    config = p.view.config
    p.answer(overview, also=[(inside, {})])
    p.write("reading", d_model=config.d_model)
    ends = [stack for stack in BLOCKS if config.has_final_norm(stack)]
    end = p.table("norm_ends")["both" if len(ends) > 1 else ends[0]] if ends else ""
    p.write(NORM[config.norm], end=Raw(end), embedding=Raw(p.text("norm_embedding") if config.embedding_norm else ""))
