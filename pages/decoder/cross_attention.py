"""Cross attention: which source words each target position looks at."""

from viz_core.analysis.cell import cell, strongest
from viz_core.analysis.words import by_words, groups
from viz_core.figures.attention import attention_heatmap
from viz_core.figures.base import percent
from viz_core.figures.heads import attention_grid
from viz_core.ui import page

with page("cross_attention") as p:
    view = p.view
    attention = view.trace.attention("cross", view.layer)
    with p.controls():
        shown = p.choose("show", ["one", "mean", "all"])
        unit = p.choose("unit", ["pieces", "words"])
        picked = p.pick_cell(view.target, view.source, default=(view.step, strongest(attention, view.head, view.step)))
    place = {"layer": view.layer + 1, "head": view.head + 1}
    axes = (p.text("rows"), p.text("columns"))

    queries, keys, weights, row = view.target, view.source, attention.weights, view.step
    if unit == "words":
        queries, query_pieces = groups(view.explanation.target)
        keys, key_pieces = groups(view.explanation.source)
        weights = by_words(weights, query_pieces, key_pieces)
        row = next(i for i, pieces in enumerate(query_pieces) if view.step in pieces)

    if shown == "all":
        titles = [p.text("of_head", head=head + 1) for head in range(view.config.n_heads)]
        p.show(attention_grid(weights, queries, keys, titles=titles, axes=axes, row=row, lit=view.head, palette=p.palette))
    else:
        figure = attention_heatmap(
            weights[view.head] if shown == "one" else weights.mean(0),
            queries,
            keys,
            title=p.text(f"title_{shown}", **place),
            where=p.text(f"where_{shown}", **place),
            axes=axes,
            row=row,
            locked=picked if unit == "pieces" else None,
            palette=p.palette,
        )
        p.show(figure, clicks=unit == "pieces")

    one = cell(attention, view.head, *picked)
    p.arithmetic(
        query=view.target[one.query],
        key=view.source[one.key],
        d_k=view.config.d_k,
        score=one.score,
        scaled=one.scaled,
        exp=one.exp,
        total=one.total,
        weight=one.weight,
        percent=percent(one.weight),
        **place,
    )
