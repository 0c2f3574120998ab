"""Embeddings: from an id to a vector."""

from functools import partial

from pages.embeddings.context import show_context
from pages.embeddings.controls import SHOW, SIDE
from pages.embeddings.downloads import map_csv, neighbours_csv, window_csv
from pages.embeddings.figures import cosine_bars, lookup_figure, map_figure
from viz_core.analysis.embeddings import MOST, colour_limit, embedding_space, embedding_sum, nearest, norm, one_hot_window, word_map
from viz_core.app.cache import cached
from viz_core.app.csv_files import array_csv
from viz_core.app.frame import page
from viz_core.app.markup import Raw, tex
from viz_core.figures.base import percent
from viz_core.figures.rows import vector_matrix, vector_table

NEIGHBOURS = 10  # of a token are shown

with page("embeddings") as p:
    view = p.view
    with p.controls():
        shown = SHOW.draw(p)
        side = SIDE.draw(p) if shown != "context" else "source"  # only the encoder reads a whole sentence at once
    tokenized, at = view.explanation.source if side == "source" else view.explanation.target, view.place(side)
    p.nothing_to_guess(side == "source" and shown not in ("near", "map"))  # those two show words of the other language
    token, terms = tokenized.tokens[at], embedding_sum(view.trace, side, at)
    space = cached(embedding_space, view.checkpoint, side)
    values = {"token": tokenized.labels[at], "id": str(token.id), "entries": f"{len(space):,}", "d_model": view.config.d_model}
    dimension = p.text("dimension")

    if shown == "lookup":
        ids = one_hot_window(token.id, len(space))
        names = (p.text("one_hot"), p.text("matrix_name", **values), p.text("row_name", **values))
        labels = [space.labels[i] for i in ids]
        p.show(lookup_figure(ids, labels, space.rows[ids], token.id, names=names, axis=dimension, palette=p.palette), least="wide")
        p.offer("window", f"embedding-row{token.id}", partial(window_csv, ids, labels, space.rows[ids]))
        first, second, last = (float(terms.lookup[i]) for i in (0, 1, -1))
        p.arithmetic(
            "arithmetic_lookup", final=str(len(space) - 1), first=first, second=second, last=last, products=f"{space.rows.size:,}",
            **values,
        )  # fmt: skip

    elif shown == "scaled":
        vectors, rows = (terms.lookup, terms.embedding, terms.position), p.table("rows")
        lengths = {"before": norm(terms.lookup), "after": norm(terms.embedding), "position": norm(terms.position)}
        notes = [p.text("length", value=f"{value:.2f}") for value in lengths.values()]
        limit = colour_limit(terms.embedding)
        p.show(vector_table(vectors, [*rows.values()], notes, axis=dimension, limit=limit, palette=p.palette), least="wide")
        numbers = partial(array_csv, "dimension stored scaled position", [None], *vectors)
        p.offer("vectors", f"{side}-token{at + 1}", numbers, **values)
        p.arithmetic(
            "arithmetic_scaled", root=Raw(f"{view.config.d_model**0.5:.4g}"), a=float(terms.lookup[0]), b=float(terms.embedding[0]),
            **lengths, **values,
        )  # fmt: skip

    elif shown == "matrix":
        matrix = view.trace.array(f"{side}.embedding")
        axes = (p.text(side), dimension)
        limit = colour_limit(matrix, 0.99)
        p.show(
            vector_matrix(
                matrix, tokenized.labels, axes=axes, limit=limit, title=p.text("matrix_title"), highlighted=at, palette=p.palette
            )
        )
        p.arithmetic("arithmetic_matrix", tokens=len(tokenized), ends=f"{limit:g}", values=f"{matrix.size:,}", row=at + 1, **values)

    elif shown == "near":
        neighbours = nearest(space, token.id, NEIGHBOURS)
        labels, cosines = [space.labels[i] for i, _ in neighbours], [cosine for _, cosine in neighbours]
        p.show(
            cosine_bars(labels, cosines, title=p.text("near_title", **values), axis=p.text("cosine"), palette=p.palette),
            least="wide",
        )
        p.offer("neighbours", f"neighbours-{token.id}", partial(neighbours_csv, space, neighbours), **values)
        best = space.rows[neighbours[0][0]]
        p.arithmetic(
            "arithmetic_near", near=labels[0], dot=float(terms.lookup @ best), a=norm(terms.lookup), b=norm(best),
            cosine=cosines[0], **values,
        )  # fmt: skip

    elif shown == "context":
        show_context(p, at)

    else:
        spots = word_map(space, tokenized.ids)
        share = [percent(float(value)) for value in spots.explained]
        axes = (p.text("axis_1", share=share[0]), p.text("axis_2", share=share[1]))
        highlighted = spots.ids.index(token.id) if token.id in spots.ids else None
        labels = [space.labels[i] for i in spots.ids]
        p.show(map_figure(spots.at, labels, spots.owner, axes=axes, highlighted=highlighted, palette=p.palette))
        p.offer("map", f"{side}-map", partial(map_csv, space, spots))
        if spots.left:
            p.write("map_full", most=MOST, different=MOST + spots.left, left=spots.left)
        p.arithmetic("arithmetic_map", first_share=tex(share[0]), second_share=tex(share[1]), tokens=len(spots.ids), **values)
