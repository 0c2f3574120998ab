"""The frame around every page, with everything in the same place:

rail of pages · top bar · title · the question being tried · figure · arithmetic · try this · buttons for code, downloads, talks
and link · neighbouring pages; the steps at the foot of the window.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import streamlit as st

from viz_core.app import (
    addressed,
    addresses,
    chosen,
    edited,
    language,
    models,
    page_options,
    session,
    snapshots,
    try_this,
    worker_process,
)
from viz_core.app.code_panel import code_panel
from viz_core.app.components import connect
from viz_core.app.controls import draw_link
from viz_core.app.downloads import downloads
from viz_core.app.examples import examples
from viz_core.app.markup import markdown
from viz_core.app.page import Page, palette
from viz_core.app.player import player, sync_cell, sync_shared
from viz_core.app.rail import rail
from viz_core.app.talks import current, mistakes, panel, recorded
from viz_core.app.top_bar import share, top_bar, why_doubted
from viz_core.app.view_options import Stage, staged
from viz_core.browser.bundle import CHOSEN
from viz_core.browser.prediction import hidden_on
from viz_core.errors import VizError
from viz_core.explain import Notice
from viz_core.figures import table
from viz_core.source import lines_with
from viz_core.texts import fill, named, texts
from viz_core.trace import Kind


def _style(*files: Path) -> str:
    """Style sheets of the page, with our names replaced by Streamlit's ids (`streamlit.css`)."""
    text = "".join(file.read_text("utf-8") for file in files)
    for name, meant in re.findall(r"@custom-selector (\S+) (.+);", Path(__file__).with_name("streamlit.css").read_text("utf-8")):
        text = text.replace(name, meant)
    return f"<style>{text}</style>"


SHEETS = ("frame.css", "lecture.css", "narrow.css", "code_panel.css")
STYLE = _style(CHOSEN, *map(Path(__file__).with_name, SHEETS), table.STYLES)
DRAWER = _style(Path(__file__).with_name("drawer.css"))


class NothingToShow(Exception):
    """Ends a page without a sentence."""


def run(pages: Mapping[str, Sequence[str]]) -> None:
    """Runs address, session, controls and page, in this order.

    Args:
        pages: section → its pages, in the order of the tour. The very first is at `/`.
    """
    session.change(_tour=[name for names in pages.values() for name in names])
    page = st.navigation([_page(name) for name in session.tour()], position="hidden")
    show(pages, page.url_path or "overview", page.run)


def show(pages: Mapping[str, Sequence[str]], name: str, draw: Callable[[], object]) -> None:
    """Draws a page with its frame. draw: runs its script."""
    session.arrive(name)
    worker_process.count_reader(session.session())
    language.sync_from_url()
    recorded.add_waiting(name)
    _around(pages, name)
    _sync_from_url(name)
    with st.container(key="_bar"):
        bar = st.container()
        view = chosen.view(edited.here(name), name)
        kept = view and (view.checkpoint, view.explanation)  # strong references for this run: the session's view has none
        session.change(_view=view)
        with bar:
            top_bar(name, session.current(), palette())
    current.keep_text()
    try:
        draw()
    except NothingToShow:
        pass
    except Exception:
        addressed.send(name, failed=True)
        session.end_run(failed=True)
        raise
    finally:
        del kept
    addressed.send(name)
    session.end_run()


def _around(pages: Mapping[str, Sequence[str]], name: str) -> None:
    """Draws the surroundings of every page."""
    words = texts("app.frame")
    st.set_page_config(page_title=words["name"], page_icon="🔎", layout="wide")
    downwards = json.dumps(words["downwards"], ensure_ascii=False)
    st.html(f"{STYLE}<style>:root {{ --downwards: {downwards}; {palette().css()}}}</style>")
    with st.container(key="_access"):
        connect("access", {"replaced": language.replaced()})
        addressed.reserve()
    with st.container(key="_rail"):
        rail(pages, name)


def _sync_from_url(name: str) -> None:
    """Reads the link's parameters other than visible controls: a talk's view, lecture mode and prediction, edits."""
    if address := session.parameter(addresses.PARAMETER):
        near = addresses.nearest(address, session.tour())
        session.notify(Notice("no_page_near" if near else "no_page", {"asked": address[: addresses.LONGEST], "near": near}))
    current.sync_from_url(name)
    sync_shared(name)
    edited.sync_from_url(name)
    page_options.sync_from_url(name)


def _page(name: str) -> Any:
    default = name == "overview"
    return st.Page(f"{name}/page.py", title=name, url_path="" if default else name, default=default)


@contextmanager
def page(name: str, stage: Stage = None, *, cells: Kind | None = None, cell_of_step: bool = False) -> Iterator[Page]:
    """Draws everything around a page's figure; without a sentence, the invitation instead of the figure.

    The message of a VizError inside is shown on the page.

    Args:
        stage: the attention whose stages the page shows, for play to go through.
        cells: the attention in whose map a cell can be picked, if none has stages.
        cell_of_step: whether that cell belongs to a single step.
    """
    words = texts(name)
    view = session.current()
    head, messages = st.container(key="_head"), st.container(key="_said")
    head.title(current.heading(name) or words["title"], anchor=False)
    if view is None:
        _notices(messages)
        _invitation()
        raise NothingToShow
    assert view is not None
    if kind := cells or staged(stage, page_options.current()):
        sync_cell(view, kind)
    this = Page(name, view, stage, cell_of_step=cell_of_step)
    with head:
        st.markdown(current.caption(name) or this.texts["what"])
        player(this)
    with messages:  # always there: otherwise its coming and going would move the parts below and remount them
        try_this.question(this)
        snapshots.banner(view)
        edited.banner(view.explanation)
    with st.container(key="_page"):
        try:
            yield this
        except VizError as error:
            st.error(markdown(str(error)))
    covered = texts("app.covered")
    if "figure" in hidden_on(name):
        messages.html(f'<p class="covered of-figure">{covered["covered_figure"]}</p>')
    if not (this.nothing_to_hide or this.mounted):
        messages.html(f'<p class="covered">{covered["covered"]}</p>')
    this.keep_view_options()
    page_options.say_wrong()
    _notices(messages)
    with st.container(key="_foot"):
        try_this.buttons(this)
        with st.container(key="_behind", horizontal=True, vertical_alignment="center"):
            _code(this)
            downloads(this)
            panel.panel(this)
            share()
        _way_on(name)
    if told := session.pending("_toast"):
        st.toast(told)
    addressed.describe(this)
    current.prepare_next(view, chosen.DEFAULT_TEXT)
    if not session.record(this):
        this.let_go()


def _notices(place: Any) -> None:
    """The notices about the link and the sentence: one message, or a list of several.

    In lecture mode they would push the picture down, so they wait until it ends.
    """
    wrong = mistakes.unread()
    if session.lecture():
        return
    words, view = texts("app.notices"), session.current()
    notices = [*session.notices(), *(view.explanation.notices if view else ())]
    written = [{k: f"{v:,}" if isinstance(v, int) else markdown(str(v)) for k, v in notice.values.items()} for notice in notices]
    lines = [fill(words[notice.code], values) for notice, values in zip(notices, written, strict=True)]
    why = why_doubted(view)
    if why["doubt"] and any(notice.code == "unfinished" for notice in notices):  # the reason comes first
        switch = fill(words["switch"], {"model": why["fits"][0]}) if why["fits"] else ""
        lines.insert(0, f"{why['doubt']} {switch}")
    if lines:
        place.warning(lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines))
    for notice in notices:
        if notice.code in ("no_page_near", "no_page"):
            with place:
                _ways([(name, texts(name)["title"]) for name in [*notice.values["near"], "overview"]], key="_part_near", near=True)
    if wrong:
        place.warning(wrong)


def _invitation() -> None:
    words = texts("app.frame")
    if not models.usable()[0]:
        st.info(words["no_checkpoint"])
        return
    st.header(words["invitation_title"], anchor=False)
    st.markdown(words["invitation"])
    for i, (text, note) in enumerate(examples(chosen.source_language())):
        draw_link(f"{text} – {note}", f"invite_{i}", {**chosen.ANEW, "text": text})


def _code(this: Page) -> None:
    """The code behind the page: a button that opens a drawer at the right of the figure."""
    with st.container(key="_code", width="content"):
        place = st.expander(texts("app.frame")["code"], key=f"_code_of_{this.name}", on_change="rerun", icon=":material/code:")
    if not place.open:
        return
    st.html(DRAWER)
    with place:
        st.markdown(texts("app.frame")["code_lead"])
        for entry in this.texts.get("code", []):
            code_panel(entry["function"], lines_with(entry["function"], entry.get("highlight", "")))


def _way_on(name: str) -> None:
    names, words = session.tour(), texts("app.frame")
    index = names.index(name)
    ways = ((index - 1, f"◀ {words['back']}", ""), (index + 1, words["on"], " ▶"))
    _ways([(names[to], named(way, texts(names[to])["title"]) + end) for to, way, end in ways if 0 <= to < len(names)])


def _ways(ways: Sequence[tuple[str, str]], key: str | None = None, *, near: bool = False) -> None:
    """Links to pages, which keep the current choices. ways: page and words of each; near: instead of a page that does not exist."""
    links = [{"page": page, "href": addressed.path_of(page), "words": words} for page, words in ways]
    connect("ways", {"ways": links, "near": near}, key=key)
