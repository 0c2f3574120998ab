"""bertviz's head view and model view of this pass, in an iframe."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.heads.bertviz_document import BertvizDocument, head_view_html, model_view_html
from pages.heads.bertviz_weights import HeadRange, PassWeights
from pages.heads.controls import PART
from pages.heads.downloads import weights_csv
from viz_core.app.attention import KINDS
from viz_core.app.page import Page
from viz_core.trace import Kind


def show_bertviz(p: Page, which: str, kind: Kind) -> None:
    """The head view or the model view of bertviz, with all three attentions; in several parts where one would be too slow."""
    view, trace = p.view, p.view.trace
    layers = range(view.config.n_layers)
    attentions = PassWeights({each: [trace.attention(each, i).weights for i in layers] for each in KINDS}, view.source, view.target)
    drawn = _drawn(p, which, attentions, kind, 0)
    if len(drawn.parts) > 1:
        labels = [_range_label(p, part) for part in drawn.parts]
        if part := PART.draw(p, labels):
            drawn = _drawn(p, which, attentions, kind, part)
    st.iframe(drawn.html, height=drawn.height, alt=drawn.title)
    p.write("about_bertviz")
    p.offer("weights", f"{which.replace('_', '-')}-weights", partial(weights_csv, view.explanation))


def _drawn(p: Page, which: str, attentions: PassWeights, kind: Kind, part: int) -> BertvizDocument:
    if which == "head_view":
        return head_view_html(attentions, first=kind, layer=p.view.layer, part=part, palette=p.palette)
    return model_view_html(attentions, first=kind, part=part, palette=p.palette)


def _range_label(p: Page, part: HeadRange) -> str:
    """Layers and heads as the reader counts them."""
    ends = {"layer_from": part.layers.start + 1, "layer_to": part.layers.stop}
    return p.text("part_of", **ends, head_from=part.heads.start + 1, head_to=part.heads.stop)
