"""The last softmax: next-token distributions, each logit as a sum of terms, and the probability of a given target."""

import numpy as np

from viz_core.analysis.next_token import logit_terms, score, vocabulary_label
from viz_core.app.markup import e_to_the, number
from viz_core.app.page import Page
from viz_core.browser.output_payload import candidates, next_token_payload
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.figures.attention import signed
from viz_core.figures.base import percent
from viz_core.figures.table import cell, html_table
from viz_core.sites import output_matrix
from viz_core.texts import texts


def next_token(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """The next-token distribution of every step."""
    ids = np.array([candidates(step) for step in explanation.steps])
    return next_token_payload(explanation, checkpoint.tokenizer, logit_terms(checkpoint.model, explanation.trace, ids))


COLUMNS = ("step", "token", "probability", "rank", "log", "best")
TEXTS = ("reading", "reading_typed", "arithmetic", "heading_at_1", "tempered", "term", "remainder", "bias")


def next_token_arithmetic(p: Page) -> None:
    """One token's logit as a dot product, and the softmax that turns it into a probability; below, the tokens of a given target."""
    view, given = p.view, p.view.explanation.given_target
    config = view.config
    matrix = "tied" if config.generator_is_target else "tied_source" if config.generator_is_tied else "untied"
    about = {
        "texts": {name: p.texts[name] for name in TEXTS} | {"heading": texts("app.frame")["arithmetic"]},
        "dims": config.d_model,
        "shared": {"matrix": p.text(matrix), "letter": output_matrix(config), "vocabulary": f"{config.target_vocab:,}"},
        **(_given_target(p) if given else {}),
    }
    p.mount_below("next_token_arithmetic", pack({}, about))


def _given_target(p: Page) -> dict[str, str]:
    """The tokens of the target in a table, and the log-probability of the whole target."""
    steps, tokenizer = p.view.explanation.steps, p.view.checkpoint.tokenizer
    scores = score(steps)
    table: list[list[str]] = []
    numbers: list[list[object]] = []
    for i, (step, best_probability) in enumerate(zip(steps, scores.best, strict=True)):
        token, best = step.expected, vocabulary_label(tokenizer, step.chosen.id)
        probability, rank, log_prob = float(scores.probabilities[i]), scores.ranks[i], float(step.log_probs[token.id])
        agrees = cell(p.text("same"), "word same")
        other = agrees if rank == 1 else f"«{best}» {percent(float(best_probability))}"
        table.append([str(i + 1), token.label, percent(probability), f"{rank:,}", signed(log_prob), other])
        numbers.append([i + 1, token.label, probability, rank, log_prob, best, float(best_probability)])
    table.append(["", p.text("total"), "", "", signed(scores.log_prob), ""])
    names = p.table("columns")
    html = html_table("scores", [names[column] for column in COLUMNS], table, words=(1, 5), sums=1)
    p.offer("given_target", "given-target", "step token probability rank log_prob best best_probability", lambda: numbers)
    mean = e_to_the(-scores.log_prob / len(steps))
    return {"table": html, "summary": p.text("summary", log_prob=number(scores.log_prob), perplexity=mean, tokens=len(steps))}
