"""Heads: what each of them does, what it is worth, what it moves, and all of them at once."""

from pages.heads.controls import BY, KIND, OF, SHOW, WHICH
from pages.heads.flow import THROUGH, show_through
from pages.heads.norms import show_norms
from pages.heads.roles import on_stage, show_bertviz, show_roles, show_worth
from viz_core.app.attention import KINDS, show_attention, stage_arithmetic
from viz_core.app.frame import page

with page("heads", stage=on_stage()) as p:
    with p.controls():
        shown = SHOW.draw(p)
        if shown == "flow":
            through, by = KIND.draw(p, THROUGH), BY.draw(p)
        elif shown in ("roles", "worth", "norms", "neurons"):
            kind = KIND.draw(p)
        if shown == "worth":
            of = OF.draw(p)
        elif shown == "norms":
            which = WHICH.draw(p)
    if shown == "roles":
        show_roles(p, kind)
    elif shown == "worth":
        show_worth(p, kind, of)
    elif shown == "norms":
        show_norms(p, kind, which)
    elif shown == "flow":
        show_through(p, through, by)
    elif shown == "neurons":
        show_attention(p, kind)
        p.write("about_neurons", d_k=p.view.config.d_k)
        stage_arithmetic(p, kind)
        p.light("code_neurons")
    else:
        show_bertviz(p, shown, KINDS[0])
