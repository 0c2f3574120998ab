"""Two live runs beside each other: the settings in which they differ, and how far each has come."""

from __future__ import annotations

from pages.training.compute import MOST_CORRECT, RunHistory, example_penalty
from viz_core.app.markup import Raw, number
from viz_core.app.page import Page
from viz_core.figures.base import percent
from viz_core.texts import fill
from viz_core.training.live import HELD_OUT, Recipe


def compare(p: Page, run: RunHistory, before: RunHistory | None) -> None:
    """A table with a line for each run that has begun, and which of two learned first."""
    runs = [each for each in (run, before) if each and each.measured]
    special = any(each.recipe.guided or each.recipe.decay != "off" for each in runs)
    if not runs or not (before or special):
        return
    this, other = differing(p, run.recipe, before.recipe) if before else (in_words(p, run.recipe), "")
    names = [p.text("run_this", settings=this), p.text("run_before", settings=other)]
    names = [name for name, each in zip(names, (run, before), strict=True) if each and each.measured]
    heads = list(p.table("run_columns", share=percent(MOST_CORRECT)).values())
    lines = [heads, ["---"] * len(heads), *(_line(p, name, each) for name, each in zip(names, runs, strict=True))]
    p.write("runs", table=Raw("\n".join("| " + " | ".join(line) + " |" for line in lines)))
    if len(runs) == 2:
        _verdict(p, runs[0], runs[1])


def _line(p: Page, name: str, run: RunHistory) -> list[str]:
    last, gap = run.snapshots[-1], run.widest_gap
    reached = run.learned_at
    return [
        name, f"{len(run.measured):,}", p.text("at_step", step=f"{reached:,}") if reached is not None else p.text("not_reached"),
        p.text("right_of", right=round(last.accuracy * HELD_OUT), count=HELD_OUT),
        p.text("gap", forced=percent(gap.teacher_forced), free=percent(gap.free_running), step=f"{gap.step:,}"),
        number(example_penalty(last)),
    ]  # fmt: skip


def _verdict(p: Page, run: RunHistory, before: RunHistory) -> None:
    """Which of two runs learned the task first; nothing where neither has yet."""
    first, second = run.learned_at, before.learned_at
    if run.recipe.task != before.recipe.task:
        p.write("verdict_tasks")
    elif first is not None and second is not None:
        p.write("verdict_both", this=f"{first:,}", before=f"{second:,}", share=percent(MOST_CORRECT))
    elif first is not None and len(before.measured) >= first:
        p.write("verdict_this", this=f"{first:,}", before=f"{len(before.measured):,}", share=percent(MOST_CORRECT))
    elif second is not None and len(run.measured) >= second:
        p.write("verdict_before", this=f"{len(run.measured):,}", before=f"{second:,}", share=percent(MOST_CORRECT))


def parts(p: Page, recipe: Recipe) -> dict[str, str]:
    """Each setting in words."""
    texts = p.texts["setting"]

    def text(key: str, value: object = None) -> str:
        return fill(texts[key], {"value": value})

    return {
        "task": p.text(recipe.task),
        "layers": text("layers" if recipe.n_layers > 1 else "layer", recipe.n_layers),
        "heads": text("heads" if recipe.n_heads > 1 else "head", recipe.n_heads),
        "d_model": text("d_model", recipe.d_model),
        "rate": text("rate", f"{recipe.learning_rate:g}"),
        "warmup": text("warmup", recipe.warmup),
        "smoothing": text("smoothing", f"{recipe.smoothing:g}"),
        "norm": p.text(recipe.norm),
        "decay": fill(texts["own_words"][recipe.decay], {"share": percent(recipe.own)}),
        "guided": text("guided", f"{recipe.guided:g}") if recipe.guided else text("unguided"),
    }


def in_words(p: Page, recipe: Recipe) -> str:
    """All settings in words, except methods that are off."""
    off = {"decay": recipe.decay == "off", "guided": not recipe.guided}
    return ", ".join(words for name, words in parts(p, recipe).items() if not off.get(name))


def differing(p: Page, one: Recipe, other: Recipe) -> tuple[str, str]:
    """Of two runs the settings in which they differ."""
    here, there = parts(p, one), parts(p, other)
    names = [name for name in here if here[name] != there[name]]
    same = p.text("same_settings")
    return ", ".join(here[name] for name in names) or same, ", ".join(there[name] for name in names) or same
