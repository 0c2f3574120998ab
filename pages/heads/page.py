"""Heads: what each of them does, what it is worth, what it moves, and all of them at once."""

from pages.heads.flow import BY, THROUGH, show_through
from pages.heads.norms import WHICH, show_norms
from pages.heads.roles import VIEWS, WORTHS, on_stage, show_bertviz, show_roles, show_worth
from viz_core.app.attention import KINDS, show_attention, stage_arithmetic
from viz_core.app.frame import page

with page("heads", stage=on_stage()) as p:
    with p.controls():
        shown = p.choose("show", VIEWS, named=False)
        if shown == "flow":
            through, by = p.choose("kind", THROUGH, named=False), p.choose("by", BY, named=False)
        elif shown in ("roles", "worth", "norms", "neurons"):
            kind = p.choose("kind", KINDS, named=False)
        if shown == "worth":
            of = p.choose("of", WORTHS, named=False)
        elif shown == "norms":
            which = p.choose("which", WHICH, named=False)
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
