"""The documents' list of link parameters is the one that the code declares."""

from __future__ import annotations

import re
from pathlib import Path

from tests.pages.test_all_pages import NAMES
from viz_core.app.controls import declared
from viz_core.app.session import SWITCH
from viz_core.app.snapshots import OWN, SAME
from viz_core.app.view_options import OPTIONS, TEMPERATURES
from viz_core.browser.prediction import ASKED
from viz_core.texts import languages

ROOT = Path(__file__).parents[1]
LINKS = ROOT / "docs/links.md"
SENTENCES = ROOT / "viz_core/training/sentences"
VIEW_OPTIONS = {"qkv": ["`dim` from 1"], "residual": ["`dim` from 1", "`cell` token-rank, such as 2-1"]}
"""What parts of single pages have beside the controls."""
OF_ATTENTION = ("stage", "show", "form", "unit", "scale", "order", "specials")
SWITCHED = " ".join(SWITCH)
TEMPERATURE = f"`temperature` {TEMPERATURES[0]:g} to {TEMPERATURES[1]:g}"


def options(*names: str) -> str:
    """Some of the view options with their values; the empty one, which is the default, has no name."""
    return ", ".join(f"`{name}` {' '.join(filter(None, OPTIONS[name]))}" for name in names)


def listed() -> str:
    """The list as it should stand in docs/links.md."""
    rows = [
        "| page | its parameters |",
        "|---|---|",
        "| every page | `text` text, `target` text, `model` a folder of `checkpoints/`, `snapshot` a saved training step, or end, "
        f"`reads` {SAME} {OWN}, `step` from 1, `layer` from 1, `head` from 1, `token` of the source, from 1, `lecture` {SWITCHED}, "
        f"`predict` {' '.join(ASKED)}, `talk` a file of `talks/`, `at` from 1, "
        f"`lang` {' '.join(languages())}, `edits` such as no_positions, `everywhere` {SWITCHED} |",
        f"| attention pages | {options(*OF_ATTENTION)}, `cell` query-key, such as 2-3 |",
        f"| `/` | {options('drawing', 'open')}, and those of the attention pages |",
        f"| `/output` | {TEMPERATURE}, {options('axis', 'top')}, `cell` step-rank, such as 2-1 |",
    ]
    for page in NAMES:
        own = [f"`{each.name}` {each.values()}".strip() for each in declared(page).values()]
        own += VIEW_OPTIONS.get(page, [])
        rows += [f"| `/{page}` | {', '.join(own)} |"] if own else []
    return "\n".join(rows)


def test_the_list_of_link_parameters_has_the_controls_that_the_pages_declare() -> None:
    found = re.search(r"<!-- parameters -->\n(.*?)\n?<!-- /parameters -->", LINKS.read_text("utf-8"), re.DOTALL)
    assert found
    assert found[1].strip() == listed(), f"put this between the two marks:\n{listed()}"


def test_the_documents_count_our_pairs_about_chess() -> None:
    learn, held_out = (len((SENTENCES / name).read_text("utf-8").splitlines()) for name in ("chess.tsv", "chess-held-out.tsv"))
    assert f"our {learn} pairs about chess ({held_out} more are held out)" in (ROOT / "docs/models-and-training.md").read_text(
        "utf-8"
    )
