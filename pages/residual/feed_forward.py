"""The feed-forward network: the hidden units of all tokens, and what the most active units of one token add."""

import numpy as np

from pages.residual.compute import UNITS, FeedForwardPass, feed_forward, promoted
from pages.residual.controls import stack_tokens
from viz_core.analysis.next_token import vocabulary_label
from viz_core.app.arithmetic import show_arithmetic
from viz_core.app.cache import cached_aside
from viz_core.app.csv_files import Lines, cells
from viz_core.app.long_work import pooled
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.browser.pack import compact, pack
from viz_core.checkpoint import Checkpoint
from viz_core.config import Stack
from viz_core.explain import Explanation
from viz_core.progress import Progress
from viz_core.sites import ACTIVATION_NAMES
from viz_core.texts import enumerated, visible
from viz_core.trace import Floats


def show_feed_forward(p: Page, stack: Stack) -> None:
    """Which hidden units are active for each token, and the arithmetic of one of the most active ones."""
    activation = p.view.config.activation
    pooled(feed_forward_payload, p.view.checkpoint, p.view.explanation, stack, says=p.text("computing_units"))
    p.answer(feed_forward_view, part="feed_forward", stack=stack)
    show_arithmetic(
        p, {"text": p.texts["arithmetic_ffn" if activation == "relu" else "arithmetic_ffn_smooth"]}, figure="feed_forward",
        where={"stack": stack}, note=Raw(p.texts["note_decoder"] if stack == "decoder" else ""),
        activation=Raw(ACTIVATION_NAMES[activation]),
    )  # fmt: skip
    _offer(p, stack)
    p.show_code("code_ffn")


def feed_forward_view(checkpoint: Checkpoint, explanation: Explanation, stack: Stack) -> bytes:
    return cached_aside(feed_forward_payload, checkpoint, explanation, stack)


def _offer(p: Page, stack: Stack) -> None:
    """Downloads for the current layer and token."""
    view, (labels, token) = p.view, stack_tokens(p, stack)
    ffn = feed_forward(view.checkpoint.model, view.trace, stack, view.layer)
    checkpoint, file, units = view.checkpoint, f"{stack}-layer{view.layer + 1}", ffn.strongest(token, UNITS)

    def strongest() -> Lines:
        words = _promotes(checkpoint, ffn, np.array(units)) if stack == "decoder" else {}
        for unit in units:
            yield [unit + 1, ffn.hidden[token, unit], np.linalg.norm(ffn.adds(token, unit)), words.get(unit, "")]

    hidden = ffn.hidden[: len(labels)]
    p.offer(
        "hidden", f"{file}-hidden", "position token unit activation", lambda: cells((labels, None), hidden), layer=view.layer + 1
    )
    if units:
        p.offer("units", f"{file}-units", "unit activation added_length promotes", strongest, token=labels[token])


COLUMNS = 256  # more columns would be narrower than a pixel on the smallest screen


def feed_forward_payload(checkpoint: Checkpoint, explanation: Explanation, stack: Stack, progress: Progress | None = None) -> bytes:
    """The hidden units of all L layers: of each token's F units C columns, and the N most active ones in detail.

    Tensors: columns (L, T, C), the largest activation of every `width` neighbours; zeros, active (L, T), how many units are 0 and
    above 0; totals (L, T), the length of all contributions with b₂. Of the most active units (L, T, N): units, their indices, −1 if
    fewer are above 0; strengths, their activations; products x · w₁ and biases b₁; lengths of what each adds. Float64 is derived.

    About: size, F; promotes, in the decoder for each layer unit → the tokens that it promotes, in words.
    """
    layers = range(explanation.trace.config.layers(stack))
    passes = [feed_forward(checkpoint.model, explanation.trace, stack, layer) for layer in layers]
    units = [_strongest(ffn) for ffn in passes]
    tensors = {name: np.stack([layer[name] for layer in units]) for name in units[0]}
    promoting = (
        [_promotes(checkpoint, ffn, layer["units"]) for ffn, layer in zip(passes, units, strict=True)] if stack == "decoder" else []
    )
    columns = [widened(ffn.hidden) for ffn in passes]
    _, size = passes[0].hidden.shape
    side = explanation.source if stack == "encoder" else explanation.target
    about = {
        "stack": stack,
        "tokens": [visible(label) for label in side.labels],
        "size": size,
        "width": column_width(size),
        "promotes": promoting,
        "activation": ACTIVATION_NAMES[explanation.trace.config.activation],
    }
    return pack({"columns": compact(np.stack(columns)), **tensors}, about)


def _strongest(ffn: FeedForwardPass) -> dict[str, np.ndarray]:
    """The tensors of one layer, without the columns."""
    tokens = range(len(ffn.hidden))
    shape = len(ffn.hidden), UNITS
    units = np.full(shape, -1, np.int32)
    strengths, biases = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    products, lengths = np.zeros(shape), np.zeros(shape)
    for token in tokens:
        for rank, unit in enumerate(ffn.strongest(token, UNITS)):
            at = token, rank
            units[at], strengths[at], biases[at] = unit, ffn.hidden[token, unit], ffn.b_1[unit]
            products[at], lengths[at] = ffn.product(token, unit), np.linalg.norm(ffn.adds(token, unit))
    return {
        "zeros": (ffn.hidden == 0).sum(-1, dtype=np.int32),
        "active": (ffn.hidden > 0).sum(-1, dtype=np.int32),
        "totals": np.linalg.norm(ffn.out.astype(np.float64), axis=-1),
        "units": units,
        "strengths": strengths,
        "biases": biases,
        "products": products,
        "lengths": lengths,
    }


def _promotes(checkpoint: Checkpoint, ffn: FeedForwardPass, units: np.ndarray) -> dict[int, str]:
    """Unit → the tokens that it promotes, in words."""
    listed = [int(unit) for unit in np.unique(units) if unit >= 0]
    best = promoted(checkpoint.model, ffn.w_2[listed])
    named = [enumerated(f"«{visible(vocabulary_label(checkpoint.tokenizer, i))}»" for i in ids) for ids in best]
    return dict(zip(listed, named, strict=True))


def widened(hidden: Floats) -> Floats:
    """(T, F) → (T, columns): the largest activation of every few neighbouring units, so that columns are wide enough to see."""
    width = column_width(hidden.shape[1])
    starts = range(0, hidden.shape[1], width)
    return np.stack([hidden[:, start : start + width].max(axis=1) for start in starts], axis=1)


def column_width(units: int) -> int:
    """How many neighbouring units share a column of the map."""
    return -(-units // COLUMNS)
