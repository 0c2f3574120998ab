"""What the browser shows of this page's texts and tables, as it is where the reader is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import Any

from streamlit.testing.v1 import AppTest

from tests.payloads import unpacked
from viz_core.texts import fill


def below(app: AppTest, **view: int) -> dict[str, str]:
    """The texts below the figure by their section; what is not named of the view is 0."""
    about = _payload(app, "arithmetic")
    if not about:
        return {}
    values = dict(about["shared"])
    for part in about["parts"]:
        values |= _state(part, view)
    chosen = {each["name"]: fill(each["template"], values) for each in about["sections"]}
    return {name: unescape(fill(about["texts"][key], values)) for name, key in chosen.items() if key in about["texts"]}


def now(app: AppTest) -> dict[str, int]:
    """Where the reader is."""
    return {"step": app.session_state["step"] - 1}


def words(app: AppTest) -> str:
    """All Markdown of the page, with the texts of the step that is shown."""
    return "\n".join([*(each.value for each in app.markdown), *below(app, **now(app)).values()])


def table_html(app: AppTest, **view: int) -> str:
    """A table that the browser follows the view with."""
    about = _payload(app, "tables")
    return str(about["tables"][_state(about, view)])


def highlighted(html: str, step: int) -> list[int]:
    """Indices of the rows that the table's own style sheet highlights at a step."""
    rows = len(re.findall(r"<tr[^>]*><th scope=.row.", html))
    named = {int(at): int(row) - 1 for at, row in re.findall(r'\[data-step="(\d+)"\] \S+ tbody tr:nth-child\((\d+)\)', html)}
    beyond = re.search(r"\.viz-tables(?::not\((.*?)\))? \S+ tbody tr:last-child", html)
    last = beyond is not None and step not in {int(at) for at in re.findall(r"\d+", beyond[1] or "")}
    return [*([named[step]] if step in named else []), *([rows - 1] if last else [])]


def _payload(app: AppTest, name: str) -> dict[str, Any]:
    found = [each.proto.bytes for each in app.get("bidi_component") if each.proto.component_name == f"viz_core_{name}"]
    return unpacked(found[0])[1] if found else {}


def _state(group: Mapping[str, Any], view: Mapping[str, int]) -> Any:
    at = group["at"]
    for name in group["by"]:
        at = at[min(view.get(name, 0), len(at) - 1)]
    return at
