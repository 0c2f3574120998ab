"""viz-core site: the app as a folder that any web server serves, where every page computes in the reader's browser.

index.html, <page>/index.html    all alike but for the way to the folder
app.js, texts.<language>.js      our code, and its texts
engine.js qr.js plotly.js        the engine's worker, QR codes, plotly
notes.html                       the window of the speaker's notes
pages/<language>/<model>/<page>.json    what `record.py` has recorded
words/<language>.json            texts for the engine's views
streamlit/                       fonts, icons and the typesetter of formulas
sw.js, manifest.webmanifest, icons    so that browsers keep it, see `served.py`
models/<name>/                   files of the checkpoint, also of those that a view needs beside it;
                                 models/rules/<language>.json: how words are split; models/sentences/<language>.json: our own
"""

from __future__ import annotations

import argparse
import ast
import base64
import hashlib
import json
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import plotly.offline

from viz_core.analysis.next_token import FOREIGN, SCRIPTS, SPELT, UNSURE
from viz_core.app import code_panel
from viz_core.app.chosen import DEFAULT_MODEL
from viz_core.app.examples import default_text, examples
from viz_core.app.html_file import STYLES
from viz_core.app.live import WEIGHTS, Live, held, held_beside, live_words, models_beside
from viz_core.app.server import NOTES_PAGE
from viz_core.app.site.record import State, states, views
from viz_core.app.site.served import HEAD, NOTES, SCRIPT, write_offline
from viz_core.app.streamlit_files import SHEET, copy_type
from viz_core.app.talk_file.record import Part, recording
from viz_core.app.talks import Talk, library
from viz_core.app.talks.panel import listed
from viz_core.browser.bundle import APP, BROWSER, DIST, css, document
from viz_core.catalog import find
from viz_core.checkpoint import load
from viz_core.errors import VizError
from viz_core.figures import table
from viz_core.figures.palette import DARK, LIGHT
from viz_core.files import path
from viz_core.texts import DEFAULT_LANGUAGE, PAGES, fill, languages, speak, texts

IN_PAGE = ("rail", "plot")
"""Parts with style sheets that belong to the document."""


def write_site(
    folder: Path, pages: Mapping[str, Sequence[str]], models: Sequence[str], languages: Sequence[str], app: str = ""
) -> Iterator[str]:
    """Writes the site, page by page; yields what is being done.

    Args:
        app: the address of an app that shows the same views, relative to the site; "" if there is none.

    Raises:
        VizError: a model cannot be read, or a page cannot be drawn.
        OSError: the folder cannot be written.
    """
    names = [name for section in pages.values() for name in section]
    lives = {model: held(model, find(model), load(model)) for model in models}
    folder.mkdir(parents=True, exist_ok=True)
    scripts = (APP, DIST / "engine.js", DIST / "qr.js", *sorted(DIST.glob("texts.*.js")))
    for script in scripts:
        shutil.copyfile(script, folder / script.name)
    _write(folder / "plotly.js", plotly.offline.get_plotlyjs())
    _write(folder / NOTES, NOTES_PAGE)
    needed: set[str] = set()
    in_common: dict[str, tuple[Set[str], Set[str]]] = {}
    known: dict[str, Talk] = {}
    for language in languages:
        speak(language)
        _write(folder / "words" / f"{language}.json", json.dumps(live_words()))
        with recording(names):
            known = _talks(pages, models)
            talks = ("talk_list", "_talks", listed(known), False)
            for model, live in lives.items():
                source = live.languages[0]
                for page in names:
                    yield f"{language} · {model} · {page}"
                    two = default_text(source), examples(source)[0][0]
                    recorded = [*states(page, pages, model, two, in_common)]
                    parts = [data for state in recorded for _, _, data, _ in state.parts if not isinstance(data, bytes)]
                    needed |= {name for data in parts for name in models_beside(data.get("address", ""))}
                    content = [_state(state, talks) for state in recorded]
                    _write(folder / "pages" / language / model / f"{page}.json", json.dumps(content))
            for name, talk in known.items():
                yield f"{language} · {name}"
                _write(folder / "talks" / language / f"{name}.json", json.dumps(list(views(talk, pages))))
    speak(DEFAULT_LANGUAGE)
    beside = {model: held_beside(model) for model in sorted(needed - {*models})}
    for live in (*lives.values(), *beside.values()):
        _copy_model(folder / "models", live)
    code = b"".join(script.read_bytes() for script in scripts) + "".join(live.digest for live in lives.values()).encode()
    about = {
        "build": hashlib.sha256(code).hexdigest()[:12],
        "languages": list(languages),
        "pages": names,
        "app": app,
        "talks": list(known),
        "models": {model: _about(live) for model, live in lives.items()},
        "beside": {model: _about(live) for model, live in beside.items()},
        "doubts": {"script": FOREIGN, "foreign": SPELT, "improbable": UNSURE},
        "formulas": copy_type(folder),
        "offline": SCRIPT,
        "themes": {"light": asdict(LIGHT), "dark": asdict(DARK)},
    }
    for index, page in enumerate(names):
        base = "../" if index else "./"
        _write(folder / (page if index else "") / "index.html", _document(about | {"base": base}))
    write_offline(folder, names, [live.digest for live in (*lives.values(), *beside.values())])


def _talks(pages: Mapping[str, Sequence[str]], models: Sequence[str]) -> dict[str, Talk]:
    """The shipped talks whose pages and models are on the site."""
    names = {name for section in pages.values() for name in section}
    return {
        name: talk
        for name, (talk, problems) in library.known().items()  # a view of a page that is not there is a problem
        if not problems and all(view.page in names and view.parameters.get("model", DEFAULT_MODEL) in models for view in talk.views)
    }


def _state(state: State, talks: Part) -> dict[str, Any]:
    def placed(parts: Sequence[Part]) -> list[dict[str, Any]]:
        return [
            _part(*part, own=part[1] in state.shared, fixed=part[1] in state.fixed, off_stage=part[1] in state.off_stage)
            for part in parts
        ]

    parts = placed(state.parts)
    parts += [_part(*talks, own=True, fixed=True)] if state.page == "overview" and talks[2]["talks"] else []
    about = {"asked": state.asked, "heading": state.heading, "caption": state.caption, "hint": state.hint, "open": state.open}
    picks = {
        name: {value: {"lead": pick.lead, "parts": placed(pick.parts)} for value, pick in by_value.items()}
        for name, by_value in state.picks.items()
    }
    return {**about, "parts": parts, "picks": picks}


def _part(name: str, key: str, data: Any, in_page: bool, own: bool, fixed: bool, off_stage: bool = False) -> dict[str, Any]:
    content = {"packed": base64.b64encode(data).decode()} if isinstance(data, bytes) else {"data": data}
    return {"name": name, "key": key, "own": own, "fixed": fixed, "offStage": off_stage, "inPage": in_page, **content}


def _copy_model(folder: Path, live: Live) -> None:
    (folder / live.model).mkdir(parents=True, exist_ok=True)
    for name, file in live.paths.items():
        shutil.copyfile(file, folder / live.model / name)
    for place, content in live.tables().values():
        _write(folder / place, content.decode())


def _about(live: Live) -> dict[str, Any]:
    own = {name: f"{live.model}/{name}" for name in live.paths}
    weights = live.paths[WEIGHTS].read_bytes()
    return {
        "languages": live.languages,
        "files": own | {name: place for name, (place, _) in live.tables().items()},
        "digest": live.digest,
        "bytes": len(weights),
        "scripts": ["Han" if script == "CJK" else script.title() for script in sorted(SCRIPTS.get(live.languages[0], ()))],
        "sum": int(np.frombuffer(weights[: len(weights) // 4 * 4], "<u4").sum(dtype=np.uint64) % 2**32),
        "usual": default_text(live.languages[0]),
    }


def _document(about: Mapping[str, Any]) -> str:
    base = about["base"]
    styles = STYLES + (BROWSER / "site" / "site.css").read_text("utf-8") + "".join(map(css, IN_PAGE))
    styles += "".join(file.read_text("utf-8") for file in (table.STYLES, code_panel.STYLES))
    head = f"""<meta name="color-scheme" content="light dark">
{"".join(HEAD).format(base=base)}
<link rel="stylesheet" href="{base}{SHEET}">
<style>{styles}</style>"""
    no_script = f"<noscript><p>{escape(texts('app.downloads')['no_script'])}</p></noscript>"
    script = f'<script type="module" src="{base}app.js"></script>'
    return document(texts("app.frame")["name"], head, no_script, about, script)


def _write(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, "utf-8")


def add_parser(commands: Any) -> None:
    words = texts("app.site")["command"]
    parser = commands.add_parser("site", help=words["help"], description=__doc__)
    parser.add_argument("--out", type=path, required=True, help=words["out"])
    parser.add_argument("--models", type=_listed, default=["en-de"], help=words["models"])
    parser.add_argument("--languages", type=_listed, default=[DEFAULT_LANGUAGE], help=words["languages"])
    parser.add_argument("--pages", type=_listed, help=words["pages"])
    parser.add_argument("--app", default="", help=words["app"])
    parser.set_defaults(run=run)


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _tour(wanted: list[str] | None) -> dict[str, list[str]]:
    """Section → its pages, from the script that Streamlit runs; wanted: only these."""
    script = ast.parse((PAGES / "tour.py").read_text("utf-8"))
    table = next(node.value for node in script.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PAGES")
    tour: dict[str, list[str]] = ast.literal_eval(table)
    known = [name for names in tour.values() for name in names]
    if unknown := [name for name in wanted or [] if name not in known]:
        raise VizError(fill(texts("app.site")["command"]["no_page"], {"page": unknown[0], "known": ", ".join(known)}))
    return {section: [name for name in names if name in (wanted or known)] for section, names in tour.items()}


def run(options: argparse.Namespace) -> None:
    from tqdm import tqdm

    words = texts("app.site")["command"]
    if unknown := [code for code in options.languages if code not in languages()]:
        raise VizError(fill(words["no_language"], {"code": unknown[0], "known": ", ".join(languages())}))
    pages = _tour(options.pages)
    names = [name for section in pages.values() for name in section]
    with recording(names):
        talks = len(_talks(pages, options.models))
    total = len(options.languages) * (len(options.models) * len(names) + talks)
    try:
        with tqdm(total=total, unit="step", dynamic_ncols=True) as bar:
            for doing in write_site(options.out, pages, options.models, options.languages, options.app):
                bar.set_description(doing)
                bar.update()
    except OSError as error:
        raise VizError(f"cannot write {options.out}: {error.strerror or error}") from error
    print(fill(words["done"], {"folder": options.out}), file=sys.stderr)
