"""A page's downloads: its numbers, the view as one file, the whole trace. Nothing is computed before the click."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

import streamlit as st

from viz_core import trace_file
from viz_core.app import csv_files, html_file
from viz_core.app.attention import KINDS
from viz_core.app.live import WEIGHTS, Live, live
from viz_core.app.page import Page, Table
from viz_core.app.top_bar import chips, line
from viz_core.errors import VizError
from viz_core.params import OPTIONS, WALKED
from viz_core.sites import sites
from viz_core.texts import fill, in_this_language, texts
from viz_core.trace import Kind

ATTENTIONS: Mapping[str, tuple[Kind, ...]] = {
    "overview": KINDS,
    "self_attention": ("self",),
    "masked_attention": ("masked",),
    "cross_attention": ("cross",),
}
SITES: Mapping[str, tuple[str, ...]] = {
    "embeddings": ("*.lookup", "*.embedding"),
    "positions": ("*.positions", "*.input"),
    "qkv": ("*.#.*_attn.[qkv]",),
    "residual": ("*.#.resid_*", "*.#.norm_*", "*.#.*_attn.out", "*.#.ffn.*"),
}
"""Page → the sites whose numbers it offers; # is the layer."""
LONGEST_NAME = 80
PACKED = 1.14
"""Bytes in a live file for each byte of float16 weights, as measured with the shipped models."""
OURS, PLOTLY = 1.2, 1.9
"""Megabytes in a live file of our own code, texts and data, and of plotly's script."""


def downloads(this: Page) -> None:
    """The button at the foot of a page, and the downloads behind it."""
    words, view = texts("app.downloads"), this.view
    sentence = file_name(view.explanation.source.text)[:40]
    button = st.popover(words["title"], icon=":material/download:", key=f"_downloads_of_{this.name}", on_change="rerun")
    if not button.open:
        return
    this.follows |= {*WALKED, *OPTIONS}  # so that the files hold what is on display
    with button:
        offered = list(tables(this))
        if offered:
            labels = [table.label for table in offered]
            index = st.selectbox(words["numbers"], range(len(labels)), format_func=labels.__getitem__, key=f"_csv_{this.name}")
            chosen = offered[index]
            _offer("csv", file_name(chosen.file, sentence) + ".csv", "text/csv", chosen.make)
        if this.drawn:
            _offer("file", file_name(this.name, sentence) + ".html", "text/html", page_file(this))
            with suppress(VizError):  # a model that no file can hold
                _offer_live(this, live(view.sentence.model), file_name(this.name, sentence, "live") + ".html")
        name = file_name("trace", sentence) + ".zip"
        _offer("trace", name, "application/zip", lambda: trace_file.zipped(view.checkpoint, view.explanation, name))
        st.code(trace_file.snippet(name), language="python")


def _offer(what: str, name: str, mime: str, make: Callable[[], bytes], **values: object) -> None:
    """A download button with a description beside it. values: for the description."""
    words = texts("app.downloads")
    button, text = st.columns([1, 2], vertical_alignment="center")
    button.download_button(
        words[what], in_this_language(make), name, mime, key=f"_download_{what}", on_click="ignore", icon=":material/download:",
        width="stretch",
    )  # fmt: skip
    text.markdown(fill(words[f"{what}_is"], values))


def _offer_live(this: Page, model: Live, name: str) -> None:
    """The page as a file that computes, if its figure follows a typed sentence."""
    if (talk := _shown(this)).follows(model):
        weights = sum(held.paths[WEIGHTS].stat().st_size for held in html_file.models_held(model, talk.drawn))
        size = OURS + PLOTLY * any(element.kind == "figure" for element in talk.drawn) + PACKED * weights / 1e6
        make = partial(html_file.alone, _title(this), [talk], live=model)
        _offer("live_file", name, "text/html", make, megabytes=round(size))


def tables(this: Page) -> Iterator[Table]:
    """The numbers that a page offers, those of its current view first."""
    words, view = texts("app.downloads"), this.view
    layer, head, step = view.layer + 1, view.head + 1, view.step + 1

    def later(csv: Callable[..., bytes], *which: Any) -> Callable[[], bytes]:
        return lambda: csv(view.explanation, *which)  # late, so that Streamlit keeps no numbers until the click

    yield from this.offered
    of_stage = [kind for kind in KINDS if kind == this.stage and this.name == "heads"]
    for kind in ATTENTIONS.get(this.name, of_stage):
        one, all_heads = (later(csv_files.attention_csv, kind, view.layer, one_head) for one_head in (view.head, None))
        yield Table(fill(words[f"{kind}_head"], {"layer": layer, "head": head}), f"{kind}-layer{layer}-head{head}", one)
        if not of_stage:
            yield Table(fill(words[kind], {"layer": layer}), f"{kind}-layer{layer}", all_heads)
    if this.name in ("output", "overview"):
        temperature = this.view_options.temperature if this.name == "output" else 1.0
        whole, top = (later(csv_files.output_csv, view.checkpoint.tokenizer, one, 100, temperature) for one in (view.step, None))
        yield Table(fill(words["output_step"], {"step": step}), f"output-step{step}", whole)
        yield Table(words["output_top"], "output-top100", top)
    patterns = [pattern.replace("#", str(view.layer)) for pattern in SITES.get(this.name, ())]
    for name, site in sites(view.config).items():
        if any(fnmatchcase(name, pattern) for pattern in patterns):
            stack, rest = name.split(".", 1)
            label = fill(
                words["site_layer" if rest[0].isdecimal() else "site"], {"stack": words[stack], "layer": layer, "site": site.key}
            )
            yield Table(label, name.replace(f".{view.layer}.", f"-layer{layer}-"), later(csv_files.site_csv, name))
    if this.name in ("tokens", "overview"):
        yield Table(words["tokens"], "tokens", later(csv_files.tokens_csv))


def page_file(this: Page) -> Callable[[], bytes]:
    """A function that makes a page's HTML file in the current theme: its parts with their data, which step as they do here; for a
    page without parts, its figures and tables as they stand.
    """
    return partial(html_file.alone, _title(this), [_shown(this)])


def _title(this: Page) -> str:
    explanation = this.view.explanation
    values = {"page": this.texts["title"], "source": explanation.source.text, "target": explanation.text}
    return fill(texts("app.downloads")["title_of_file"], values)


def _shown(this: Page) -> html_file.Shown:
    view = this.view
    stages = this.start["limits"]["stages"] if this.stage == "open" or "attention_view" in this.mounted else ""
    limits = {**this.start["limits"], "stages": stages, "picked_by": this.picked_by}
    start = {"limits": limits, "view": this.start["view"], "theme": this.start["theme"]}
    parts = [drawn for drawn in this.drawn if drawn.kind == "part"]
    drawn, bar = parts or list(this.drawn), chips(view) | line(view)
    return html_file.Shown(this.texts["title"], start, bar, drawn, open=this.nothing_to_hide, sentence=view.sentence)


def file_name(*parts: str) -> str:
    """A file name without suffix that every system accepts: letters and digits of any script, _ and -.

    `kit/save.ts` builds the same name in the browser.
    """
    text = unicodedata.normalize("NFC", "-".join(parts))
    plain = "".join(sign if sign == "_" or unicodedata.category(sign)[0] in "LNM" else "-" for sign in text)
    return re.sub("-+", "-", plain).strip("-")[:LONGEST_NAME].rstrip("-") or "view"
