"""A given target: how probable the model finds each of its tokens, and their perplexity."""

from __future__ import annotations

from dataclasses import astuple
from functools import partial

from pages.output.figures import JudgedToken, judged_table
from viz_core.analysis.next_token import score, vocabulary_label
from viz_core.app.csv_files import written
from viz_core.app.page import Page

DOWNLOAD = "step token probability rank log_prob best best_probability"
COLUMNS = ("step", "token", "probability", "rank", "log", "best")


def show_given_target(p: Page) -> None:
    """One line for each token of the target, and the log-probability of the whole."""
    steps = p.view.explanation.steps
    judged = score(steps)
    rows = [
        JudgedToken(
            token=step.expected.label,
            probability=float(probability),
            rank=rank,
            log_prob=float(step.log_probs[step.expected.id]),
            best=vocabulary_label(p.view.checkpoint.tokenizer, step.chosen.id),
            best_probability=float(best),
        )
        for step, probability, rank, best in zip(steps, judged.probabilities, judged.ranks, judged.best, strict=True)
    ]
    names = p.table("columns")
    headings, ends = [names[column] for column in COLUMNS], {"same": p.text("same"), "total": p.text("total")}
    p.html(judged_table(rows, headings=headings, log_prob=judged.log_prob, highlighted=p.view.step, palette=p.palette, **ends))
    p.write("summary", log_prob=judged.log_prob, perplexity=judged.perplexity, tokens=len(rows))
    lines = [[step, *astuple(row)] for step, row in enumerate(rows, 1)]
    p.offer("given_target", "given-target", partial(written, DOWNLOAD, lines))
