"""Roles of the heads: what kind of token each one attends to, measured over many sentences."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from pages.heads.downloads import roles_csv
from pages.heads.measured import heads_or_offer, say_as_trained
from viz_core.analysis.roles import Heads
from viz_core.analysis.roles.rule import described, named
from viz_core.analysis.roles.table import NONE, SHARES, Evidence
from viz_core.app import session, sidebar
from viz_core.app.markup import Raw, markdown
from viz_core.app.page import Page
from viz_core.app.view_options import ViewOptions
from viz_core.figures.attention import Floats
from viz_core.figures.base import percent
from viz_core.figures.head_map import head_map
from viz_core.figures.table import html_table
from viz_core.texts import texts
from viz_core.trace import Kind


def show_roles(p: Page, kind: Kind) -> None:
    """The map of roles, one sentence on the head on display, its measures, and where its role can be seen."""
    table = heads_or_offer(p)
    if table is None:
        return
    heads, layer, head = table.kinds[kind], p.view.layer, p.view.head
    hovers = [[described(heads, kind, i, j, percent) for j in range(len(row))] for i, row in enumerate(heads.roles)]
    shares = _shares(heads)
    written = [
        [named(kind, role) if role == NONE else f"{named(kind, role)}\n{percent(share)}" for role, share in zip(*pair, strict=True)]
        for pair in zip(heads.roles, shares.tolist(), strict=True)
    ]
    title = p.text("title_roles", attention=p.table("attention_names")[kind], count=f"{table.count:,}")
    figure = head_map(
        shares, written, hovers, title=title, axes=(p.text("layers"), p.text("heads")), highlighted=(layer, head), palette=p.palette
    )
    p.show(figure, "roles", clicks=("layer", "head"))
    p.write("says", head=Raw(markdown(hovers[layer][head])))
    if evidence := heads.evidence[layer][head]:
        label = p.text("evidence", text=evidence.text, share=percent(evidence.weight))
        st.button(markdown(label), key="_evidence", on_click=_go_and_see, args=(kind, evidence))
    measures = {name: heads.measures[name] for name in heads.measures if name in SHARES[kind]}
    role, rows = heads.roles[layer][head], []
    for name, measure in measures.items():
        share = float(measure.values[layer, head])
        rows.append([named(kind, name), percent(share), percent(measure.uniform), f"{share / measure.uniform:.1f} ×"])
    drawn = html_table(
        "measures", list(p.table("role_columns").values()), rows, named=True, palette=p.palette,
        highlighted=list(measures).index(role) if role in measures else None,
        style=".measures .highlighted > * { font-weight: 600; }",
    )  # fmt: skip
    say_as_trained(p)
    p.html(drawn)
    p.write(
        "about_roles",
        uniform=Raw(texts("analysis.roles")["uniform"]),
        consensus=Raw(texts("analysis.roles")["consensus"] * (kind == "cross")),
    )
    p.offer("roles", f"roles-{kind}", partial(roles_csv, heads, kind), attention=p.table("attention_names")[kind])


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
    session.change_view_options(page, ViewOptions(cell=(evidence.query, evidence.key)))
    session.change(step=1 if kind == "self" else evidence.query + 1, _go=page)
