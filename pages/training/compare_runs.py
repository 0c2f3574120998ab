"""Two live runs beside each other: what they were told that differs, and how far each has come; from their own numbers."""

from __future__ import annotations

from pages.training.live_curves import Seen
from viz_core.app.markup import Raw, number
from viz_core.app.page import Page
from viz_core.figures.base import percent
from viz_core.training.guided import penalty_matrix, row_penalties
from viz_core.training.live import HELD_OUT, Recipe, Snapshot

MOST_RIGHT = 0.9
"""Of the held-out sequences: the first snapshot with so many right is what runs are compared by."""


def compared(p: Page, run: Seen, before: Seen | None) -> None:
    """A line of a table for each run that has begun, and what its columns are."""
    runs = [each for each in (run, before) if each and each.measured]
    special = any(each.recipe.guided or each.recipe.decay != "off" for each in runs)
    if not runs or not (before or special):
        return
    this, other = differing(p, run.recipe, before.recipe) if before else (settings_of(p, run.recipe), "")
    names = [p.text("run_this", settings=this), p.text("run_before", settings=other)]
    names = [name for name, each in zip(names, (run, before), strict=True) if each and each.measured]
    heads = [p.text(f"of_runs_{name}", share=percent(MOST_RIGHT)) for name in ("run", "steps", "reached", "right", "gap", "paid")]
    lines = [heads, ["---"] * len(heads), *(_line(p, name, each) for name, each in zip(names, runs, strict=True))]
    p.write("runs", table=Raw("\n".join("| " + " | ".join(line) + " |" for line in lines)))
    if len(runs) == 2:
        _verdict(p, runs[0], runs[1])


def _line(p: Page, name: str, run: Seen) -> list[str]:
    last, gap = run.snapshots[-1], max(run.snapshots, key=lambda each: each.teacher_forced - each.free_running)
    reached = reached_at(run)
    return [
        name, f"{len(run.measured):,}", p.text("at_step", step=f"{reached:,}") if reached is not None else p.text("not_reached"),
        p.text("right_of", right=round(last.accuracy * HELD_OUT), count=HELD_OUT),
        p.text("gap", forced=percent(gap.teacher_forced), free=percent(gap.free_running), step=f"{gap.step:,}"),
        number(paid(last)),
    ]  # fmt: skip


def paid(snapshot: Snapshot) -> float:
    """What a row of the example's cross attention pays in the mean over rows and heads; also where nobody asks for it."""
    return float(row_penalties(snapshot.weights, penalty_matrix(*snapshot.weights.shape[2:])).mean())


def reached_at(run: Seen) -> int | None:
    """The step of the first snapshot with 90 % of the held-out sequences right; None while there is none."""
    return next((each.step for each in run.snapshots if each.accuracy >= MOST_RIGHT), None)


def _verdict(p: Page, run: Seen, before: Seen) -> None:
    """Which of two runs was there first; nothing where they did not learn the same."""
    first, second = reached_at(run), reached_at(before)
    if run.recipe.task != before.recipe.task:
        p.write("verdict_tasks")
    elif first is not None and second is not None:
        p.write("verdict_both", this=f"{first:,}", before=f"{second:,}", share=percent(MOST_RIGHT))
    elif first is not None and len(before.measured) >= first:
        p.write("verdict_this", this=f"{first:,}", before=f"{len(before.measured):,}", share=percent(MOST_RIGHT))
    elif second is not None and len(run.measured) >= second:
        p.write("verdict_before", this=f"{len(run.measured):,}", before=f"{second:,}", share=percent(MOST_RIGHT))


def parts(p: Page, recipe: Recipe) -> dict[str, str]:
    """Each setting in words."""
    return {
        "task": p.text(recipe.task),
        "layers": p.text("said_layers" if recipe.n_layers > 1 else "said_layer", value=recipe.n_layers),
        "heads": p.text("said_heads" if recipe.n_heads > 1 else "said_head", value=recipe.n_heads),
        "d_model": p.text("said_d_model", value=recipe.d_model),
        "rate": p.text("said_rate", value=f"{recipe.learning_rate:g}"),
        "warmup": p.text("said_warmup", value=recipe.warmup),
        "smoothing": p.text("said_smoothing", value=f"{recipe.smoothing:g}"),
        "norm": p.text(recipe.norm),
        "decay": p.text(f"said_{recipe.decay}", share=percent(recipe.own)),
        "guided": p.text("said_guided", value=f"{recipe.guided:g}") if recipe.guided else p.text("said_unguided"),
    }


def settings_of(p: Page, recipe: Recipe) -> str:
    """All settings in words; of what is off, nothing."""
    off = {"decay": recipe.decay == "off", "guided": not recipe.guided}
    return ", ".join(said for name, said in parts(p, recipe).items() if not off.get(name))


def differing(p: Page, one: Recipe, other: Recipe) -> tuple[str, str]:
    """Of two runs the settings in which they differ."""
    here, there = parts(p, one), parts(p, other)
    names = [name for name in here if here[name] != there[name]]
    same = p.text("same_settings")
    return ", ".join(here[name] for name in names) or same, ", ".join(there[name] for name in names) or same
