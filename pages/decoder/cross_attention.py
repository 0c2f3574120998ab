"""Cross attention: which source words each target position looks at."""

from viz_core.analysis.cell import strongest
from viz_core.analysis.words import by_words, groups
from viz_core.figures.attention import attention_heatmap
from viz_core.figures.heads import attention_grid
from viz_core.ui import page
from viz_core.ui.attention import Subject, place, read_and_writes, show_products, show_table, stage_arithmetic

with page("cross_attention") as p:
    view = p.view
    attention = view.trace.attention("cross", view.layer)
    rows = read_and_writes(p, view.target, [piece.label for piece in view.explanation.output])
    with p.controls():
        shown = p.choose("show", ["one", "mean", "all"])
        unit = p.choose("unit", ["pieces", "words"])
        picked = p.pick_cell(rows, view.source, default=(view.step, strongest(attention, view.head, view.step)))
    axes = (p.text("rows"), p.text("columns"))

    queries, keys, weights, row = rows, view.source, attention.weights, view.step
    if unit == "words":
        queries, query_pieces = groups(view.explanation.target)
        keys, key_pieces = groups(view.explanation.source)
        weights = by_words(weights, query_pieces, key_pieces)
        axes = (p.text("rows_words"), p.text("columns"))
        row = next(i for i, pieces in enumerate(query_pieces) if view.step in pieces)

    if shown == "all":
        titles = [p.text("of_head", head=head + 1) for head in range(view.config.n_heads)]
        figure = attention_grid(
            weights,
            queries,
            keys,
            titles=titles,
            where=p.text("of_layer", **place(p)),
            axes=axes,
            row=row,
            lit=view.head,
            palette=p.palette,
        )
        p.show(figure, "heads", clicks="head")
    else:
        figure = attention_heatmap(
            weights[view.head] if shown == "one" else weights.mean(0),
            queries,
            keys,
            title=p.text(f"title_{shown}", **place(p)),
            where=p.text(f"where_{shown}", **place(p)),
            axes=axes,
            row=row,
            locked=picked if unit == "pieces" else None,
            palette=p.palette,
        )
        p.show(figure, clicks=unit == "pieces")

    subject = Subject(attention, rows, view.source, axes, picked, view.step)
    stage_arithmetic(p, subject, "whole")
    show_products(p, subject)
    show_table(p, subject)
