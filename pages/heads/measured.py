"""Measurements of a checkpoint's heads, stored or made in this session: their roles, and their importance by ablation."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from pages.heads.downloads import roles_csv
from pages.heads.figures import name_lines, role_map
from viz_core.analysis.roles import Heads, HeadTable, measured, sentences
from viz_core.analysis.roles.importance import importance
from viz_core.analysis.roles.rule import BEYOND, SHARE, TIMES, described, named
from viz_core.analysis.roles.table import NONE, SHARES, Evidence
from viz_core.app import models, session
from viz_core.app.arithmetic import PerState, Section, arithmetic_section, show_arithmetic
from viz_core.app.chosen import ANEW
from viz_core.app.controls import draw_link
from viz_core.app.csv_files import array_csv
from viz_core.app.long_work import pooled
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.edits import heads_out
from viz_core.errors import VizError
from viz_core.explain import Notice
from viz_core.figures.attention import Floats, signed
from viz_core.figures.base import percent
from viz_core.figures.figure import Figure
from viz_core.figures.head_map import head_map, limit_of
from viz_core.figures.table import html_table
from viz_core.params import OPTIONS
from viz_core.texts import fill, texts
from viz_core.trace import Kind
from viz_core.training import snapshots

ARITHMETIC: Mapping[str, str] = {"sentence": "of_sentence", "many": "of_many", "bleu": "of_bleu"}
UNITS: Mapping[str, str] = {"sentence": "nats", "many": "nats_per_sentence", "bleu": "bleu"}
"""The unit in the download's column, by what is measured."""


def heads_or_offer(p: Page) -> HeadTable | None:
    """The checkpoint's measurements; while there are none, None and a button that measures here."""
    table, notices = stored_heads(p)
    for notice in notices:
        session.notify(notice)
    if table is None:
        _offer(p)
    return table


def stored_heads(p: Page) -> tuple[HeadTable | None, tuple[Notice, ...]]:
    """The checkpoint's measurements, stored with it or made in this session, and notices on those stored."""
    checkpoint = p.view.checkpoint
    try:
        stored, notices = models.get_heads(checkpoint)
    except VizError as error:
        stored, notices = None, (Notice("text", {"reason": str(error)}),)
    return stored or session.get("_heads", {}).get(checkpoint.digest), notices


def _offer(p: Page) -> None:
    """Offers to measure the roles in this session; the button beside the progress, or any other, stops the measurement."""
    checkpoint, place = p.view.checkpoint, st.empty()
    read = sentences(checkpoint.source_language)
    count = len(read)
    name, step = snapshots.split_name(checkpoint.name)
    command = Raw(f"python -m viz_core heads {name}")
    if not count:
        p.write("no_sentences", command=command)
        return
    with place.container():
        p.write("offer" if step is None else "offer_early", count=f"{count:,}", command=command)
        if not st.button(p.text("measure"), key="_measure", type="primary"):
            return
        st.button(p.text("stop"), key="_measure_stop")
        table = pooled(measured, checkpoint, read, says=p.text("measuring", count=f"{count:,}"))
    session.change(_heads={**session.get("_heads", {}), checkpoint.digest: table})
    st.rerun()


def say_as_trained(p: Page) -> None:
    """A note where the page shows an edited model: what is stored was measured on the model as trained."""
    if p.view.explanation.edits:
        p.write("as_trained")


def show_roles(p: Page, kind: Kind) -> None:
    """The map of roles, one sentence on the head on display, its measures, and where its role can be seen."""
    table = heads_or_offer(p)
    if table is None:
        return
    heads = table.kinds[kind]
    sentences_of = _descriptions(heads, kind)
    title = p.text("title_roles", attention=p.table("attention_names")[kind], count=f"{table.count:,}")

    def role_map_at(layer: int, head: int) -> Figure:
        return role_map(
            heads.roles, _shares(heads), sentences_of, named=partial(named, kind), percent=percent, title=title,
            axes=(p.text("layers"), p.text("heads")), highlighted=(layer, head), palette=p.palette,
        )  # fmt: skip

    p.show_each(
        role_map_at, ("layer", "head"), key="roles", inputs=(kind, table.count), sentence=False, clicks=("layer", "head"),
        least="wide",
    )  # fmt: skip
    show_arithmetic(
        p, {name: p.texts[name] for name in ("says", "example")},
        PerState(("layer", "head"), p.each(partial(_head_values, heads, sentences_of), "layer", "head")),
        sections=[Section("says", "says"), Section("example", "[[example]]")],
    )  # fmt: skip
    places = [[_example(kind, example) for example in row] for row in heads.evidence]
    draw_link(p.text("see_example"), "evidence", {}, f"{kind}_attention", each=(["layer", "head"], places))
    say_as_trained(p)
    p.html_each(partial(_measures_table, p, heads, kind), "layer", "head", inputs=(kind, table.count), sentence=False)
    p.write(
        "about_roles",
        share=percent(SHARE),
        times=f"{TIMES:g}",
        beyond=f"{BEYOND:g}",
        near=named(kind, "near"),
        uniform=Raw(texts("analysis.roles")["uniform"]),
        consensus=Raw(fill(texts("analysis.roles")["consensus"], {"beyond": f"{BEYOND:g}"}) if kind == "cross" else ""),
    )
    p.offer("roles", f"roles-{kind}", partial(roles_csv, heads, kind), attention=p.table("attention_names")[kind])


def _descriptions(heads: Heads, kind: Kind) -> list[list[str]]:
    """One sentence on each head."""
    return [[described(heads, kind, i, j, percent) for j in range(len(row))] for i, row in enumerate(heads.roles)]


def _head_values(heads: Heads, sentences_of: Sequence[Sequence[str]], *, layer: int, head: int) -> dict[str, Any]:
    """The values of the text on one head; `example` is the text on where its role can be seen, or none."""
    evidence = heads.evidence[layer][head]
    example = {"text": evidence.text, "share": percent(evidence.weight)} if evidence else {}
    return {"head_says": sentences_of[layer][head], "example": Raw("example" if evidence else ""), **example}


def _measures_table(p: Page, heads: Heads, kind: Kind, *, layer: int, head: int) -> str:
    """The shares of one head beside those of uniform attention, as HTML."""
    measures = {name: measure for name, measure in heads.measures.items() if name in SHARES[kind]}
    role, rows = heads.roles[layer][head], []
    for name, measure in measures.items():
        share = float(measure.values[layer, head])
        rows.append([named(kind, name), percent(share), percent(measure.uniform), f"{share / measure.uniform:.1f} ×"])
    return html_table(
        "measures", list(p.table("role_columns").values()), rows, named=True, palette=p.palette,
        highlighted=list(measures).index(role) if role in measures else None,
        style=".measures .highlighted > * { font-weight: 600; }",
    )  # fmt: skip


def _shares(heads: Heads) -> Floats:
    """(L, h): the share of its attention that each head gives to what its role names; 0 without a role."""
    return np.array([
        [0.0 if role == NONE else heads.measures[role].values[i, j] for j, role in enumerate(row)]
        for i, row in enumerate(heads.roles)
    ])  # fmt: skip


def _example(kind: Kind, evidence: Evidence | None) -> dict[str, str | None]:
    """As changes of the address: the cell in which a head's role shows most clearly; without a role the sentence stays."""
    if evidence is None:
        return {}
    cell, step = OPTIONS["cell"].write((evidence.query, evidence.key)), 1 if kind == "self" else evidence.query + 1
    return {**ANEW, "text": evidence.text, "cell": cell, "step": str(step)}


def show_ablation(p: Page, kind: Kind, of: str) -> None:
    """The map of all heads by what is lost without each of them, and the arithmetic of the head on display."""
    values: dict[str, Any] = {}
    attention = p.table("attention_names")[kind]
    if of == "sentence":
        ablated = pooled(importance, p.view.checkpoint.model, p.view.explanation, says=p.text("computing_importance"))
        drops, values = ablated.drops(kind), {"whole": float(ablated.log_probs.sum()), "tokens": len(ablated.log_probs)}
    else:
        table = heads_or_offer(p)
        if table is None:
            return
        saved = table.importance
        if saved is None or (of == "bleu" and saved.bleu is None):
            p.write("not_ablated")
            return
        if of == "bleu" and saved.bleu:
            drops, values = saved.bleu.drops[kind], {"whole": f"{saved.bleu.whole:.1f}", "count": f"{saved.bleu.count:,}"}
        else:
            drops, values = saved.log_prob[kind], {"count": f"{saved.count:,}"}
    stored, _ = stored_heads(p)
    roles = stored.kinds[kind].roles if stored else [[NONE] * drops.shape[1]] * len(drops)
    signs = [[signed(value) for value in row] for row in drops.tolist()]
    for i, j in heads_out(p.view.explanation.edits, p.view.config, kind) if of == "sentence" else ():
        signs[i][j] = p.text("out")
    written = [
        ["\n".join([text, *(name_lines(named(kind, role)) if role != NONE else [])]) for text, role in zip(*pair, strict=True)]
        for pair in zip(signs, roles, strict=True)
    ]
    hover = p.texts["ablation_hovers"][of]
    hovers = [
        [fill(hover, {"layer": i + 1, "head": j + 1, "drop": text}) for j, text in enumerate(row)] for i, row in enumerate(signs)
    ]
    title = fill(p.texts["ablation_titles"][of], {"attention": attention} | values)

    def head_map_at(layer: int, head: int) -> Figure:
        return head_map(
            drops, written, hovers, title=title, axes=(p.text("layers"), p.text("heads")), highlighted=(layer, head),
            limit=limit_of(drops), palette=p.palette,
        )  # fmt: skip

    inputs = kind, of, stored.count if stored else 0
    p.show_each(
        head_map_at, ("layer", "head"), key="ablation", inputs=inputs, sentence=of == "sentence", clicks=("layer", "head"),
        least="wide",
    )  # fmt: skip
    described_heads = _descriptions(stored.kinds[kind], kind) if stored else []

    def numbers(layer: int, head: int) -> dict[str, Any]:
        drop = float(drops[layer, head])
        without = {"without": values["whole"] - drop} if of == "sentence" else {}
        role = {"head_says": described_heads[layer][head]} if stored else {}
        return {"layer": layer + 1, "head": head + 1, "drop": drop, **without, **role}

    is_trained = of != "sentence" and p.view.explanation.edits
    sections = [*(["says"] if stored else []), *(["as_trained"] if is_trained else [])]
    show_arithmetic(
        p, {name: p.texts[name] for name in (*sections, ARITHMETIC[of])},
        PerState(("layer", "head"), p.each(numbers, "layer", "head")),
        sections=[*(Section(name, name) for name in sections), arithmetic_section(ARITHMETIC[of])], **values,
    )  # fmt: skip
    columns = f"layer head importance_in_{UNITS[of]}"
    p.offer("ablation", f"ablation-{kind}", partial(array_csv, columns, (None, None), drops), attention=attention)
    p.show_code("code_ablation")
