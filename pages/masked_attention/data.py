"""The data of this page's own figure, the attention without its mask."""

from dataclasses import replace

from viz_core.app.cache import cached, get_pass
from viz_core.browser.attention_payload import Attended, attention_payload, side_by_side_payload
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits
from viz_core.explain import Explanation
from viz_core.texts import texts


def without_mask(checkpoint: Checkpoint, explanation: Explanation) -> Explanation:
    """The same sentence and target, run again without the causal mask in any layer."""
    edits = Edits(no_causal_mask=True)
    trace = get_pass(checkpoint, (tuple(explanation.source.ids),), (tuple(explanation.target.ids),), edits)
    return replace(explanation, trace=trace, edits=edits)


def mask_removed(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """The attention with and without the causal mask, side by side."""
    words = texts("masked_attention")
    runs = ("real_run", explanation), ("edited_run", cached(without_mask, checkpoint, explanation))
    real, edited = (Attended(words[name], run, attention_payload(run, "masked", whole=True)) for name, run in runs)
    return side_by_side_payload(real, edited, kind="masked", alone=True)


VIEWS = (mask_removed,)
