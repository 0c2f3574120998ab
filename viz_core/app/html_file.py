"""One HTML file that needs no server and no network, for slides, a course page or a handout: a view, or all views of a talk.

The same keys step through it as in the app. Typed text is only ever data: JSON in which no character can end a script, and from
which the scripts make text nodes. The file's own policy lets the browser run these scripts only, and load nothing. Contents that
several views share, such as the payload of one sentence's attention, are stored once, compressed.

A live file holds a model instead of the answers that the engine gives: one types a sentence in it, and its views show that one.
"""

import base64
import gzip
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import plotly.offline

from viz_core.app import answers
from viz_core.app.answers import NOTHING, OF_SENTENCE, Sentence
from viz_core.app.drawing import Drawn
from viz_core.app.live import ENGINE, WEIGHTS, Live, held_beside, live_words, models_beside
from viz_core.app.typeface import POLICY, font_faces
from viz_core.browser.bundle import APP, BROWSER, CHOSEN, browser_texts, css, document, inline_code, policy
from viz_core.explain import Notice
from viz_core.figures import table
from viz_core.params import WALKED
from viz_core.texts import fill, texts, visible

STYLES = "".join(
    path.read_text("utf-8") for path in (CHOSEN, BROWSER / "html_file" / "html_file.css", BROWSER / "plot" / "plot.css")
)
"""Style sheets of the document itself; the bundle has those of each part."""
AROUND = ("html_file", "player", "top_bar")
"""Parts in every file."""
PARTS = {"part": "", "figure": "plot"}
"""Kind → the part that draws it; "" for a part with its own name."""
PIECE = 2**20
"""Characters of an element that holds packed content; of 20 million in one, WebKit's parser takes minutes."""


@dataclass(frozen=True)
class Shown:
    """One view in the file.

    Attributes:
        heading: its title, as typed.
        start: initial state of the browser's store: theme, limits, view; and exact, the numbers of the locked cell.
        top_bar: data of the top bar, such as the tokens of the sentence.
        drawn: the parts, figures and HTML of the view; none if only the server can show it.
        caption: shown beside the heading; every second of these texts is bold.
        note: the speaker's.
        open: whether nothing in the view gives the next word away.
        notices: the app's notices about the view; not in the file.
        sentence: that the view is about.
    """

    heading: str
    start: Mapping[str, Any]
    top_bar: Mapping[str, Any]
    drawn: Sequence[Drawn] = ()
    caption: Sequence[str] = ()
    note: str = ""
    open: bool = False
    notices: Sequence[Notice] = ()
    sentence: Sentence = NOTHING

    def follows(self, live: Live) -> bool:
        """Whether a file with this model can also show the view for another sentence."""
        return any(_is_live(element, live) for element in self.drawn)


@dataclass(frozen=True)
class _Store:
    """Compressed contents by hash, each once.

    Attributes:
        records: address that a part fetches → hash.
        last: contents that end the document, since the first picture needs them not.
    """

    packed: dict[str, str] = field(default_factory=dict)
    last: dict[str, str] = field(default_factory=dict)
    records: dict[str, str] = field(default_factory=dict)

    def keep(self, content: bytes, *, is_last: bool = False) -> str:
        name = hashlib.sha256(content).hexdigest()[:20]
        place = self.last if is_last else self.packed
        if name not in place:
            place[name] = base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()
        return name


def alone(title: str, views: Sequence[Shown], talk: Mapping[str, Any] | None = None, live: Live | None = None) -> bytes:
    """The file, UTF-8.

    Args:
        title: of the document, as typed.
        views: the view of a page, or all views of a talk in order.
        talk: its name, title, and start of each view; None for the file of a page.
        live: the model with which the file computes; None for a file that only shows what it holds.

    Raises:
        ValueError: the bundle contains a text that would end the script element early.
    """
    kept = _Store()
    elements = [element for view in views for element in view.drawn]
    # Packed until a view needs it; the policy allows it by its hash all the same.
    plotly_js = plotly.offline.get_plotlyjs() if any(element.kind == "figure" for element in elements) else ""
    words = texts("app.downloads")
    if live:  # drawn before the model is unpacked
        shown = {str(one.content): one for one in views[0].drawn if _is_live(one, live)}
        kept.records.update({address: kept.keep(one.payload()) for address, one in shown.items()})
    data = {
        "texts": browser_texts(),
        "theme": views[0].start["theme"],
        "views": [_view(view, kept, live) for view in views],
        "plotly": kept.keep(plotly_js.encode()) if plotly_js else None,
        "talk": talk and {**talk, "titles": [view.heading for view in views]},
        "live": live and _live(live, elements, kept),
        "records": kept.records,
        "packed": kept.packed,
    }
    script = inline_code(APP.read_text("utf-8"))
    more = ["img-src data: blob:", POLICY, *(["worker-src blob:"] if live else [])]
    allowed = policy([script, *([plotly_js] if plotly_js else [])], *more, computes=bool(live))
    names = {*AROUND, *(PARTS[element.kind] or element.name for element in elements if element.kind in PARTS)}
    faces = font_faces("".join(map(css, names)))
    tables = table.STYLES.read_text("utf-8") if any(element.kind == "html" for element in elements) else ""
    styles = f"<style>{faces}\n{inline_code(STYLES + tables)}</style>"
    opening = f"<p>{escape(words['live']['opening'])} <span class='cut'>{escape(words['live']['cut'])}</span></p>"
    body = f"""<nav></nav>
<header class="st-key-_head"><h1>{escape(visible(views[0].heading))}</h1><p></p></header>
<main>{opening if live else ""}</main>
<noscript><p>{escape(words["no_script"])}</p></noscript>
<footer>{escape(fill(words["made"], {"name": texts("app.frame")["name"]}))}</footer>"""
    module = f'<script type="module" async>{script}</script>'
    last = "".join(
        f'\n<script type="text/plain" data-of="{name}" data-size="{len(content)}">{content[start : start + PIECE]}</script>'
        for name, content in kept.last.items()
        for start in range(0, len(content), PIECE)
    )
    return document(visible(title), styles, body, data, module + last, allowed).encode()


def models_held(live: Live, elements: Sequence[Drawn]) -> list[Live]:
    """The model of a file with these elements, and those that they need beside it."""
    needed = {name for one in elements if _is_live(one, live) for name in models_beside(str(one.content))} - {live.model}
    return [live, *map(held_beside, sorted(needed))]


def _live(live: Live, elements: Sequence[Drawn], kept: _Store) -> dict[str, Any]:
    return {
        "model": live.model,
        "models": {one.model: _model(one, kept) for one in models_held(live, elements)},
        "engine": kept.keep(ENGINE.read_bytes()),
        "words": kept.keep(json.dumps(live_words()).encode()),
    }


def _model(live: Live, kept: _Store) -> dict[str, Any]:
    files = {name: path.read_bytes() for name, path in live.paths.items()} | {
        name: read for name, (_, read) in live.tables().items()
    }
    weights = kept.keep(_deinterleaved(files.pop(WEIGHTS)), is_last=True)
    hashes = {name: kept.keep(content) for name, content in files.items()}
    return {"languages": live.languages, "files": hashes | {WEIGHTS: weights}}


def _deinterleaved(content: bytes) -> bytes:
    """The low bytes of all float16, then the high ones: alike beside alike, gzip makes a seventh less of them."""
    return content[::2] + content[1::2]


def _is_live(element: Drawn, live: Live | None) -> bool:
    return live is not None and element.kind == "part" and isinstance(element.content, str) and live.answers(element.content)


def _view(view: Shown, kept: _Store, live: Live | None) -> dict[str, Any]:
    limits = {**view.start["limits"], "snapshot": None}  # another snapshot would have to be computed
    still = _still(view.drawn)
    if still:  # then the frame must not show another step either
        limits["fixed"] = {name: view.start["view"][name] for name in WALKED if name in still and name in view.start["view"]}
    return {
        "heading": visible(view.heading),
        "caption": view.caption,
        "note": view.note,
        "limits": limits,
        "view": view.start["view"],
        "exact": view.start.get("exact"),
        "top_bar": view.top_bar,
        "open": view.open,
        "sentence": {name: view.sentence.parameters().get(name, "") for name in OF_SENTENCE},
        "drawn": [_drawn(element, kept, live) for element in view.drawn],
    }


def _drawn(drawn: Drawn, kept: _Store, live: Live | None) -> dict[str, Any]:
    recorded = [address for address in drawn.more if address not in kept.records and not (live and live.answers(address))]
    kept.records.update({address: kept.keep(answers.answer_at(address)) for address in recorded})
    return {
        "kind": drawn.kind,
        "name": PARTS.get(drawn.kind) or drawn.name,
        "alone": drawn.alone,
        "address": drawn.content if drawn.kind == "part" and isinstance(drawn.content, str) else "",
        "content": None if _is_live(drawn, live) else kept.keep(drawn.payload()),
    }


def _still(drawn: Sequence[Drawn]) -> set[str]:
    """The walked values that these elements do not follow: parts follow all, figures and HTML none."""
    return set() if any(element.kind == "part" for element in drawn) else set(WALKED)
