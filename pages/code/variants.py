"""Variants seen in the wild: both versions of the code side by side, and what the variant changes for this sentence."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import numpy as np
import streamlit as st

from pages.code.compute import attention_entropy, masked_weights
from pages.code.controls import SEED, SEEDS, VARIANT
from pages.code.corner import minus
from viz_core.analysis.variants import VARIANTS, Effect, parts, variant_effect
from viz_core.analysis.variants.initialisation import HOWS, How, Learning, Place, Spread, by_initialisation, by_place
from viz_core.app import session
from viz_core.app.answers import Between
from viz_core.app.cache import cached, cached_aside
from viz_core.app.code_panel import code_panel
from viz_core.app.csv_files import Lines
from viz_core.app.long_work import pooled
from viz_core.app.markup import number
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.figures.base import percent
from viz_core.figures.table import html_table
from viz_core.source import lines_with
from viz_core.texts import enumerated, fill, texts, visible
from viz_core.trace import BLOCK, BLOCKS, Array

FIRST = "mask_value"
ON_STAGE = 1
"""How many lines of code before and after the highlighted ones fit the stage in lecture mode."""
LONGEST = 110
"""How many characters of a translation are shown."""
TOKENS, DIMS = 5, 3
"""How many tokens of a sentence and dimensions of a position are shown."""
SPREADS = (1.0, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
WRITTEN = dict(zip(parts.MASK_VALUES, ("−∞", "−1e9", "−1e4"), strict=True))


def show_variants(p: Page) -> None:
    """One variant: what it is, both versions of the code, its own numbers, and its effect."""
    with p.controls():
        name = VARIANT.draw(p, [*VARIANTS], FIRST)
        variant = VARIANTS[name]
        seed = SEED.draw(p, 1, SEEDS, 1) if variant.edits is None else 1
    p.show_code("code_variants")
    st.markdown(p.table("about_variants")[name])
    if variant.edits is None:  # two untrained models; their figures come first, so that they are on the stage
        compute, lines = BEGINNINGS[name]
        results = pooled(compute, p.view.checkpoint, p.view.explanation, seed, says=p.text("computing"))
        if name == "norm_place":
            p.answer(norm_place, seed=seed)
        NUMBERS[name](p, results)
        p.offer(name, name, COLUMNS[name], lambda: lines(results))
        _show_codes(p, name)
        return
    _show_codes(p, name)
    if not variant.possible(p.view.config):
        st.markdown(p.table("impossible", d_k=p.view.config.d_k, heads=p.view.config.n_heads)[name])
        return
    effect = pooled(variant_effect, p.view.checkpoint, p.view.explanation, name, says=p.text("computing"))
    NUMBERS[name](p, effect)
    output, best = p.view.explanation.output, p.view.checkpoint.tokenizer.token_text
    p.offer(
        "effect", f"variant-{name}", "step token id log_prob_as_it_is log_prob_with_variant best_as_it_is best_with_variant",
        lambda: (
            [i + 1, token.text, token.id, *(row[token.id] for row in rows), *(best(int(row.argmax())) for row in rows)]
            for i, (token, *rows) in enumerate(zip(output, effect.before, effect.after, strict=True))
        ),
    )  # fmt: skip
    _show_effect(p, effect)


def _show_codes(p: Page, name: str) -> None:
    variant, around = VARIANTS[name], ON_STAGE if session.lecture() else None
    for column, side, (function, highlighted) in zip(
        st.columns(2), ("ours", "theirs"), (variant.ours, variant.theirs), strict=True
    ):
        with column:
            words = p.table(side)
            st.markdown(words.get(name, words["other"]))
            code_panel(function, lines_with(function, highlighted), near=True, around=around)


def _show_effect(p: Page, effect: Effect) -> None:
    """Both translations, and how much the probabilities of the same tokens changed."""
    if not effect.known:
        p.write("unknown_effect")
        return
    rows = [[p.text(name), text[:LONGEST]] for name, text in (("as_trained", effect.usual), ("with_variant", effect.text))]
    p.html(html_table("corner", ["", p.text("column_writes_text")], rows, named=True, words=(1,), label="effect"))
    steps = enumerated(str(step + 1) for step in effect.steps)
    verdict = "effect_other" if effect.steps else "effect_same" if effect.greatest else "effect_none"
    p.write(verdict, greatest=percent(effect.greatest).removesuffix(" %"), steps=steps, count=len(effect.before))


def _table(p: Page, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    p.html(html_table("corner", headings, rows, named=True, label="variant"))


def _mask_value(p: Page, effect: Effect) -> None:
    """One row of the decoder's masked attention in both precisions, and a row with all keys masked; our own way first."""
    p.write("lead_mask_value")
    p.answer(mask_value)


def mask_value(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """The decoder's masked attention, masked in every way, and the weight of each key in a row whose keys are all masked.

    Tensors: weights (n, L, h, T, T), those that differ; all_masked (ways,).

    About: ways, the name of each, and of: the index of its weights, null if the precision refuses the value; target.
    """
    words, ways = texts("code.mask_value_table"), cached(masked_weights, explanation.trace)
    distinct: list[Array] = []
    matrices: list[int | None] = []
    for way in ways:
        if way.weights is None:
            matrices.append(None)
            continue
        same = (i for i, weights in enumerate(distinct) if np.array_equal(weights, way.weights))
        matrices.append(next(same, len(distinct)))
        if matrices[-1] == len(distinct):
            distinct.append(way.weights)
    names = [words["ours"] if way.value is None else WRITTEN[way.value] for way in ways]
    rows = [fill(words["row"], {"value": name, "precision": way.precision}) for name, way in zip(names, ways, strict=True)]
    about = {"ways": rows, "of": matrices, "target": [visible(label) for label in explanation.target.labels]}
    all_masked = np.array([np.nan if way.all_masked is None else way.all_masked for way in ways])
    return pack({"weights": np.stack(distinct).astype(np.float32), "all_masked": all_masked}, about)


def _norm_formula(p: Page, effect: Effect) -> None:
    """Both versions' outputs for one recorded vector, scaled down to ever smaller standard deviations."""
    row = p.view.trace["source.input"][0, 0]
    pairs = parts.layer_norm_outputs(row, p.view.config, SPREADS)
    rows = [[f"σ = {number(spread)}", number(ours), number(theirs)] for spread, (ours, theirs) in zip(SPREADS, pairs, strict=True)]
    p.write("lead_norm_formula", word=p.view.source[0], eps=p.view.config.layer_norm_eps, d_model=p.view.config.d_model)
    headings = [p.text("column_spread"), p.text("column_ours"), p.text("column_theirs")]
    _table(p, headings, rows)


def _scale(p: Page, effect: Effect) -> None:
    config, traces = p.view.config, (p.view.trace, effect.trace)
    rows = [[p.table("attention_names")[kind], *(percent(attention_entropy(trace, kind)) for trace in traces)] for kind in BLOCK]
    right, wrong = math.sqrt(config.d_k), math.sqrt(config.d_k // config.n_heads)
    values = {"d_k": config.d_k, "heads": config.n_heads, "share": config.d_k // config.n_heads}
    p.write("lead_scale", **values, right=right, wrong=wrong, times=right / wrong)
    headings = [p.text("column_looks"), f"÷ {number(right)}", f"÷ {number(wrong)}"]
    _table(p, headings, rows)


def _no_root(p: Page, effect: Effect) -> None:
    view = p.view
    lookup, positions = view.trace["source.lookup"][0], view.trace["source.positions"]
    root, rows = math.sqrt(view.config.d_model), []
    for i, word in enumerate(view.source[:TOKENS]):
        bare, place = float(lookup[i].norm()), float(positions[i].norm())
        ratios = [number(length / place) if place else "–" for length in (root * bare, bare)]
        rows.append([word, number(bare), number(root * bare), number(place), *ratios])
    lead = "lead_no_root_learned" if view.config.positions == "learned" else "lead_no_root"
    p.write(lead, root=root, d_model=view.config.d_model)
    headings = list(p.table("root_columns").values())
    _table(p, headings, rows)
    _say_tokens_shown(p)


def _padding_row(p: Page, effect: Effect) -> None:
    view = p.view
    usual = view.trace["source.positions"]
    moved = parts.shifted_positions(len(usual), usual.size(1), view.config.positions == "halves")
    dims = range(min(DIMS, view.config.d_model))
    rows = [
        [f"{i}  {word}", *(minus(float(table[i, j])) for table in (usual, moved) for j in dims)]
        for i, word in enumerate(view.source[:TOKENS])
    ]
    columns = [p.text(name, number=j + 1) for name in ("usual_dim", "moved_dim") for j in dims]
    headings = [p.table("root_columns")["token"], *columns]
    _table(p, headings, rows)
    _say_tokens_shown(p)


def _say_tokens_shown(p: Page) -> None:
    if len(p.view.source) > TOKENS:
        p.write("tokens_shown", shown=TOKENS, count=len(p.view.source))


def _convolution(p: Page, effect: Effect) -> None:
    before, after = p.view.trace, effect.trace
    rows = []
    for stack in BLOCKS:
        for layer in range(p.view.config.layers(stack)):
            site = f"{stack}.{layer}.ffn.out"
            apart = float((after[site] - before[site]).abs().max())
            name = p.table("layer_of", layer=layer + 1)[stack]
            rows.append([name, number(float(before[site].abs().max())), number(apart) if apart else "0"])
    headings = list(p.table("convolution_columns").values())
    _table(p, headings, rows)


def _norm_place(p: Page, learnings: Mapping[Place, Learning]) -> None:
    """Below the figure, the numbers of both stacks: gradients, and norms of the stream."""
    layers = range(1, p.view.config.layers("decoder") + 1)
    rows = []
    for stack in BLOCKS:
        for label, what in (("gradients_of", "gradients"), ("stream_of", "stream")):
            for place, learning in learnings.items():
                values = getattr(learning, what)[stack]
                rows.append([p.text(label, stack=p.table("stacks")[stack], place=p.text(place)), *map(number, values)])
    headings = ["", *(p.text("layer_number", layer=layer) for layer in layers)]
    _table(p, headings, rows)
    p.write("read_norm_place", loss_pre=learnings["pre"].loss, loss_post=learnings["post"].loss)


def norm_place(checkpoint: Checkpoint, explanation: Explanation, seed: Annotated[int, Between(1, SEEDS)]) -> bytes:
    """The gradient of W₂ in each decoder layer of two untrained models. Tensors: pre, post (L,)."""
    learnings = cached_aside(by_place, checkpoint, explanation, seed)
    gradients: dict[str, Array] = {place: np.array(learning.gradients["decoder"]) for place, learning in learnings.items()}
    return pack(gradients, {})


def _learning_lines(learnings: Mapping[Place, Learning]) -> Lines:
    """The norms of W₂'s gradient and of the stream in each layer."""
    for place, one in learnings.items():
        for stack, gradients in one.gradients.items():
            for layer, norms in enumerate(zip(gradients, one.stream[stack], strict=True), 1):
                yield [place, stack, layer, *norms, one.loss]


def _initial(p: Page, spreads: Mapping[How, Spread]) -> None:
    """Standard deviations along the forward pass, and the loss, before the first training step."""
    names = ("lookup", "input", "memory", "logits", "loss")
    rows = [[p.table("initializations")[how], *(number(getattr(spreads[how], name)) for name in names)] for how in HOWS]
    headings = ["", *(p.table("initialization_columns")[name] for name in names)]
    _table(p, headings, rows)
    vocabulary = p.view.config.target_vocab
    p.write("read_initial", most=math.log(vocabulary), vocabulary=f"{vocabulary:,}")


def _spread_lines(spreads: Mapping[How, Spread]) -> Lines:
    return ([how, one.lookup, one.input, one.memory, one.logits, one.loss] for how, one in spreads.items())


NUMBERS: Mapping[str, Callable[[Page, Any], None]] = {
    "mask_value": _mask_value,
    "norm_formula": _norm_formula,
    "scale": _scale,
    "no_root": _no_root,
    "padding_row": _padding_row,
    "convolution": _convolution,
    "norm_place": _norm_place,
    "initial": _initial,
}
BEGINNINGS: Mapping[str, tuple[Callable[..., Any], Callable[..., Lines]]] = {
    "norm_place": (by_place, _learning_lines),
    "initial": (by_initialisation, _spread_lines),
}
COLUMNS = {"norm_place": "norm stack layer gradient stream loss", "initial": "weights lookup input memory logits loss"}
"""For variants that show before training: the function that computes their numbers, the lines of the CSV, and its columns."""
