"""What each part of a model costs, for a checkpoint, for the paper's models, and for whatever is dialled in; arithmetic only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from viz_core.analysis.cost import (
    BASE,
    BIG,
    PUBLISHED,
    cached,
    crossing,
    parameters,
    parts,
    products,
    step_products,
    vocabulary_for,
    weights,
)
from viz_core.config import ModelConfig
from viz_core.figures.base import percent
from viz_core.figures.corner import number_table
from viz_core.figures.growth import Curve, growth
from viz_core.ui import cache
from viz_core.ui.markup import Raw, number
from viz_core.ui.one_of import one_of
from viz_core.ui.writer import Page

WIDTHS = (64, 128, 256, 512, 768, 1024, 2048, 4096, 8192, 12288)
HEADS = (1, 2, 4, 8, 12, 16, 32, 64, 96)
INNER = (128, 256, 512, 1024, 2048, 3072, 4096, 8192, 16384, 49152)
PIECES = (1000, 8000, 16000, 32000, 37000, 50257, 100000, 256000)
LENGTHS = (1, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 100000)
LAYERS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 96)
"""What can be dialled; the values of a preset stand among them."""
WIDTH = 112
BY = ("by_length", "by_layers", "by_width", "by_heads")
POINTS = tuple(2**k for k in range(3, 18))
"""Lengths of the figure."""


def show_cost(p: Page, row: Any) -> None:
    """The dials, the table of the parts, and how the cost grows."""
    with row:
        by = p.choose("by", BY)
    config, source, target = _dialled(p)
    _growth(p, config, (source, target), by)
    _table(p, config, source, target)
    _memory(p, config, source, target)
    p.write("cost_paper", **_paper())
    _arithmetic(p, config)
    p.light("code_cost")


def presets(p: Page) -> dict[str, ModelConfig]:
    """The model on display first, then the other checkpoints, then the two of the paper."""
    own = p.view.checkpoint.name
    names = [own, *(name for name in cache.usable()[0] if name != own)]
    return {name: cache.get_checkpoint(name).config for name in names} | {"base": BASE, "big": BIG}


def _dialled(p: Page) -> tuple[ModelConfig, int, int]:
    """The configuration and the two lengths; another preset puts every dial back."""
    known = presets(p)
    with st.container(horizontal=True, vertical_alignment="bottom", key="_controls_dials", gap="small"):
        name = one_of(p, "preset", [*known], p.view.checkpoint.name, of=p.view.checkpoint.name)
        start = known[name]
        d_model = _number(p, "d_model", WIDTHS, start.d_model, name)
        possible = [heads for heads in sorted({*HEADS, start.n_heads}) if d_model % heads == 0]
        near = min(possible, key=lambda heads: abs(heads - start.n_heads))
        heads = one_of(p, "heads", possible, near, of=(name, d_model), width=WIDTH)
        inner = _number(p, "d_ff", INNER, start.d_ff, name)
        layers = _number(p, "layers", LAYERS, start.n_layers, name)
        pieces = _number(p, "vocabulary", PIECES, start.target_vocab, name)
        shared = one_of(p, "shared", ["yes", "no"], "yes" if start.tied_embeddings else "no", of=name, width=WIDTH) == "yes"
        norm = one_of(p, "norm", ["pre", "post"], start.norm, of=name, width=WIDTH)
        source = _number(p, "source_length", LENGTHS, len(p.view.source), (name, len(p.view.source)))
        target = _number(p, "target_length", LENGTHS, len(p.view.target), (name, len(p.view.target)))
    untouched = pieces == start.target_vocab and not shared and start.source_vocab != start.target_vocab
    made = replace(
        start, d_model=d_model, n_heads=heads, d_ff=inner, n_layers=layers, target_vocab=pieces, tied_embeddings=shared,
        source_vocab=start.source_vocab if untouched else pieces, norm="post" if norm == "post" else "pre",
    )  # fmt: skip
    return made, source, target


def _number(p: Page, key: str, offered: Sequence[int], start: int, of: object) -> int:
    """One of these numbers, or the one that the preset has."""
    return one_of(p, key, sorted({*offered, start}), start, of=of, width=WIDTH)


def _table(p: Page, config: ModelConfig, source: int, target: int) -> None:
    found = parts(config, source, target)
    learnt, work = parameters(config), products(config, source, target)
    rows = [(p.text("cost_" + part.name.replace(".", "_")), part.parameters, part.products) for part in found]
    rows.append((p.text("cost_sum"), learnt, work))
    drawn = [
        (
            name,
            [
                f"{count:,}", percent(count / learnt), size(4 * count), size(2 * count), amount(made) if made else "–",
                percent(made / work) if made else "–",
            ],
        )
        for name, count, made in rows
    ]  # fmt: skip
    headings = [p.text(f"column_{name}") for name in ("part", "parameters", "share", "float32", "float16", "products", "share")]
    p.html(number_table(headings, drawn, name="cost", total=True, palette=p.palette))
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
            f"{name}_pieces": f"{vocabulary_for(config, PUBLISHED[config]):,.0f}",
        }  # fmt: skip
    return values


def _arithmetic(p: Page, config: ModelConfig) -> None:
    d, f, layers, vocabulary = config.d_model, config.d_ff, config.n_layers, config.target_vocab
    p.arithmetic(
        "of_cost", d=d, f=f, layers=layers, vocabulary=vocabulary, attention=f"{4 * (d * d + d):,}", ffn=f"{2 * d * f + f + d:,}",
        embedding=f"{vocabulary * d:,}", length=Raw(f"{crossing(config):,.0f}"), total=f"{parameters(config):,}",
        tied=Raw(p.text("of_cost_tied" if config.tied_embeddings else "of_cost_untied")),
    )  # fmt: skip


def _growth(p: Page, config: ModelConfig, lengths: tuple[int, int], by: str) -> None:
    """The cost over one dial, the others as they stand."""
    if by == "by_length":
        _by_length(p, config, lengths)
        return
    make: Callable[[int], ModelConfig]
    if by == "by_layers":
        at, x, make = config.n_layers, sorted({1, *range(2, 26, 2), config.n_layers}), lambda n: replace(config, n_layers=n)
    elif by == "by_width":
        x = [width for width in sorted({*WIDTHS, config.d_model}) if width % config.n_heads == 0]
        at, make = config.d_model, lambda n: replace(config, d_model=n)
    else:
        x = [heads for heads in sorted({*HEADS, config.n_heads}) if config.d_model % heads == 0]
        at, make = config.n_heads, lambda n: replace(config, n_heads=n)
    made = [make(value) for value in x]
    counts = {
        "curve_parameters": [parameters(each) for each in made],
        "curve_products": [products(each, *lengths) for each in made],
        "curve_weights": [weights(each, *lengths) for each in made],
    }
    roles = {"curve_parameters": "", "curve_products": "q", "curve_weights": "k"}
    shown = [name for name in counts if name != "curve_weights" or by == "by_heads"]
    curves = [Curve(p.text(name), counts[name], _said(p.text(name), p.text(by), x, counts[name]), roles[name]) for name in shown]
    figure = growth(
        x, curves, title=p.text(f"title_{by}"), axes=(p.text(by), p.text("counted")), here=(at, p.text("here", value=f"{at:,}")),
        log=by != "by_layers", palette=p.palette,
    )  # fmt: skip
    p.show(figure, "growth")
    p.write(f"about_{by}")


def _by_length(p: Page, config: ModelConfig, lengths: tuple[int, int]) -> None:
    projected = [sum(part.projected for part in parts(config, n, n)) for n in POINTS]
    paired = [sum(part.paired for part in parts(config, n, n)) for n in POINTS]
    meeting = crossing(config)
    said = {"projected": projected, "paired": paired}
    curves = [
        Curve(p.text(f"curve_{name}"), values, _said(p.text(f"curve_{name}"), p.text("by_length"), POINTS, values), role)
        for (name, values), role in zip(said.items(), ("q", "k"), strict=True)
    ]
    here = max(lengths)
    figure = growth(
        POINTS, curves, title=p.text("title_by_length"), axes=(p.text("axis_length"), p.text("curve_products")),
        here=(max(here, 1), p.text("here", value=f"{here:,}")),
        mark=(meeting, meeting * projected[0] / POINTS[0], p.text("crossing", length=f"{meeting:,.0f}")), log=True,
        palette=p.palette,
    )  # fmt: skip
    p.show(figure, "growth")
    found = parts(config, *lengths)
    p.write(
        "about_by_length", share=percent(sum(part.paired for part in found) / sum(part.products for part in found)),
        length=f"{meeting:,.0f}", source=f"{lengths[0]:,}", target=f"{lengths[1]:,}",
    )  # fmt: skip


def _said(curve: str, dial: str, x: Sequence[int], values: Sequence[int]) -> list[str]:
    return [f"{curve}, {dial} {at:,}: {amount(value)}" for at, value in zip(x, values, strict=True)]


def size(count: int) -> str:
    """Bytes as they are read: 38.4 MB is 38.4 million of them."""
    for unit, step in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= step:
            return f"{count / step:.3g} {unit}" if count < 999.5 * step else f"{count / step:,.0f} {unit}"
    return f"{count} B"


def amount(count: float) -> str:
    """A large count, three digits that count."""
    for unit, step in (("P", 1e15), ("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if count >= step:
            return f"{count / step:.3g} {unit}" if count < 999.5 * step else f"{count / step:,.0f} {unit}"
    return number(float(count)).rstrip("0").rstrip(".") if count else "0"
