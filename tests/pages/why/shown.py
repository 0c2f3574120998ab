"""What the browser shows of this page's texts, at any step and layer."""

from __future__ import annotations

from html import unescape

from streamlit.testing.v1 import AppTest

from tests.pages.test_all_pages import words
from tests.payloads import unpacked
from viz_core.texts import fill


def below(app: AppTest, **view: int) -> dict[str, str]:
    """The texts below the figure by their section; what is not named of the view is 0."""
    found = [each.proto.bytes for each in app.get("bidi_component") if each.proto.component_name == "viz_core_arithmetic"]
    if not found:
        return {}
    about = unpacked(found[0])[1]
    values = dict(about["shared"])
    for part in about["parts"]:
        at = part["at"]
        for name in part["by"]:
            at = at[min(view.get(name, 0), len(at) - 1)]
        values |= at
    chosen = {each["name"]: fill(each["template"], values) for each in about["sections"]}
    return {name: unescape(fill(about["texts"][key], values)) for name, key in chosen.items() if key in about["texts"]}


def all_words(app: AppTest) -> str:
    """All that the page says where the reader is."""
    here = {name: app.session_state[name] - 1 for name in ("step", "layer", "head")}
    return "\n".join([words(app), *below(app, **here).values()])
