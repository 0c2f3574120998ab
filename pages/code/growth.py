"""How the cost of a model grows with one dial, the others as they stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pages.code.figures import growth
from viz_core.analysis.cost import crossing, parameters, part_costs, products, weights
from viz_core.app.markup import number
from viz_core.app.page import Page
from viz_core.config import ModelConfig
from viz_core.figures.base import percent
from viz_core.figures.curves import Curve

WIDTHS = (64, 128, 256, 512, 768, 1024, 2048, 4096, 8192, 12288)
HEADS = (1, 2, 4, 8, 12, 16, 32, 64, 96)
LENGTHS = tuple(2**k for k in range(3, 18))
DIALS: dict[str, tuple[str, Sequence[int], str]] = {
    "by_layers": ("n_layers", (1, *range(2, 26, 2)), "about_by_layers"),
    "by_width": ("d_model", WIDTHS, "about_by_width"),
    "by_heads": ("n_heads", HEADS, "about_by_heads"),
}
"""What each changes, its values, and the text about it."""
BYTES = (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3))
COUNTS = (("P", 1e15), ("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3))


def show_growth(p: Page, config: ModelConfig, lengths: tuple[int, int], by: str) -> None:
    """The cost over one dial, the others as they stand."""
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
    curves = [_curve(p, key, by, x, [count(each, *lengths) for each in configs], role) for key, count, role in counts]
    figure = growth(
        curves, title=p.table("growth_titles")[by], axes=(p.text(by), p.text("counted")),
        here=(here, p.text("here", value=f"{here:,}")), log=by != "by_layers", palette=p.palette,
    )  # fmt: skip
    p.show(figure, "growth")
    p.write(about)


def _by_length(p: Page, config: ModelConfig, lengths: tuple[int, int]) -> None:
    costs = [part_costs(config, length, length) for length in LENGTHS]
    projected = [sum(part.projected for part in parts) for parts in costs]
    paired = [sum(part.paired for part in parts) for parts in costs]
    meeting, here = crossing(config), max(lengths)
    curves = [
        _curve(p, "curve_projected", "by_length", LENGTHS, projected, "q"),
        _curve(p, "curve_paired", "by_length", LENGTHS, paired, "k"),
    ]
    figure = growth(
        curves, title=p.table("growth_titles")["by_length"], axes=(p.text("axis_length"), p.text("curve_products")),
        here=(max(here, 1), p.text("here", value=f"{here:,}")),
        mark=(meeting, meeting * projected[0] / LENGTHS[0], p.text("crossing", length=f"{meeting:,.0f}")), log=True,
        palette=p.palette,
    )  # fmt: skip
    p.show(figure, "growth")
    found = part_costs(config, *lengths)
    p.write(
        "about_by_length", share=percent(sum(part.paired for part in found) / sum(part.products for part in found)),
        length=f"{meeting:,.0f}", source=f"{lengths[0]:,}", target=f"{lengths[1]:,}",
    )  # fmt: skip


def _curve(p: Page, key: str, by: str, x: Sequence[int], values: Sequence[int], role: str) -> Curve:
    name = p.text(key)
    hover = [f"{name}, {p.text(by)} {at:,}: {amount(value)}" for at, value in zip(x, values, strict=True)]
    return Curve(name, x, values, hover, role)


def size(count: int) -> str:
    """Bytes as they are read: 38.4 MB is 38.4 million of them."""
    return _scaled(count, BYTES) or f"{count} B"


def amount(count: float) -> str:
    """A large count, three digits that count."""
    return _scaled(count, COUNTS) or (number(float(count)).rstrip("0").rstrip(".") if count else "0")


def _scaled(count: float, units: Sequence[tuple[str, float]]) -> str:
    """By the largest unit that is not above it; empty where all are."""
    for unit, step in units:
        if count >= step:
            return f"{count / step:.3g} {unit}" if count < 999.5 * step else f"{count / step:,.0f} {unit}"
    return ""
