"""What the page on heads shows: roles, what each head is worth, and bertviz's two views."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from pages.heads.bertviz_parts import Attentions, Part
from pages.heads.bertviz_views import View, head_view_html, model_view_html
from pages.heads.controls import KIND, PART, SHOW
from viz_core.analysis.ablation import importance
from viz_core.analysis.roles import Heads, HeadTable, Survey, sentences
from viz_core.analysis.roles.described import described, named
from viz_core.analysis.roles.table import NONE, SHARES, Evidence
from viz_core.app import models, session, sidebar
from viz_core.app.attention import KINDS
from viz_core.app.cache import cached
from viz_core.app.markup import Raw, markdown
from viz_core.app.page import Page
from viz_core.app.view_options import Stage, ViewOptions
from viz_core.edits import heads_out
from viz_core.errors import VizError
from viz_core.explain import Notice
from viz_core.figures.attention import Floats, signed
from viz_core.figures.base import percent
from viz_core.figures.head_map import MeasureRow, head_map, limit_of, measure_table
from viz_core.texts import texts
from viz_core.trace import Kind
from viz_core.training import snapshots


def on_stage() -> Stage:
    """The attention that is on the stage, in the one view that has one: the frame asks before the page's own controls are drawn."""
    kind = KIND.value("heads") if SHOW.value("heads") == "neurons" else None
    if not session.arrived() and kind != session.get("_heads_stage"):  # another attention has other rows and columns
        session.change_look("heads", replace(session.look("heads"), cell=None))
    session.change(_heads_stage=kind)
    return kind


def show_roles(p: Page, kind: Kind) -> None:
    """The map of roles, one sentence on the head on display, its measures, and where its role can be seen."""
    table = _table(p)
    if table is None:
        return
    heads, layer, head = table.kinds[kind], p.view.layer, p.view.head
    said = [[described(heads, kind, i, j, percent) for j in range(len(row))] for i, row in enumerate(heads.roles)]
    shares = _shares(heads)
    written = [
        [named(kind, role) if role == NONE else f"{named(kind, role)}\n{percent(share)}" for role, share in zip(*pair, strict=True)]
        for pair in zip(heads.roles, shares.tolist(), strict=True)
    ]
    title = p.text("title_roles", attention=p.text(kind), count=f"{table.count:,}")
    figure = head_map(
        shares, written, said, title=title, axes=(p.text("layers"), p.text("heads")), highlighted=(layer, head), palette=p.palette
    )
    p.show(figure, "roles", clicks=("layer", "head"))
    p.write("says", head=Raw(markdown(said[layer][head])))
    if evidence := heads.evidence[layer][head]:
        label = p.text("evidence", text=evidence.text, share=percent(evidence.weight))
        st.button(markdown(label), key="_evidence", on_click=_go_and_see, args=(kind, evidence))
    rows = [
        MeasureRow(named(kind, name), float(measure.values[layer, head]), measure.uniform)
        for name, measure in heads.measures.items()
        if name in SHARES[kind]
    ]
    headings = [p.text(f"column_{name}") for name in ("measure", "share", "uniform", "times")]
    _as_trained(p)
    p.html(measure_table(rows, headings=headings, highlighted=named(kind, heads.roles[layer][head]), palette=p.palette))
    p.write(
        "about_roles",
        uniform=Raw(texts("analysis.roles")["uniform"]),
        consensus=Raw(texts("analysis.roles")["consensus"] * (kind == "cross")),
    )


def show_worth(p: Page, kind: Kind, of: str) -> None:
    """What the loss of each head costs: in this sentence, over many, or in BLEU."""
    values: dict[str, Any] = {}
    numbers = {"attention": p.text(kind), "head": p.view.head + 1, "layer": p.view.layer + 1}
    if of == "sentence":
        found = cached(importance, p.view.checkpoint.model, p.view.explanation)
        drops, values = found.drops(kind), {"whole": float(found.log_probs.sum()), "tokens": len(found.log_probs)}
    else:
        table = _table(p)
        if table is None:
            return
        worth = table.importance
        if worth is None or (of == "bleu" and worth.bleu is None):
            p.write("no_worth")
            return
        if of == "bleu" and worth.bleu:
            drops, values = worth.bleu.drops[kind], {"whole": f"{worth.bleu.whole:.1f}", "count": f"{worth.bleu.count:,}"}
        else:
            drops, values = worth.log_prob[kind], {"count": f"{worth.count:,}"}
    stored, _ = _stored(p)
    roles = stored.kinds[kind].roles if stored else [[NONE] * drops.shape[1]] * len(drops)
    signs = [[signed(value) for value in row] for row in drops.tolist()]
    for i, j in heads_out(p.view.explanation.edits, p.view.config, kind) if of == "sentence" else ():
        signs[i][j] = p.text("out")
    written = [
        [text if role == NONE else f"{text}\n{named(kind, role)}" for text, role in zip(*pair, strict=True)]
        for pair in zip(signs, roles, strict=True)
    ]
    said = [
        [p.text(f"hover_{of}", layer=i + 1, head=j + 1, drop=text) for j, text in enumerate(row)] for i, row in enumerate(signs)
    ]
    figure = head_map(
        drops, written, said, title=p.text(f"title_{of}", **numbers, **values), axes=(p.text("layers"), p.text("heads")),
        highlighted=(p.view.layer, p.view.head), limit=limit_of(drops), palette=p.palette,
    )  # fmt: skip
    p.show(figure, "worth", clicks=("layer", "head"))
    if stored:
        head = described(stored.kinds[kind], kind, p.view.layer, p.view.head, percent)
        p.write("says", head=Raw(markdown(head)))
    if of != "sentence":
        _as_trained(p)
    drop = float(drops[p.view.layer, p.view.head])
    if of == "sentence":
        values["without"] = values["whole"] - drop
    p.arithmetic(f"of_{of}", **numbers, **values, drop=drop)


def _as_trained(p: Page) -> None:
    """Where an edited model is on the page: what is stored was measured before."""
    if p.view.explanation.edits:
        p.write("as_trained")


def show_bertviz(p: Page, which: str, kind: Kind) -> None:
    """The head view or the model view of bertviz, with of all three attentions."""
    view, trace = p.view, p.view.trace
    layers = range(view.config.n_layers)
    seen = Attentions({each: [trace.attention(each, i).weights for i in layers] for each in KINDS}, view.source, view.target)
    drawn = _drawn(p, which, seen, kind, 0)
    if len(drawn.parts) > 1:
        labels = [_named(p, part) for part in drawn.parts]
        if part := PART.draw(p, labels):
            drawn = _drawn(p, which, seen, kind, part)
    st.iframe(drawn.html, height=drawn.height, alt=drawn.title)
    p.write("about_bertviz")


def _drawn(p: Page, which: str, seen: Attentions, kind: Kind, part: int) -> View:
    if which == "head_view":
        return head_view_html(seen, first=kind, layer=p.view.layer, part=part, palette=p.palette)
    return model_view_html(seen, first=kind, part=part, palette=p.palette)


def _named(p: Page, part: Part) -> str:
    """Layers and heads as the reader counts them."""
    ends = {"layer_from": part.layers.start + 1, "layer_to": part.layers.stop}
    return p.text("part_of", **ends, head_from=part.heads.start + 1, head_to=part.heads.stop)


def _shares(heads: Heads) -> Floats:
    """(L, h): how much of its weights each head gives to what its role is; 0 without one."""
    share = [
        [0.0 if role == NONE else heads.measures[role].values[i, j] for j, role in enumerate(row)]
        for i, row in enumerate(heads.roles)
    ]
    return np.array(share)


def _go_and_see(kind: Kind, evidence: Evidence) -> None:
    """The sentence in which a role shows most clearly, on the page of its attention, at that cell."""
    sidebar.take(evidence.text)
    page = f"{kind}_attention"
    session.change_look(page, ViewOptions(cell=(evidence.query, evidence.key)))
    session.change(step=1 if kind == "self" else evidence.query + 1, _go=page)


def _table(p: Page) -> HeadTable | None:
    """What was measured of this checkpoint; while nothing was, the offer to measure it here."""
    table, notices = _stored(p)
    for notice in notices:
        session.say(notice)
    if table is None:
        _offer(p)
    return table


def _stored(p: Page) -> tuple[HeadTable | None, tuple[Notice, ...]]:
    """What was measured of this checkpoint, for good or in this session, and what is wrong with what is stored."""
    checkpoint = p.view.checkpoint
    try:
        stored, notices = models.get_heads(checkpoint)
    except VizError as error:
        stored, notices = None, (Notice("text", {"reason": str(error)}),)
    return stored or session.get("_heads", {}).get(checkpoint.digest), notices


def _offer(p: Page) -> None:
    """Measures the roles with this session's patience: the button beside the progress, or any other, stops it."""
    checkpoint, place = p.view.checkpoint, st.empty()
    survey = Survey(checkpoint, sentences(checkpoint.source_language))
    name, step = snapshots.split_name(checkpoint.name)
    command = Raw(f"python -m viz_core heads checkpoints/{name}")
    if not len(survey):
        p.write("no_sentences", command=command)
        return
    with place.container():
        p.write("offer" if step is None else "offer_early", count=f"{len(survey):,}", command=command)
        if not st.button(p.text("measure"), key="_measure", type="primary"):
            return
        st.button(p.text("stop"), key="_measure_stop")
        bar = st.progress(0.0)
        for done in survey:
            bar.progress(done / len(survey), p.text("measured", done=done, count=len(survey)))
    session.change(_heads={**session.get("_heads", {}), checkpoint.digest: survey.table()})
    st.rerun()
