"""The distribution of each step before and after truncation: the data of its figure, and the values of its texts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from pages.decoding.compute import Draw, SamplingOptions, TruncatedDistribution, truncated
from pages.decoding.compute import draw as drawn_sentences
from pages.decoding.controls import SEED, TEMPERATURE, TOP_K, TOP_P
from viz_core.analysis.next_token import vocabulary_label
from viz_core.analysis.search import forced_in
from viz_core.app.answers import Between
from viz_core.app.cache import cached, cached_aside, get_pass
from viz_core.app.markup import Raw, latex, number
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.figures.base import percent
from viz_core.texts import enumerated, fill, named, texts, visible
from viz_core.tokenizer import Tokenizer
from viz_core.trace import Array, Trace

DRAWS = 10
"""How many sentences are sampled."""
SHOWN = 10
"""How many tokens of a step have bars."""
POINTS = 300
"""How many points the curve has, evenly spaced on its logarithmic axis."""
PREFIX = 40
"""How many characters of the words before a step the figure's title has."""


@dataclass(frozen=True, eq=False)
class SampledStep:
    """What the figure shows for one step; after the end of a draw, only the title.

    Attributes:
        values: the values of the texts below; `text` and `told` name two of these texts, or are empty.
        labels: the K tokens that have bars, and all others together.
        notes: on the kept tokens, and on those cut off.
        numbers: `model`, `tempered` (P,), probabilities at the ranks of `curve_ranks`, the model's own and at the temperature;
            `before`, `after` (K + 1,), those of the bars, at the temperature and truncated; `cut` (2,), how many tokens are kept,
            and the bar of the token that was drawn or is forced, −1 if there is none.
    """

    title: str
    values: Mapping[str, Any]
    labels: list[str]
    notes: tuple[str, str]
    numbers: Mapping[str, Array]


def truncation(
    checkpoint: Checkpoint,
    explanation: Explanation,
    temp: Annotated[float, TEMPERATURE],
    top_k: Annotated[int, TOP_K],
    top_p: Annotated[float, TOP_P],
    seed: Annotated[int, SEED],
    draw: Annotated[int, Between(0, DRAWS)],
) -> bytes:
    """The distribution of each step. seed, draw: the draw whose words are read; draw 0 is greedy's sentence."""
    options = SamplingOptions(temp, top_k, top_p)
    chosen = cached_aside(drawn_sentences, checkpoint, explanation, options, seed, DRAWS)[draw - 1] if draw else None
    steps = cached(sampled_steps, checkpoint, explanation, options, chosen, draw)
    words, total = texts("decoding.truncation"), len(checkpoint.tokenizer)
    about = {
        "ranks": curve_ranks(total).tolist(),
        "total": total,
        "titles": [step.title for step in steps],
        "notes": [step.notes for step in steps],
        "labels": [[visible(label) for label in step.labels] for step in steps],
        "texts": {
            **words, "with_temperature": fill(words["with_temperature"], {"t": f"{temp:g}"}),
            "bar": named("[[token]]", "[[share]]"), "probability": texts("decoding")["probability"],
        },
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
    checkpoint: Checkpoint, explanation: Explanation, options: SamplingOptions, chosen: Draw | None, picked: int
) -> list[SampledStep]:
    """All steps of the explained sentence. chosen, picked: the draw whose words are read, and its number; None for greedy's."""
    words, forced = texts("decoding"), forced_in(checkpoint, explanation)
    log_probs = trace_of(checkpoint, explanation, chosen).array("output.log_probs")
    steps: list[SampledStep] = []
    for step in range(len(explanation.steps)):
        if chosen and step >= len(chosen.ids):
            title = fill(words["truncation"]["draw_ended"], {"draw": picked, "steps": len(chosen.ids), "step": step + 1})
            nothing = {name: np.zeros_like(array) for name, array in steps[0].numbers.items()}
            steps.append(SampledStep(title, {"text": "", "told": ""}, [], ("", ""), nothing))
            continue
        spread = truncated(log_probs[step], options)
        written = chosen.ids[step] if chosen else forced.get(step)
        before = checkpoint.tokenizer.decode(chosen.ids[:step]) if chosen else explanation.text[: explanation.output[step].start]
        drawn = int(np.flatnonzero(spread.ids == written)[0]) if written is not None else None
        values = _arithmetic(words, checkpoint.tokenizer, options, spread, step in forced)
        told: dict[str, Any] = {"told": ""}
        if drawn is not None:
            label, share = vocabulary_label(checkpoint.tokenizer, int(spread.ids[drawn])), percent(float(spread.model[drawn]))
            told |= {"told": Raw("greedy_forced"), "token": label, "rank": f"{drawn + 1:,}", "before": share}
        if chosen:
            told |= {
                "told": Raw("not_drawn" if step in forced else "drew"), "step": step + 1, "dice": chosen.dice[step],
                "before": percent(chosen.before[step]), "after": percent(chosen.after[step]),
            }  # fmt: skip
        steps.append(_sampled_step(checkpoint.tokenizer, options, spread, step, before, drawn, step in forced, values | told))
    return steps


def _sampled_step(
    tokenizer: Tokenizer, options: SamplingOptions, cut: TruncatedDistribution, step: int, before: str, drawn: int | None,
    forced: bool, values: Mapping[str, Any],
) -> SampledStep:  # fmt: skip
    """One step's distribution. drawn: the rank, from 0, of the token that was drawn or is forced."""
    words, total, ranks = texts("decoding.truncation"), len(cut.ids), list(range(min(SHOWN, len(cut.ids))))
    if drawn is not None and drawn >= SHOWN:
        ranks[-1] = drawn
    labels = [vocabulary_label(tokenizer, int(i)) for i in cut.ids[ranks]]
    rows = [fill(words["ranked"], {"rank": f"{rank + 1:,}", "token": label}) for rank, label in zip(ranks, labels, strict=True)]
    kept = {
        "count": f"{cut.count:,}", "kept": percent(cut.kept), "cut": f"{total - cut.count:,}", "lost": percent(1 - cut.kept)
    }  # fmt: skip
    about = {
        "step": step + 1, "before": _end_of(before) or words["nothing"], "total": f"{total:,}",
        "token": vocabulary_label(tokenizer, int(cut.ids[drawn])) if drawn is not None else "",
    }  # fmt: skip
    title = "title_forced" if forced else "title_all" if cut.count == total else "title_cut"
    indices = curve_ranks(total) - 1
    return SampledStep(
        fill(words[title], about | kept), values, [*rows, fill(texts("decoding")["others"], {"count": f"{total - SHOWN:,}"})],
        (fill(words["stay"], kept), fill(words["go"], kept | {"rules": _limits(words, options)})),
        {
            "model": cut.model[indices], "tempered": cut.tempered[indices],
            "before": np.append(cut.tempered[ranks], np.delete(cut.tempered, ranks).sum()),
            "after": np.append(cut.after[ranks], np.delete(cut.after, ranks).sum()),
            "cut": np.array([cut.count, -1 if drawn is None else min(drawn, SHOWN - 1)], np.int32),
        },
    )  # fmt: skip


def _end_of(text: str) -> str:
    """The last whole words of what is written so far, cut to the room in a title."""
    text = text.strip()
    if len(text) <= PREFIX:
        return text
    kept = text[-PREFIX:]
    return f"… {kept.partition(' ')[2] or kept}"


def _arithmetic(
    words: Mapping[str, str], tokenizer: Tokenizer, options: SamplingOptions, spread: TruncatedDistribution, forced: bool
) -> dict[str, Any]:
    """The most probable token's probability through temperature, truncation and renormalization."""
    log_p, model, tempered = float(np.log(spread.model[0])), float(spread.model[0]), float(spread.tempered[0])
    shares = {"p": number(tempered), "mass": number(spread.kept), "after": latex(percent(float(spread.after[0])))}
    return {
        "text": Raw("of_sampling"), "best": vocabulary_label(tokenizer, int(spread.ids[0])), "log": log_p,
        "divided": log_p / options.temperature, "model": percent(model), "tempered": percent(tempered),
        "end": Raw(fill(words["truncated"], shares) if spread.count < len(spread.ids) else words["untruncated"]),
        "count": f"{spread.count:,}", "total": f"{len(spread.ids):,}", "rules": Raw(_rules(words, options, spread, forced)),
    }  # fmt: skip


def _rules(words: Mapping[str, str], options: SamplingOptions, spread: TruncatedDistribution, forced: bool) -> str:
    rules = [words["rule_forced"]] if forced else []
    rules += [fill(words["rule_k"], {"k": options.top_k})] if options.top_k else []
    if options.top_p < 1:
        shares = {"kept": number(spread.kept), "of_k": number(spread.of_k), "reached": percent(min(spread.kept / spread.of_k, 1.0))}
        rules.append(fill(words["rule_p_of_k" if options.top_k else "rule_p"], {"p": f"{options.top_p:g}"} | shares))
    return " ".join(rules if options.top_k or options.top_p < 1 else [*rules, words["rule_none"]])


def _limits(words: Mapping[str, str], options: SamplingOptions) -> str:
    rules = [fill(words["by_k"], {"k": options.top_k})] if options.top_k else []
    return enumerated([*rules, fill(words["by_p"], {"p": f"{options.top_p:g}"})] if options.top_p < 1 else rules)
