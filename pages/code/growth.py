"""How the cost of a model grows with one dial, the others as they stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from pages.code.figures import CostCurve, growth
from viz_core.analysis.cost import crossing, parameters, part_costs, products, weights
from viz_core.app.markup import number
from viz_core.app.page import Page
from viz_core.config import ModelConfig
from viz_core.figures.base import percent

WIDTHS = (64, 128, 256, 512, 768, 1024, 2048, 4096, 8192, 12288)
HEADS = (1, 2, 4, 8, 12, 16, 32, 64, 96)
BY = ("by_length", "by_layers", "by_width", "by_heads")
POINTS = tuple(2**k for k in range(3, 18))
"""Lengths of the figure."""

ABOUT: Mapping[str, str] = {"by_layers": "about_by_layers", "by_width": "about_by_width", "by_heads": "about_by_heads"}


def show_growth(p: Page, config: ModelConfig, lengths: tuple[int, int], by: str) -> None:
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
    curves = [
        CostCurve(p.text(name), counts[name], _said(p.text(name), p.text(by), x, counts[name]), roles[name]) for name in shown
    ]
    figure = growth(
        x, curves, title=p.table("growth_titles")[by], axes=(p.text(by), p.text("counted")),
        here=(at, p.text("here", value=f"{at:,}")), log=by != "by_layers", palette=p.palette,
    )  # fmt: skip
    p.show(figure, "growth")
    p.write(ABOUT[by])


def _by_length(p: Page, config: ModelConfig, lengths: tuple[int, int]) -> None:
    projected = [sum(part.projected for part in part_costs(config, n, n)) for n in POINTS]
    paired = [sum(part.paired for part in part_costs(config, n, n)) for n in POINTS]
    meeting = crossing(config)
    said = {"curve_projected": projected, "curve_paired": paired}
    curves = [
        CostCurve(p.text(name), values, _said(p.text(name), p.text("by_length"), POINTS, values), role)
        for (name, values), role in zip(said.items(), ("q", "k"), strict=True)
    ]
    here = max(lengths)
    figure = growth(
        POINTS, curves, title=p.table("growth_titles")["by_length"], axes=(p.text("axis_length"), p.text("curve_products")),
        here=(max(here, 1), p.text("here", value=f"{here:,}")),
        mark=(meeting, meeting * projected[0] / POINTS[0], p.text("crossing", length=f"{meeting:,.0f}")), log=True,
        palette=p.palette,
    )  # fmt: skip
    p.show(figure, "growth")
    found = part_costs(config, *lengths)
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
