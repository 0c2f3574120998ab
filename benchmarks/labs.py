"""Times of each lab's computations for a sentence of 20 tokens, and of removing all heads in one batch or one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from benchmarks.measure import Row, Work, alone, side_by_side, threads
from benchmarks.subject import pair
from viz_core.analysis.alignment import prediction_difference
from viz_core.analysis.attention import norm_weighted
from viz_core.analysis.divergence import compare_explanations
from viz_core.analysis.integrated_gradients import integrated_gradients
from viz_core.analysis.logits import logit_attribution, logit_lens
from viz_core.analysis.pronouns import readings, schemas
from viz_core.analysis.roles.importance import importance
from viz_core.analysis.rollout import encoder_flow, rollout
from viz_core.browser.output_payload import Side, comparison_payload
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits, site_edits
from viz_core.explain import explain, traced_pass

TOKENS = 20
A_SECOND = 1000  # ms
EDITS = Edits(no_positions=True)


def rows(checkpoint: Checkpoint, thread_counts: tuple[int, ...], rounds: int) -> Iterator[Row]:
    """One row for each lab and number of threads."""
    for count in thread_counts:
        with threads(count):
            for name, work in labs(checkpoint).items():
                yield Row(f"lab: {name}, {TOKENS} × {TOKENS}", alone(work, rounds), aim=A_SECOND, threads=count)
    model, ex = checkpoint.model, explain(checkpoint, *pair(checkpoint, TOKENS))
    config = checkpoint.config
    heads = 3 * config.n_layers * config.n_heads
    with threads(1):
        ours, other = side_by_side(lambda: importance(model, ex), lambda: importance(model, ex, cells=1), rounds)
    yield Row(f"{heads} heads removed in one batch / one after the other, {TOKENS} × {TOKENS}", ours, other, threads=1)


def labs(checkpoint: Checkpoint) -> Mapping[str, Work]:
    """Page and view → the computation, for a sentence that is already explained."""
    text, target = pair(checkpoint, TOKENS)
    model, ex = checkpoint.model, explain(checkpoint, text, target)
    step = TOKENS // 2
    written = ex.output[step].id

    def what_if() -> object:
        after = explain(checkpoint, text, edits=EDITS)  # decoded anew
        same = traced_pass(checkpoint, [after.source.ids], [ex.target.ids], site_edits(EDITS, checkpoint.config))
        return comparison_payload(Side("", ex, checkpoint), Side("", after, checkpoint), compare_explanations(ex, after, same))

    def compare() -> object:
        return comparison_payload(Side("", ex, checkpoint), Side("", explain(checkpoint, text), checkpoint))

    return {
        "Heads, ablation of each head": lambda: importance(model, ex),
        "Heads, norm-weighted attention of a layer": lambda: norm_weighted(model, ex.trace, "cross", 0),
        "Heads, attention through all layers": lambda: encoder_flow(ex.trace, checkpoint.config.n_layers),
        "What if, an edit": what_if,
        "Compare, another sentence": compare,
        "Compare, all pronouns": lambda: readings(checkpoint, schemas()),
        "Why, logit lens": lambda: logit_lens(model, ex.trace, step),
        "Why, logit attribution": lambda: logit_attribution(model, ex.trace, step, written),
        "Why, source words removed": lambda: prediction_difference(model, ex),
        "Why, integrated gradients": lambda: integrated_gradients(model, ex, step, written),
        "Why, attention rollout": lambda: rollout(ex.trace, step),
    }
