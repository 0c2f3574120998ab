"""Pronoun resolution: does the model know what "it" means? Shown below a pair of sentences that differ in the deciding word."""

import numpy as np
import streamlit as st

from viz_core.analysis.pronouns import (
    LANGUAGES,
    LEAST,
    PRONOUN,
    PronounAttention,
    PronounReading,
    Schema,
    most_changed_head,
    readings,
    schema_of,
    schemas,
)
from viz_core.analysis.words import groups
from viz_core.app.cache import cached
from viz_core.app.controls import draw_link
from viz_core.app.page import Page
from viz_core.browser.output_payload import Side
from viz_core.figures.base import percent
from viz_core.figures.table import cell, html_table
from viz_core.params import OPTIONS


def show_pronoun(p: Page, left: Side, right: Side) -> None:
    """For a shipped pair in which one word decides: both pronouns, the encoder head that changes most, and the verdict."""
    checkpoint = left.checkpoint
    match = schema_of(left.explanation.source.text, right.explanation.source.text)
    if (
        match is None
        or left.explanation.edits
        or right.checkpoint is not checkpoint
        or (checkpoint.source_language, checkpoint.target_language) != LANGUAGES
    ):
        return
    schema, turned_round = match
    all_readings = cached(readings, checkpoint, schemas())
    reading = next(one for one in all_readings if one.schema == schema)
    st.header(p.texts["pronoun_title"], anchor=False)
    p.write(_verdict(reading), **_words(reading))
    p.html(_table(p, reading))
    first, second = (right, left) if turned_round else (left, right)
    if head := most_changed_head(first.explanation, second.explanation, schema.nouns):
        p.write("pronoun_look", **_words(reading), **_attention(head))
        place = {"layer": head.layer + 1, "head": head.head + 1}
        look = {"show": "difference", "kind": "self", "cell": OPTIONS["cell"].write(_cell(left, schema))}
        draw_link(p.text("pronoun_show", **place), "pronoun_look", {**place, **look}, up=True)
    many = {
        "count": len(all_readings),
        "turned": sum(one.turned for one in all_readings),
        "half": sum(any(one.right) and not one.turned for one in all_readings),
        "leans": sum(one.leans for one in all_readings),
        "chance": f"{len(all_readings) / 4:g}",
    }
    p.write("pronoun_all", **many)
    p.offer(
        "pronouns", "pronouns", "pair sentence pronoun correct log_prob probability",
        lambda: (
            [pair, one.schema.sentences[i], one.schema.pronouns[j], i == j, log_prob, np.exp(log_prob)]
            for pair, one in enumerate(all_readings, 1) for (i, j), log_prob in np.ndenumerate(one.log_probs.astype(float))
        ), count=len(all_readings),
    )  # fmt: skip


def _cell(side: Side, schema: Schema) -> tuple[int, int]:
    """The cell from "it" to the second noun, in the positions of the left sentence."""
    labels, tokens = groups(side.explanation.source)
    return tokens[labels.index(PRONOUN)][0], tokens[labels.index(schema.nouns[1])][0]


def _verdict(reading: PronounReading) -> str:
    if reading.turned:
        return "pronoun_turned"
    return "pronoun_one" if any(reading.right) else "pronoun_none"


def _words(reading: PronounReading) -> dict[str, str]:
    """The schema's words, and the pronoun that the model prefers in each sentence."""
    schema, likes = reading.schema, reading.log_probs.argmax(1)
    return {
        "word_1": schema.words[0], "word_2": schema.words[1], "noun_1": schema.nouns[0], "noun_2": schema.nouns[1],
        "pronoun_1": schema.pronouns[0], "pronoun_2": schema.pronouns[1],
        "likes_1": schema.pronouns[likes[0]], "likes_2": schema.pronouns[likes[1]], "start": schema.target,
    }  # fmt: skip


def _table(p: Page, reading: PronounReading) -> str:
    """Two sentences, two pronouns: the one that the model prefers, and the intended one, at the sentence's index."""
    schema, shares = reading.schema, np.exp(reading.log_probs)
    pronouns = [f"{pronoun} ({noun})" for pronoun, noun in zip(schema.pronouns, schema.nouns, strict=True)]
    lines = []
    for i, (sentence, row) in enumerate(zip(schema.sentences, shares, strict=True)):
        line = [sentence]
        for j, share in enumerate(row):
            classes = " ".join(["prefers"] * (int(row.argmax()) == j) + ["meant"] * (i == j))
            line.append(cell(percent(float(share)) + (f" {p.text('pronoun_meant')}" if i == j else ""), classes))
        lines.append(line)
    return html_table("pronouns", [p.text("pronoun_sentence"), *pronouns], lines, named=True)


def _attention(change: PronounAttention) -> dict[str, object]:
    before, after = change.second
    both_1, both_2 = (percent(float(both)) for both in change.shares.sum(1))
    return {
        "layer": change.layer + 1, "head": change.head + 1, "before": percent(before), "after": percent(after),
        "moved": f"{100 * abs(after - before):.0f}", "least": percent(LEAST), "both_1": both_1, "both_2": both_2,
    }  # fmt: skip
