"""The feed-forward network: the hidden units of all tokens, and what the most active units of one token add."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from pages.residual.compute import FeedForwardPass, feed_forward, promoted
from pages.residual.controls import UNIT, stack_tokens
from viz_core.analysis.next_token import vocabulary_label
from viz_core.app.controls import in_figure
from viz_core.app.csv_files import array_csv, written
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.config import ModelConfig, Stack
from viz_core.figures.attention import Floats, cell_height, click_targets, frame, thin_rows
from viz_core.figures.base import figure, percent, plain, say, token_axis
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette, scale
from viz_core.sites import ACTIVATION_NAMES
from viz_core.texts import enumerated, fill, texts

UNITS = 6  # of one token are listed
COLUMNS = 256  # more would be narrower than a pixel on the smallest screen


def show_feed_forward(p: Page, stack: Stack) -> None:
    """Which hidden units are active for each token."""
    view = p.view
    ffn = feed_forward(view.checkpoint.model, view.trace, stack, view.layer)
    labels, token = stack_tokens(p, stack)
    units = ffn.strongest(token, UNITS)
    with in_figure():
        picked = UNIT.draw(p, [p.text("unit_number", number=unit + 1) for unit in units]) if units else None
    width = column_width(ffn.hidden.shape[1])
    silent, limit = ffn.silent(), max(float(ffn.hidden.max()), 1e-9)
    p.write(
        _of("lead_ffn", view.config), activation=ACTIVATION_NAMES[view.config.activation], token=labels[token],
        share=percent(float(silent[token])), units=ffn.hidden.shape[1],
    )  # fmt: skip
    figure = hidden_map(
        ffn.hidden[: len(labels)], silent[: len(labels)], labels, token=token, limit=limit,
        title=p.text("hidden_title" if width == 1 else "hidden_title_pooled", layer=view.layer + 1, width=width),
        axes=(p.table("token_axes")[stack], p.text("hidden_axis")), silent_name=p.text("silent"), palette=p.palette,
    )  # fmt: skip
    p.show(figure, "hidden", clicks="token" if stack == "encoder" else "step", least="wide")
    numbers = partial(array_csv, "position token unit activation", (labels, None), ffn.hidden[: len(labels)])
    p.offer("hidden", f"{stack}-layer{view.layer + 1}-hidden", numbers, layer=view.layer + 1)
    if picked is not None:
        _show_units(p, stack, ffn, labels, token, units, picked, limit)
    p.show_code("code_ffn")


def _show_units(
    p: Page, stack: Stack, ffn: FeedForwardPass, labels: Sequence[str], token: int, units: list[int], picked: int, limit: float
) -> None:
    """The most active units of one token, and the arithmetic of the picked one."""
    view, unit, activation = p.view, units[picked], ACTIVATION_NAMES[p.view.config.activation]
    added = [ffn.adds(token, each) for each in units]
    lengths = np.array([np.linalg.norm(vector) for vector in added])
    words = [""] * len(units)
    if stack == "decoder":
        best = [promoted(view.checkpoint.model, vector) for vector in added]
        words = [enumerated(f"«{vocabulary_label(view.checkpoint.tokenizer, i)}»" for i in ids) for ids in best]
    own = ffn.hidden[token]
    figure = unit_bars(
        units, own[units], lengths, words, title=p.text("units_title", token=labels[token]),
        names=(p.text("unit_name"), p.text("strength"), p.text("adds_words" if stack == "decoder" else "adds")), unit=picked,
        limit=limit, palette=p.palette,
    )  # fmt: skip
    p.show(figure, "units", clicks="unit", least="wide")
    name = f"{stack}-layer{view.layer + 1}-units"
    lines = [[each + 1, *rest] for each, *rest in zip(units, own[units], lengths, words, strict=True)]
    p.offer("units", name, partial(written, "unit activation added_length promotes", lines), token=labels[token])
    p.arithmetic(
        _of("arithmetic_ffn", view.config), activation=Raw(activation), token=labels[token],
        unit=unit + 1, product=ffn.product(token, unit), bias=float(ffn.b_1[unit]),
        hidden=float(own[unit]), size=len(own), active=int((own > 0).sum()), added=float(lengths[picked]),
        total=float(np.linalg.norm(ffn.out[token].astype(np.float64))),
        note=Raw(p.text("note_decoder") if stack == "decoder" else ""),
    )  # fmt: skip


def _of(key: str, config: ModelConfig) -> str:
    """The text for this model's activation: ReLU, or a smooth one."""
    return key if config.activation == "relu" else f"{key}_smooth"


def pooled(hidden: Floats) -> tuple[Floats, int]:
    """The most active of every few neighbouring units, so that each column is wide enough to be seen, and their number.

    Args:
        hidden: (T, F).

    Returns:
        (T, columns), F split evenly where it can be.
    """
    width = column_width(hidden.shape[1])
    starts = range(0, hidden.shape[1], width)
    return np.stack([hidden[:, start : start + width].max(axis=1) for start in starts], axis=1), width


def column_width(units: int) -> int:
    """How many neighbouring units share a column of the map."""
    return -(-units // COLUMNS)


def hidden_map(
    hidden: Floats, silent: Floats, tokens: Sequence[str], *, token: int, limit: float, title: str, axes: tuple[str, str],
    silent_name: str, palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """Activations of all tokens: rows are tokens, columns hidden units; a click carries the token.

    Args:
        hidden: (T, F), none below 0.
        silent: (T,), each token's share of units that are 0.
        token: the picked row, framed.
        limit: the end of the scale.
        axes: titles of the tokens' axis and of the units' axis.
        silent_name: over the column of shares at the right.
    """
    values, width = pooled(hidden)
    rows = len(values)
    tall = cell_height(rows) if rows > 12 else min(cell_height(rows), 36)
    fig = figure(palette, title=title, height=max(240, tall * rows + 170))
    fig.add_heatmap(
        z=values.astype(np.float32), x0=1 + (width - 1) / 2, dx=width, colorscale=scale(palette.sequential), zmin=0.0, zmax=limit,
        hoverinfo="skip", colorbar={"x": 1.14},
    )  # fmt: skip
    template = texts("residual.hovers")["silent"]
    shares = [percent(float(share)) for share in silent]
    hovers = [fill(template, {"token": plain(label), "share": share}) for label, share in zip(tokens, shares, strict=True)]
    _click_rows(fig, [hidden.shape[1] * share for share in (0.02, 0.2, 0.4, 0.6, 0.8, 0.98)], hovers)
    say(fig, hovers[token])
    thin = thin_rows(rows)
    shared = {"x": 1.005, "xref": "paper", "xanchor": "left"}
    shares[token] = f"<b>{shares[token]}</b>"
    labelled = [i for i in range(rows) if i == token or (i % thin == 0 and abs(i - token) >= thin)]
    fig.add_annotations([{"y": i, "text": shares[i], **shared} for i in labelled])
    head = {"x": 1.13, "xref": "paper", "xanchor": "right", "yanchor": "bottom"}
    fig.add_annotation(y=-0.5, text=plain(silent_name), font_color=palette.quiet, **head)
    fig.update_xaxes(title={"text": axes[1]}, range=[0.5, hidden.shape[1] + 0.5])
    fig.update_yaxes(**token_axis(tokens, axes[0], token, palette.accent, thin=thin, down=True))
    frame(fig, (1, hidden.shape[1]), (token, token), palette.accent, 3)
    fig.update_layout(margin={"t": 40})
    return fig


def _click_rows(fig: Figure, across: list[float], hovers: Sequence[str]) -> None:
    """Click targets at these places of each row, so that it can be clicked over its whole width; they hand back its index."""
    rows = [row for row in range(len(hovers)) for _ in across]
    click_targets(fig, across * len(hovers), rows, [[row] for row in rows], [hovers[row] for row in rows])


def unit_bars(
    units: Sequence[int], strengths: Floats, added: Floats, words: Sequence[str], *, title: str, names: tuple[str, str, str],
    unit: int, limit: float, palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """The strongest units of one token, strongest on top; a click carries the index of the unit in `units`.

    Args:
        units: their numbers, from 0.
        strengths: (n,) activations.   added: (n,) lengths of what they add.
        words: for each what it makes more probable; empty texts where that cannot be said.
        names: a unit's name before its number, the axis of strengths, and over the column of words and lengths.
        unit: index in `units` of the picked one.
        limit: the end of the axis: the same for all tokens of the layer.
    """
    n = len(units)
    fig = figure(palette, title=title, height=max(200, 34 * n + 140), bargap=0.25)
    has_words = any(words)
    fig.add_bar(
        x=strengths, y=list(range(n)), orientation="h", hoverinfo="skip",
        marker={"color": palette.accent, "opacity": [1.0 if i == unit else 0.5 for i in range(n)]},
        text=[f"{value:.2f}" for value in strengths], textposition="outside",
    )  # fmt: skip
    hovers = [f"{plain(names[0])} {u + 1}: {s:.3f}" for u, s in zip(units, strengths, strict=True)]
    say(fig, hovers[unit])
    _click_rows(fig, [limit * share for share in (0.02, 0.25, 0.5, 0.75, 0.98)], hovers)
    shared = {"x": 0.46 if has_words else 0.68, "xref": "paper", "xanchor": "left"}
    tails = [f"   {plain(text)}" if text else "" for text in words]
    fig.add_annotations([{"y": i, "text": f"{added[i]:.1f}{tails[i]}", **shared} for i in range(n)])
    fig.add_annotation(y=-0.5, yanchor="bottom", text=plain(names[2]), **{**shared, "font": {"color": palette.quiet}})
    fig.update_yaxes(**token_axis([f"{names[0]} {u + 1}" for u in units], "", unit, palette.accent, down=True), ticks="")
    fig.update_xaxes(title={"text": names[1]}, range=[0, limit * 1.15], domain=[0, 0.42 if has_words else 0.64])
    fig.update_layout(margin={"t": 40})
    return fig
