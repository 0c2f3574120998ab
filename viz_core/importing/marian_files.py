"""The vocabularies of Marian: source.spm, target.spm, vocab.json, and target_vocab.json where the two languages have their own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from viz_core.config import ModelConfig
from viz_core.errors import ImportFailed
from viz_core.importing.source import Fields, Source
from viz_core.importing.spm import read_pieces
from viz_core.tokenizer import SentencePieceTokenizer, Tokenizer


class MarianFiles:
    """What the files hold; ImportFailed where one is missing or damaged."""

    def __init__(self, source: Source) -> None:
        self._pieces = {name: read_pieces(source.bytes(name), name) for name in ("source.spm", "target.spm")}
        self.ids = read_ids(source, "vocab.json")
        self._target = read_ids(source, "target_vocab.json") if source.has("target_vocab.json") else None
        added = read_ids(source, "added_tokens.json") if source.has("added_tokens.json") else {}
        self._added = {token: i for token, i in added.items() if token not in self.ids and i not in self.ids.values()}
        tell_added(source, "added_tokens.json", self._added)

    def special_ids(self, fields: Fields, source_language: str, target_language: str) -> dict[str, Any]:
        """Those that config.json does not name."""
        return {"unk_id": self.ids.get("<unk>")}

    def made(self, config: ModelConfig) -> tuple[Tokenizer, Tokenizer | None]:
        """Target and source: the pieces are each language's own, the vocabulary may be one."""
        vocab = _entries("vocab.json", self.ids | self._added, config.source_vocab)
        name, ids = ("vocab.json", self.ids | self._added) if self._target is None else ("target_vocab.json", self._target)
        target = _entries(name, ids, config.target_vocab)
        return (
            SentencePieceTokenizer(target, self._pieces["target.spm"], config),
            SentencePieceTokenizer(vocab, self._pieces["source.spm"], config),
        )


def tell_added(source: Source, name: str, tokens: Iterable[str]) -> None:
    """Notes the tokens that were added to a vocabulary later; transformers finds them in a typed text, this program does not."""
    if found := sorted(tokens):
        some = ", ".join(found[:3]) + (" …" if len(found) > 3 else "")
        source.notes.append(
            f"{name}: tokens were added to the vocabulary ({some}); the model can read and write them, but typed text becomes one "
            "in transformers only"
        )


def read_ids(source: Source, name: str) -> dict[str, int]:
    """A file of tokens with their ids."""
    found = source.json(name, once=True)
    if not isinstance(found, dict) or not all(type(i) is int for i in found.values()):
        raise ImportFailed(f"{name}: expected tokens with their ids")
    return found


def _entries(name: str, ids: dict[str, int], size: int) -> list[str]:
    """Tokens in the order of their ids; size: rows of the model's matrix, which may have more than there are tokens."""
    tokens = {i: token for token, i in ids.items()}
    if twice := next((token for token, i in ids.items() if tokens[i] != token), None):
        raise ImportFailed(f"{name}: {twice!r} and {tokens[ids[twice]]!r} have the same id, {ids[twice]}; each needs its own")
    if len(tokens) < len(ids) or not all(0 <= i < size for i in tokens):
        raise ImportFailed(f"{name}: {len(ids):,} tokens, expected the ids 0 to {size - 1:,}, each once, as config.json says")
    return [tokens.get(i, f"<unused {i}>") for i in range(size)]
