"""The sidebar: the sentence, ready examples, the model, layer, head and step, each bound to the URL."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from viz_core.checkpoint import Checkpoint
from viz_core.errors import TextError, VizError
from viz_core.explain import Explanation, Notice
from viz_core.texts import fill, texts
from viz_core.ui import cache, state
from viz_core.ui.state import View

DEFAULT_TEXT = "The cat is sleeping on the sofa."
DEFAULT_MODEL = "en-de"


def sidebar() -> View | None:
    """Draws the controls and computes what they ask for; None while there is nothing to explain."""
    words = texts("app")
    with st.sidebar:
        st.text_input(
            words["sentence"],
            value=DEFAULT_TEXT if state.unset("text") else "",
            key="text",
            bind="query-params",
            placeholder=words["placeholder"],
            help=words["sentence_help"],
            on_change=_new_sentence,
        )
        st.selectbox(
            words["examples"],
            [example["text"] for example in words["example"]],
            index=None,
            placeholder=words["example_pick"],
            key="_example",
            label_visibility="collapsed",
            on_change=_take_example,
        )
        checkpoint = _model()
        explanation = _explanation(checkpoint) if checkpoint else None
        step = _step(len(explanation.steps) if explanation else 1)
        layer = _choice("layer", checkpoint.config.n_layers if checkpoint else 1)
        head = _choice("head", checkpoint.config.n_heads if checkpoint else 1)
        st.text_input(words["target"], key="target", bind="query-params", help=words["target_help"], on_change=_new_sentence)
    if checkpoint is None or explanation is None:
        return None
    return View(checkpoint, explanation, step, layer, head)


def take(text: str) -> None:
    """Puts a sentence into the controls; for callbacks."""
    state.change(text=text, target="", step=1)


def _new_sentence() -> None:
    state.change(step=1)


def _take_example() -> None:
    if chosen := state.get("_example"):
        take(chosen)
    state.change(_example=None)


def _model() -> Checkpoint | None:
    words = texts("app")
    names, problems = cache.usable()
    for name, reason in problems:
        state.say(Notice("checkpoint", {"name": name, "reason": reason}))
    if not names:
        return None
    names = sorted(names, key=lambda name: name != DEFAULT_MODEL)  # the first of the list is the default
    asked = state.asked("model")
    if state.get("model") is None and asked is not None and asked not in names:
        state.say(Notice("unknown", {"name": "model", "asked": asked, "shown": names[0]}))
    elif state.get("model") not in (None, *names):
        state.change(model=names[0])
    st.selectbox(words["model"], names, key="model", bind="query-params")
    try:
        return cache.get_checkpoint(state.get("model") or names[0])
    except VizError as error:
        state.say(Notice("checkpoint", {"name": state.get("model"), "reason": str(error)}))
        return None


def _explanation(checkpoint: Checkpoint) -> Explanation | None:
    # The target's control is drawn below this, so on the first run of an opened link only the URL knows what it holds.
    text, target = state.get("text") or "", state.get("target", state.asked("target")) or ""
    if not text.strip():
        return None
    try:
        return cache.get_explanation(checkpoint.name, checkpoint.digest, text, target)
    except TextError as error:
        state.say(Notice("text", {"reason": str(error)}))
        return None


def _choice(name: str, total: int) -> int:
    """One of 1…total, as a row of buttons; returns it counted from 0."""
    options = range(1, total + 1)
    _nearest(name, options)
    st.segmented_control(
        texts("app")[name], options, default=1 if state.unset(name) else None, required=True, key=name, bind="query-params",
        width="stretch",
    )  # fmt: skip
    return int(state.get(name) or 1) - 1


def _step(total: int) -> int:
    """The step as a number; returns it counted from 0. The widget has no maximum: with another one it would be another widget."""
    words = texts("app")
    _nearest("step", range(1, 1_000_000))
    st.number_input(words["step"], min_value=1, step=1, key="step", bind="query-params", help=words["step_help"])
    step = int(state.get("step") or 1)
    if step > total:
        state.later(Notice("nearest", {"name": "step", "asked": step, "shown": total}), step=total)
    return step - 1


def _nearest(name: str, options: Sequence[int]) -> None:
    """Before the control is first drawn: a value of the URL that it would drop becomes the nearest it has, and is told."""
    asked, value = state.asked(name), state.get(name)
    if value is not None:
        if not options[0] <= value <= options[-1]:
            state.change(**{name: min(max(value, options[0]), options[-1])})
        return
    if asked is None:
        return
    try:
        number = round(float(asked[:40]))
        shown = min(max(number, options[0]), options[-1])
    except (ValueError, OverflowError):
        number, shown = None, options[0]
    if number is None or float(asked[:40]) != shown:
        state.change(**{name: shown})
        state.say(Notice("unknown" if number is None else "nearest", {"name": name, "asked": asked[:40], "shown": shown}))


def stepper(view: View) -> None:
    """Back and on by one step, also by the arrow keys."""
    words, total = texts("app"), len(view.explanation.steps)
    back, label, on = st.columns([2, 3, 2], vertical_alignment="center")
    back.button(
        "←", key="_back", shortcut="Left", help=words["previous_step"], disabled=view.step == 0,
        on_click=state.change, kwargs={"step": view.step}, width="stretch",
    )  # fmt: skip
    label.markdown(f":gray[{fill(words['strip_step'], {'step': view.step + 1, 'steps': total})}]", text_alignment="center")
    on.button(
        "→", key="_on", shortcut="Right", help=words["next_step"], disabled=view.step == total - 1,
        on_click=state.change, kwargs={"step": view.step + 2}, width="stretch", type="primary",
    )  # fmt: skip
