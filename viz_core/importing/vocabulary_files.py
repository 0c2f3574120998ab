"""Vocabularies as the transformers library saves them.

Marian: source.spm, target.spm, vocab.json, and target_vocab.json where each language has its own. mBART (a unigram model) and BART
(byte-level pairs): tokenizer.json of the tokenizers library; BART's older folders have vocab.json and merges.txt in its place.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from viz_core.config import ModelConfig
from viz_core.errors import ConfigError, ImportFailed
from viz_core.importing.source import Fields, Source
from viz_core.importing.spm import read_pieces
from viz_core.tokenizer import LibraryTokenizer, SentencePieceTokenizer, Tokenizer
from viz_core.tokenizer.library import library_tokenizer


class MarianFiles:
    """The contents of Marian's files; ImportFailed if one is missing or damaged."""

    def __init__(self, source: Source) -> None:
        self._pieces = {name: read_pieces(source.bytes(name), name) for name in ("source.spm", "target.spm")}
        self.ids = read_ids(source, "vocab.json")
        self._target = read_ids(source, "target_vocab.json") if source.has("target_vocab.json") else None
        added = read_ids(source, "added_tokens.json") if source.has("added_tokens.json") else {}
        self._added = {token: i for token, i in added.items() if token not in self.ids and i not in self.ids.values()}
        tell_added(source, "added_tokens.json", self._added)

    def special_ids(self, fields: Fields, source_language: str, target_language: str) -> dict[str, Any]:
        """The special ids that config.json does not name."""
        return {"unk_id": self.ids.get("<unk>")}

    def tokenizers(self, config: ModelConfig) -> tuple[Tokenizer, Tokenizer | None]:
        """The tokenizers of target and source: each language has its own pieces, while the vocabulary may be shared."""
        vocab = _entries("vocab.json", self.ids | self._added, config.source_vocab)
        name, ids = ("vocab.json", self.ids | self._added) if self._target is None else ("target_vocab.json", self._target)
        target = _entries(name, ids, config.target_vocab)
        return (
            SentencePieceTokenizer(target, self._pieces["target.spm"], config),
            SentencePieceTokenizer(vocab, self._pieces["source.spm"], config),
        )


def tell_added(source: Source, name: str, tokens: Iterable[str]) -> None:
    """Notes tokens that were added to a vocabulary later; transformers finds them in typed text, this program does not."""
    if added := sorted(tokens):
        some = ", ".join(added[:3]) + (" …" if len(added) > 3 else "")
        source.notes.append(
            f"{name}: tokens were added to the vocabulary ({some}); the model can read and write them, but typed text becomes one "
            "in transformers only"
        )


def read_ids(source: Source, name: str) -> dict[str, int]:
    """A file of tokens with their ids."""
    ids = source.json(name, once=True)
    if not isinstance(ids, dict) or not all(type(i) is int for i in ids.values()):
        raise ImportFailed(f"{name}: expected tokens with their ids")
    return ids


def _entries(name: str, ids: dict[str, int], size: int) -> list[str]:
    """Tokens in the order of their ids; size: rows of the model's matrix, at least as many as tokens."""
    tokens = {i: token for token, i in ids.items()}
    if twice := next((token for token, i in ids.items() if tokens[i] != token), None):
        raise ImportFailed(f"{name}: {twice!r} and {tokens[ids[twice]]!r} have the same id, {ids[twice]}; each needs its own")
    if len(tokens) < len(ids) or not all(0 <= i < size for i in tokens):
        raise ImportFailed(f"{name}: {len(ids):,} tokens, expected the ids 0 to {size - 1:,}, each once, as config.json says")
    return [tokens.get(i, f"<unused {i}>") for i in range(size)]


NAME = "tokenizer.json"
VOCAB, PAIRS, ADDED = "vocab.json", "merges.txt", "added_tokens.json"
CODE = re.compile(r"[a-z]{2,3}_[A-Z]{2}")  # a language code, such as en_XX
PROBE = "a"  # any text, to see which special tokens surround it


@dataclass(frozen=True, eq=False)
class TokenizerJson:
    """The contents of tokenizer.json.

    Attributes:
        name: of the file, for messages.
        content: its fields.   tokens: id → token, added ones included; ids: the inverse.
        start, end: the special tokens around each text.
    """

    name: str
    content: dict[str, Any]
    tokens: dict[int, str]
    ids: dict[str, int]
    start: tuple[int, ...]
    end: tuple[int, ...]

    def special_ids(self, fields: Fields, source_language: str, target_language: str) -> dict[str, Any]:
        """The special tokens around the source, and at the start of the target; mBART's name the languages.

        Args:
            fields: config.json.
        """
        eos, codes = fields.whole("eos_token_id"), {code.split("_")[0]: i for code, i in self.ids.items() if CODE.fullmatch(code)}
        if self.end[:1] != (eos,):
            raise ImportFailed(
                f"{self.name}: after a text stand the ids {[*self.end]}, expected {eos}, the eos_token_id of config.json"
            )
        before, after, special = self.start, self.end[1:], {"unk_id": self.ids.get("<unk>")}
        if set(codes.values()) & {*self.start, *self.end}:
            if missing := [language for language in (source_language, target_language) if language not in codes]:
                raise ImportFailed(f"{self.name}: no code for {missing[0]!r}; --languages names two of {', '.join(sorted(codes))}")
            own = dict.fromkeys(codes.values(), codes[source_language])  # in place of the language that the file was saved with
            before, after = (tuple(own.get(i, i) for i in ids) for ids in (before, after))
            code = codes[target_language]
            # mBART-50 reads the end token and is forced to write the code first; mBART reads the code first.
            special |= {"bos_id": eos, "first_id": code} if self.start else {"bos_id": code, "first_id": None}
        return {"source_start": before, "source_end": after, **special}

    def tokenizers(self, config: ModelConfig) -> tuple[Tokenizer, Tokenizer | None]:
        """The tokenizer of both languages, with as many tokens as the model's matrix has rows.

        Raises:
            ImportFailed: the file has more tokens.
        """
        size, last = config.source_vocab, max(self.tokens)
        if last >= size:
            raise ImportFailed(
                f"{self.name}: {len(self.tokens):,} tokens, the last id {last:,}, but config.json says vocab_size {size:,}"
            )
        try:
            return LibraryTokenizer.from_content(
                self.content, [self.tokens.get(i, f"<unused {i}>") for i in range(size)], config
            ), None
        except ConfigError as error:
            raise ImportFailed(f"{self.name}: {error}") from error


def read_tokenizer_json(source: Source) -> TokenizerJson:
    """Reads the file.

    Raises:
        ImportFailed: it is missing, damaged, or of a kind that is not read.
    """
    pairs = not source.has(NAME) and source.has(PAIRS)
    name, content = (VOCAB, _of_pairs(source)) if pairs else (NAME, source.json(NAME))
    try:
        kind, vocab = str(content["model"]["type"]), content["model"]["vocab"]
        pieces = enumerate(piece for piece, _ in vocab) if kind == "Unigram" else ((i, token) for token, i in vocab.items())
        entries = {int(i): str(token) for i, token in pieces}
        tokens = entries | {int(added["id"]): str(added["content"]) for added in content.get("added_tokens") or []}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ImportFailed(f"{name}: not a vocabulary ({error!r})") from error
    wanted = {"Unigram": "Metaspace", "BPE": "ByteLevel"}.get(kind)
    if wanted is None or f'"{wanted}"' not in json.dumps(content.get("pre_tokenizer")):
        raise ImportFailed(f"{name}: a vocabulary of kind {kind!r}, expected a Unigram model with Metaspace, or BPE with ByteLevel")
    tell_added(source, name, [added["content"] for added in content.get("added_tokens") or [] if not added.get("special")])
    return TokenizerJson(name, content, tokens, {token: i for i, token in tokens.items()}, *_around(content, name))


def _of_pairs(source: Source) -> dict[str, Any]:
    """The fields of the tokenizer.json that transformers makes from BART's vocab.json, merges.txt and the files beside them."""
    vocab, settings = read_ids(source, VOCAB), Fields("tokenizer_config.json", {})
    if source.has(settings.file):
        settings = source.fields(settings.file)
    try:
        lines = [line.removesuffix("\r") for line in source.bytes(PAIRS).decode().split("\n")]
    except UnicodeDecodeError as error:
        raise ImportFailed(f"{PAIRS}: not UTF-8 ({error})") from error
    added = read_ids(source, ADDED) if source.has(ADDED) else {}
    blank, around = settings.flag("add_prefix_space", False), {}
    for role, usual in (("cls", "<s>"), ("sep", "</s>")):
        setting = settings.get(f"{role}_token")
        token = str(setting.get("content") if isinstance(setting, dict) else setting or usual)
        if token not in vocab:
            raise ImportFailed(f"{VOCAB}: no {token!r}, which stands around each text")
        around[role] = [token, vocab[token]]
    bytes_ = {"type": "ByteLevel", "add_prefix_space": blank, "trim_offsets": True, "use_regex": True}
    merges = [line.split(" ") for line in lines if line and not line.startswith("#version")]
    return {
        "added_tokens": [{"id": i, "content": token} for token, i in added.items() if token not in vocab],
        "pre_tokenizer": bytes_,
        "post_processor": {"type": "RobertaProcessing", **around, "trim_offsets": True, "add_prefix_space": blank},
        "decoder": bytes_,
        "model": {"type": "BPE", "vocab": vocab, "merges": merges},
    }


def _around(content: dict[str, Any], name: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The special tokens before and after a text."""
    try:
        probe = library_tokenizer(content).encode(PROBE)
    except ConfigError as error:
        raise ImportFailed(f"{name}: {error}") from error
    text = [i for i, special in enumerate(probe.special_tokens_mask) if not special]
    if not text:
        raise ImportFailed(f"{name}: it gives no token for {PROBE!r}")
    return tuple(probe.ids[: text[0]]), tuple(probe.ids[text[-1] + 1 :])
