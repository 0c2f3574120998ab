"""The first run of a server: something to read while the model is loaded, and no wrong dialog.

Until an app has called st.navigation once, Streamlit takes `pages/` for its old kind of multipage app, looks there for the page of
the address, does not find it (ours stand one folder below), and opens a dialog "Page not found" over the page that it then shows.

Nothing here may import the model: that is what takes the time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from viz_core.texts import texts

NOTHING = "<span class=viz-cold></span>"
SCRIPT = f"""{NOTHING}<script>
{{
const close = () => document.querySelectorAll("[role=dialog]").forEach((dialog) => {{
  if (dialog.textContent.includes("Page not found")) dialog.querySelector("button")?.click();
}});
const watch = new MutationObserver(close);
watch.observe(document.body, {{ childList: true, subtree: true }});
setTimeout(() => watch.disconnect(), 30000);
close();
}}
</script>"""

JUST = 60
"""Seconds for which a run may have begun before the pages were known."""

_known: float | None = None
"""When an app first called st.navigation here, by the monotonic clock."""


def is_script() -> bool:
    """Whether this is a run of the script, for a session; else its file is imported, for the server that is in it."""
    return get_script_run_ctx(suppress_warning=True) is not None


@contextmanager
def first_run() -> Iterator[None]:
    """Around what only the first run of a server has to wait for."""
    # Both places are there in every run: all that follows would move by one when one of them went, and a browser-side part that
    # moves is mounted anew, deaf for a while or for good. The script is no placeholder's: a browser does not run what comes and
    # goes at once, and would run it again in each run.
    st.html(SCRIPT if _known is None or time.monotonic() - _known < JUST else NOTHING, unsafe_allow_javascript=True)
    place = st.empty()
    if _known is not None:
        yield
        return
    place.html(f"<p role=status>{escape(texts('app.frame')['loading'])}</p>")
    yield
    place.empty()


def pages_known() -> None:
    """To be called after st.navigation: from now on the dialog is true. A run that its reader left before that does not count."""
    global _known  # noqa: PLW0603 - once for each process, whatever session comes first
    _known = _known or time.monotonic()
