"""Measurements of a checkpoint's heads, stored or made here: their roles, and their importance by ablation."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Literal

import numpy as np
import streamlit as st

from viz_core.analysis.roles import Heads, HeadTable, measured, sentences
from viz_core.analysis.roles.importance import importance
from viz_core.analysis.roles.rule import BEYOND, SHARE, TIMES, named
from viz_core.analysis.roles.table import SHARES, Evidence, plain
from viz_core.app import models, session
from viz_core.app.answers import Between, Refused
from viz_core.app.arithmetic import Section, arithmetic_section, show_arithmetic
from viz_core.app.cache import cached_aside, find, key_of
from viz_core.app.chosen import ANEW
from viz_core.app.controls import draw_link
from viz_core.app.csv_files import Lines, cells
from viz_core.app.long_work import pooled
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.edits import heads_out
from viz_core.errors import VizError
from viz_core.explain import Explanation, Notice
from viz_core.figures.base import percent
from viz_core.params import OPTIONS
from viz_core.texts import fill, texts
from viz_core.trace import Doubles, Kind
from viz_core.training import snapshots

Of = Literal["sentence", "many", "bleu"]
Count = Annotated[int, Between(0, 999_999_999)]
"""Of the sentences over which the heads were measured, so that another measurement has another address; 0 for none."""
UNITS: Mapping[Of, str] = {"sentence": "nats", "many": "nats_per_sentence", "bleu": "bleu"}
"""Measure → unit, as named in the column of the download."""


def known_heads(checkpoint: Checkpoint) -> tuple[HeadTable | None, tuple[Notice, ...]]:
    """The checkpoint's measurements, stored with it or made here, and notices on those stored."""
    try:
        stored, notices = models.get_heads(checkpoint)
    except VizError as error:
        stored, notices = None, (Notice("text", {"reason": str(error)}),)
    if stored is None and (job := find(key_of(measured, (checkpoint, sentences(checkpoint.source_language))))):
        stored = job.result
    return stored, notices


def heads_or_offer(p: Page) -> HeadTable | None:
    """The checkpoint's measurements; if there are none, returns None and draws a button that measures here."""
    table, notices = known_heads(p.view.checkpoint)
    for notice in notices:
        session.notify(notice)
    if table is None:
        _offer(p)
    return table


def _offer(p: Page) -> None:
    """Offers to measure the roles here; the button beside the progress, or any other, stops the measurement."""
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
        pooled(measured, checkpoint, read, says=p.text("measuring", count=f"{count:,}"))
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
    p.answer(head_roles, kind=kind, count=table.count, chosen_by=("layer", "head"))
    words = {name: p.texts["head_map"][name] for name in ("says", "example")}
    show_arithmetic(p, words, figure="heads", where={"kind": kind}, sections=[Section(name, f"[[{name}]]") for name in words])
    places = [[_example(kind, example) for example in row] for row in heads.evidence]
    draw_link(p.text("see_example"), "evidence", {}, f"{kind}_attention", each=(["layer", "head"], places))
    say_as_trained(p)
    p.answer(head_roles, part="head_measures", kind=kind, count=table.count)
    p.write(
        "about_roles",
        share=percent(SHARE),
        times=f"{TIMES:g}",
        beyond=f"{BEYOND:g}",
        near=named(kind, "near"),
        uniform=Raw(texts("analysis.roles")["uniform"]),
        consensus=Raw(fill(texts("analysis.roles")["consensus"], {"beyond": f"{BEYOND:g}"}) if kind == "cross" else ""),
    )
    columns = "layer head role attends_to share uniform ratio"
    p.offer("roles", f"roles-{kind}", columns, lambda: _measures(heads, kind), attention=p.table("attention_names")[kind])


def _measures(heads: Heads, kind: Kind) -> Lines:
    """Each head's role, and all its shares of attention beside those under uniform attention."""
    for (layer, head), role in np.ndenumerate(np.array(heads.roles)):
        for name, measure in heads.measures.items():
            if name in SHARES[kind]:
                share = measure.values[layer, head]
                yield [layer + 1, head + 1, role, name, share, measure.uniform, share / measure.uniform]


def _example(kind: Kind, evidence: Evidence | None) -> dict[str, str | None]:
    """As changes of the address: the cell in which a head's role shows most clearly; without a role the sentence stays."""
    if evidence is None:
        return {}
    cell, step = OPTIONS["cell"].write((evidence.query, evidence.key)), 1 if kind == "self" else evidence.query + 1
    return {**ANEW, "text": evidence.text, "cell": cell, "step": str(step)}


def head_roles(checkpoint: Checkpoint, kind: Kind, count: Count) -> bytes:
    """The roles and measures of all heads of one attention.

    Raises:
        Refused: they have not been measured.
    """
    table, _ = known_heads(checkpoint)
    if table is None or table.count != count:
        raise Refused(404, "lacking", view="head_roles")
    return pack({}, {**plain(asdict(table.kinds[kind])), "count": count, "kind": kind})


def show_ablation(p: Page, kind: Kind, of: Of) -> None:
    """The map of how much is lost without each head, and the arithmetic of the current head."""
    view = p.view
    if of == "sentence":
        pooled(importance, view.checkpoint.model, view.explanation, says=p.text("computing_importance"))
    else:
        table = heads_or_offer(p)
        if table is None:
            return
        if table.importance is None or (of == "bleu" and table.importance.bleu is None):
            p.write("not_ablated")
            return
    known, _ = known_heads(view.checkpoint)
    p.answer(head_ablation, kind=kind, of=of, count=known.count if known else 0, chosen_by=("layer", "head"))
    is_trained = of != "sentence" and view.explanation.edits
    show_arithmetic(
        p, {"says": p.texts["head_map"]["says"], "note": p.texts["as_trained"], "text": p.texts["ablations"][of]["text"]},
        figure="heads", where={"kind": kind, "of": of},
        sections=[Section("says", "[[says]]"), Section("as_trained", "note" if is_trained else ""), arithmetic_section("text")],
    )  # fmt: skip
    columns, (drops, _) = f"layer head importance_in_{UNITS[of]}", _drops(view.checkpoint, view.explanation, kind, of)
    p.offer("ablation", f"ablation-{kind}", columns, lambda: cells([None, None], drops), attention=p.table("attention_names")[kind])
    p.show_code("code_ablation")


def head_ablation(checkpoint: Checkpoint, explanation: Explanation, kind: Kind, of: Of, count: Count) -> bytes:
    """How much is lost without each head of one attention, with its role if known, as in `head_roles`.

    Tensors: drops (L, h), in nats or in BLEU.

    About: whole, the value with all heads; count, of tokens or sentences; out, layer and head of each head that an edit removes.

    Raises:
        Refused: it has not been measured.
    """
    table, _ = known_heads(checkpoint)
    drops, numbers = _drops(checkpoint, explanation, kind, of)
    known = plain(asdict(table.kinds[kind])) if table and table.count == count else {}
    out = heads_out(explanation.edits, checkpoint.config, kind) if of == "sentence" else ()
    return pack({"drops": drops}, {**known, **numbers, "of": of, "out": [list(place) for place in out], "kind": kind})


def _drops(checkpoint: Checkpoint, explanation: Explanation, kind: Kind, of: Of) -> tuple[Doubles, dict[str, float]]:
    """How much is lost without each head, (L, h); the value with all heads, and the number of tokens or sentences measured.

    Raises:
        Refused: it has not been measured.
    """
    if of == "sentence":
        ablated = cached_aside(importance, checkpoint.model, explanation)
        return ablated.drops(kind), {"whole": float(ablated.log_probs.sum()), "count": len(ablated.log_probs)}
    table, _ = known_heads(checkpoint)
    saved = table.importance if table else None
    if saved and of == "many":
        return saved.log_prob[kind], {"whole": 0.0, "count": saved.count}
    if saved and saved.bleu:
        return saved.bleu.drops[kind], {"whole": saved.bleu.whole, "count": saved.bleu.count}
    raise Refused(404, "lacking", view="head_ablation")
