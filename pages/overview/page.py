"""Overview: the whole forward pass at a glance."""

from functools import partial

from viz_core.app.data_views import overview
from viz_core.app.frame import page
from viz_core.browser.overview_payload import overview_payload

NORM = {"pre": "norm_pre", "post": "norm_post"}

with page("overview", stage="open") as p:
    view, config = p.view, p.view.config
    p.answer(overview, whole=partial(overview_payload, view.explanation, view.checkpoint.tokenizer))
    p.write("reading", d_model=config.d_model)
    p.write(NORM[config.norm])
