"""Two explanations side by side: their outputs, probabilities and attention, and the divergence between them."""

from dataclasses import dataclass

import numpy as np

from viz_core.analysis.divergence import Comparison
from viz_core.analysis.words import align_words
from viz_core.app import edited, session
from viz_core.app.answers import Right, Sentence
from viz_core.app.arithmetic import arithmetic_section, show_arithmetic
from viz_core.app.cache import get_explanation
from viz_core.app.csv_files import Lines, weight_lines
from viz_core.app.data_views import comparison, side_by_side
from viz_core.app.page import Page
from viz_core.app.sides import Pair, on_left_output, sides
from viz_core.browser.output_payload import TOP, Side
from viz_core.checkpoint import Checkpoint
from viz_core.edits import NONE
from viz_core.explain import Explanation, Notice
from viz_core.texts import fill, texts
from viz_core.trace import Kind

YES = {True: "yes", False: "no"}


@dataclass(frozen=True, eq=False)
class Compared:
    """Both sides, and the right side's sentence for the address of a figure."""

    pair: Pair
    sentence: Sentence
    left: Side
    right: Side


def compared(p: Page, pair: Pair, checkpoint: Checkpoint, sentence: Sentence) -> Compared:
    """The page's sentence beside another one; notices about the other join those of the page.

    Raises:
        TextError: the other text is not a sentence.
    """
    after = get_explanation(checkpoint, sentence.text, sentence.target, sentence.edits or NONE)
    for notice in after.notices:
        if notice not in p.view.explanation.notices:
            session.notify(Notice("right", {"message": fill(texts("app.notices")[notice.code], notice.values)}))
    return Compared(pair, sentence, *sides(pair, p.view.checkpoint, p.view.explanation, Right(checkpoint, after)))


def edited_sides(p: Page) -> Compared:
    """The model as trained, and the edited one."""
    sentence = p.view.sentence
    return compared(p, "edits", p.view.checkpoint, Sentence(sentence.model, sentence.text, sentence.target, edited.draft()))


def show_comparison(p: Page, both: Compared, change: Comparison | None = None) -> None:
    """Both translations and both distributions, compared step by step if both were scored on the same output."""
    p.answer(comparison, pair=both.pair, right=both.sentence, same=YES[change is not None])
    columns = "side step token id written log_prob log_prob_other_side divergence_bits"
    p.offer("outputs", "both-outputs", columns, lambda: _outputs(both.left, both.right, change))


def show_side_by_side(
    p: Page, both: Compared, kind: Kind, *, same: bool, difference: bool = False, alone: bool = False
) -> None:  # fmt: skip
    """The same attention of both sides on one scale, or the difference, right − left.

    Args:
        same: whether the right side reads the left output.
        alone: whether the page shows nothing else; lecture mode and the page's HTML file then include it.
    """
    left, right = both.left, on_left_output(both.left, both.right) if same else both.right
    named = {"left": left.explanation, "right": right.explanation}
    if difference:
        columns = "layer head query_index query key_index key left right difference"
        p.offer("difference", f"{kind}-difference", columns, lambda: _differences(kind=kind, **named), attention=p.texts[kind])
    p.offer(
        "attentions", f"{kind}-both-sides", "side layer head query_index query key_index key weight",
        lambda: ([side, *line] for side, one in named.items() for line in weight_lines(one, kind)), attention=p.texts[kind],
    )  # fmt: skip
    p.picked_below |= not alone
    key = f"{p.name}_{kind}{'_difference' * difference}"
    p.answer(
        side_by_side, key=key, on_wall=alone, pair=both.pair, right=both.sentence, kind=kind,
        same=YES[same], difference=YES[difference], alone=YES[alone],
    )  # fmt: skip


def show_divergence(p: Page) -> None:
    """The divergence at each step, and the change in probability of the whole left output; or both whole outputs."""
    keys = "divergence", "divergence_none", "divergence_equal", "divergence_unknown", "term", "wholes"
    show_arithmetic(p, {key: p.texts[key] for key in keys}, figure="comparison", sections=[arithmetic_section()])


def _outputs(left: Side, right: Side, change: Comparison | None) -> Lines:
    """Each step of both sides: the most probable tokens and the one written, with ln p on both sides if compared.

    Args:
        change: given if both were scored on the same output; `divergence_bits` is KL(left ‖ right) of the step.
    """
    for name, side, first in (("left", left, True), ("right", right, False)):
        if change:
            own, other = (change.before, change.after) if first else (change.after, change.before)
            output = change.output.tolist()
        else:
            own, other = np.stack([step.log_probs for step in side.explanation.steps]), None
            output = [token.id for token in side.explanation.output]
        for step, (log_probs, token) in enumerate(zip(own, output, strict=True)):
            for i in dict.fromkeys([*np.argsort(-log_probs, kind="stable")[:TOP].tolist(), token]):
                text = side.checkpoint.tokenizer.token_text(i)
                opposite, bits = (other[step, i], change.divergence[step]) if change and other is not None else (None, None)
                yield [name, step + 1, text, i, i == token, log_probs[i], opposite, bits]


def _differences(left: Explanation, right: Explanation, kind: Kind) -> Lines:
    """Right minus left: the difference of the heads' attention, word by word, as shares of a query's attention; summed over the
    tokens of the key, averaged over the tokens of the query (Clark et al. 2019).
    """
    rows, columns = (align_words(*pair).matches for pair in zip(left.sides(kind), right.sides(kind), strict=True))
    queries, keys = ([" | ".join(dict.fromkeys(match.texts)) for match in side] for side in (rows, columns))
    for layer, blocks in enumerate(zip(left.trace.attentions(kind), right.trace.attentions(kind), strict=False), 1):
        both = [block.weights.astype(np.float64) for block in blocks]
        for head, i, j in np.ndindex(min(map(len, both)), len(rows), len(columns)):
            tokens = zip(both, rows[i].tokens, columns[j].tokens, strict=True)
            ours, theirs = (weights[head][np.ix_(*places)].sum(-1).mean() for weights, *places in tokens)
            yield [layer, head + 1, i + 1, queries[i], j + 1, keys[j], ours, theirs, theirs - ours]
