"""The waves of the positional encoding: some dimensions along all positions, drawn by the browser with the focused position."""

import numpy as np

from pages.positions.compute import default_dims, wave
from pages.positions.controls import DIMS
from pages.positions.data import Positions, positions, waves
from viz_core.app.arithmetic import arithmetic_section, show_arithmetic
from viz_core.app.csv_files import cells
from viz_core.app.page import Page


def show_waves(p: Page, side: str, reach: str) -> None:
    """The chosen dimensions and, below them, each one's formula at the focused position."""
    table = positions(p.view.checkpoint, p.view.explanation, side, reach)
    rows, tokens = table.rows, table.tokens
    d_model, kind = rows.shape[1], p.view.config.positions
    if kind == "learned":
        _show_learned(p, side, reach, table)
        return
    halves = kind == "halves"
    options = [p.text("dim", dim=dim + 1, name=wave(dim, d_model, halves).name) for dim in range(d_model)]
    chosen = [wave(dim, d_model, halves) for dim in DIMS.draw(p, options, default_dims(d_model, halves))]
    p.answer(waves, side=side, reach=reach, dims=tuple(curve.dim for curve in chosen))
    p.offer(
        "waves", "waves", "position token dimension function wavelength value",
        lambda: (
            [position, token, curve.dim + 1, curve.name, curve.length, rows[position, curve.dim]]
            for curve in chosen for position, token in enumerate(tokens)
        ),
    )  # fmt: skip
    _arithmetic(p, "arithmetic_waves_halves" if halves else "arithmetic_waves", d_model)


def _show_learned(p: Page, side: str, reach: str, table: Positions) -> None:
    """Dimensions of learned positions, whose values are joined by straight lines."""
    rows, tokens = table.rows, table.tokens
    dims = DIMS.draw(p, [str(dim + 1) for dim in range(rows.shape[1])], default_dims(rows.shape[1]))
    p.answer(waves, side=side, reach=reach, dims=tuple(dims))
    chosen = np.broadcast_to(np.isin(np.arange(rows.shape[1]), dims), rows.shape)
    columns = "position token dimension value"
    p.offer("waves", "positions", columns, lambda: cells((tokens, None), rows, where=chosen, first=(0, 1)))
    _arithmetic(p, "arithmetic_learned", rows.shape[1])


def _arithmetic(p: Page, text: str, d_model: int) -> None:
    """The formulas at the focused position, for which the browser takes the numbers of the figure."""
    size = str(d_model)
    words = {text: p.texts[text], "line": p.texts["line"].replace("[[d_model]]", size)}
    show_arithmetic(p, words, figure="waves", sections=[arithmetic_section(text)], d_model=size)
