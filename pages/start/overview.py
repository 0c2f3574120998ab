"""Overview: what this is, the translation, and the architecture with this sentence's shapes."""

from viz_core.ui import page

with page("overview") as p:
    p.write("translation", text=p.view.explanation.text)
