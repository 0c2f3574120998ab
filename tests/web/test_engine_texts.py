"""The browser's engine splits texts into the words, tokens and ids that Python splits them into."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
import sentencepiece

from tests.importing.conftest import lines
from tests.web.engine import Engine
from tests.web.texts import texts
from viz_core.catalog import find
from viz_core.checkpoint import read_config
from viz_core.config import ModelConfig
from viz_core.importing.spm import read_pieces
from viz_core.tokenizer import SentencePieceTokenizer, Tokenizer, WordTokenizer, read_tokenizer
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


def unigram(config: ModelConfig) -> Tokenizer:
    """Pieces learned from our sentences, normalized by NFKC; a code of a target language is one of them."""
    content = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines("en")), model_writer=content, vocab_size=300, model_type="unigram", minloglevel=2
    )
    pieces = read_pieces(content.getvalue(), "source.spm")
    return SentencePieceTokenizer([*SPECIAL, ">>fra<<", *pieces.scores], pieces, config)


def words(config: ModelConfig) -> Tokenizer:
    return WordTokenizer([*SPECIAL, "a", "hello", "don't", "do", "n't", ".", "the"], True, config)


@pytest.mark.parametrize("make", [unigram, words])
def test_tokens_of_others_vocabularies(make: Any, engine: Engine, tmp_path: Path) -> None:
    config = ModelConfig(source_vocab=400, target_vocab=400)
    (tmp_path / "config.json").write_text(json.dumps({"model": config.to_json()}))
    tokenizer: Tokenizer = make(config)
    (tmp_path / "tokenizer.json").write_text(tokenizer.to_json(), "utf-8")
    assert_same(engine, tmp_path, tokenizer, "en", config.eos_id)


def assert_same(engine: Engine, folder: Path, tokenizer: Tokenizer, language: str, end: int) -> None:
    typed = [*texts(200), *lines("en")[:30]]
    found = engine.ask("tokens", folder, texts=typed, rules=word_rules(language), side="tokenizer")
    for text, answer in zip(typed, found, strict=True):
        encoded = tokenizer.encode(text, language)
        read = tokenizer.read([*encoded.ids, end], language)
        expected = {"tokens": fields(encoded.tokens), "text": read.text, "read": fields(read.tokens)}
        assert answer == expected, repr(text)


def fields(tokens: tuple[Token, ...]) -> list[list[Any]]:
    return [[token.id, token.text, token.word, token.start, token.end, token.first] for token in tokens]
