"""viz-core site: the app as a folder for any web server, where each page computes in the reader's browser."""

import argparse
import ast
import sys
from typing import Any

from viz_core.errors import VizError
from viz_core.files import path
from viz_core.texts import DEFAULT_LANGUAGE, PAGES, fill, languages, texts


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

    from viz_core.app.site.write import write_site

    words = texts("app.site")["command"]
    if unknown := [code for code in options.languages if code not in languages()]:
        raise VizError(fill(words["no_language"], {"code": unknown[0], "known": ", ".join(languages())}))
    pages = _tour(options.pages)
    total = len(options.languages) * len(options.models) * sum(map(len, pages.values()))
    try:
        with tqdm(total=total, unit="page", dynamic_ncols=True) as bar:
            for doing in write_site(options.out, pages, options.models, options.languages, options.app):
                bar.set_description(doing)
                bar.update()
    except OSError as error:
        raise VizError(f"cannot write {options.out}: {error.strerror or error}") from error
    print(fill(words["done"], {"folder": options.out}), file=sys.stderr)
