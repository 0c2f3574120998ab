"""Overview: the whole forward pass at a glance."""

from functools import partial

from pages.overview.inside import address_for, hear_missing
from viz_core.app.cache import cached
from viz_core.app.frame import page
from viz_core.browser.overview_payload import overview_payload

NORM = {"pre": "norm_pre", "post": "norm_post"}

with page("overview", stage="open") as p:
    view, config = p.view, p.view.config
    explanation, tokenizer = view.explanation, view.checkpoint.tokenizer
    p.mount(
        "overview", cached(overview_payload, explanation, tokenizer, address_for(explanation)),
        whole=partial(overview_payload, explanation, tokenizer),
        events=("missing",), hear=partial(hear_missing, explanation.source.text),
    )  # fmt: skip
    p.write("reading", d_model=config.d_model)
    p.write(NORM[config.norm])
