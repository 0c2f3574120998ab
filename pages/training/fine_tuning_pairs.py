"""The sentence pairs to fine-tune on: ours, or the reader's own, which are checked before anything starts."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st

from pages.training.controls import PAIRS
from viz_core.analysis.roles import sentences
from viz_core.app import session
from viz_core.app.markup import Raw, markdown
from viz_core.app.page import Page
from viz_core.checkpoint import Checkpoint
from viz_core.errors import PairsError
from viz_core.training import material
from viz_core.training.material import Material
from viz_core.training.pairs import Pair, read_few

MEASURED = 24
"""Everyday sentences by which forgetting is measured; the others may be mixed in."""
MEGABYTES = 1
"""The limit of an uploaded file."""
MARK = "="
"""Between source and translation where they are typed: the Tab key leaves the box."""
NamedPairs = tuple[str, tuple[Pair, ...]]
"""The name of a file, and its pairs."""


def pairs_to_learn(p: Page) -> Material | None:
    """The pairs to learn from; None while there are none. Once there are, the place to give others is in the row of controls."""
    checkpoint = p.view.checkpoint
    known = (checkpoint.source_language, checkpoint.target_language) == material.LANGUAGES
    with p.controls():
        whose = PAIRS.draw(p, () if known else ("yours",))
    if whose == "ours":
        return our_pairs(checkpoint)
    given: NamedPairs | None = session.get("_tuning_pairs")
    if given:
        with p.controls(), st.popover(p.text("given", name=markdown(given[0]), count=f"{len(given[1]):,}")):
            _give(p)
    else:
        _give(p)
    if wrong := session.get("_tuning_wrong"):
        st.error(f"{markdown(wrong)}. {p.text('refused')}")
    try:
        return _own(checkpoint, *given) if given else None
    except PairsError as error:  # too long for another model
        st.error(markdown(str(error)))
        return None


@lru_cache(4)
def our_pairs(checkpoint: Checkpoint) -> Material:
    """The pairs shipped with the program, with everyday ones beside them."""
    return material.ours(*_everyday(checkpoint))


@lru_cache(4)  # asked for each time that a run is looked at
def words_met(material: Material, language: str) -> tuple[int, int]:
    """How many words the held-out sources have, and how many of these the sources to learn have."""
    return material.words_met(language)


def _everyday(checkpoint: Checkpoint) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Our everyday pairs: those for measuring and those that may be mixed in; none where we have no translations."""
    sides = sentences(checkpoint.source_language), sentences(checkpoint.target_language)
    pairs = tuple(zip(*sides, strict=True)) if all(sides) else ()
    return pairs[:MEASURED], pairs[MEASURED:]


@lru_cache(4)
def _own(checkpoint: Checkpoint, name: str, pairs: tuple[Pair, ...]) -> Material:
    material.check_lengths(name, pairs, checkpoint)
    return material.split(name, pairs, *_everyday(checkpoint))


def _give(p: Page) -> None:
    checkpoint = p.view.checkpoint
    p.write("give", fewest=material.FEWEST, most=f"{material.MOST:,}", tokens=checkpoint.config.max_len - 1, mark=Raw(MARK))
    file, typed = st.columns(2)
    file.file_uploader(
        p.text("file", megabytes=MEGABYTES), type=["tsv", "txt", "csv", "gz"], max_upload_size=MEGABYTES, key="_tuning_file",
        on_change=_take_file, args=(checkpoint,),
    )  # fmt: skip
    typed.text_area(
        p.text("typed", mark=MARK), key="_tuning_typed", placeholder=p.text("typed_hint", mark=MARK), height=130, max_chars=100_000,
        persist_state="session",
    )  # fmt: skip
    typed.button(p.texts["take"], key="_tuning_take", on_click=_take_typed, args=(checkpoint, p.texts["typed_name"]))
    file.download_button(
        p.texts["example"], (material.FOLDER / f"{material.OURS}.tsv").read_bytes, f"{material.OURS}.tsv",
        "text/tab-separated-values", key="_tuning_example", on_click="ignore", icon=":material/download:",
    )  # fmt: skip


def _take_file(checkpoint: Checkpoint) -> None:
    file = session.get("_tuning_file")
    if file is not None:
        take(checkpoint, file.name, file.getvalue())


def _take_typed(checkpoint: Checkpoint, name: str) -> None:
    take(checkpoint, name, (session.get("_tuning_typed") or "").strip("\r\n").encode(errors="replace"), MARK)


def take(checkpoint: Checkpoint, name: str, content: bytes, mark: str = "") -> None:
    """Makes these the pairs of this session; where they are refused, the ones before them stay."""
    try:
        pairs = tuple(read_few(content, name, material.MOST, mark))
        _own(checkpoint, name, pairs)
        session.change(_tuning_pairs=(name, pairs), _tuning_wrong=None)
    except PairsError as error:
        session.change(_tuning_wrong=str(error))
