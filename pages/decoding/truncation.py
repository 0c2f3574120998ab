"""Sampling: the data of the table of draws, and of the figure of each step's distribution before and after truncation."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pages.decoding.compute import Draw, SamplingOptions, TruncatedDistribution, truncated
from pages.decoding.compute import draw as drawn_sentences
from pages.decoding.controls import SEED, TEMPERATURE, TOP_K, TOP_P
from viz_core.analysis.divergence import marked
from viz_core.analysis.next_token import vocabulary_label
from viz_core.analysis.search import GREEDY, forced_in, search, written
from viz_core.app.answers import Between, Refused
from viz_core.app.cache import cached, cached_aside, get_pass
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.decoding import Hypothesis
from viz_core.explain import Explanation
from viz_core.texts import visible
from viz_core.tokenizer import Tokenizer
from viz_core.trace import Array, Trace

DRAWS = 10
"""How many sentences are sampled."""
SHOWN = 10
"""How many tokens of a step have bars."""
POINTS = 300
"""How many points the curve has, evenly spaced on its logarithmic axis."""
Temperature = Annotated[float, TEMPERATURE]
TopK = Annotated[int, TOP_K]
TopP = Annotated[float, TOP_P]
Seed = Annotated[int, SEED]
Picked = Annotated[int, Between(0, DRAWS)]


@dataclass(frozen=True, eq=False)
class SampledStep:
    """What the figure shows for one step; nothing after the end of a draw.

    Attributes:
        before: what is written before it.   tokens: the K tokens that have bars.
        numbers: `model`, `tempered` (P,), probabilities at the ranks of `curve_ranks`, the model's own and at the temperature;
            `before`, `after` (K + 1,), those of the bars, at the temperature and truncated; `cut` (2,), how many tokens are kept,
            and the bar of the token that was drawn or is forced, −1 if there is none; `mass` (2,), the probability of the kept
            tokens and of those that top-k leaves; `chosen` (5,), whether a token is forced, the rank of the one that was drawn or
            is forced, 0 if there is none, its probability in the model and after truncation, and the random number.
    """

    before: str
    tokens: list[str]
    numbers: Mapping[str, Array]


def sampled_sentences(
    checkpoint: Checkpoint, explanation: Explanation, temp: Temperature, top_k: TopK, top_p: TopP, seed: Seed, draw: Picked
) -> bytes:
    """Greedy's sentence and the draws.

    Tensors: totals (1 + DRAWS,), Σ ln p under the model.

    About: `lines`, of each sentence its `words`, from `marked`, each also with whether it is forced; how many `tokens` it has; and
    whether it has `ended`. `settings`: with the draw that is highlighted, 0 for greedy's sentence, and the token that ends one.
    """
    draws = cached_aside(drawn_sentences, checkpoint, explanation, SamplingOptions(temp, top_k, top_p), seed, DRAWS)
    greedy = written(checkpoint, explanation) or cached_aside(search, checkpoint, explanation, GREEDY).greedy
    sentences: list[Hypothesis | Draw] = [greedy, *draws]
    totals = np.array([one.total for one in sentences])
    if not np.isfinite(totals).all():
        raise Refused(404, "lacking", view="sampled_sentences")
    read = [checkpoint.tokenizer.read(one.ids, checkpoint.target_language) for one in sentences]
    forced = forced_in(checkpoint, explanation)
    lines = []
    for one, line in zip(sentences, read, strict=True):
        of_words = {line.tokens[step].word for step in forced if step < len(line.tokens)} - {None}
        pieces = enumerate(marked(read[0].words, line.text, line.words))  # every second one is a word
        words = [[visible(piece), differs, at % 2 == 1 and at // 2 in of_words] for at, (piece, differs) in pieces]
        lines.append({"words": words, "tokens": len(one.ids), "ended": one.ended})
    end = visible(checkpoint.tokenizer.token_text(checkpoint.config.eos_id))
    settings = {"t": temp, "k": top_k, "p": top_p, "seed": seed, "draw": draw, "end": end}
    return pack({"totals": totals}, {"lines": lines, "settings": settings})


def truncation(
    checkpoint: Checkpoint, explanation: Explanation, temp: Temperature, top_k: TopK, top_p: TopP, seed: Seed, draw: Picked
) -> bytes:
    """The distribution of each step. seed, draw: the draw whose words are read; draw 0 is greedy's sentence."""
    options = SamplingOptions(temp, top_k, top_p)
    chosen = cached_aside(drawn_sentences, checkpoint, explanation, options, seed, DRAWS)[draw - 1] if draw else None
    steps = cached(sampled_steps, checkpoint, explanation, options, chosen)
    total = len(checkpoint.tokenizer)
    about = {
        "ranks": curve_ranks(total).tolist(),
        "total": total,
        "prefixes": [visible(step.before.strip()) for step in steps],
        "tokens": [[visible(label) for label in step.tokens] for step in steps],
        "settings": {"t": temp, "k": top_k, "p": top_p, "draw": draw, "steps": len(chosen.ids) if chosen else len(steps)},
    }  # fmt: skip
    return pack({name: np.stack([step.numbers[name] for step in steps]) for name in steps[0].numbers}, about)


def curve_ranks(total: int) -> Array:
    """The P ranks, from 1, at which the curve is drawn."""
    return np.unique(np.round(np.geomspace(1, total, POINTS)).astype(int))


def trace_of(checkpoint: Checkpoint, explanation: Explanation, chosen: Draw | None) -> Trace:
    """The pass over a draw's own words, or over greedy's."""
    if chosen is None:
        return explanation.trace
    read = (checkpoint.config.bos_id, *chosen.ids[:-1])
    return get_pass(checkpoint, (tuple(explanation.source.ids),), (read,), explanation.edits)


def sampled_steps(
    checkpoint: Checkpoint, explanation: Explanation, options: SamplingOptions, chosen: Draw | None
) -> list[SampledStep]:
    """All steps of the explained sentence. chosen: the draw whose words are read; None for greedy's."""
    forced = forced_in(checkpoint, explanation)
    log_probs = trace_of(checkpoint, explanation, chosen).array("output.log_probs")
    steps: list[SampledStep] = []
    for step in range(len(explanation.steps)):
        if chosen and step >= len(chosen.ids):
            nothing = {name: np.zeros_like(array) for name, array in steps[0].numbers.items()}
            steps.append(SampledStep("", [], nothing))
            continue
        spread = truncated(log_probs[step], options)
        written = chosen.ids[step] if chosen else forced.get(step)
        before = checkpoint.tokenizer.decode(chosen.ids[:step]) if chosen else explanation.text[: explanation.output[step].start]
        drawn = int(np.flatnonzero(spread.ids == written)[0]) if written is not None else None
        dice = chosen.dice[step] if chosen else 0.0
        steps.append(_sampled_step(checkpoint.tokenizer, spread, before, drawn, step in forced, dice))
    return steps


def _sampled_step(
    tokenizer: Tokenizer, cut: TruncatedDistribution, before: str, drawn: int | None, forced: bool, dice: float
) -> SampledStep:
    """One step's distribution. drawn: the rank, from 0, of the token that was drawn or is forced."""
    ranks = list(range(min(SHOWN, len(cut.ids))))
    if drawn is not None and drawn >= SHOWN:
        ranks[-1] = drawn
    tokens = [vocabulary_label(tokenizer, int(i)) for i in cut.ids[ranks]]
    picked = [0, 0, 0] if drawn is None else [drawn + 1, cut.model[drawn], cut.after[drawn]]
    indices = curve_ranks(len(cut.ids)) - 1
    return SampledStep(
        before, tokens,
        {
            "model": cut.model[indices], "tempered": cut.tempered[indices],
            "before": np.append(cut.tempered[ranks], np.delete(cut.tempered, ranks).sum()),
            "after": np.append(cut.after[ranks], np.delete(cut.after, ranks).sum()),
            "cut": np.array([cut.count, -1 if drawn is None else min(drawn, SHOWN - 1)], np.int32),
            "mass": np.array([cut.kept, cut.of_k]), "chosen": np.array([forced, *picked, dice], np.float64),
        },
    )  # fmt: skip
