"""The browser's engine splits texts, among them those that tokenizers and rules for words trip over, as Python does."""

from __future__ import annotations

import base64
import io
import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import tokenizers

from tests.importing.conftest import hostile, lines
from tests.web.conftest import Engine
from viz_core.catalog import find
from viz_core.checkpoint import read_config
from viz_core.config import ModelConfig
from viz_core.importing.spm import read_pieces
from viz_core.tokenizer import LibraryTokenizer, SentencePieceTokenizer, Tokenizer, WordTokenizer, read_tokenizer
from viz_core.tokenizer.sentencepiece import Pieces
from viz_core.word_rules import word_rules
from viz_core.words import Token, split_words

SPECIAL = ["<pad>", "<s>", "</s>", "<unk>"]


@pytest.mark.parametrize("language", ["en", "de", "zh"])
def test_words(language: str, engine: Engine) -> None:
    typed = [*texts(200), *lines(language if language != "zh" else "en")[:30]]
    found = engine.ask("words", Path(), texts=typed, rules=word_rules(language))
    for text, words in zip(typed, found, strict=True):
        assert words == [[word.text, word.start, word.end] for word in split_words(text, language)], repr(text)


@pytest.mark.parametrize(("name", "language"), [("en-de-tiny", "en"), ("zh-en-tiny", "zh")])
def test_tokens_of_our_own_vocabularies(name: str, language: str, engine: Engine) -> None:
    folder = find(name)
    tokenizer = read_tokenizer((folder / "tokenizer.json").read_text("utf-8"), read_config(folder))
    assert_same(engine, folder, tokenizer, language, read_config(folder).eos_id)


@cache
def spm() -> Pieces:
    """Pieces learned from our sentences, and rules of normalization (NFKC)."""
    content = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines("en")), model_writer=content, vocab_size=300, model_type="unigram", minloglevel=2
    )
    return read_pieces(content.getvalue(), "source.spm")


def unigram(config: ModelConfig) -> Tokenizer:
    """As in Marian; a code of a target language is one of the entries."""
    return SentencePieceTokenizer([*SPECIAL, ">>fra<<", *spm().scores], spm(), config)


def words(config: ModelConfig) -> Tokenizer:
    return WordTokenizer([*SPECIAL, ">>Fra<<", "a", "hello", "don't", "do", "n't", ".", "the"], True, config)


def pairs(config: ModelConfig, blank: bool = False) -> Tokenizer:
    """Byte-level pairs as in BART. blank: a space is put before each text."""
    made = tokenizers.ByteLevelBPETokenizer(add_prefix_space=blank)
    made.train_from_iterator(lines("en"), vocab_size=350, special_tokens=SPECIAL, show_progress=False)
    return library(json.loads(made.to_str()), config)


def pairs_after_a_blank(config: ModelConfig) -> Tokenizer:
    return pairs(config, blank=True)


METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}


def mbart(config: ModelConfig) -> Tokenizer:
    return library(
        pieces() | {"pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, METASPACE]}}, config
    )


def mbart_50(config: ModelConfig) -> Tokenizer:
    """With SentencePiece's rules of normalization."""
    rules = base64.b64encode(spm().charsmap).decode()
    replace = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
    steps = [{"type": "Precompiled", "precompiled_charsmap": rules}, replace]
    return library(pieces() | {"normalizer": {"type": "Sequence", "normalizers": steps}, "pre_tokenizer": METASPACE}, config)


def pieces() -> dict[str, Any]:
    scores = [*((token, 0.0) for token in SPECIAL), *spm().scores.items()]
    return {"normalizer": None, "model": {"type": "Unigram", "unk_id": 3, "byte_fallback": False, "vocab": scores}}


def library(content: dict[str, Any], config: ModelConfig) -> Tokenizer:
    vocab = content["model"]["vocab"]
    entries = sorted(vocab, key=vocab.__getitem__) if isinstance(vocab, dict) else [piece for piece, _ in vocab]
    return LibraryTokenizer.from_content(content, [*entries, "<unused 1>"], config)


def assert_same(engine: Engine, folder: Path, tokenizer: Tokenizer, language: str, end: int, count: int = 120) -> None:
    typed = [*texts(count), *lines("en")[:30]]
    found = engine.ask("tokens", folder, texts=typed, rules=word_rules(language), side="tokenizer")
    for text, answer in zip(typed, found, strict=True):
        encoded = tokenizer.encode(text, language)
        read = tokenizer.read([*encoded.ids, end], language)
        expected = {"tokens": fields(encoded.tokens), "text": read.text, "read": fields(read.tokens)}
        assert answer == expected, repr(text)


def fields(tokens: tuple[Token, ...]) -> list[list[Any]]:
    return [[token.id, token.text, token.word, token.start, token.end, token.first] for token in tokens]


TYPED = [
    "", "  two  blanks  ", "é\u0301 1½ ﬁ", "\u1100\u1161\u11a8 각", "a\u0323\u0301b ẹ́", "▁▁a ▁", "😀👍🏽 日本", "⟨/s⟩ <0x41> </s>",
    "\u0345\u0301a", "x\u0f73\u0f71y", "A" * 450, "\ufeffa", "\u200b", "ẞß İi",
    "\x85 \x1c a", ">>fra<< Hello", ">>Fra<<hello", ">>x\n<< a", "汤姆的iPhone12有3.5公斤",
]  # fmt: skip
RULES = [
    *("Don't", "can't", "it's", "e.g.", "Mr.", "U.S.A.", ":)", ":-D", "http://a.bc/x?y=1", "foo@bar.de", "3.5km", "10%", "$5"),
    *("1,000.50", "a-b-c", "(hello)", "[x]", '"quoted"', "«oui»", "aujourd'hui", "l'homme", "qu'il", "est-ce", "peut-être"),
    *("y-a-t-il", "z.B.", "d.h.", "12.11.2020", "Dr.", "'s", "...", "…", "--", "—", "''", "``", "C++", "co-op", "Anti-Held"),
    *("faux-vampire", "black-outs", "9am", "10:30", "hi:)", ";)x"),
]


def texts(count: int) -> list[str]:
    """So many hostile texts, half of them of what spaCy's rules are about, and all that are listed here."""
    draw = random.Random(3)
    ends = ["", ",", ".", "!", "?", ")", "'s", "\n", ":)"]
    mixed = [" ".join(draw.choice(RULES) + draw.choice(ends) for _ in range(draw.randint(1, 8))) for _ in range(count // 2)]
    return [*TYPED, *mixed, *hostile(count - len(mixed))]
