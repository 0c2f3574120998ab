"""Positions: how the model knows the order of the words."""

from functools import partial

from pages.positions.compute import curve_points, default_dims, listed_dims, product_at_distance, products, wave
from pages.positions.controls import DIMS, OTHER, REACH, SHOW, SIDE
from pages.positions.downloads import waves_csv
from pages.positions.figures import product_heatmap, wave_lanes
from viz_core.analysis.embeddings import colour_limit, embedding_sum, norm
from viz_core.app.csv_files import array_csv
from viz_core.app.frame import page
from viz_core.app.markup import Raw, number, row
from viz_core.figures.rows import vector_matrix, vector_table

PRODUCTS = "position token other_position other_token product"  # columns of a download

with page("positions") as p:
    view, d_model = p.view, p.view.config.d_model
    everywhere = view.checkpoint.model.source_embedding.positions.numpy()  # (max_len, D), all positions that there are
    with p.controls():
        shown = SHOW.draw(p)
        side = SIDE.draw(p)
        tokenized = view.explanation.source if side == "source" else view.explanation.target
        reach = "sentence" if shown == "sum" else REACH.draw(p)
        rows = everywhere if reach == "all" else view.trace.array(f"{side}.positions")  # (T, D), what the pass added
        tokens = [*tokenized.labels, *[""] * (len(rows) - len(tokenized))]
        at = view.place(side)
        other = OTHER.draw(p, tokens, min(3, len(rows) - 1)) if shown == "product" else at
    p.nothing_to_guess(side == "source")
    labels = [f"{position} {token}" for position, token in enumerate(tokens)]
    axis, dimension = p.text("position"), p.text("dimension")
    values = {"at": at, "d_model": d_model, "place": tokens[at]}

    if shown == "waves":
        options = [p.text("dim", dim=dim, name=wave(dim, d_model).name) for dim in range(d_model)]
        waves = [wave(dim, d_model) for dim in DIMS.draw(p, options, default_dims(d_model))]
        fine = curve_points(len(rows))
        names = [p.text("lane", dim=each.dim, name=each.name, length=f"{each.length:,.3g}") for each in waves]
        curves, dots = [each.at(fine) for each in waves], [rows[:, each.dim] for each in waves]
        p.show(wave_lanes(fine, curves, dots, labels, names, axis=axis, picked=at, palette=p.palette))
        p.offer("waves", "waves", partial(waves_csv, tokens, waves, dots))
        lines = [
            p.text(
                "line", at=at, name=each.name, dim=each.dim, even=each.dim - each.dim % 2, d_model=d_model,
                divisor=number(each.divisor), angle=number(at / each.divisor), value=number(float(rows[at, each.dim])),
                length=number(each.length),
            )
            for each in waves
        ]  # fmt: skip
        p.arithmetic("arithmetic_waves", lines=Raw("".join(lines)), **values)

    elif shown == "matrix":
        p.show(vector_matrix(rows, labels, axes=(axis, dimension), limit=1.0, highlighted=at, first=0, palette=p.palette))
        p.offer("matrix", "position-vectors", partial(array_csv, "position token dimension value", (tokens, None), rows, first=0))
        formula = Raw(
            r",\ ".join([r"\sin pos", r"\cos pos", *([r"\sin\tfrac{pos}{10000^{2/d}}", r"\dots"] if d_model > 2 else [])])
        )
        p.arithmetic("arithmetic_matrix", terms=formula, values=row(rows[at].tolist(), listed_dims(d_model), r",\ "), **values)

    elif shown == "product":
        table, ends = products(rows), (float(products(everywhere).min()), d_model / 2)
        p.show(product_heatmap(table, labels, axis=axis, ends=ends, cell=(at, other), palette=p.palette))
        p.offer("products", "position-products", partial(array_csv, PRODUCTS, (tokens, tokens), table, first=0))
        p.arithmetic(
            "arithmetic_product", other=other, value=float(table[at, other]), distance=abs(at - other),
            formula=product_at_distance(at - other, d_model), last_pair=d_model // 2 - 1, pairs=d_model // 2, **values,
        )  # fmt: skip

    else:
        terms = embedding_sum(view.trace, side, at)
        vectors = {"embedding": terms.embedding, "position": terms.position, "input": terms.input}
        rows_named = p.table("rows")
        names = [rows_named[name] for name in vectors]
        notes = [p.text("length", value=f"{norm(vector):.2f}") for vector in vectors.values()]
        limit = colour_limit(terms.input)
        p.show(
            vector_table([*vectors.values()], names, notes, axis=dimension, limit=limit, first=0, palette=p.palette), least="wide"
        )
        numbers = partial(array_csv, "dimension embedding position input", [None], *vectors.values(), first=0)
        p.offer("sum", f"{side}-position{at}", numbers, at=at)
        dims = listed_dims(d_model)
        written = {name: row(vector.tolist(), dims, " & ") for name, vector in vectors.items()}
        heads = Raw(" & ".join(r"\cdots" if dim is None else str(dim) for dim in dims))
        p.arithmetic("arithmetic_sum", columns=Raw("r" * len(dims)), dims=heads, **written, **values)
