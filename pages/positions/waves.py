"""The waves of the positional encoding: some dimensions along all positions. The browser draws them, with the picked position."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from pages.positions.compute import Wave, curve_points, default_dims, wave
from pages.positions.controls import DIMS
from pages.positions.downloads import waves_csv
from viz_core.app.arithmetic import Varying, show_arithmetic
from viz_core.app.csv_files import array_csv
from viz_core.app.markup import number
from viz_core.app.page import Page
from viz_core.app.view_options import walked
from viz_core.browser.pack import pack
from viz_core.texts import texts, visible
from viz_core.trace import Floats


def show_waves(p: Page, side: str, rows: Floats, tokens: Sequence[str]) -> None:
    """The chosen dimensions; below them, the formula of each at the position that is looked at.

    Args:
        rows: the vectors of the positions that are drawn, (T, D).
        tokens: at each of these; "" after the end of the sentence.
    """
    d_model, kind = rows.shape[1], p.view.config.positions
    if kind == "learned":
        _show_learned(p, side, rows, tokens)
        return
    halves = kind == "halves"
    options = [p.text("dim", dim=dim + 1, name=wave(dim, d_model, halves).name) for dim in range(d_model)]
    waves = [wave(dim, d_model, halves) for dim in DIMS.draw(p, options, default_dims(d_model, halves))]
    dots = [rows[:, each.dim] for each in waves]
    p.mount("waves", waves_payload(side, waves, rows, tokens))
    p.offer("waves", "waves", partial(waves_csv, tokens, waves, dots))
    lines = [
        p.text(
            "line", at="[[at]]", name=each.name, dim=each.dim, even=each.even, d_model=d_model, divisor=number(each.divisor),
            angle=f"[[angle_{each.dim}]]", value=f"[[value_{each.dim}]]", length=number(each.length),
        )
        for each in waves
    ]  # fmt: skip
    template = p.texts["arithmetic_waves_halves" if halves else "arithmetic_waves"].replace("[[lines]]", "".join(lines))
    made = [
        {
            "at": at,
            "place": token,
            **{f"angle_{each.dim}": float(at / each.divisor) for each in waves},
            **{f"value_{each.dim}": float(rows[at, each.dim]) for each in waves},
        }
        for at, token in enumerate(tokens)
        if token  # no other one can be looked at
    ]
    show_arithmetic(p, {"arithmetic": template}, Varying((walked(side),), made))


def _show_learned(p: Page, side: str, rows: Floats, tokens: Sequence[str]) -> None:
    """Dimensions of learned positions: no wave, so that straight lines join their values."""
    dims = DIMS.draw(p, [str(dim + 1) for dim in range(rows.shape[1])], default_dims(rows.shape[1]))
    p.mount("waves", learned_payload(side, dims, rows, tokens))
    chosen = np.broadcast_to(np.isin(np.arange(rows.shape[1]), dims), rows.shape)
    p.offer(
        "waves",
        "positions",
        partial(array_csv, "position token dimension value", (tokens, None), rows, where=chosen, first=(0, 1)),
    )
    places = Varying((walked(side),), [{"at": at} for at in range(sum(map(bool, tokens)))])
    show_arithmetic(p, {"arithmetic": p.texts["arithmetic_learned"]}, places, count=f"{len(rows):,}", d_model=rows.shape[1])


def learned_payload(side: str, dims: Sequence[int], rows: Floats, tokens: Sequence[str]) -> bytes:
    """As `waves_payload`, of learned positions."""
    points = rows[:, list(dims)].T.astype(np.float32)
    names = [{"dim": dim + 1, "name": "", "length": ""} for dim in dims]
    return _packed(side, {"points": points, "fine": np.arange(len(rows), dtype=np.float32), "curves": points}, names, tokens)


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
    names = [{"dim": each.dim + 1, "name": each.name, "length": f"{each.length:,.3g}"} for each in waves]
    return _packed(side, tensors, names, tokens)


def _packed(side: str, tensors: dict[str, Any], names: list[dict[str, Any]], tokens: Sequence[str]) -> bytes:
    limit = max(float(np.abs(tensors["points"]).max()), 1.0 if names and names[0]["name"] else 1e-9)
    about = {
        "side": side,
        "limit": limit,
        "waves": names,
        "tokens": [visible(token) for token in tokens],
        "texts": texts("positions.figure"),
    }
    return pack(tensors, about)
