"""What is looked at, and where it is kept. The only place with st.session_state and st.query_params.

Every control is a widget bound to the URL, placed in the entrypoint, so that a link, a reload and the browser's Back restore the
view. Numbers count from 1 on the page and in the URL, from 0 in the code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from viz_core.checkpoint import Checkpoint
from viz_core.config import ModelConfig
from viz_core.explain import ExplainedStep, Explanation, Notice
from viz_core.trace import Trace


@dataclass(frozen=True, eq=False)
class View:
    """The sentence and the place in the model that every page shows. step, layer and head count from 0."""

    checkpoint: Checkpoint
    explanation: Explanation
    step: int
    layer: int
    head: int

    @property
    def config(self) -> ModelConfig:
        """The shape of the model."""
        return self.checkpoint.config

    @property
    def trace(self) -> Trace:
        """The tensors of the pass."""
        return self.explanation.trace

    @property
    def source(self) -> list[str]:
        """The labels of what the encoder read, S of them."""
        return self.explanation.source.labels

    @property
    def target(self) -> list[str]:
        """The labels of what the decoder read, T of them."""
        return self.explanation.target.labels

    @property
    def current(self) -> ExplainedStep:
        """The current decoding step."""
        return self.explanation.steps[self.step]


def put(view: View | None) -> None:
    """Leaves the view for the page that runs next; None while there is nothing to see."""
    st.session_state["_view"] = view


def current() -> View | None:
    """What app.py's frame left for this page."""
    view: View | None = st.session_state.get("_view")
    return view


def asked(name: str) -> str | None:
    """A parameter of the URL as it was opened; None where there is none."""
    return st.query_params.get(name)


def unset(name: str) -> bool:
    """Whether neither a control nor the URL has given a value: only then may a widget have a default of its own."""
    return get(name) is None and asked(name) is None


def get(name: str, default: Any = None) -> Any:
    """The value of a control, or of a page's own state."""
    return st.session_state.get(name, default)


def take(name: str) -> Any:
    """A value left for one time, which is then gone."""
    return st.session_state.pop(name, None)


def change(**values: Any) -> None:
    """Sets controls; to be called before they are drawn, so from a callback, or from `settle`."""
    st.session_state.update(values)


def later(notice: Notice, **values: Any) -> None:
    """Sets controls at the start of the next run, which starts now, and says why."""
    st.session_state.setdefault("_pending", {}).update(values)
    st.session_state.setdefault("_notices", []).append(notice)
    st.rerun()


def settle() -> None:
    """Applies what `later` asked for."""
    st.session_state.update(st.session_state.pop("_pending", {}))


def notices() -> list[Notice]:
    """What was said since the last time somebody asked."""
    waiting: list[Notice] = st.session_state.pop("_notices", [])
    return waiting


def say(notice: Notice) -> None:
    """Adds a notice for this run."""
    st.session_state.setdefault("_notices", []).append(notice)


def dark() -> bool:
    """Whether the reader's theme is dark."""
    return st.context.theme.type == "dark"
