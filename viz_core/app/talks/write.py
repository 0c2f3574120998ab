"""Writes a Talk as the text of its file, laid out for editing by hand."""

import json
import re
from collections.abc import Mapping
from typing import Any

from viz_core.app.talks.talk import Talk, TalkView
from viz_core.params import WALKED

_SURROGATE = re.compile(r"[\ud800-\udfff]")


def dumps(talk: Talk) -> str:
    """Valid TOML, which `loads` reads back as the same talk, except for its name and blanks around texts.

    Half a surrogate pair, which UTF-8 cannot encode, becomes «�».
    """
    shared = _shared(talk.views)
    lines = [_entry("title", talk.title), *_given("minutes", talk.minutes), *_given("about", talk.about)]
    lines += ["lesson = true"] if talk.is_lesson else []
    if shared:
        lines += ["", "[defaults]", *(_entry(name, value) for name, value in shared.items())]
    for view in talk.views:
        own = {name: value for name, value in view.parameters.items() if name not in shared}
        lines += ["", "[[view]]", _entry("page", view.page), _entry("title", view.title), *_given("caption", view.caption)]
        lines += [*_given("minutes", view.minutes), *_given("hide", view.hide)]
        lines += [_entry(name, value) for name, value in own.items()]
        lines += [*_given("note", view.note), *_given("todo", view.todo), *_given("mark", view.mark)]
        lines += [*_given("exercise", view.exercise), *_claims(view)]
    return "\n".join(lines) + "\n"


def _shared(views: tuple[TalkView, ...]) -> dict[str, str]:
    """The parameters that all views share, written once."""
    if len(views) < 2:
        return {}
    return {name: value for name, value in views[0].parameters.items() if all(view.parameters.get(name) == value for view in views)}


def _given(name: str, value: Any) -> list[str]:
    return [] if value in (None, "") else [_entry(name, value)]


def _entry(name: str, value: Any) -> str:
    if isinstance(value, str) and name in WALKED and re.fullmatch(r"[1-9]\d*", value):
        return f"{name} = {value}"
    return f"{_key(name)} = {_value(value)}"


def _value(value: Any) -> str:
    """A value, with a text of several lines on several lines."""
    if isinstance(value, str) and "\n" in value:
        lines = (_inline(line)[1:-1] for line in value.split("\n"))
        return '"""\n' + "\n".join(lines) + '"""'
    return _inline(value)


def _inline(value: Any) -> str:
    """A value on one line. Texts are written as in JSON, from which TOML differs by one character."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {_inline(inner)}" for name, inner in value.items()) + " }"
    if isinstance(value, str):
        return json.dumps(_SURROGATE.sub("�", value), ensure_ascii=False).replace("\x7f", "\\u007f")
    return f"{value:g}" if isinstance(value, float) and value.is_integer() else str(value)


def _claims(view: TalkView) -> list[str]:
    return ["claim = [", *(f"  {_inline(claim)}," for claim in view.claims), "]"] if view.claims else []


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _inline(name)
