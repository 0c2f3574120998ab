"""The cost of each part of a model: of a checkpoint, of the paper's models, or of any configuration set on the dials."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.code import controls
from pages.code.figures import growth, number_table
from viz_core.analysis.attention import has_biases
from viz_core.analysis.cost import (
    BASE,
    BIG,
    PUBLISHED,
    cached,
    crossing,
    parameters,
    part_costs,
    products,
    step_products,
    vocabulary_for,
    weights,
)
from viz_core.app import models
from viz_core.app.controls import more
from viz_core.app.markup import Raw, number
from viz_core.app.page import Page
from viz_core.config import ModelConfig
from viz_core.figures.base import percent
from viz_core.figures.charts import Curve
from viz_core.params import OneOf
from viz_core.texts import enumerated, named

INNER = (128, 256, 512, 1024, 2048, 3072, 4096, 8192, 16384, 49152)
VOCABULARY_SIZES = (1000, 8000, 16000, 32000, 37000, 50257, 100000, 256000)
LENGTHS = (1, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 100000)
LAYERS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 96)
WIDTHS = (64, 128, 256, 512, 768, 1024, 2048, 4096, 8192, 12288)
HEADS = (1, 2, 4, 8, 12, 16, 32, 64, 96)
"""The values on the dials; the values of a preset are added."""
LENGTHS_DRAWN = tuple(2**k for k in range(3, 18))
DIALS: dict[str, tuple[str, Sequence[int], str]] = {
    "by_layers": ("n_layers", (1, *range(2, 26, 2)), "about_by_layers"),
    "by_width": ("d_model", WIDTHS, "about_by_width"),
    "by_heads": ("n_heads", HEADS, "about_by_heads"),
}
"""For each control, the configuration field that it varies, the field's values, and the text about it."""
BYTES = (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3))
COUNTS = (("P", 1e15), ("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3))


def show_cost(p: Page) -> None:
    """The dials, the table of the parts, and the growth of the cost."""
    with p.controls():
        by = controls.BY.draw(p)
    config, source, target = _dialled(p)
    show_growth(p, config, (source, target), by)
    _table(p, config, source, target)
    _memory(p, config, source, target)
    p.write("cost_paper", **_paper())
    _arithmetic(p, config)
    p.offer(
        "cost", "cost", "part parameters multiply_adds with_weights with_positions",  # the last two make the multiply-adds
        lambda: ([one.name, one.parameters, one.products, one.projected, one.paired] for one in part_costs(config, source, target)),
        source=f"{source:,}", target=f"{target:,}",
    )  # fmt: skip
    p.show_code("code_cost")


def presets(p: Page) -> dict[str, ModelConfig]:
    """The model on display first, then the other checkpoints, then the two of the paper."""
    own = p.view.checkpoint.name
    others = {name: models.config_of(name) for name in models.usable()[0] if name != own}
    return {own: p.view.config, **others, "base": BASE, "big": BIG}


def _dialled(p: Page) -> tuple[ModelConfig, int, int]:
    """The configuration on the dials, and both lengths; choosing another preset resets every dial."""
    known = presets(p)
    with st.container(horizontal=True, vertical_alignment="bottom", key="_controls_dials", gap="small"):
        name = controls.PRESET.draw(p, [*known], p.view.checkpoint.name, of=p.view.checkpoint.name)
        start = known[name]
        d_model = _number(p, controls.D_MODEL, WIDTHS, start.d_model, name)
        possible = [heads for heads in sorted({*HEADS, start.n_heads}) if d_model % heads == 0]
        near = min(possible, key=lambda heads: abs(heads - start.n_heads))
        layers = _number(p, controls.LAYERS, LAYERS, start.n_layers, name)
        with more(p):
            heads = controls.HEADS.draw(p, possible, near, of=(name, d_model))
            inner = _number(p, controls.D_FF, INNER, start.d_ff, name)
            tokens = _number(p, controls.VOCABULARY, VOCABULARY_SIZES, start.target_vocab, name)
            shared = controls.SHARED.draw(p, (), "yes" if start.tied_embeddings else "no", of=name) == "yes"
            norm = controls.NORM.draw(p, (), start.norm, of=name)
            source = _number(p, controls.SOURCE_LENGTH, LENGTHS, len(p.view.source), (name, len(p.view.source)))
            target = _number(p, controls.TARGET_LENGTH, LENGTHS, len(p.view.target), (name, len(p.view.target)))
    untouched = tokens == start.target_vocab and not shared and start.source_vocab != start.target_vocab
    config = replace(
        start, d_model=d_model, n_heads=heads, d_ff=inner, n_layers=layers, target_vocab=tokens, tied_embeddings=shared,
        source_vocab=start.source_vocab if untouched else tokens, norm="post" if norm == "post" else "pre",
    )  # fmt: skip
    return config, source, target


def _number(p: Page, control: OneOf[int], offered: Sequence[int], start: int, of: object) -> int:
    return control.draw(p, sorted({*offered, start}), start, of=of)


def _table(p: Page, config: ModelConfig, source: int, target: int) -> None:
    costs = part_costs(config, source, target)
    learnt, work = parameters(config), products(config, source, target)
    rows = [(p.table("cost_parts")[part.name], part.parameters, part.products) for part in costs]
    rows.append((p.text("cost_sum"), learnt, work))
    drawn = [
        [
            name, f"{count:,}", percent(count / learnt), size(4 * count), size(2 * count),
            *([amount(work_of), percent(work_of / work)] if work_of else ["–", "–"]),
        ]
        for name, count, work_of in rows
    ]  # fmt: skip
    names = p.table("cost_columns")
    headings = [names[name] for name in ("part", "parameters", "share", "float32", "float16", "products", "share")]
    p.html(number_table(headings, drawn, name="cost", sums=1))
    p.write("cost_table", source=f"{source:,}", target=f"{target:,}")


def _memory(p: Page, config: ModelConfig, source: int, target: int) -> None:
    kept = cached(config)
    seen = weights(config, source, target)
    p.write(
        "cost_memory", layers=config.n_layers, d_model=config.d_model, kept=f"{kept:,}", each=size(4 * kept),
        each_half=size(2 * kept), all=size(4 * kept * (source + target)), all_half=size(2 * kept * (source + target)),
        source=f"{source:,}", target=f"{target:,}", step=amount(step_products(config, source, target)), heads=config.n_heads,
        weights=amount(seen), weights_size=size(4 * seen),
    )  # fmt: skip


def _paper() -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, config in (("base", BASE), ("big", BIG)):
        values |= {
            name: f"{parameters(config) / 1e6:.1f}", f"{name}_published": f"{PUBLISHED[config] / 1e6:.0f}",
            f"{name}_tokens": f"{vocabulary_for(config, PUBLISHED[config]):,.0f}",
        }  # fmt: skip
    return values


def _arithmetic(p: Page, config: ModelConfig) -> None:
    d, f, layers, vocabulary = config.d_model, config.d_ff, config.n_layers, config.target_vocab
    all_or_none = config.tied_embeddings == config.generator_is_tied
    own = config != p.view.config or has_biases(p.view.checkpoint.model)
    p.arithmetic(
        "of_cost", biases=Raw(p.text("of_cost_biases" if own else "of_cost_no_biases")),
        d=d, f=f, layers=layers, vocabulary=vocabulary, attention=f"{4 * (d * d + d):,}", ffn=f"{2 * d * f + f + d:,}",
        embedding=f"{vocabulary * d:,}", length=Raw(f"{crossing(config):,.0f}"), total=f"{parameters(config):,}",
        tied=Raw(p.text("of_cost_tied" if config.tied_embeddings else "of_cost_untied") if all_or_none else ""),
    )  # fmt: skip


def show_growth(p: Page, config: ModelConfig, lengths: tuple[int, int], by: str) -> None:
    """The cost as one dial varies and the others stay."""
    if by == "by_length":
        _by_length(p, config, lengths)
        return
    name, offered, about = DIALS[by]
    here = getattr(config, name)

    def dialled(value: int) -> dict[str, Any]:
        return {"d_model": config.d_model, "n_heads": config.n_heads, name: value}

    x = [value for value in sorted({*offered, here}) if not dialled(value)["d_model"] % dialled(value)["n_heads"]]
    configs = [replace(config, **dialled(value)) for value in x]
    counts: list[tuple[str, Callable[..., int], str]] = [("curve_parameters", lambda c, *_: parameters(c), "")]
    counts += [("curve_products", products, "q"), *([("curve_weights", weights, "k")] if by == "by_heads" else [])]
    curves = [_curve(p, key, by, x, [count(varied, *lengths) for varied in configs], role) for key, count, role in counts]
    figure = growth(
        curves, title=p.table("growth_titles")[by], axes=(p.text(by), p.text("counted")),
        here=(here, p.text("here", value=f"{here:,}")), log=by != "by_layers", palette=p.palette,
    )  # fmt: skip
    p.show(figure, "growth")
    p.write(about)


def _by_length(p: Page, config: ModelConfig, lengths: tuple[int, int]) -> None:
    costs = [part_costs(config, length, length) for length in LENGTHS_DRAWN]
    projected = [sum(part.projected for part in parts) for parts in costs]
    paired = [sum(part.paired for part in parts) for parts in costs]
    meeting, here = crossing(config), max(lengths)
    curves = [
        _curve(p, "curve_projected", "by_length", LENGTHS_DRAWN, projected, "q"),
        _curve(p, "curve_paired", "by_length", LENGTHS_DRAWN, paired, "k"),
    ]
    figure = growth(
        curves, title=p.table("growth_titles")["by_length"], axes=(p.text("axis_length"), p.text("curve_products")),
        here=(max(here, 1), p.text("here", value=f"{here:,}")),
        mark=(meeting, meeting * projected[0] / LENGTHS_DRAWN[0], p.text("crossing", length=f"{meeting:,.0f}")), log=True,
        palette=p.palette,
    )  # fmt: skip
    p.show(figure, "growth")
    here_costs = part_costs(config, *lengths)
    p.write(
        "about_by_length", share=percent(sum(part.paired for part in here_costs) / sum(part.products for part in here_costs)),
        length=f"{meeting:,.0f}", source=f"{lengths[0]:,}", target=f"{lengths[1]:,}",
    )  # fmt: skip


def _curve(p: Page, key: str, by: str, x: Sequence[int], values: Sequence[int], role: str) -> Curve:
    name = p.text(key)
    hover = [
        named(enumerated([name, f"{p.text(by)} {position:,}"]), amount(value)) for position, value in zip(x, values, strict=True)
    ]
    return Curve(name, x, values, hover, role)


def size(count: int) -> str:
    """Bytes for readers, in powers of 1000: 38.4 MB."""
    return _scaled(count, BYTES) or f"{count} B"


def amount(count: float) -> str:
    """A large count for readers, with three significant digits."""
    return _scaled(count, COUNTS) or (number(float(count)).rstrip("0").rstrip(".") if count else "0")


def _scaled(count: float, units: Sequence[tuple[str, float]]) -> str:
    """A count in the largest unit that is not larger than the count; "" if all units are."""
    for unit, step in units:
        if count >= step:
            return f"{count / step:.3g} {unit}" if count < 999.5 * step else f"{count / step:,.0f} {unit}"
    return ""
