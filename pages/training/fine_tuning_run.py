"""A fine-tuning run: its settings, buttons and state, and the resulting model, which can be kept or downloaded."""

import io
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import streamlit as st

from pages.training.controls import MIX, TUNING_RATE, UPDATED, pick_step, state_text, steer, stop
from pages.training.jobs import QUEUE, SECONDS, TrainingRun
from viz_core.app import memory, models, session, tuned_folder
from viz_core.app.cache import cached
from viz_core.app.downloads import file_name
from viz_core.app.markup import Raw, markdown
from viz_core.app.page import Page
from viz_core.checkpoint import packed
from viz_core.files import sha256
from viz_core.texts import fill, texts
from viz_core.training.material import OURS, Material
from viz_core.training.tuning import PARTS, WARMUP, Evaluation, PairScore, Tuner, Tuning, before

LARGE = 0.001
"""A higher learning rate is named as the cause of a failure."""


class TuningJob(TrainingRun):
    """Fine-tuning of a copy of a trained model."""

    recipe: Tuning
    trainer: Tuner | None
    steps = 60

    def learner(self) -> Tuner:
        """A copy of the model, with the scores that the page has already computed."""
        return Tuner(self.recipe, cached(before, self.recipe.checkpoint, self.recipe.material))

    def end_sitting(self) -> None:
        """Evaluates the model, or releases it if it diverged."""
        if self.trainer and not self.trainer.diverged:
            self.trainer.evaluate_now()
        if self.trainer and self.trainer.diverged:
            self.trainer.release()


def settings(p: Page, material: Material) -> Tuning:
    """The settings that the controls ask for."""
    with st.popover(p.texts["settings_title"], icon=":material/tune:"), st.container(horizontal=True, width=430):
        rate = TUNING_RATE.draw(p)
        part = UPDATED.draw(p)
        mix = MIX.draw(p) if material.more else "alone"
    return Tuning(
        checkpoint=p.view.checkpoint, material=material, learning_rate=float(rate),
        part=next(known for known in PARTS if known == part), mixed=mix == "mixed",
    )  # fmt: skip


def start(tuning: Tuning) -> None:
    """Queues a new run in place of this session's last one."""
    stop()
    job = TuningJob(tuning)
    session.change(_tuning=job, _tuning_kept=None, _trains=True)
    QUEUE.put(job)


def steered(p: Page, job: TuningJob | None, wanted: Tuning, evaluations: Sequence[Evaluation]) -> Evaluation:
    """The buttons, the state, and, once the run rests, a slider over its evaluations; returns the selected one."""
    resting = job is None or job.resting
    scrubs = resting and len(evaluations) > 1
    with st.container(horizontal=True, vertical_alignment="center"):
        steer(p, job, start, wanted)
        if job and job.resting and job.trainer and job.trainer.model is not None and job.trainer.measured:
            keep_or_download(p, job.trainer)
        evaluation = pick_step(p, evaluations) if scrubs else evaluations[-1]
        beside = st.container(key="_state")
    with st.container() if scrubs else beside:
        st.markdown(f"{_state(p, job)}  \n{_measured(p, evaluations[0], evaluation)}")
    if job and job.recipe != wanted:
        p.write("other_tuning", settings=Raw(_in_words(p, job.recipe)))
    return evaluation


def _state(p: Page, job: TuningJob | None) -> str:
    if job is None:
        return fill(p.texts["states"]["trained"], {"steps": TuningJob.steps, "seconds": f"{SECONDS:.0f}"})
    rate, kept = job.recipe.learning_rate, session.get("_tuning_kept")
    state = state_text(p, job, p.text("reason_lr", rate=f"{rate:g}") if rate > LARGE else p.text("reason_pairs"))
    return f"{state} {p.text('kept', name=markdown(kept))}" if kept and models.is_lent(kept) else state


def _measured(p: Page, first: Evaluation, evaluation: Evaluation) -> str:
    gained, lost = ("gained", "lost") if evaluation.step else ("begins", "begins_everyday")
    values = {"step": f"{evaluation.step:,}", "held_out": the_held_out(p, len(first.held_out.outputs))}
    words = p.text(gained, **values, **_change(first.held_out, evaluation.held_out))
    if first.everyday and evaluation.everyday:
        words += " · " + p.text(lost, **_change(first.everyday, evaluation.everyday))
    return words


def the_held_out(p: Page, count: int) -> str:
    """The number of held-out sentences, in words."""
    return p.text("the_held_out_one" if count == 1 else "the_held_out", count=count)


def _change(first: PairScore, now: PairScore) -> dict[str, str]:
    return {"first": f"{first.bleu:.1f}", "now": f"{now.bleu:.1f}", "right": str(now.right)}


def _in_words(p: Page, tuning: Tuning) -> str:
    name = tuning.material.name
    return p.text(
        "tuning_settings", model=markdown(tuning.checkpoint.name), pairs=p.text("chess") if name == OURS else markdown(name),
        rate=f"{tuning.learning_rate:g}", part=p.text(tuning.part), mixed=p.text("mixed" if tuning.mixed else "alone"),
    )  # fmt: skip


def keep_or_download(p: Page, tuner: Tuner) -> None:
    """Buttons that keep the tuned model in the session, or download it."""
    st.button(
        p.texts["keep"], key="_tuning_keep", on_click=_keep, args=(tuner,), icon=":material/bookmark_add:",
        help=p.text("keep_help", megabytes=memory.TUNED // memory.MB),
    )  # fmt: skip
    base = tuner.tuning.checkpoint.name
    st.download_button(
        p.texts["download"], lambda: zipped(tuner), file_name(base, "tuned") + ".zip", "application/zip", key="_tuning_download",
        on_click="ignore", icon=":material/download:", help=p.texts["download_help"],
    )  # fmt: skip


def files(tuner: Tuner) -> tuple[str, dict[str, bytes]]:
    """The name of the tuned model and its files, including the card. Weights are in half precision, as in all checkpoints."""
    base = tuner.tuning.checkpoint
    assert tuner.model is not None, "it was released"
    content = packed(replace(base, model=tuner.model))
    digest = sha256(content["model.safetensors"])
    name = models.named(tuner.tuning.material.name, digest)
    return name, {**content, "CARD.md": card(tuner, name, digest).encode()}


def zipped(tuner: Tuner) -> bytes:
    """The folder of the tuned model as a zip; unpacked into `checkpoints/`, the app finds it."""
    name, contents = files(tuner)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for file, content in contents.items():
            archive.writestr(f"{name}/{file}", content)
    return out.getvalue()


def card(tuner: Tuner, name: str, digest: str) -> str:
    """The model card in Markdown: how it was trained, and its scores."""
    words, tuning = texts("training"), tuner.tuning
    first, last = tuner.evaluations[0], tuner.evaluations[-1]
    rows = [_line(words["card_held_out"], len(tuning.material.held_out), first.held_out, last.held_out)]
    if first.everyday and last.everyday:
        rows.append(_line(words["card_everyday"], len(tuning.material.everyday), first.everyday, last.everyday))
    base, material = tuning.checkpoint, tuning.material
    values = {
        "name": name, "base": base.name, "base_digest": base.digest, "digest": digest, "pairs": len(material.learn),
        "material": " ".join(material.name.split()).replace("|", "/").replace("`", "'"),  # safe in a cell of a Markdown table
        "held_out": len(material.held_out), "steps": len(tuner.measured), "rate": f"{tuning.learning_rate:g}", "warmup": WARMUP,
        "part": words["card_parts"][tuning.part], "seed": tuning.seed, "step": last.step, "rows": "\n".join(rows),
        "mixed": fill(words["card_mixed" if tuning.mixed and material.more else "card_alone"], {}),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
    }  # fmt: skip
    return fill(words["card"], values)


def _line(what: str, count: int, first: PairScore, last: PairScore) -> str:
    cells = [f"{a:.2f} | {b:.2f}" for a, b in ((first.loss, last.loss), (first.bleu, last.bleu))]
    return f"| {what} | {count} | {cells[0]} | {cells[1]} | {first.right} | {last.right} |"


def _keep(tuner: Tuner) -> None:
    name, contents = files(tuner)
    tuned_folder.save(name, contents)
    models.keep(name, contents)
    session.change(_tuning_kept=name, _tuning_fresh=True)
