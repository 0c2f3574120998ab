"""Keeping a fine-tuned model as a checkpoint of this session, or downloading it as a folder."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime

import streamlit as st

from viz_core.app import models, session
from viz_core.app.downloads import file_name
from viz_core.app.page import Page
from viz_core.checkpoint import packed, unpacked
from viz_core.files import sha256
from viz_core.texts import fill, texts
from viz_core.training.tuning import PairScore, Tuner


def keep_or_download(p: Page, tuner: Tuner) -> None:
    """Both buttons."""
    st.button(
        p.texts["keep"], key="_tuning_keep", on_click=_keep, args=(tuner,), icon=":material/bookmark_add:",
        help=p.text("keep_help", most=models.MOST_LENT),
    )  # fmt: skip
    base = tuner.tuning.checkpoint.name
    st.download_button(
        p.texts["download"], lambda: zipped(tuner), file_name(base, "tuned") + ".zip", "application/zip", key="_tuning_download",
        on_click="ignore", icon=":material/download:", help=p.texts["download_help"],
    )  # fmt: skip


def files(tuner: Tuner) -> tuple[str, dict[str, bytes]]:
    """The name of the tuned model and its files, the card among them. Weights in half precision, as all checkpoints have them."""
    base = tuner.tuning.checkpoint
    assert tuner.model is not None, "it was released"
    made = packed(tuner.model, base.tokenizer, base.source_language, base.target_language)
    digest = sha256(made["model.safetensors"])
    name = models.named(tuner.tuning.material.name, digest)
    return name, {**made, "CARD.md": card(tuner, name, digest).encode()}


def zipped(tuner: Tuner) -> bytes:
    """The folder of the tuned model: unpacked into `checkpoints/`, the app finds it."""
    name, made = files(tuner)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for file, content in made.items():
            archive.writestr(f"{name}/{file}", content)
    return out.getvalue()


def card(tuner: Tuner, name: str, digest: str) -> str:
    """The model card, as Markdown: how it was trained, and what was measured."""
    words, tuning = texts("training"), tuner.tuning
    first, last = tuner.evaluations[0], tuner.evaluations[-1]
    rows = [_line(words["card_held_out"], len(tuning.material.held_out), first.held_out, last.held_out)]
    if first.everyday and last.everyday:
        rows.append(_line(words["card_everyday"], len(tuning.material.everyday), first.everyday, last.everyday))
    base, material = tuning.checkpoint, tuning.material
    values = {
        "name": name, "base": base.name, "base_digest": base.digest, "digest": digest, "pairs": len(material.learn),
        "material": " ".join(material.name.split()).replace("|", "/").replace("`", "'"),  # safe in a cell of a Markdown table
        "held_out": len(material.held_out), "steps": len(tuner.measured), "rate": f"{tuning.learning_rate:g}",
        "part": words["card_parts"][tuning.part], "seed": tuning.seed, "step": last.step, "rows": "\n".join(rows),
        "mixed": fill(words["card_mixed" if tuning.mixed and material.more else "card_alone"], {}),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
    }  # fmt: skip
    return fill(words["card"], values)


def _line(what: str, count: int, first: PairScore, last: PairScore) -> str:
    cells = [f"{a:.2f} | {b:.2f}" for a, b in ((first.loss, last.loss), (first.bleu, last.bleu))]
    return f"| {what} | {count} | {cells[0]} | {cells[1]} | {first.right} | {last.right} |"


def _keep(tuner: Tuner) -> None:
    name, made = files(tuner)
    models.keep(unpacked(name, made))
    session.change(_tuning_kept=name, _tuning_fresh=True)
