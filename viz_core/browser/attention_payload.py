"""Payloads of the attention view: one attention of a sentence, all layers and heads, with the labels of its axes; and the same
attention of two explanations, side by side or as their difference.
"""

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from viz_core.analysis.words import groups
from viz_core.browser.pack import EXACT, compact, pack
from viz_core.edits import heads_out
from viz_core.explain import Explanation
from viz_core.texts import fill, texts, visible
from viz_core.trace import Kind
from viz_core.words import Token, TokenizedText

PRINTED = ("scores", "weights", "q", "k")
"""Sent as float32 if that is small: the neuron view prints single numbers of q and k. The browser derives `scaled`, the scores
divided by √d_k in float32 as in the model, and `masked`, the same with NaN where the mask forbids."""
EDITED = ("scaled", "masked")
DRAWN = ("v", "mix")
"""Drawn as bars, or printed with ≈, so sent as float16."""


def attention_payload(explanation: Explanation, kind: Kind, whole: bool = False, first: bool = False) -> bytes:
    """All layers and heads of one attention.

    Tensors: scores and weights (L, h, Tq, Tk), q and mix (L, h, Tq, d_k), k and v (L, h, Tk, d_k), mask (Tq, Tk); for an edited
    model also scaled and masked.

    Args:
        whole: whether masked attention shows the whole target, as in training, rather than the tokens written so far.
        first: whether to add the exact first dimension of v and mix for the arithmetic: v_first, mix_first (L, h, T).
    """
    tensors = attention_tensors(explanation, kind, sites_of(explanation))
    if first:
        blocks = explanation.trace.attentions(kind)
        tensors |= {f"{site}_first": np.stack([getattr(block, site)[..., 0] for block in blocks]) for site in DRAWN}
    return pack(tensors | {"mask": mask_of(explanation, kind)}, attention_about(explanation, kind, whole))


def sites_of(explanation: Explanation) -> tuple[str, ...]:
    """The sites of an attention that the browser can't derive; an edited model's softmax takes more than score ÷ √d_k."""
    return (*PRINTED, *DRAWN, *(EDITED if _edited(explanation) else ()))


def attention_tensors(explanation: Explanation, kind: Kind, sites: Iterable[str]) -> dict[str, npt.NDArray[Any]]:
    """These sites of all layers and heads, in the precision in which they are sent."""
    blocks = explanation.trace.attentions(kind)
    return {site: compact(np.stack([getattr(block, site) for block in blocks]), 0 if site in DRAWN else EXACT) for site in sites}


def mask_of(explanation: Explanation, kind: Kind) -> npt.NDArray[np.bool_]:
    """The keys that each query may attend to, (Tq, Tk)."""
    return explanation.trace.attention(kind, 0).mask


def attention_about(explanation: Explanation, kind: Kind, whole: bool = False) -> dict[str, Any]:
    """Labels of one attention. whole: see `attention_payload`."""
    queries, keys = explanation.sides(kind)
    return {
        "kind": kind,
        "rows": _labels(queries),
        "columns": _labels(keys),
        "row_notes": byte_notes(queries.tokens, queries.text),
        "column_notes": byte_notes(keys.tokens, keys.text),
        "writes": None if kind == "self" else [visible(token.label) for token in explanation.output],
        "row_words": _words(queries),
        "column_words": _words(keys),
        "special_rows": _special(queries),
        "special_columns": _special(keys),
        "steps": kind != "self",  # rows come one step after the other
        "grows": kind == "masked" and not whole and not explanation.edits.no_causal_mask,  # columns, too
        "out": heads_out(explanation.edits, explanation.trace.config, kind),  # removed heads
        "hide_rows": kind != "cross",  # a row of cross attention is a step, even after reading ⟨s⟩
        "edited": _edited(explanation),
        "ends": (visible(explanation.target.labels[0]), visible(explanation.source.labels[-1])),
    }


def _edited(explanation: Explanation) -> bool:
    edits = explanation.edits
    return edits.no_scale or edits.temperature != 1 or bool(edits.uniform)


def _labels(tokenized: TokenizedText) -> list[str]:
    return [visible(label) for label in tokenized.labels]


def _words(tokenized: TokenizedText) -> dict[str, Any]:
    labels, tokens = groups(tokenized)
    return {"labels": [visible(label) for label in labels], "tokens": tokens}


def _special(tokenized: TokenizedText) -> list[int]:
    return [i for i, token in enumerate(tokenized.tokens) if token.word is None]


def side_by_side_payload(
    left: tuple[str, bytes], right: tuple[str, bytes], *, difference: bool = False, alone: bool = False, predicted: Any = None
) -> bytes:
    """Two attentions, each with its heading and packed by `attention_payload`.

    Args:
        difference: right − left, which the figure subtracts word by word, instead of both.
        alone: whether the page shows nothing else, so that lecture mode shows it.
        predicted: for the text below, of each step the token read, the next one, and its probability on both sides.
    """
    about = {"names": (left[0], right[0]), "alone": alone, "difference": difference, "predicted": predicted}
    return pack({"left": np.frombuffer(left[1], np.uint8), "right": np.frombuffer(right[1], np.uint8)}, about)


_BYTES = re.compile("(?:⟨[0-9A-F]{2}⟩)+")


def byte_notes(tokens: Iterable[Token], text: str) -> list[str]:
    """For each byte token a note with the byte in hexadecimal and its character; "" for all others."""
    return [_note(token, text) if token.word is not None and _BYTES.fullmatch(token.text) else "" for token in tokens]


def _note(token: Token, text: str) -> str:
    values = {"byte": token.text.strip("⟨⟩").replace("⟩⟨", " "), "character": visible(text[token.start : token.end])}
    return fill(texts("browser.byte_token")["note"], values)
