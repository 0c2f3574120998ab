"""What the browser shows of this page's texts and tables, as it is where the reader is."""

import re

from streamlit.testing.v1 import AppTest

from tests.plots import below


def now(app: AppTest) -> dict[str, int]:
    """Where the reader is."""
    return {"step": app.session_state["_view"].step}


def words(app: AppTest) -> str:
    """All Markdown of the page, with the texts of the step that is shown."""
    return "\n".join([*(each.value for each in app.markdown), *below(app, **now(app)).values()])


def table_html(app: AppTest) -> str:
    """The table of passes, which marks the step's."""
    return next(each.proto.body for each in app.get("html") if "filling" in each.proto.body)


def highlighted(html: str, step: int) -> list[int]:
    """Indices of the rows that the table's own style sheet highlights at a step."""
    rows = len(re.findall(r"<tr[^>]*><th scope=.row.", html))
    named = {int(at): int(row) - 1 for at, row in re.findall(r'html\[data-step="(\d+)"\] \S+ tbody > :nth-child\((\d+)\)', html)}
    beyond = re.search(r"html((?::not\([^)]*\))*) \S+ tbody > :last-child", html)
    last = beyond is not None and step not in {int(at) for at in re.findall(r"\d+", beyond[1] or "")}
    return [*([named[step]] if step in named else []), *([rows - 1] if last else [])]
