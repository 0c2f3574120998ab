"""Records a page in every state of its own controls: its parts, for `viz_core/browser/site/` to mount without a server.

The page is drawn with two sentences. What both have in common belongs to the page; the rest belongs to its sentence.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from typing import Any

from viz_core.app import answers, chosen
from viz_core.app.live import VIEWS
from viz_core.app.page import Page
from viz_core.app.talk_file.record import Part, draw
from viz_core.app.talks import Talk, current

MOST = 32
"""States of one page."""
ONLY_IN_APP = {("training", "live"), ("training", "tuning")}
"""Pages and their values of `show` that train a model."""
SWITCHES = {"own": ["0", "50"]}
"""Sliders of which the first value shows another view than all others: the values that are recorded."""
PARTLY = ("source_words",)
"""Views that the engine computes only in part, here without integrated gradients; recorded in full for the opening sentence."""
FOLLOWED = {*(("code", name) for name in ("by", "shared", "norm")), ("decoding", "early"), ("decoding", "count")}
"""Controls, by page, that change only the addresses of answers; the site changes these itself."""
AROUND = ("access", "rail", "top_bar", "player", "address")
FOOT = ("try_this", "share", "ways")
"""Parts around the picture: those without which no page is, and those below it."""
OF_RUN = ("session", "visited", "brought", "run", "process")
"""Fields that identify a run of a server; without them a page is recorded the same each time, and browsers keep their copy."""


@dataclass(frozen=True)
class Pick:
    """A value of a control in a figure: the parameters that it stands for, and the parts that differ there."""

    lead: Mapping[str, str]
    parts: Sequence[Part]


@dataclass(frozen=True)
class State:
    """A page with some values of its own controls.

    Attributes:
        asked: these values, as in an address.
        caption, hint: what the page is about, and how to go on there; every second of these texts is bold.
        parts: in the order of the page. shared, fixed: keys of those that are the same with another sentence, and with other
            numbers in the controls. off_stage: keys of those for which lecture mode has no room.
        open: whether nothing on the page gives the next word away.
        picks: control in a figure → its values.
    """

    page: str
    asked: Mapping[str, str]
    heading: str
    caption: Sequence[str]
    hint: Sequence[str]
    parts: Sequence[Part]
    shared: Set[str]
    fixed: Set[str]
    off_stage: Set[str]
    open: bool
    picks: Mapping[str, Mapping[str, Pick]]


def states(
    page: str,
    pages: Mapping[str, Sequence[str]],
    model: str,
    sentences: tuple[str, str],
    in_common: dict[str, tuple[Set[str], Set[str]]],
) -> Iterator[State]:
    """The states of a page, the one in which it opens first, and those that only the app shows last.

    Args:
        pages: section → its pages, as for `frame.run`.
        sentences: the one that the site opens with, and another.
        in_common: state → its shared and its fixed parts, which are the same in each language and found once.
    """
    waiting: list[Mapping[str, str]] = [{}]
    seen: list[Mapping[str, str]] = []
    only_in_app: list[State] = []
    usual: dict[str, str] = {}
    while waiting and len(seen) < MOST:
        parameters = waiting.pop(0)
        if any(known.items() <= {**usual, **parameters}.items() for known in seen):  # the page then lacks the other controls
            continue
        beside = {"edits": "no_positions"} if parameters.get("pair") == "edits" else {}
        first, second = ({"model": model, "text": text, **beside, **parameters} for text in sentences)
        drawn, parts = _draw(page, pages, first)
        leads = {key: data for name, key, data, _ in parts if name == "picks"}
        parts = [part for part in parts if part[0] != "picks"]
        controls = {name: choice for name, choice in _choices(parts) if (page, name) not in FOLLOWED}
        is_shown = (page, controls.get("show", ("",))[0]) not in ONLY_IN_APP
        if not is_shown:
            controls = {"show": controls["show"]}
        full = {name: value for name, (value, _) in controls.items()}
        if full in seen:
            continue
        seen.append(full)
        usual = full | usual
        if (name := f"{model} {page} {full}") not in in_common:
            moved = dict(_moved(parts))
            _, of_other = _draw(page, pages, second)
            _, with_moved = _draw(page, pages, first | moved) if moved else (drawn, parts)
            in_common[name] = _same(parts, of_other), _same(parts, with_moved)
        if not is_shown:
            parts = [part for part in parts if part[0] in (*AROUND, *FOOT) or (part[0] == "control" and part[2]["name"] == "show")]
        title, is_open = str(drawn.texts["title"]), drawn.nothing_to_hide
        picks = {
            name: {value: _pick(page, pages, {**first, name: value}, lead, parts) for value, lead in each.items()}
            for name, each in leads.items()
        }
        state = State(page, full, title, drawn.description, drawn.hint, parts, *in_common[name], drawn.off_stage, is_open, picks)
        if is_shown:
            yield state
        else:
            only_in_app.append(state)
        waiting += [full | {name: option} for name, (_, options) in controls.items() for option in options if option != full[name]]
    yield from only_in_app


def views(talk: Talk, pages: Mapping[str, Sequence[str]]) -> Iterator[dict[str, Any]]:
    """The views of a talk: page, parameters, title, caption, name of the exercise, and what the player says of the talk there."""
    for index, view in enumerate(talk.views):
        link = {"model": chosen.DEFAULT_MODEL, **view.link()}
        _, parts = draw(view.page, pages, {**link, "talk": talk.name, "at": str(index + 1)}, view.page)
        told = next(data["talk"] for name, _, data, _ in parts if name == "player")
        words = {"title": current.title_of(view), "caption": view.caption}
        yield {"page": view.page, "parameters": link, **words, "exercise": view.exercise, "talk": told}


def _pick(
    page: str, pages: Mapping[str, Sequence[str]], link: Mapping[str, str], lead: Mapping[str, str], usual: Sequence[Part]
) -> Pick:
    if not lead.items() <= {"layer": "1", **link}.items():  # the site goes to the lead, which is picked there
        return Pick(lead, [])
    _, parts = _draw(page, pages, link)
    return Pick(lead, [part for part in parts if part[0] not in (*AROUND, "picks", "share") and part not in usual])


def _choices(parts: Sequence[Part]) -> Iterator[tuple[str, tuple[str, list[str]]]]:
    """The controls that choose between few values: name → the value and all of them. Numbers and places are put into addresses."""
    for name, _, data, _ in parts:
        if name == "control" and data["kind"] in ("buttons", "list"):
            options = [option for option, _ in data["options"]]
            if not any(option.isdecimal() for option in options):
                yield data["name"], (data["value"], options)
        elif name == "control" and data["name"] in SWITCHES:
            yield data["name"], (data["value"], SWITCHES[data["name"]])


def _moved(parts: Sequence[Part]) -> Iterator[tuple[str, str]]:
    """Another number for each control that takes or lists numbers, and another place if the page is drawn for one."""
    for name, _, data, _ in parts:
        if name == "address":
            yield from ((place, "2") for place in ("step", "layer", "head") if place in data["follows"])
        elif name == "control" and data["kind"] == "list":
            others = (option for option, _ in data["options"] if option.isdecimal() and option != data["value"])
            yield from ((data["name"], option) for option in islice(others, 1))
        elif name == "control" and data["kind"] in ("slider", "number") and data["name"] not in SWITCHES and "step" in data:
            value = float(data["value"])
            yield data["name"], f"{value + (data['step'] if value < data['high'] else -data['step']):g}"


def _same(parts: Sequence[Part], others: Sequence[Part]) -> Set[str]:
    """Keys of the parts that are the same in both, but for the values of controls."""

    def told(data: Any) -> Any:
        return data if isinstance(data, bytes) else {name: value for name, value in data.items() if name != "value"}

    other = {key: told(data) for _, key, data, _ in others}
    return {key for _, key, data, _ in parts if other.get(key) == told(data)}


def _draw(page: str, pages: Mapping[str, Sequence[str]], link: Mapping[str, str]) -> tuple[Page, list[Part]]:
    drawn, parts = draw(page, pages, link, page)
    return drawn, [(name, key, _answered(data), in_page) for name, key, data, in_page in parts]


def _answered(data: Any) -> Any:
    """A part's data for the site: the recorded answer replaces an address that the engine cannot answer, and stands beside one that
    it answers only in part.
    """
    if isinstance(data, bytes):
        return data
    data = {name: value for name, value in data.items() if name not in OF_RUN}
    address = data.get("address", "")
    view = address.partition("?")[0].rpartition("/")[2]
    if address and view not in VIEWS:
        return answers.answer_at(address)
    return data | {"recorded": base64.b64encode(answers.answer_at(address)).decode()} if view in PARTLY else data
