"""The loss of this sentence, position by position: with teacher forcing, and with the model's own words mixed in."""

from functools import partial

import numpy as np

from pages.training.controls import EPSILON, LOSS_FIRST, OWN, SEED
from pages.training.figures import target_bars
from pages.training.tables import MixedPosition, forced_table, mixed_table
from viz_core.analysis.next_token import vocabulary_label
from viz_core.app import models
from viz_core.app.cache import get_pass
from viz_core.app.controls import draw_link
from viz_core.app.markup import Raw, number, tex
from viz_core.app.page import Page
from viz_core.figures.base import percent
from viz_core.texts import named
from viz_core.trace import Array, Doubles
from viz_core.training import history
from viz_core.training.loss import position_losses, smoothed_target
from viz_core.training.scheduled import SecondReading, second_reading
from viz_core.training.snapshots import split_name

SHOWN = 10
"""How many tokens have bars: the correct one, and the most probable ones."""
NOTICED = 0.005
"""Smaller changes of the loss are shown as no change."""


def show_loss(p: Page) -> None:
    """The token read, the token to write and the loss at each position, and the target of the current step."""
    view, ex = p.view, p.view.explanation
    p.follows.add("step")
    with p.controls():
        own = OWN.draw(p, 0, 100, 0) / 100
    if own:
        show_mixed(p, own)
        return
    with p.controls():
        smoothing = EPSILON.draw(p, 0, 60, 0) / 100
        first = LOSS_FIRST.draw(p)
    log_probs, true = view.trace.array("output.log_probs"), np.array([token.id for token in ex.output])
    losses, hard = position_losses(log_probs, true, smoothing), position_losses(log_probs, true, 0.0)
    if not np.isfinite([losses, hard]).all():
        p.write("unknown")
        return
    show_positions, show_target = partial(_show_positions, p, losses, hard, smoothing), partial(_show_target, p, smoothing)
    for show in (show_target, show_positions) if first == "target" else (show_positions, show_target):
        show()
    _write_trained_with(p, smoothing)
    p.write("about_typed" if ex.given_target else "about_own")
    _arithmetic(p, losses, hard, smoothing)
    read = ex.target.tokens
    p.offer(
        "loss", "loss", "position reads should_write id probability minus_log_prob smoothing loss",
        lambda: (
            [t + 1, read[t].text, to.text, to.id, np.exp(-hard[t]), hard[t], smoothing, losses[t]] for t, to in enumerate(ex.output)
        ),
    )  # fmt: skip
    p.show_code("code_loss")


def _write_trained_with(p: Page, smoothing: float) -> None:
    """The ε used in training, if known, with a button that selects it."""
    checkpoint = p.view.checkpoint
    name, trained = split_name(checkpoint.name)[0], history.smoothing(models.folder(checkpoint))
    if trained is None:
        return
    p.write("trained_with_it" if trained == smoothing else "trained_with", model=name, epsilon=f"{trained:g}")
    if trained != smoothing:
        draw_link(p.text("use_epsilon", epsilon=f"{trained:g}"), "loss_epsilon", {"epsilon": round(100 * trained)})


def _show_positions(p: Page, losses: Doubles, hard: Doubles, smoothing: float) -> None:
    ex, columns = p.view.explanation, [hard, losses] if smoothing else [hard]
    numbers = [[percent(float(np.exp(-hard[t]))), *(number(column[t]) for column in columns)] for t in range(len(hard))]
    sums = [
        [p.text("sum"), "", *(number(column.sum()) for column in columns)],
        [p.text("mean", count=len(hard)), "", *(number(column.mean()) for column in columns)],
    ]
    names = p.table("columns", epsilon=f"{smoothing:g}")
    headings = [names[name] for name in ("at", "read", "mask", "write", "p", "log", "smoothed")][: 5 + len(columns)]
    tokens = [(read.label, write.label) for read, write in zip(ex.target.tokens, ex.output, strict=True)]
    p.html(forced_table(tokens, numbers, sums, headings=headings, highlighted=p.view.step))


def _show_target(p: Page, smoothing: float) -> None:
    view, step, tokenizer = p.view, p.view.current, p.view.checkpoint.tokenizer
    size = len(step.log_probs)
    target = smoothed_target(size, step.expected.id, smoothing)
    ids = [step.expected.id, *(i for i in step.top_ids(SHOWN) if i != step.expected.id)][:SHOWN]
    labels = [vocabulary_label(tokenizer, i) for i in ids]
    bars = [target[ids], np.array([step.probability(i) for i in ids])]
    hover = [
        [p.text(key, token=label, share=percent(float(share))) for label, share in zip(labels, shares, strict=True)]
        for key, shares in zip(("hover_target", "hover_model"), bars, strict=True)
    ]
    if size > len(ids):
        labels.append(p.text("others", count=f"{size - len(ids):,}"))
        bars = [np.append(shares, max(0.0, 1 - shares.sum())) for shares in bars]
        for texts, shares in zip(hover, bars, strict=True):
            texts.append(named(labels[-1], percent(float(shares[-1]))))
    figure = target_bars(
        labels, bars[0], bars[1], hover, title=p.text("title_target", step=view.step + 1, epsilon=f"{smoothing:g}"),
        names=(p.text("name_target"), p.text("name_model")), axes=(p.text("axis_tokens"), p.text("axis_probability")),
        palette=p.palette,
    )  # fmt: skip
    p.show(figure, "target")
    values = {"token": labels[0], "share": percent(float(target[ids[0]])), "others": f"{size - 1:,}"}
    p.write("says_target", **values, each=percent(smoothing / size))


def _arithmetic(p: Page, losses: Doubles, hard: Doubles, smoothing: float) -> None:
    view, step = p.view, p.view.current
    values = {"step": view.step + 1, "count": len(losses), "token": tex(step.expected.label), "log": -float(hard[view.step])}
    values |= {"here": float(losses[view.step]), "sum": float(losses.sum()), "mean": float(losses.mean())}
    if smoothing:
        spread = float(step.log_probs.astype(np.float64).mean())
        share = {"keep": Raw(f"{1 - smoothing:g}"), "epsilon": Raw(f"{smoothing:g}"), "size": len(step.log_probs)}
        p.arithmetic("of_loss_smoothed", **values, **share, spread=spread)
    else:
        p.arithmetic("of_loss", **values)


def show_mixed(p: Page, share: float) -> None:
    """Both passes, position by position. share: of the model's own words, above 0."""
    view, ex = p.view, p.view.explanation
    with p.controls():
        seed = SEED.draw(p)
    first, true = view.trace.array("output.log_probs"), np.array([token.id for token in ex.output])
    reading = second_reading(ex.target.ids, first, share, seed)
    sentence = (tuple(ex.source.ids),), (reading.ids,)
    second = get_pass(view.checkpoint, *sentence, ex.edits).array("output.log_probs")
    forced, mixed = position_losses(first, true, 0.0), position_losses(second, true, 0.0)
    if not np.isfinite([forced, mixed]).all():
        p.write("unknown")
        return
    _show_table(p, reading, second, forced, mixed)
    _write_outcome(p, reading, forced, mixed, share)
    _sampling_arithmetic(p, reading, forced, mixed, share)
    p.offer(
        "mixed", "mixed", "position random_number read_id own_word correct correct_id should_write minus_log_prob teacher_forcing",
        lambda: (
            [t + 1, reading.draws[t] if t else None, reading.ids[t], reading.own[t],
             correct.text, correct.id, to.text, mixed[t], forced[t]]
            for t, (correct, to) in enumerate(zip(ex.target.tokens, ex.output, strict=True))
        ),
    )  # fmt: skip
    p.show_code("code_mixed")


def _show_table(p: Page, reading: SecondReading, second: Array, forced: Doubles, mixed: Doubles) -> None:
    ex, labels = p.view.explanation, _labels(p, reading)
    rows = [
        MixedPosition(
            drawn=f"{reading.draws[t]:.2f}" if t else "", read=labels[t], own=reading.own[t],
            right=right.label if reading.ids[t] != right.id else "", write=write.label, writes=_label(p, int(second[t].argmax())),
            numbers=[percent(float(np.exp(-mixed[t]))), number(float(mixed[t])), number(float(forced[t]))],
            change=_signed(float(mixed[t] - forced[t])),
        )
        for t, (right, write) in enumerate(zip(ex.target.tokens, ex.output, strict=True))
    ]  # fmt: skip
    totals = [
        (p.text("sum"), float(mixed.sum()), float(forced.sum())),
        (p.text("mean", count=len(forced)), float(mixed.mean()), float(forced.mean())),
    ]
    sums = [[name, "", number(a), number(b), _signed(a - b)] for name, a, b in totals]
    columns = p.table("columns", epsilon="")
    headings = [columns[n] for n in ("at", "coin", "mixed", "write", "p", "loss_mixed", "loss_forced", "rise", "writes")]
    p.html(mixed_table(rows, sums, headings=headings, highlighted=p.view.step))


def _write_outcome(p: Page, reading: SecondReading, forced: Doubles, mixed: Doubles, share: float) -> None:
    right = p.view.explanation.target.tokens
    wrong = [t for t, token in enumerate(right) if reading.ids[t] != token.id]
    count = sum(reading.own)
    values = {"share": f"{share:g}", "count": count, "places": len(right) - 1, "wrong": len(wrong)}
    if not count:
        p.write("none_mixed_in", **values)
    elif not wrong:
        p.write("all_right")
    else:
        best = int(np.argmax(mixed - forced))
        if mixed[best] - forced[best] > NOTICED:
            start = max(t for t in wrong if t <= best)  # later positions are masked
            p.write(
                "rises", at=best + 1, token=p.view.explanation.output[best].label, own=_labels(p, reading)[start],
                right=right[start].label, mixed=float(mixed[best]), forced=float(forced[best]), **{"from": start + 1},
            )  # fmt: skip
        else:
            p.write("none_rises")
    p.write("about_mixed", **values)


def _sampling_arithmetic(p: Page, reading: SecondReading, forced: Doubles, mixed: Doubles, share: float) -> None:
    view, step = p.view, p.view.step
    values = {"step": step + 1, "token": tex(view.current.expected.label), "count": len(forced)}
    for name, losses in (("forced", forced), ("mixed", mixed)):
        values |= {name: float(losses[step]), f"{name}_sum": float(losses.sum()), f"{name}_mean": float(losses.mean())}
    if step == 0:
        p.arithmetic("of_mixed_first", **values)
        return
    coin = reading.draws[step]
    toss = {"coin": number(coin), "sign": Raw("<" if coin < share else "≥"), "share": f"{share:g}"}
    p.arithmetic("of_mixed", **values, **toss, read=tex(_labels(p, reading)[step]))


def _labels(p: Page, reading: SecondReading) -> list[str]:
    """Labels of the tokens read: correct ones as in the strip, the model's own as in the vocabulary."""
    right = p.view.explanation.target.tokens
    return [token.label if token.id == i else _label(p, i) for i, token in zip(reading.ids, right, strict=True)]


def _label(p: Page, token_id: int) -> str:
    return vocabulary_label(p.view.checkpoint.tokenizer, token_id)


def _signed(change: float) -> str:
    return "" if abs(change) < NOTICED else f"{change:+.2f}".replace("-", "−")
