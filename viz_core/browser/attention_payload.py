"""Payload of the attention view: one attention of one sentence, all layers and heads, with the labels of its axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from viz_core.analysis.words import groups
from viz_core.browser.pack import EXACT, compact, pack
from viz_core.edits import heads_out
from viz_core.explain import Explanation
from viz_core.texts import texts, visible
from viz_core.tokens import TokenizedText
from viz_core.trace import Kind

PRINTED = ("scores", "weights", "q", "k")
"""Sent as float32 while that is small: the neuron view prints single numbers of q and k. The browser itself derives `scaled`, the
scores divided by √d_k in float32 as in the model, and `masked`, the same with NaN where the mask forbids."""
EDITED = ("scaled", "masked")
AXES = ("rows", "rows_words", "columns", "absent")
"""Texts of the attention's own page that label its axes."""
DRAWN = ("v", "mix")
"""Drawn as bars and never printed, so sent as float16."""


def attention_payload(explanation: Explanation, kind: Kind) -> bytes:
    """All layers and heads of one attention.

    Tensors: scores and weights (L, h, Tq, Tk), q and mix (L, h, Tq, d_k), k and v (L, h, Tk, d_k), mask (Tq, Tk). Of an edited
    model scaled and masked, too.
    """
    blocks = [explanation.trace.attention(kind, layer) for layer in range(explanation.trace.config.n_layers)]
    stacked = {site: np.stack([getattr(block, site) for block in blocks]) for site in PRINTED + DRAWN}
    tensors = {site: compact(array, EXACT if site in PRINTED else 0) for site, array in stacked.items()}
    queries = explanation.source if kind == "self" else explanation.target
    keys = explanation.target if kind == "masked" else explanation.source
    # Then what enters the softmax is more than the score divided by √d_k.
    edited = explanation.edits.no_scale or explanation.edits.temperature != 1 or bool(explanation.edits.uniform)
    words, own = texts("browser.attention_view"), texts(f"{kind}_attention")
    shown = {name: text for name, text in words.items() if isinstance(text, str)}
    about: dict[str, Any] = {
        "kind": kind,
        "rows": _labels(queries),
        "columns": _labels(keys),
        "writes": None if kind == "self" else [visible(token.label) for token in explanation.output],
        "row_words": _words(queries),
        "column_words": _words(keys),
        "special_rows": _special(queries),
        "special_columns": _special(keys),
        "steps": kind != "self",  # rows are written one after the other
        "grows": kind == "masked",  # and so are the columns
        "out": heads_out(explanation.edits, explanation.trace.config, kind),  # of these, nothing goes on
        "hide_rows": kind != "cross",  # a row of cross attention is a step, also where it has read ⟨s⟩
        "texts": {**shown, **{name: own[name] for name in AXES if name in own}, "kind": words["kinds"][kind]},
    }
    if edited:  # the browser can't derive these, and says so
        about["texts"] |= {name: words[f"{name}_edited"] for name in ("line_scaled", "reads_scaled")}
        tensors |= {site: compact(np.stack([getattr(block, site) for block in blocks])) for site in EDITED}
    return pack(tensors | {"mask": blocks[0].mask}, about)


def _labels(tokenized: TokenizedText) -> list[str]:
    return [visible(label) for label in tokenized.labels]


def _words(tokenized: TokenizedText) -> dict[str, Any]:
    labels, tokens = groups(tokenized)
    return {"labels": [visible(label) for label in labels], "tokens": tokens}


def _special(tokenized: TokenizedText) -> list[int]:
    return [at for at, token in enumerate(tokenized.tokens) if token.word is None]
