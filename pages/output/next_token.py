"""The last softmax: bars for every step, the arithmetic of one logit, and the probabilities of a given target."""

from __future__ import annotations

from functools import partial

from viz_core.analysis.next_token import Distribution, at_temperature, distribution, logit, score, vocabulary_label
from viz_core.app.cache import cached
from viz_core.app.csv_files import Cell, written
from viz_core.app.markup import Raw, e_to_the, latex, markdown, number
from viz_core.app.page import Page
from viz_core.browser.output_payload import candidates, next_token_payload
from viz_core.figures.attention import signed
from viz_core.figures.base import percent
from viz_core.figures.table import amount, cell, html_table

COLUMNS = ("step", "token", "probability", "rank", "log", "best")
DOWNLOAD = "step token probability rank log_prob best best_probability"


def show_next_token(p: Page) -> None:
    """The probability bars of every step."""
    p.mount("next_token", cached(next_token_payload, p.view.explanation, p.view.checkpoint.tokenizer))


def _picked(p: Page) -> int:
    """The id of the token whose arithmetic is shown: the picked one, else the one at this step of the target."""
    view = p.view
    # a cell is [step, index of the candidate]; that of another step picks nothing here
    step, index = p.view_options.cell or (None, 0)
    ids = candidates(view.current)
    return ids[index] if step == view.step and index < len(ids) else view.current.expected.id


def next_token_arithmetic(p: Page) -> None:
    """One token's logit as a dot product, and the softmax that turns it into a probability."""
    picked = _picked(p)
    view, now = p.view, p.view.current
    spread = distribution(view.trace, view.step)
    product = logit(view.checkpoint.model, view.trace, view.step, picked)
    label = vocabulary_label(view.checkpoint.tokenizer, picked)
    summands = [p.text("term", x=number(term.state), e=number(term.weight), dim=term.index + 1) for term in product.terms]
    if product.dims > len(product.terms):
        summands.append(p.text("remainder", others=number(product.others), count=product.dims - len(product.terms)))
    if product.bias is not None:
        summands.append(p.text("bias", value=number(product.bias)))
    vocabulary = f"{len(spread.logits):,}"
    reading = {
        "vocabulary": vocabulary,
        "rank": f"{now.rank(now.expected.id):,}",
        "chosen": markdown(now.chosen.text),
        "percent": percent(now.probability(now.chosen.id)),
        "typed": markdown(now.expected.text),
        "typed_percent": percent(now.probability(now.expected.id)),
    }
    p.arithmetic(
        reading=Raw(p.text("reading" if now.expected.id == now.chosen.id else "reading_typed", **reading)), token=Raw(latex(label)),
        shown=label, logit=product.value, sum=Raw(" + ".join(summands)), exp=e_to_the(product.value),
        total=e_to_the(spread.log_sum_exp),
        log_total=spread.log_sum_exp, log_prob=float(spread.log_probs[picked]),
        percent=Raw(latex(percent(float(spread.probabilities[picked])))),
        matrix=p.text("tied" if view.config.tied_embeddings else "untied"), bits=amount(spread.entropy),
        choices=amount(spread.equal_choices), vocabulary=vocabulary, tempered=_tempered(p, spread, picked),
    )  # fmt: skip


def _tempered(p: Page, spread: Distribution, picked: int) -> Raw:
    """The probability at the chosen temperature; nothing at 1."""
    t, value = p.view_options.temperature, float(spread.logits[picked])
    if t == 1:
        return Raw("")
    warm = at_temperature(spread.logits, t)
    numbers = {"logit": number(value), "log_total": number(warm.log_sum_exp), "divided": number(value / t)}
    return Raw(p.text("tempered", t=f"{t:g}", percent=latex(percent(float(warm.probabilities[picked]))), **numbers))


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
    p.write("summary", log_prob=judged.log_prob, perplexity=e_to_the(-judged.log_prob / len(steps)), tokens=len(steps))
    p.offer("given_target", "given-target", partial(written, DOWNLOAD, numbers))
