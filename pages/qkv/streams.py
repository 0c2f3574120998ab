"""What feeds Q, K and V in each attention: its labels on this page."""

from __future__ import annotations

from pages.qkv.compute import ROLES, Origin, entrance, origin_of
from viz_core.app.page import Page
from viz_core.trace import Kind

LONGEST_LINE = 44
"""Characters of the tokens of a stream that fit on one line."""


def tokens_of(p: Page, origin: Origin) -> list[str]:
    """The labels of the rows of X."""
    return p.view.target if origin == "decoder" else p.view.source


def entering(p: Page, origin: Origin) -> str:
    """The row of the tables of texts about X: where LayerNorm stands, and whose vectors X holds."""
    return f"{p.view.config.norm}_{origin}"


def flow(p: Page, kind: Kind) -> tuple[list[tuple[str, str, str]], dict[str, int], dict[str, str]]:
    """The streams, what they feed, and what comes out, for `sources_figure`."""
    trace, config = p.view.trace, p.view.config
    sites = {role: entrance(trace, kind, p.view.layer, role) for role in ROLES}
    order = list(dict.fromkeys(sites.values()))
    names = p.table("streams", layer=p.view.layer + 1)
    streams: list[tuple[str, str, str]] = []
    for site in order:
        origin = origin_of(site)
        tokens = tokens_of(p, origin)
        shape = f"{len(tokens)} × {config.d_model}"
        stack = "decoder" if origin == "decoder" else "encoder"
        streams.append((f"{names[entering(p, origin)]}, {shape}", _one_line(tokens), stack))
    feeds: dict[str, int] = {role: order.index(site) for role, site in sites.items()}
    results: dict[str, str] = {role: f"{role.upper()}   {len(trace.array(site))} × {config.d_k}" for role, site in sites.items()}
    return streams, feeds, results


def _one_line(tokens: list[str]) -> str:
    """The tokens on one line, cut where there is no more room."""
    line = " ".join(tokens)
    return line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE].rstrip() + " …"
