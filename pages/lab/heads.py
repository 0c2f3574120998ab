"""Heads: what each of them does, what it is worth, and all of them at once."""

from viz_core.ui import page
from viz_core.ui.attention import KINDS
from viz_core.ui.heads import VIEWS, WORTHS, show_bertviz, show_roles, show_worth

with page("heads") as p:
    with p.controls():
        shown = p.choose("show", VIEWS, named=False)
        kind = p.choose("kind", KINDS, named=False) if shown in ("roles", "worth") else KINDS[0]
        of = p.choose("of", WORTHS, named=False) if shown == "worth" else ""
    if shown == "roles":
        show_roles(p, kind)
    elif shown == "worth":
        show_worth(p, kind, of)
    else:
        show_bertviz(p, shown, kind)
