"""Importance of each head by ablation (Michel et al. 2019): in this sentence, over many sentences, or in BLEU."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from pages.heads.measured import heads_or_offer, say_as_trained, stored_heads
from viz_core.analysis.ablation import importance
from viz_core.analysis.roles.rule import described, named
from viz_core.analysis.roles.table import NONE
from viz_core.app.cache import cached
from viz_core.app.csv_files import array_csv
from viz_core.app.markup import Raw, markdown
from viz_core.app.page import Page
from viz_core.edits import heads_out
from viz_core.figures.attention import signed
from viz_core.figures.base import percent
from viz_core.figures.head_map import head_map, limit_of
from viz_core.texts import fill
from viz_core.trace import Kind

ARITHMETIC: Mapping[str, str] = {"sentence": "of_sentence", "many": "of_many", "bleu": "of_bleu"}
UNITS: Mapping[str, str] = {"sentence": "nats", "many": "nats_per_sentence", "bleu": "bleu"}
"""Column of the download by what is measured."""


def show_ablation(p: Page, kind: Kind, of: str) -> None:
    """The map of all heads by what is lost without each of them, and the head on display worked out."""
    values: dict[str, Any] = {}
    numbers = {"attention": p.table("attention_names")[kind], "head": p.view.head + 1, "layer": p.view.layer + 1}
    if of == "sentence":
        found = cached(importance, p.view.checkpoint.model, p.view.explanation)
        drops, values = found.drops(kind), {"whole": float(found.log_probs.sum()), "tokens": len(found.log_probs)}
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
        [text if role == NONE else f"{text}\n{named(kind, role)}" for text, role in zip(*pair, strict=True)]
        for pair in zip(signs, roles, strict=True)
    ]
    hover = p.texts["ablation_hovers"][of]
    hovers = [
        [fill(hover, {"layer": i + 1, "head": j + 1, "drop": text}) for j, text in enumerate(row)] for i, row in enumerate(signs)
    ]
    title = fill(p.texts["ablation_titles"][of], numbers | values)
    figure = head_map(
        drops, written, hovers, title=title, axes=(p.text("layers"), p.text("heads")),
        highlighted=(p.view.layer, p.view.head), limit=limit_of(drops), palette=p.palette,
    )  # fmt: skip
    p.show(figure, "ablation", clicks=("layer", "head"))
    if stored:
        head = described(stored.kinds[kind], kind, p.view.layer, p.view.head, percent)
        p.write("says", head=Raw(markdown(head)))
    if of != "sentence":
        say_as_trained(p)
    drop = float(drops[p.view.layer, p.view.head])
    if of == "sentence":
        values["without"] = values["whole"] - drop
    p.arithmetic(ARITHMETIC[of], **numbers, **values, drop=drop)
    columns = f"layer head importance_in_{UNITS[of]}"
    p.offer("ablation", f"ablation-{kind}", partial(array_csv, columns, (None, None), drops), attention=numbers["attention"])
    p.show_code("code_ablation")
