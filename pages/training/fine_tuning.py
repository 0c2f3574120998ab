"""Fine-tuning: a copy of a trained model learns from a few pairs, ours or the reader's own, and forgets something else."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from pages.training.controls import EVERY, PAIRS, TUNING_FIRST
from pages.training.figures import CurveChart, curve_charts, step_curve
from pages.training.fine_tuning_run import TuningJob, settings, steered, the_held_out
from viz_core.analysis.divergence import marked
from viz_core.analysis.roles import sentences
from viz_core.app import session
from viz_core.app.cache import cached
from viz_core.app.csv_files import Lines
from viz_core.app.long_work import pooled
from viz_core.app.markup import Raw, markdown
from viz_core.app.page import Page, repeated
from viz_core.checkpoint import Checkpoint
from viz_core.errors import PairsError
from viz_core.figures.base import plain
from viz_core.figures.charts import Curve
from viz_core.figures.table import Html, cell, html_table
from viz_core.texts import fill
from viz_core.training import material
from viz_core.training.material import Material
from viz_core.training.pair_file import Pair, PairFile, read_few
from viz_core.training.run import TrainingStep
from viz_core.training.tuning import BATCH, WARMUP, Evaluation, PairScore, Tuning, before
from viz_core.words import split_words

HEIGHT = 460
USUAL_LOSS = 4.0
"""The top of the loss axis, unless the loss is higher."""
MEASURED = 24
"""Number of everyday sentences that measure forgetting; the others may be mixed in."""
MEGABYTES = 1
"""The limit of an uploaded file."""
MARK = "="
"""Between source and translation where they are typed: the Tab key leaves the box."""


def show_tuning(p: Page) -> None:
    """The pairs, the settings, and the part of the page that is redrawn while the model learns."""
    p.show_code("code_tuning")
    material = pairs_to_learn(p)
    if material is None:
        return
    with p.controls():
        first = TUNING_FIRST.draw(p, () if material.everyday else ("held_out", "curves"))
        wanted = settings(p, material)
    job: TuningJob | None = session.get("_tuning")
    polling = bool(job and not job.resting)
    tuning = job.recipe if job and job.trainer else wanted
    _offer(p, job, wanted)
    pooled(before, tuning.checkpoint, tuning.material, says=p.text("evaluating"))  # kept, for `_so_far`
    repeated(_draw, EVERY if polling else None)(p, wanted, first, polling)
    p.write("about_tuning", learn=len(material.learn), held_out=len(material.held_out), batch=BATCH)


def _offer(p: Page, job: TuningJob | None, wanted: Tuning) -> None:
    """Each step, with the losses and BLEU of the evaluations; and all translations before fine-tuning and now."""

    def steps() -> Lines:
        measured, evaluations = _so_far(job, wanted)
        batches = {one.step: [one.loss, one.learning_rate] for one in measured}
        evaluated = {one.step: one for one in evaluations}
        for step in sorted({*batches, *evaluated}):
            scores = (getattr(evaluated.get(step), kind, None) for kind in ("held_out", "everyday"))
            numbers = (value for one in scores for value in ([one.loss, one.bleu, one.right] if one else [None] * 3))
            yield [step, *batches.get(step, [None] * 2), *numbers]

    def translations() -> Lines:
        material, evaluations = (job.recipe if job and job.trainer else wanted).material, _so_far(job, wanted)[1]
        for kind, pairs in (("held_out", material.held_out), ("everyday", material.everyday)):
            before, now = (getattr(evaluations[index], kind) for index in (0, -1))
            if before and now:
                for pair, *outputs in zip(pairs, before.outputs, now.outputs, strict=True):
                    yield [kind.replace("_", " "), *pair, *outputs]

    columns = "step batch_loss learning_rate held_out_loss held_out_bleu held_out_exact everyday_loss everyday_bleu everyday_exact"
    p.offer("tuning", "fine-tuning", columns, steps)
    p.offer("translations", "translations", "kind source reference before now", translations)


def _draw(p: Page, wanted: Tuning, first: str, polling: bool) -> None:
    if polling:
        p.drawn.clear()  # of the last poll
    job: TuningJob | None = session.get("_tuning")
    if job:
        job.heartbeat()
    if polling == (job is None or job.resting) or session.pop("_tuning_fresh"):
        st.rerun()  # the whole page: polling begins or ends with the training; or the top bar has a new model
    tuning = job.recipe if job else wanted
    measured, evaluations = _so_far(job, tuning)
    start = evaluations[0]
    evaluation = steered(p, job, wanted, evaluations)
    beside = () if session.lecture() else TUNING_FIRST.options  # lecture mode has room for one
    for part in (first, *(other for other in beside if other != first)):
        if part == "curves":
            _curves(p, measured, evaluations, evaluation.step if measured else None, job.until if job else TuningJob.steps)
        elif part == "held_out":
            _table(p, tuning, tuning.material.held_out, start.held_out, evaluation.held_out, part)
        elif start.everyday and evaluation.everyday:
            _table(p, tuning, tuning.material.everyday, start.everyday, evaluation.everyday, part)
    if measured:
        _arithmetic(p, tuning, measured[max(evaluation.step, 1) - 1], evaluation)


def _so_far(job: TuningJob | None, tuning: Tuning) -> tuple[list[TrainingStep], list[Evaluation]]:
    """The steps and evaluations until now; before the first step the evaluation of the model as it is."""
    if job and job.trainer:
        return list(job.trainer.measured), list(job.trainer.evaluations)
    return [], [cached(before, tuning.checkpoint, tuning.material)]


def _table(p: Page, tuning: Tuning, pairs: Sequence[Pair], start: PairScore, now: PairScore, what: str) -> None:
    """The translations before and now: marked are held-out words that agree with the reference, everyday ones that changed.

    A translation equal to the reference gets a tick.
    """
    same, language = what == "held_out", tuning.checkpoint.target_language

    def translation(text: str, reference: str, old: str) -> Html:
        other = reference if same else old
        marks = marked(split_words(other, language), text, split_words(text, language), same=same)
        words = "".join(f"<mark>{plain(word)}</mark>" if on and word.isalnum() else plain(word) for word, on in marks)
        return Html(f'<td class="word">{words}{"&nbsp;<b>✓</b>" if text == reference else ""}</td>')

    rows = [
        [*(cell(text, "word given") for text in pair), *(translation(text, pair[1], old) for text in (old, new))]
        for pair, old, new in zip(pairs, start.outputs, now.outputs, strict=True)
    ]
    columns = p.table("tuned_columns")
    headings = [columns[name] for name in (what, "reference", "before", "now")]
    p.html(html_table(f"draws {what} tuned", headings, rows, words=range(4), label=what))
    if not session.lecture():
        says = p.texts["tuned_says"]["everyday_mixed" if not same and tuning.mixed else what]
        count, met = cached(words_met, tuning.material, tuning.checkpoint.source_language)
        values = {"count": len(pairs), "first": start.right, "last": now.right, "before": _bleu(start), "now": _bleu(now)}
        st.markdown(fill(says, {**values, "held_out": the_held_out(p, len(pairs)), "words": count, "met": met}))


def _curves(p: Page, measured: Sequence[TrainingStep], evaluations: Sequence[Evaluation], at: int | None, until: int) -> None:
    batches = step_curve(p.text("name_batch"), [(one.step, one.loss) for one in measured], p.texts["hover_batch"], role="k")
    losses: list[Curve] = [batches] if measured else []
    bleus: list[Curve] = []
    for kind, role in (("held_out", "v"), ("everyday", "q")):
        if scores := [(one.step, score) for one in evaluations if (score := getattr(one, kind))]:
            for curves, what in ((losses, "loss"), (bleus, "bleu")):
                points = [(step, getattr(score, what)) for step, score in scores]
                curves.append(step_curve(p.text(kind), points, p.texts[f"hover_tuned_{what}"], role=role, dots=True))
    top = max(USUAL_LOSS, *(value for curve in losses for value in curve.y if np.isfinite(value)))
    charts = [CurveChart(p.text("axis_loss"), losses, (0.0, top)), CurveChart(p.text("axis_bleu"), bleus, (0.0, 100.0))]
    figure = curve_charts(
        charts, title=p.text("title_tuning"), axis=p.text("steps"), end=max(until, len(measured)), at=at, height=HEIGHT,
        legend=True, palette=p.palette,
    )  # fmt: skip
    p.show(figure, "tuning_curves")


def _arithmetic(p: Page, tuning: Tuning, at: TrainingStep, shown: Evaluation) -> None:
    values = {"step": at.step, "rate": Raw(f"{tuning.learning_rate:g}"), "warmup": WARMUP, "now": at.learning_rate, "loss": at.loss}
    held_out = shown.held_out.loss
    p.arithmetic("of_tuning", **values, p=float(np.exp(-at.loss)), held_out=held_out, q=float(np.exp(-held_out)), at=shown.step)


def _bleu(score: PairScore) -> str:
    return f"{score.bleu:.1f}"


def pairs_to_learn(p: Page) -> Material | None:
    """The pairs to learn from; None until some are given. From then on, a popover among the controls takes other ones."""
    checkpoint = p.view.checkpoint
    known = (checkpoint.source_language, checkpoint.target_language) == material.LANGUAGES
    with p.controls():
        whose = PAIRS.draw(p, () if known else ("yours",))
    if whose == "ours":
        return cached(our_pairs, checkpoint)
    given: PairFile | None = session.get("_tuning_pairs")
    if given:
        with p.controls(), st.popover(p.text("given", name=markdown(given.name), count=f"{len(given.pairs):,}")):
            _give(p)
    else:
        _give(p)
    if wrong := session.get("_tuning_wrong"):
        st.error(_lines(f"{wrong}\n{p.texts['refused']}" if "\n" in wrong else p.text("refused_one", wrong=wrong)))
    try:
        own = cached(_own, checkpoint, given) if given else None
    except PairsError as error:  # too long for another model
        st.error(_lines(str(error)))
        return None
    if given and not session.lecture():
        counts = {"blank_lines": len(given.blank), "third_column": given.attributed}
        if left_out := [p.text(key, count=f"{count:,}") for key, count in counts.items() if count]:
            st.markdown(" ".join(left_out))
    return own


def _lines(text: str) -> str:
    """A message as Markdown that keeps its lines."""
    return "  \n".join(map(markdown, text.splitlines()))


def our_pairs(checkpoint: Checkpoint) -> Material:
    """The pairs shipped with the program, with everyday ones beside them."""
    return material.ours(checkpoint, *_everyday(checkpoint))


def words_met(material: Material, language: str) -> tuple[int, int]:
    """How many words the held-out sources have, and how many of these the sources to learn have."""
    return material.words_met(language)


def _everyday(checkpoint: Checkpoint) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Our everyday pairs: those for measuring and those that may be mixed in; none where we have no translations."""
    sides = sentences(checkpoint.source_language), sentences(checkpoint.target_language)
    pairs = material.fitting(tuple(zip(*sides, strict=True)), checkpoint) if all(sides) else ()
    return pairs[:MEASURED], pairs[MEASURED:]


def _own(checkpoint: Checkpoint, file: PairFile) -> Material:
    material.check_lengths(file, checkpoint)
    return material.split(file.name, file.pairs, *_everyday(checkpoint))


def _give(p: Page) -> None:
    checkpoint = p.view.checkpoint
    p.write("give", fewest=material.FEWEST, most=f"{material.MOST:,}", tokens=checkpoint.config.max_len - 1, mark=Raw(MARK))
    file, typed = st.columns(2)
    file.file_uploader(
        p.text("file", megabytes=MEGABYTES), type=["tsv", "txt", "csv", "gz"], max_upload_size=MEGABYTES, key="_tuning_file",
        on_change=_take_file, args=(checkpoint,),
    )  # fmt: skip
    hints = p.table("typed_hint", mark=MARK)
    hint = hints.get(f"{checkpoint.source_language}-{checkpoint.target_language}", "")
    typed.text_area(
        p.text("typed", mark=MARK), key="_tuning_typed", placeholder=hint, height=130, max_chars=100_000, persist_state="session",
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
        given = read_few(content, name, material.MOST, mark)
        cached(_own, checkpoint, given)
        session.change(_tuning_pairs=given, _tuning_wrong=None)
    except PairsError as error:
        session.change(_tuning_wrong=str(error))
