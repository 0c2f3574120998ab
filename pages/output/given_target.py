"""A given target: how probable the model finds each of its tokens, and their perplexity."""

from __future__ import annotations

from functools import partial

from viz_core.analysis.next_token import score, vocabulary_label
from viz_core.app.csv_files import Cell, written
from viz_core.app.page import Page
from viz_core.figures.attention import signed
from viz_core.figures.base import percent
from viz_core.figures.table import cell, html_table

COLUMNS = ("step", "token", "probability", "rank", "log", "best")
DOWNLOAD = "step token probability rank log_prob best best_probability"
STYLE = """
.scores {{ max-height: 26rem; }} .scores td {{ white-space: pre; }}
.scores td.word {{ font-weight: 600; }} .scores td.same {{ color: {quiet}; font-weight: 400; }}
"""


def show_given_target(p: Page) -> None:
    """One line for each token of the target, and the log-probability of the whole."""
    steps, tokenizer = p.view.explanation.steps, p.view.checkpoint.tokenizer
    judged = score(steps)
    table: list[list[str]] = []
    numbers: list[list[Cell]] = []
    for i, (step, best_probability) in enumerate(zip(steps, judged.best, strict=True)):
        token, best = step.expected, vocabulary_label(tokenizer, step.chosen.id)
        probability, rank, log_prob = float(judged.probabilities[i]), judged.ranks[i], float(step.log_probs[token.id])
        agrees = cell(p.text("same"), "word same")
        other = agrees if rank == 1 else f"«{best}» {percent(float(best_probability))}"
        table.append([str(i + 1), token.label, percent(probability), f"{rank:,}", signed(log_prob), other])
        numbers.append([i + 1, token.label, probability, rank, log_prob, best, float(best_probability)])
    table.append(["", p.text("total"), "", "", signed(judged.log_prob), ""])
    names = p.table("columns")
    drawn = html_table(
        "scores", [names[column] for column in COLUMNS], table, words=(1, 5), highlighted=p.view.step, sums=1,
        style=STYLE.format(quiet=p.palette.quiet), palette=p.palette,
    )  # fmt: skip
    p.html(drawn)
    p.write("summary", log_prob=judged.log_prob, perplexity=judged.perplexity, tokens=len(steps))
    p.offer("given_target", "given-target", partial(written, DOWNLOAD, numbers))
