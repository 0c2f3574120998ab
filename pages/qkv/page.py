"""Q, K, V: how one head makes queries, keys and values, and from what."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from pages.qkv.compute import ROLES, Origin, entrance, origin_of, projection
from pages.qkv.controls import DIM, KIND, ROLE
from pages.qkv.downloads import weights_csv
from pages.qkv.figures import projection_figure, sources_figure
from viz_core.app.attention import roles, terms
from viz_core.app.csv_files import array_csv
from viz_core.app.frame import page
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.trace import Kind

LONGEST_LINE = 48  # characters of a stream's tokens that fit on one line


def tokens_of(p: Page, origin: Origin) -> list[str]:
    """The labels of the rows of X."""
    return p.view.target if origin == "decoder" else p.view.source


def entering(p: Page, origin: Origin) -> str:
    """The key of the texts about X: the place of LayerNorm, and whose vectors X holds."""
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
        streams.append((f"{names[entering(p, origin)]}, {shape}", _fitting(tokens), stack))
    feeds: dict[str, int] = {role: order.index(site) for role, site in sites.items()}
    results: dict[str, str] = {role: f"{role.upper()}   {len(trace.array(site))} × {config.d_k}" for role, site in sites.items()}
    return streams, feeds, results


def _fitting(tokens: Sequence[str]) -> str:
    """As many whole tokens as a line has room for."""
    line = " ".join(tokens)
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE + 1].rsplit(' ', 1)[0]} …"


def explain_three(p: Page, kind: Kind, query: int) -> None:
    """Why there are queries, keys and values, with two scores of this head."""
    attention = p.view.trace.attention(kind, p.view.layer)
    tokens, keys = (side.labels for side in p.view.explanation.sides(kind))
    scores = attention.scores[p.view.head]
    if kind == "cross":
        other = int(scores[query].argmax())
        p.write("why_cross", token=tokens[query], other=keys[other], there=float(scores[query, other]))
    elif len(tokens) > 1:
        difference = np.abs(scores[query] - scores[:, query])[: p.view.step + 1 if kind == "masked" else None]
        other = int(difference.argmax())
        other = other if other != query else 0 if query else 1
        there, back = float(scores[query, other]), float(scores[other, query])
        p.write("why_same", token=tokens[query], other=keys[other], there=there, back=back)


with page("qkv") as p:
    view, layer, head = p.view, p.view.layer + 1, p.view.head + 1
    with p.controls():
        kind = KIND.draw(p)
        role = ROLE.draw(p)
        made = projection(view.checkpoint.model, view.trace, kind, view.layer, view.head, role)
        tokens = tokens_of(p, made.origin)
        walks = "step" if made.origin == "decoder" else "token"
        row, column = view.place("target" if walks == "step" else "source"), DIM.draw(p, 1, view.config.d_k, 1) - 1
    p.nothing_to_guess(kind == "self")
    p.show(sources_figure(*flow(p, kind), highlighted=role, palette=p.palette), "flow", least="wide")
    names = p.table("matrices")[entering(p, made.origin)], p.text("title_w", head=head), p.text("title_y", role=role.upper())
    figure = projection_figure(
        made.x, made.weight, made.y, tokens, role=role, origin=made.origin, titles=names,
        axes=(p.table("axes")[made.origin], p.text("axis_model"), p.text("axis_head")), locked=(row, column), palette=p.palette,
    )  # fmt: skip
    p.show(figure, clicks=(walks, "dim"), least="wide")
    explain_three(p, kind, view.place("source" if kind == "self" else "target"))
    x, w = made.x[row], made.weight[:, column]
    p.arithmetic(
        token=tokens[row], source=Raw(p.table("sources")[entering(p, made.origin)]), name=Raw(p.table("names")[role]), layer=layer,
        head=head, colour=roles(p)[role.upper()], letter=Raw(role), i=row + 1, c=column + 1, d_model=view.config.d_model,
        terms=terms(zip(x, w, strict=True), 2), sum=float(np.dot(x.astype(np.float64), w.astype(np.float64))),
        bias=terms([(float(made.bias[column]), None)], 1), value=float(made.y[row, column]),
    )  # fmt: skip
    file, numbers = f"{kind}-{role}-layer{layer}-head{head}", {"role": role.upper(), "layer": layer, "head": head}
    p.offer("projected", file, partial(array_csv, "position token dimension value", (tokens, None), made.y), **numbers)
    p.offer("entering", f"{file}-x", partial(array_csv, "position token model_dimension value", (tokens, None), made.x), **numbers)
    p.offer("weights", f"{file}-w", partial(weights_csv, made), **numbers)
