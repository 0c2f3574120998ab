"""Vocabularies in the file of the tokenizers library, `tokenizer.json`: a unigram model (mBART), or byte-level pairs (BART)."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any

from viz_core.config import ModelConfig
from viz_core.errors import ConfigError, ImportFailed
from viz_core.importing.source import Source
from viz_core.tokenizer import ByteLevelTokenizer, SentencePieceTokenizer, Tokenizer
from viz_core.tokenizer.sentencepiece import Pieces

NAME = "tokenizer.json"


def read_tokenizer_json(source: Source, config: ModelConfig) -> Tokenizer:
    """The tokenizer of a model with this configuration, whose added tokens, such as language codes, no typed text can be."""
    content: dict[str, Any] = source.json(NAME)
    try:
        kind = content["model"]["type"]
        added = {int(each["id"]): str(each["content"]) for each in content.get("added_tokens") or []}
        if kind == "Unigram":
            entries = [str(piece) for piece, _ in content["model"]["vocab"]]
            scores = {str(piece): float(score) for piece, score in content["model"]["vocab"]}
        elif kind == "BPE" and "ByteLevel" in json.dumps(content.get("pre_tokenizer")):
            ids = content["model"]["vocab"]
            entries = sorted(ids, key=ids.__getitem__)
        else:
            raise ImportFailed(f"{NAME}: a vocabulary of kind {kind!r}, expected 'Unigram' or byte-level 'BPE'")
        vocab = _filled(entries, added, config.source_vocab)
        if kind == "BPE":
            return ByteLevelTokenizer.made(content, vocab, config)
        specials = {vocab[i] for i in config.special_ids} | set(added.values())
        pieces = {piece: score for piece, score in scores.items() if piece not in specials}
        return SentencePieceTokenizer(vocab, Pieces(pieces, _charsmap(content.get("normalizer"))), config)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ImportFailed(f"{NAME}: not a vocabulary ({error!r})") from error
    except ConfigError as error:
        raise ImportFailed(f"{NAME}: {error}") from error


def _filled(entries: list[str], added: dict[int, str], size: int) -> list[str]:
    """The vocabulary with the added tokens at their ids, as long as the model's matrix."""
    vocab = {**dict(enumerate(entries)), **added}
    if len(vocab) > size or max(vocab) >= size:
        raise ImportFailed(f"{NAME}: {len(vocab):,} tokens, the last id {max(vocab):,}, but the model has {size:,}")
    return [vocab.get(i, f"<unused {i}>") for i in range(size)]


def _charsmap(normalizer: Any) -> bytes:
    """The rules of SentencePiece among the normalizers."""
    for each in [normalizer, *((normalizer or {}).get("normalizers") or [])]:
        if isinstance(each, dict) and each.get("type") == "Precompiled":
            try:
                return base64.b64decode(each["precompiled_charsmap"], validate=True)
            except (KeyError, TypeError, binascii.Error) as error:
                raise ImportFailed(f"{NAME}: precompiled_charsmap is damaged ({error})") from error
    return b""
