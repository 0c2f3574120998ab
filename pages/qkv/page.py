"""Q, K, V: how one head makes queries, keys and values, and from what."""

from functools import partial
from typing import Any

import numpy as np

from pages.qkv.compute import Projection, Role, projection
from pages.qkv.controls import KIND, ROLE
from pages.qkv.downloads import weights_csv
from pages.qkv.payload import entering, qkv_payload
from viz_core.app import session
from viz_core.app.arithmetic import Section, Varying, arithmetic_section, show_arithmetic
from viz_core.app.attention import roles, signed
from viz_core.app.csv_files import array_csv
from viz_core.app.frame import page
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.app.view_options import unwatched
from viz_core.trace import Kind


def reason(p: Page, kind: Kind, query: int) -> dict[str, Any]:
    """Why there are queries, keys and values, with two scores of this head where there are two."""
    tokens, keys = (side.labels for side in p.view.explanation.sides(kind))
    scores = p.view.trace.attention(kind, p.view.layer).scores[p.view.head]
    if kind == "cross":
        other = int(scores[query].argmax())
        return {"why": Raw("why_cross"), "token": tokens[query], "other": keys[other], "there": float(scores[query, other])}
    if len(tokens) == 1 or (kind == "masked" and query == 0):
        return {"why": Raw("why_alone"), "token": tokens[query]}  # there is no other key that it may look at
    difference = np.abs(scores[query] - scores[:, query])[: query + 1 if kind == "masked" else None]
    other = int(difference.argmax())
    other = other if other != query else 0 if query else 1
    there, back = float(scores[query, other]), float(scores[other, query])
    return {
        "why": Raw("why_masked" if kind == "masked" else "why_same"),
        "token": tokens[query],
        "other": keys[other],
        "there": there,
        "back": back,
    }


def say_dimension(p: Page) -> None:
    """Where a link asks for a dimension that the head does not have, the browser shows the last one, which is said."""
    with unwatched():
        asked, last = p.view_options.dim, p.view.config.d_k - 1
    if asked is not None and asked > last and session.arrived():
        session.say_instead(p.texts["dim"], str(asked + 1), last + 1, nearest=True)


def number_arithmetic(p: Page, kind: Kind, made: Projection, role: Role) -> None:
    """Each number of Q, K or V as a sum of products, and why there are these three."""
    view, walked = p.view, "step" if made.origin == "decoder" else "token"
    tokens = view.target if made.origin == "decoder" else view.source
    asks = "token" if kind == "self" else "step"
    listed = range(min(2, len(made.weight)))
    terms = " + ".join(rf"[[x{m}]] \cdot [[w{m}]]" for m in listed) + (r" + \cdots" if len(made.weight) > len(listed) else "")
    sums = made.x.astype(np.float64) @ made.weight.astype(np.float64)
    rows = [{"row": token, "i": at + 1, **{f"x{m}": signed(made.x[at, m]) for m in listed}} for at, token in enumerate(tokens)]
    columns = [
        {"c": at + 1, "bias": signed(made.bias[at]), **{f"w{m}": signed(made.weight[m, at]) for m in listed}}
        for at in range(made.weight.shape[1])
    ]
    numbers = [[{"sum": float(a), "value": float(b)} for a, b in zip(*row, strict=True)] for row in zip(sums, made.y, strict=True)]
    why = [reason(p, kind, query) for query in range(len(view.source if kind == "self" else view.target))]
    templates = {name: p.texts[name] for name in ("why_alone", "why_same", "why_masked", "why_cross")}
    show_arithmetic(
        p, {**templates, "arithmetic": p.texts["arithmetic"].replace("[[terms]]", terms).replace("[[token]]", "[[row]]")},
        Varying((asks,), why), Varying((walked,), rows), Varying(("dim",), columns), Varying((walked, "dim"), numbers),
        sections=[Section("why", "[[why]]"), arithmetic_section("arithmetic")],
        source=Raw(p.table("sources")[entering(view.explanation, made.origin)]), name=Raw(p.table("names")[role]),
        layer=view.layer + 1, head=view.head + 1, colour=roles(p)[role.upper()], letter=Raw(role), d_model=view.config.d_model,
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
    say_dimension(p)
    number_arithmetic(p, kind, made, role)
    tokens = view.target if made.origin == "decoder" else view.source
    file, numbers = f"{kind}-{role}-layer{layer}-head{head}", {"role": role.upper(), "layer": layer, "head": head}
    p.offer("projected", file, partial(array_csv, "position token dimension value", (tokens, None), made.y), **numbers)
    p.offer("entering", f"{file}-x", partial(array_csv, "position token model_dimension value", (tokens, None), made.x), **numbers)
    p.offer("weights", f"{file}-w", partial(weights_csv, made), **numbers)
