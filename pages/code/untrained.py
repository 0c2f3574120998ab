"""The trained model beside one of the same shape with fresh random weights: what "it has learned" means."""

import math
from typing import Annotated

import numpy as np

from pages.code.compute import Predictions, beside_untrained
from pages.code.controls import OF, SEED, SEEDS
from viz_core.app.answers import Between
from viz_core.app.arithmetic import show_each
from viz_core.app.cache import cached_aside, get_explanation
from viz_core.app.controls import draw_link
from viz_core.app.long_work import pooled
from viz_core.app.markup import Raw, e_to_the, number
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.figures.base import percent
from viz_core.figures.table import html_table
from viz_core.texts import visible
from viz_core.trace import BLOCK

NUMBERS = "1 2 3 4 5 6 7 8 9 10"
MOST = 13
"""How many tokens of a translation are shown."""


def show_untrained(p: Page) -> None:
    """Both translations, both models' uncertainty at each step of the trained model's translation, and what they tell."""
    view = p.view
    with p.controls():
        of = OF.draw(p)
        seed = SEED.draw(p, 1, SEEDS, 1)
    explanation = view.explanation
    if of == "of_numbers":
        explanation = numbers_explained(view.checkpoint, explanation)
    other, both = pooled(beside_untrained, view.checkpoint, explanation, seed, says=p.text("computing"))
    if not p.known(*(prediction.entropies for prediction in both), *(prediction.losses for prediction in both)):
        return
    numbers = [column for prediction in both for column in (prediction.entropies, prediction.losses)]
    p.offer(
        "knowledge", "untrained", "step token id entropy_trained loss_trained entropy_untrained loss_untrained",
        lambda: ([i + 1, token.text, token.id, *(column[i] for column in numbers)] for i, token in enumerate(explanation.output)),
    )  # fmt: skip
    _show_texts(p, explanation, other, both)
    p.answer(untrained_steps, seed=seed, of=of)
    p.write({"of_sentence": "lead_of_sentence", "of_numbers": "lead_of_numbers"}[of], text=explanation.source.text)
    if of == "of_numbers":
        draw_link(p.text("copies"), "code_copies", {"show": "live", "task": "copy"}, "training", icon="arrow_forward")
    _show_measures(p, both)
    trained, fresh = both
    vocabulary = view.config.target_vocab

    shared = {
        "vocabulary": f"{vocabulary:,}", "most": math.log(vocabulary), "loss": trained.loss, "loss_untrained": fresh.loss,
        "perplexity": e_to_the(trained.loss), "perplexity_untrained": e_to_the(fresh.loss), "entropy": trained.entropy,
        "entropy_untrained": fresh.entropy, "choices": e_to_the(trained.entropy), "choices_untrained": e_to_the(fresh.entropy),
    }  # fmt: skip
    losses = [*zip(explanation.output, trained.losses.tolist(), fresh.losses.tolist(), strict=True)]
    steps = p.counts["step"] if of == "of_sentence" else 1  # of a row of numbers the first alone
    each = (
        {
            "step": step, "word": token.label, "trained": loss, "untrained": other, "p_trained": percent(math.exp(-loss)),
            "p_untrained": percent(math.exp(-other)), **shared,
        }
        for step, (token, loss, other) in enumerate(losses[:steps], 1)
    )  # fmt: skip
    show_each(p, "step", "of_untrained", each)
    p.show_code("code_untrained")


def _show_texts(p: Page, explanation: Explanation, other: Explanation, both: tuple[Predictions, Predictions]) -> None:
    models = zip(("trained", "fresh"), (explanation, other), both, strict=True)
    rows = [[p.text(name), _tokens(wrote), f"{len(wrote.steps)}", number(prediction.loss)] for name, wrote, prediction in models]
    headings = list(p.table("untrained_columns").values())
    p.html(html_table("corner", headings, rows, named=True, words=(1,), label="untrained"))


def _tokens(explanation: Explanation) -> str:
    labels = [token.label for token in explanation.output]
    return " ".join([*labels[:MOST], *["…"] * (len(labels) > MOST)])


def untrained_steps(
    checkpoint: Checkpoint, explanation: Explanation, seed: Annotated[int, Between(1, SEEDS)], of: Annotated[str, OF]
) -> bytes:
    """Both models' uncertainty at each step. Tensors: trained, fresh (T,), entropies in nats.

    Args:
        of: of a row of numbers the keys do not walk along the steps.

    About: written, the token of each step; most, ln V; walks.
    """
    explained = numbers_explained(checkpoint, explanation) if of == "of_numbers" else explanation
    _, both = cached_aside(beside_untrained, checkpoint, explained, seed)
    about = {
        "written": [visible(token.label) for token in explained.output],
        "most": math.log(checkpoint.config.target_vocab),
        "walks": of == "of_sentence",
    }
    trained, fresh = both
    return pack({"trained": trained.entropies, "fresh": fresh.entropies}, about)


def numbers_explained(checkpoint: Checkpoint, explanation: Explanation) -> Explanation:
    """The row of numbers under this explanation's edits."""
    return get_explanation(checkpoint, NUMBERS, "", explanation.edits)


def _show_measures(p: Page, both: tuple[Predictions, Predictions]) -> None:
    names = p.table("attention_names")
    rows = [
        [
            names[kind],
            *(percent(share) if np.isfinite(share) else "–" for share in (prediction.attention[kind] for prediction in both)),
        ]
        for kind in BLOCK
    ]
    headings = [p.text("column_looks"), p.text("trained"), p.text("fresh")]
    p.html(html_table("corner", headings, rows, named=True, label="evenness"))
    tied = Raw(p.text("repeats") if p.view.config.generator_is_target else "")
    p.write("about_untrained", vocabulary=f"{p.view.config.target_vocab:,}", tied=tied)
