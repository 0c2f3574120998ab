"""Text → words → tokens → ids, and back.

To add a kind, write a class with the abstract methods of `base.Tokenizer`, and its row in `KINDS`.
"""

import json

from viz_core.config import ModelConfig
from viz_core.errors import ConfigError
from viz_core.tokenizer.base import SPACE, Tokenizer
from viz_core.tokenizer.bpe import BYTES, FIRST_BYTE_ID, FIRST_TEXT_ID, BpeTokenizer
from viz_core.tokenizer.library import LibraryTokenizer, WordTokenizer
from viz_core.tokenizer.sentencepiece import SentencePieceTokenizer

__all__ = [
    "BYTES",
    "FIRST_BYTE_ID",
    "FIRST_TEXT_ID",
    "SPACE",
    "BpeTokenizer",
    "LibraryTokenizer",
    "SentencePieceTokenizer",
    "Tokenizer",
    "WordTokenizer",
    "read_tokenizer",
]

KINDS: dict[str, type[Tokenizer]] = {
    "BPE": BpeTokenizer,
    "sentencepiece": SentencePieceTokenizer,
    "words": WordTokenizer,
    "tokenizers": LibraryTokenizer,
}


def read_tokenizer(text: str, config: ModelConfig) -> Tokenizer:
    """The tokenizer written by `to_json`, for a model with this configuration.

    Raises:
        ConfigError: the text is not such a vocabulary, or it is too small for the model's special tokens.
    """
    try:
        fields = json.loads(text)
        kind = fields["type"] if "type" in fields else fields["model"]["type"]
    except (ValueError, RecursionError, KeyError, TypeError) as error:
        raise ConfigError(f"not a vocabulary: {error!r}") from error
    if kind not in KINDS:
        raise ConfigError(f"a vocabulary of kind {kind!r}, expected {' or '.join(map(repr, KINDS))}")
    return KINDS[kind].from_json(text, config)
