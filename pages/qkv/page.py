"""Q, K, V: how one head makes queries, keys and values, and from what."""

from functools import partial

import numpy as np

from pages.qkv.compute import Projection, Role, projection
from pages.qkv.controls import KIND, ROLE
from pages.qkv.downloads import weights_csv
from pages.qkv.payload import entering, qkv_payload
from viz_core.app import session
from viz_core.app.attention import roles, terms
from viz_core.app.csv_files import array_csv
from viz_core.app.frame import page
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.trace import Kind


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


def dimension(p: Page) -> int:
    """The picked dimension of the head; where a link asks for more than there are the last one, which is said."""
    asked, last = p.view_options.dim, p.view.config.d_k - 1
    if asked > last and session.arrived():
        session.say_instead(p.texts["dim"], str(asked + 1), last + 1, nearest=True)
    return min(asked, last)


def number_arithmetic(p: Page, made: Projection, role: Role) -> None:
    """One number of Q, K or V as a sum of products."""
    view, layer, head = p.view, p.view.layer + 1, p.view.head + 1
    side = view.target if made.origin == "decoder" else view.source
    row, column = view.place("target" if made.origin == "decoder" else "source"), dimension(p)
    x, w = made.x[row], made.weight[:, column]
    p.arithmetic(
        token=side[row], source=Raw(p.table("sources")[entering(view.explanation, made.origin)]), name=Raw(p.table("names")[role]),
        layer=layer, head=head, colour=roles(p)[role.upper()], letter=Raw(role), i=row + 1, c=column + 1,
        d_model=view.config.d_model, terms=terms(zip(x, w, strict=True), 2),
        sum=float(np.dot(x.astype(np.float64), w.astype(np.float64))), bias=terms([(float(made.bias[column]), None)], 1),
        value=float(made.y[row, column]),
    )  # fmt: skip


with page("qkv") as p:
    view, layer, head = p.view, p.view.layer + 1, p.view.head + 1
    with p.controls():
        kind = KIND.draw(p)
        role = ROLE.draw(p)
    p.nothing_to_guess(kind == "self")
    model = view.checkpoint.model
    p.mount("qkv", qkv_payload(model, view.explanation, kind, role, view.layer, view.head), of=("layer", "head"))
    made = projection(model, view.trace, kind, view.layer, view.head, role)
    with p.below():
        explain_three(p, kind, view.place("source" if kind == "self" else "target"))
        number_arithmetic(p, made, role)
    tokens = view.target if made.origin == "decoder" else view.source
    file, numbers = f"{kind}-{role}-layer{layer}-head{head}", {"role": role.upper(), "layer": layer, "head": head}
    p.offer("projected", file, partial(array_csv, "position token dimension value", (tokens, None), made.y), **numbers)
    p.offer("entering", f"{file}-x", partial(array_csv, "position token model_dimension value", (tokens, None), made.x), **numbers)
    p.offer("weights", f"{file}-w", partial(weights_csv, made), **numbers)
