"""Heads: what each of them attends to, how important it is, what it contributes, and all of them through the layers."""

from pages.heads.ablation import show_ablation
from pages.heads.attention_flow import THROUGH, show_attention_flow
from pages.heads.bertviz import show_bertviz
from pages.heads.controls import BY, KIND, OF, SHOW, WHICH
from pages.heads.neurons import on_stage, show_neurons
from pages.heads.norm_weighted import show_norm_weighted
from pages.heads.roles import show_roles
from viz_core.app.attention import KINDS
from viz_core.app.frame import page

with page("heads", stage=on_stage()) as p:
    with p.controls():
        shown = SHOW.draw(p)
        if shown == "flow":
            through, by = KIND.draw(p, THROUGH), BY.draw(p)
        elif shown in ("roles", "ablation", "norm_weighted", "neurons"):
            kind = KIND.draw(p)
        if shown == "ablation":
            of = OF.draw(p)
        elif shown == "norm_weighted":
            which = WHICH.draw(p)
    if shown == "roles":
        show_roles(p, kind)
    elif shown == "ablation":
        show_ablation(p, kind, of)
    elif shown == "norm_weighted":
        show_norm_weighted(p, kind, which)
    elif shown == "flow":
        show_attention_flow(p, through, by)
    elif shown == "neurons":
        show_neurons(p, kind)
    else:
        show_bertviz(p, shown, KINDS[0])
