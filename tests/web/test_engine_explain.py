"""The browser's engine explains a sentence as Python does: with a typed target, with every edit, too long, or at its end."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.edit_examples import EXAMPLES
from tests.importing.conftest import lines
from tests.web.__main__ import column, small
from tests.web.conftest import Engine, rules, worst
from tests.web.test_engine import TOLERANCE, VARIANTS, random_model
from tests.web.test_engine_texts import assert_same as assert_same_tokens
from tests.web.test_engine_texts import fields
from viz_core.catalog import find
from viz_core.checkpoint import Checkpoint, save
from viz_core.edits import Edits, Head, Layer, Sublayer
from viz_core.edits.table import forced_token
from viz_core.explain import explain
from viz_core.tokenizer import WordTokenizer

TEXT = "The cat sleeps on the sofa."
HEADS = {Head(kind, layer, head) for kind in ("cross", "masked") for layer in (0, 1, 2, 6) for head in (0, 3, 4, 5, 8)}
EDITS = EXAMPLES | {
    "combined": Edits(
        heads={Head("cross", 0, 1)}, only={Head("cross", 0, 2)}, no_scale=True, temperature=2, no_residual=True,
        no_padding_mask=True, reversed_positions=True, uniform={"self"}, force={1: "Katzee", 2: "\x07", 40: "niee"},
        swap={1: "dog", 30: "x"},
    ),
    "of parts that the model lacks": Edits(
        heads=HEADS, only={Head("self", 30, 1)}, layers={Layer("encoder", 9)}, sublayers={Sublayer("decoder", 5, "ffn")}
    ),
}  # fmt: skip


def assert_same(
    checkpoint: Checkpoint, engine: Engine, text: str, target: str = "", edits: Edits | None = None, folder: Path | None = None
) -> None:
    """PyTorch computes in double precision: in single precision it is itself off by 1e-5 without LayerNorm, or more."""
    edits = edits or Edits()
    theirs = explain(replace(checkpoint, model=deepcopy(checkpoint.model).double()), text, target, edits, skip_missing=True)
    ours = engine.ask("explain", folder or find(checkpoint.name), texts=[text, target, edits.link()], **rules(checkpoint))
    expected: dict[str, Any] = {"source": theirs.source.tokens, "target": theirs.target.tokens, "output": theirs.output}
    assert {name: ours[name] for name in expected} == {name: fields(tokens) for name, tokens in expected.items()}
    assert ours["text"] == theirs.text
    notices = [(notice.code, dict(notice.values)) for notice in theirs.notices]
    assert [(notice["code"], notice["values"]) for notice in ours["notices"]] == notices
    off = worst(theirs.trace.tensors, engine.tensors())
    assert {site: difference for site, difference in off.items() if difference > TOLERANCE} == {}


@pytest.mark.parametrize("edits", EDITS.values(), ids=EDITS)
def test_every_edit(edits: Edits, shipped_tiny: Checkpoint, engine: Engine) -> None:
    assert_same(shipped_tiny, engine, TEXT, edits=edits)


@pytest.mark.parametrize("kind", VARIANTS)
def test_sentences_of_every_kind_of_model(kind: str, engine: Engine, tmp_path: Path) -> None:
    """Sites, greedy decoding, the tree of a beam or mask-predict, and tokens; `python -m tests.web` takes more sentences."""
    checkpoint = small(kind, tmp_path)
    column(checkpoint, tmp_path, engine, 1)
    assert_same_tokens(engine, tmp_path, checkpoint.tokenizer, "en", checkpoint.config.eos_id)


@pytest.mark.parametrize("codes", [[], [">>ron<<", ">>fra<<"], [f">>x{i}<<" for i in range(12)]], ids=len)
def test_codes_of_target_languages(codes: list[str], engine: Engine, tmp_path: Path) -> None:
    vocab = ["<pad>", "<s>", "</s>", "<unk>", *codes, *["The", "cat", "sleeps", "on", "the", "sofa", "."]]
    model = random_model(tmp_path, source_vocab=len(vocab), target_vocab=len(vocab))
    trained = Checkpoint("several", model, WordTokenizer(vocab, True, model.config), "en", "de", "")
    save(tmp_path, trained, torch.float32)
    for text in (TEXT, f" {TEXT * 3}", f">>fra<< {TEXT}", f">>{'a ' * 30}<<{TEXT}"):
        assert_same(trained, engine, text, edits=Edits(swap={0: "the"}), folder=tmp_path)


def test_a_typed_target_too_long_a_sentence_and_a_blank_one(shipped_tiny: Checkpoint, engine: Engine) -> None:
    assert_same(shipped_tiny, engine, TEXT, "Der Hund schläft  nie — oder?", Edits(no_causal_mask=True))
    assert_same(shipped_tiny, engine, TEXT, "Die Katze", Edits(force={1: "nie"}))
    assert_same(shipped_tiny, engine, TEXT, "\u200b \ufeff", Edits(temperature=2))
    assert_same(shipped_tiny, engine, "never " * 200, "nie 😀 " * 200)
    with pytest.raises(RuntimeError, match="There is no word in this text"):
        engine.ask("explain", find(shipped_tiny.name), texts=["\u200b ", "", ""], **rules(shipped_tiny))


def test_a_typed_token_is_the_one_that_python_finds(shipped_tiny: Checkpoint, engine: Engine) -> None:
    words = [word for line in lines("de")[:3] for word in line.split()]
    odd = ["·chen", "⟨/s⟩", "⟨E4⟩", ",", "·", "▁", "猫", "Donaudampfschiff", "a b", "«ß»"]
    typed = [*words, *(word[:-1] + "x" for word in words), *odd]
    found = engine.ask("forced", find(shipped_tiny.name), texts=typed)
    expected = {text: forced_token(text, shipped_tiny.tokenizer) for text in typed}
    assert dict(zip(typed, found, strict=True)) == {text: [token.id, token.exact] for text, token in expected.items()}
