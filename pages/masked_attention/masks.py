"""The effect of masks: the causal and the padding mask of a batch of two sentences, and the decoder without its causal mask."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
import numpy.typing as npt

from pages.masked_attention.controls import PARTNER, SENTENCE, WHICH
from viz_core.app.answers import Between, beyond
from viz_core.app.arithmetic import arithmetic_section, show_arithmetic
from viz_core.app.attention import labels, place
from viz_core.app.cache import cached, get_explanation, get_pass
from viz_core.app.csv_files import cells
from viz_core.app.examples import for_language
from viz_core.app.page import Page
from viz_core.browser.attention_payload import attention_payload, side_by_side_payload
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits
from viz_core.explain import Explanation
from viz_core.texts import texts, visible
from viz_core.trace import Trace


def without_mask(checkpoint: Checkpoint, explanation: Explanation) -> Explanation:
    """The same sentence and target, run again without the causal mask in any layer."""
    edits = Edits(no_causal_mask=True)
    trace = get_pass(checkpoint, (tuple(explanation.source.ids),), (tuple(explanation.target.ids),), edits)
    return replace(explanation, trace=trace, edits=edits)


def mask_removed(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """The attention with and without the causal mask, side by side."""
    words = texts("masked_attention")
    runs = ("real_run", explanation), ("edited_run", cached(without_mask, checkpoint, explanation))
    real, edited = ((words[name], attention_payload(run, "masked", whole=True)) for name, run in runs)
    before, after = (run.trace.array("output.log_probs").astype(np.float64) for _, run in runs)
    predicted = [
        (
            visible(step.read.label),
            visible(step.expected.label),
            *(math.exp(log_probs[index, step.expected.id]) for log_probs in (before, after)),
        )
        for index, step in enumerate(explanation.steps)
    ]
    return side_by_side_payload(real, edited, alone=True, predicted=predicted)


Booleans = npt.NDArray[np.bool_]


def mask_reasons(real: int, length: int) -> tuple[Booleans, Booleans]:
    """The causal mask and the padding mask of one padded target, True where a query may look (Vaswani et al. 2017, §3.2.3).

    Derived from its number of real tokens.

    Returns:
        (T, T) lower triangular, and (T, T) with the columns of padding False.
    """
    causal = np.tril(np.ones((length, length), dtype=np.bool_))
    return causal, np.broadcast_to(np.arange(length) < real, (length, length))


@dataclass(frozen=True, eq=False)
class Batch:
    """Two sentences in one batch, the shorter one padded.

    Attributes:
        row: the sentence that is looked at.
        trace: of both together.
    """

    pair: Sequence[Explanation]
    row: int
    trace: Trace

    @property
    def lengths(self) -> list[int]:
        """The number of real tokens of each target."""
        return [len(one.target) for one in self.pair]

    def labels(self, filler: str) -> list[list[str]]:
        """The tokens of each target, padding included."""
        return [[*one.target.labels, *[filler] * (max(self.lengths) - len(one.target))] for one in self.pair]


def batch_of(checkpoint: Checkpoint, explanation: Explanation, partner: int, sentence: str) -> Batch:
    """The explained sentence in a batch with one of ours, from 1. sentence: shorter or longer, the one that is looked at."""
    partners = for_language(texts("masked_attention")["partner_text"], checkpoint.source_language)
    if partner > len(partners):
        raise beyond("partner", partner, Between(1, len(partners)))
    pair = [explanation, get_explanation(checkpoint, partners[partner - 1], "")]
    sources, targets = (tuple(tuple(getattr(one, side).ids) for one in pair) for side in ("source", "target"))
    lengths = [len(one.target) for one in pair]
    row = int(np.argmin(lengths)) if sentence == "shorter" else int(np.argmax(lengths))
    return Batch(pair, row, get_pass(checkpoint, sources, targets))


def batch_masks(
    checkpoint: Checkpoint,
    explanation: Explanation,
    partner: Annotated[int, Between(1, 9)],
    which: Annotated[str, WHICH],
    sentence: Annotated[str, SENTENCE],
) -> bytes:
    """The mask of one sentence of a batch, and what padding changes: nothing.

    Tensors: open (T, T), the recorded mask, the same in every layer; changes (L, 2), in each layer the greatest difference of a
    weight from that of the sentence alone, and the greatest weight on padding.

    About: `sentences`, the tokens of both with their padding; `lengths`, how many are real; `row`, the sentence that is looked at.
    """
    batch = batch_of(checkpoint, explanation, partner, sentence)
    n, row, changes = batch.lengths[batch.row], batch.row, []
    for alone, together in zip(batch.pair[row].trace.attentions("masked"), batch.trace.attentions("masked", row), strict=True):
        own, on_padding = together.weights[:, :n, :n], together.weights[:, :n, n:]
        changes.append([float(np.abs(each).max(initial=0.0)) for each in (own - alone.weights, on_padding)])
    filler = checkpoint.tokenizer.special(checkpoint.config.pad_id, 0).label
    about = {
        "sentences": [[*map(visible, labels)] for labels in batch.labels(filler)],
        "lengths": batch.lengths,
        "row": row,
        "which": which,
    }
    return pack({"open": batch.trace.attention("masked", 0, row).mask, "changes": np.array(changes)}, about)


def show_batch(p: Page) -> None:
    """The masks of one sentence of the batch, and what padding changes."""
    view = p.view
    with p.controls():
        partner = PARTNER.draw(p, for_language(p.texts["partner_text"], view.checkpoint.source_language)) + 1
        which = WHICH.draw(p)
        sentence = SENTENCE.draw(p)
    p.answer(batch_masks, part="batch_rows", partner=partner, which=which, sentence=sentence)
    p.answer(batch_masks, partner=partner, which=which, sentence=sentence)
    keys = "of_batch", "of_batch_equal"
    show_arithmetic(p, {key: p.texts[key] for key in keys}, figure="batch_masks", sections=[arithmetic_section()])
    batch = batch_of(view.checkpoint, view.explanation, partner, sentence)
    tokens = batch.labels(view.checkpoint.tokenizer.special(view.config.pad_id, 0).label)[batch.row]
    causal, padding = mask_reasons(batch.lengths[batch.row], len(tokens))
    weights = batch.trace.attention("masked", view.layer, batch.row)
    axes, columns = (None, tokens, tokens), "head query_index query key_index key causal padding allowed weight"
    layer = view.layer + 1
    p.offer(
        "batch", f"masks-layer{layer}", columns, lambda: cells(axes, causal, padding, weights.mask, weights.weights), layer=layer
    )  # fmt: skip


def show_without_mask(p: Page) -> None:
    """The weights with and without the mask, and what that does to the probability of each next token."""
    view, ex = p.view, p.view.explanation
    edited = cached(without_mask, view.checkpoint, ex)
    p.answer(mask_removed, part="side_by_side")
    show_arithmetic(
        p, {key: p.texts[key] for key in ("of_peek", "of_peek_last")}, figure="side_by_side", sections=[arithmetic_section()]
    )  # fmt: skip
    one = [trace.attention("masked", view.layer).weights[view.head] for trace in (view.trace, edited.trace)]
    where = place(p)
    name, columns = f"no-mask-layer{where['layer']}-head{where['head']}", "query_index query key_index key weight unmasked_weight"
    p.offer("peek", name, columns, lambda: cells(labels(ex, "masked"), *one), **where)
