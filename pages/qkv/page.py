"""Q, K, V: how one head makes queries, keys and values, and from what."""

from pages.qkv.compute import projection
from pages.qkv.controls import KIND, ROLE
from pages.qkv.projection import entering, flow, tokens_of, write_arithmetic
from pages.qkv.projection_figure import projection_figure
from pages.qkv.sources_figure import sources_figure
from viz_core.app.controls import CELL
from viz_core.app.frame import page

with page("qkv") as p:
    view = p.view
    with p.controls():
        kind = KIND.draw(p)
        role = ROLE.draw(p)
        made = projection(view.checkpoint.model, view.trace, kind, view.layer, view.head, role)
        tokens = tokens_of(p, made.origin)
        row = view.step if made.origin == "decoder" else 0
        dims = [""] * view.config.d_k  # they have numbers, not names
        picked = CELL.draw(p, tokens, dims, default=(row, 0), names=("token", "dimension"), of=(view.step, kind, role))
    p.nothing_to_guess(kind == "self")
    p.show(sources_figure(*flow(p, kind), highlighted=role, palette=p.palette), "flow")
    figure = projection_figure(
        made.x,
        made.weight,
        made.y,
        tokens,
        role=role,
        origin=made.origin,
        titles=(
            p.text(f"title_{entering(p, made.origin)}"),
            p.text("title_w", role=role.upper(), head=view.head + 1),
            p.text("title_y", role=role.upper()),
        ),
        axes=(p.text(f"axis_{made.origin}"), p.text("axis_model"), p.text("axis_head")),
        locked=picked,
        palette=p.palette,
    )
    p.show(figure, clicks=True)
    write_arithmetic(p, made, kind, role, tokens, picked)
