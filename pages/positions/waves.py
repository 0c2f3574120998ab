"""The waves of the positional encoding: some dimensions along all positions. The browser draws them, with the picked position."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from pages.positions.compute import Wave, curve_points, default_dims, wave
from pages.positions.controls import DIMS
from pages.positions.downloads import waves_csv
from viz_core.app.markup import Raw, number
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.texts import texts, visible
from viz_core.trace import Floats


def show_waves(p: Page, side: str, rows: Floats, tokens: Sequence[str]) -> None:
    """The chosen dimensions; below them, the formula of each at the position that is looked at.

    Args:
        rows: the vectors of the positions that are drawn, (T, D).
        tokens: at each of these; "" after the end of the sentence.
    """
    d_model = rows.shape[1]
    options = [p.text("dim", dim=dim, name=wave(dim, d_model).name) for dim in range(d_model)]
    waves = [wave(dim, d_model) for dim in DIMS.draw(p, options, default_dims(d_model))]
    dots = [rows[:, each.dim] for each in waves]
    p.mount("waves", waves_payload(side, waves, rows, tokens))
    p.offer("waves", "waves", partial(waves_csv, tokens, waves, dots))
    with p.below():
        at = p.view.place(side)
        lines = [
            p.text(
                "line", at=at, name=each.name, dim=each.dim, even=each.dim - each.dim % 2, d_model=d_model,
                divisor=number(each.divisor), angle=number(at / each.divisor), value=number(float(rows[at, each.dim])),
                length=number(each.length),
            )
            for each in waves
        ]  # fmt: skip
        p.arithmetic("arithmetic_waves", lines=Raw("".join(lines)), at=at, place=tokens[at])


def waves_payload(side: str, waves: Sequence[Wave], rows: Floats, tokens: Sequence[str]) -> bytes:
    """W dimensions of the positional encoding at T positions.

    Tensors: points (W, T), the values that the positions get; fine (M,), positions between the first and the last; curves (W, M),
    the formula at these.
    """
    fine = curve_points(len(rows))
    tensors = {
        "points": rows[:, [each.dim for each in waves]].T.astype(np.float32),
        "fine": fine,
        "curves": np.array([each.at(fine) for each in waves], np.float32),
    }
    about = {
        "side": side,
        "waves": [{"dim": each.dim, "name": each.name, "length": f"{each.length:,.3g}"} for each in waves],
        "tokens": [visible(token) for token in tokens],
        "texts": texts("positions.figure"),
    }
    return pack(tensors, about)
