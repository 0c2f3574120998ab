"""Overview: the whole forward pass at a glance."""

from functools import partial

from viz_core.app.cache import cached
from viz_core.app.frame import page
from viz_core.browser.inside_payload import inside_payload
from viz_core.browser.overview_payload import overview_payload

NORM = {"pre": "norm_pre", "post": "norm_post"}

with page("overview", stage="open") as p:
    view, config = p.view, p.view.config
    explanation, tokenizer = view.explanation, view.checkpoint.tokenizer
    inside = p.file(inside_payload)
    p.mount(
        "overview", cached(overview_payload, explanation, tokenizer, inside.address if inside else ""),
        whole=partial(overview_payload, explanation, tokenizer),
        events=("missing",), hear=p.hear_missing,
    )  # fmt: skip
    p.write("reading", d_model=config.d_model)
    p.write(NORM[config.norm])
