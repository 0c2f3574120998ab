"""What the Q, K, V page says about the three attentions: names, labels and the arithmetic of one number."""

from __future__ import annotations

import numpy as np

from pages.qkv.compute import Origin, Projection, Role, entrance, origin_of
from viz_core.app.attention import roles, terms
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.trace import Kind

KINDS: tuple[Kind, ...] = ("self", "masked", "cross")
ROLES: tuple[Role, ...] = ("q", "k", "v")


def tokens_of(p: Page, origin: Origin) -> list[str]:
    """The labels of the rows of what enters."""
    return p.view.target if origin == "decoder" else p.view.source


def entering(p: Page, origin: Origin) -> str:
    """The end of the names of the texts about what enters: pre-norm has a LayerNorm on the way."""
    return f"{'pre_' if p.view.config.norm == 'pre' else ''}{origin}"


def flow(p: Page, kind: Kind) -> tuple[list[tuple[str, str, str]], dict[str, int], dict[str, str]]:
    """The streams, what they feed, and what comes out, for `sources_figure`."""
    trace, config = p.view.trace, p.view.config
    sites = {role: entrance(trace, kind, p.view.layer, role) for role in ROLES}
    streams: list[tuple[str, str, str]] = []
    for site in dict.fromkeys(sites.values()):
        origin = origin_of(site)
        tokens = tokens_of(p, origin)
        name = p.text(f"stream_{entering(p, origin)}", layer=p.view.layer + 1)
        shape = f"{len(tokens)} × {config.d_model}"
        streams.append((f"{name}, {shape}", _few(tokens), "decoder" if origin == "decoder" else "encoder"))
    order = list(dict.fromkeys(sites.values()))
    rows = {role: len(trace.array(site)) for role, site in sites.items()}
    results: dict[str, str] = {role: f"{role.upper()}   {rows[role]} × {config.d_k}" for role in ROLES}
    feeds: dict[str, int] = {role: order.index(site) for role, site in sites.items()}
    return streams, feeds, results


def write_arithmetic(p: Page, made: Projection, kind: Kind, role: Role, tokens: list[str], picked: tuple[int, int]) -> None:
    """One number of Q, K or V as the sum that it is."""
    row, column = picked
    x, w = made.x[row], made.weight[:, column]
    p.arithmetic(
        "arithmetic",
        token=tokens[row],
        source=Raw(p.text(f"from_{entering(p, made.origin)}")),
        name=Raw(p.text(f"name_{role}")),
        attention=Raw(p.text(kind)),
        layer=p.view.layer + 1,
        head=p.view.head + 1,
        colour=roles(p)[role.upper()],
        letter=Raw(role),
        upper=Raw(role.upper()),
        i=row + 1,
        c=column + 1,
        d_model=p.view.config.d_model,
        terms=terms(zip(x, w, strict=True), 2),
        sum=float(np.dot(x.astype(np.float64), w.astype(np.float64))),
        bias=terms([(float(made.bias[column]), None)], 1),
        value=float(made.y[row, column]),
    )


def _few(tokens: list[str], most: int = 44) -> str:
    """The tokens on one line, cut where there is no more room."""
    line = " ".join(tokens)
    return line if len(line) <= most else line[:most].rstrip() + " …"
