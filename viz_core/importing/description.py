"""`import.json`: facts about a user's model that its weights do not tell, such as heads and special tokens; and its vocabularies.

    {"heads": 8, "languages": ["de", "en"], "lowercase": false, "source_starts_with_bos": true,
     "source_vocab": "source_vocab.json", "target_vocab": "target_vocab.json",
     "pad": "<pad>", "bos": "<bos>", "eos": "<eos>", "unk": "<unk>"}

A vocabulary is a list of words in the order of their ids, or an object of words with their ids; one file may serve both languages.
Texts are split into words by spaCy's blank tokenizers. Special tokens that are not given are found by their usual names.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from viz_core.config import ModelConfig
from viz_core.errors import ImportFailed, nearest
from viz_core.importing.source import Fields, Source
from viz_core.importing.weights import Weights
from viz_core.text_lines import encoding_of
from viz_core.tokenizer import Tokenizer, WordTokenizer

NAME = "import.json"
MOST_UNUSED = 128  # rows without a word
FIELDS = frozenset(
    [
        "heads",
        "languages",
        "source_vocab",
        "target_vocab",
        "pad",
        "bos",
        "eos",
        "unk",
        "lowercase",
        "source_starts_with_bos",
        "layer_norm_eps",
        "norm_first",
        "activation",
        "scaled_embeddings",
        "source_embedding",
        "target_embedding",
        "generator",
        "unused",
    ]
)
WAY_OUT = f'; if the model does not use it, {NAME} says so: "unused": [its name]'
ACTIVATIONS = {"relu": "relu", "gelu": "gelu", "silu": "swish", "swish": "swish"}
USUAL = {
    "pad": ("<pad>", "<blank>", "[PAD]", "⟨pad⟩"),
    "bos": ("<s>", "<bos>", "<sos>", "[BOS]", "⟨s⟩"),
    "eos": ("</s>", "<eos>", "[EOS]", "⟨/s⟩"),
    "unk": ("<unk>", "[UNK]", "⟨unk⟩"),
}


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Words in the order of their ids, and the file they come from."""

    file: str
    words: list[str]

    def __len__(self) -> int:
        return len(self.words)

    def fits(self, rows: int) -> bool:
        """True if a matrix has a row for each word and at most a few more, as padding to a multiple leaves them."""
        return 0 <= rows - len(self) < min(MOST_UNUSED, len(self))


@dataclass(frozen=True, eq=False)
class Description:
    """The fields of import.json, the vocabularies that it names, and the most positions to keep."""

    fields: Fields
    source: Vocabulary
    target: Vocabulary
    languages: tuple[str, str]
    max_len: int

    def settings(self, encoder: int, decoder: int) -> dict[str, Any]:
        """Fields of ModelConfig that the tutorials' models share. encoder, decoder: number of layers."""
        ids = {f"{name}_id": self._special_id(name) for name in USUAL}
        # Both tutorials also put the start token before the source.
        start = (ids["bos_id"],) if self.fields.flag("source_starts_with_bos", True) else ()
        return ids | {
            "source_vocab": len(self.source),
            "target_vocab": len(self.target),
            "n_heads": self.fields.whole("heads"),
            "n_layers": encoder,
            "n_decoder_layers": None if decoder == encoder else decoder,
            "source_start": start,
        }

    def _special_id(self, name: str) -> int:
        """The id of a special token, which must be the same in both vocabularies."""
        names = (self.fields.text(name),) if self.fields.get(name) is not None else USUAL[name]
        ids = []
        for vocab in (self.source, self.target):
            known = next((word for word in names if word in vocab.words), None)
            if known is None:
                raise ImportFailed(f"{vocab.file}: no {' or '.join(names)}; {NAME} names the special token {name!r}")
            ids.append(vocab.words.index(known))
        if ids[0] != ids[1]:
            raise ImportFailed(f"{self.target.file}: {known} has the id {ids[1]}, expected {ids[0]} as in {self.source.file}")
        return ids[0]

    def embeddings(self, weights: Weights, source: str, target: str, generator: str, d: int) -> dict[str, Any]:
        """Takes the two embeddings and the output matrix, equal ones once; returns which are tied, as fields of ModelConfig.

        Args:
            source, target, generator: names of tensors, (words, d).
        """
        names = {"source_embedding": source, "target_embedding": target, "generator": generator}
        matrices = {}
        for part, name in names.items():
            side = self.source if part == "source_embedding" else self.target
            rows = weights.shape(name)[0]
            if side.fits(rows) and rows > len(side):
                weights.notes.append(f"{side.file}: {len(side):,} words, {name} has {rows:,} rows; the others are read as unused")
                side.words.extend(f"<unused {i}>" for i in range(len(side), rows))
            if rows != len(side):
                raise ImportFailed(f"{side.file}: {len(side):,} words, expected {rows:,}, the rows of {name}")
            matrices[part] = weights.look(name, (rows, d))
        weights.drop(*names.values())
        tied = _same(matrices["source_embedding"], matrices["target_embedding"])
        generator_tied: bool | str = _same(matrices["target_embedding"], matrices["generator"])
        if not generator_tied and _same(matrices["source_embedding"], matrices["generator"]):
            generator_tied = "source"
        if tied:
            del matrices["target_embedding"]
        if generator_tied:
            del matrices["generator"]
        weights.taken |= {f"{part}.weight": matrix for part, matrix in matrices.items()}
        return {"tied_embeddings": tied, "tied_generator": generator_tied}

    def leave_out(self, weights: Weights) -> None:
        """Drops the tensors listed in the field `unused`, by their names or the beginnings of these."""
        unused = self.fields.get("unused") or []
        if not isinstance(unused, list) or not all(isinstance(name, str) for name in unused):
            raise ImportFailed(f"{NAME}: unused is {unused!r}, expected a list of names of tensors")
        for name in unused:
            dropped = [tensor for tensor in weights.left() if tensor == name or tensor.startswith(f"{name}.")]
            if not dropped:
                raise ImportFailed(f"{NAME}: unused names {name!r}, which {weights.file} does not hold, or which is used")
            weights.drop(*dropped)

    def tokenizers(self, config: ModelConfig) -> tuple[Tokenizer, Tokenizer | None]:
        """The tokenizers of the target, and of the source if it has a vocabulary of its own."""
        lowercase = self.fields.flag("lowercase", False)
        source, target = (WordTokenizer(side.words, lowercase, config) for side in (self.source, self.target))
        return target, None if source.vocab == target.vocab else source


def _same(one: Tensor, other: Tensor) -> bool:
    return one.shape == other.shape and (one.data_ptr() == other.data_ptr() or torch.equal(one.float(), other.float()))


def describe(source: Source) -> Description:
    """Reads import.json and the vocabularies that it names."""
    if not source.has(NAME):
        example = '{"heads": 8, "languages": ["de", "en"]}'
        raise ImportFailed(
            f"{NAME}: missing in {source.folder}; it says what the weights do not, such as {example}: docs/import.md"
        )
    fields = source.fields(NAME)
    if unknown := fields.names() - FIELDS:
        raise ImportFailed(f"{NAME}: unknown field {min(unknown)!r}; {nearest(min(unknown), FIELDS)}")
    for name, value in source.made_with.items():
        if fields.get(name) not in (None, value) and (fields.get(name), value) != ("swish", "silu"):
            raise ImportFailed(f"{NAME}: {name} is {fields.get(name)!r}, but the model in {source.weights_file} has {value!r}")
    fields = Fields(NAME, {name: fields.get(name) for name in fields.names()} | source.made_with)
    names = {side: f"{side}_vocab.{'txt' if source.has(f'{side}_vocab.txt') else 'json'}" for side in ("source", "target")}
    both = "vocab.json" if source.has("vocab.json") else None  # one vocabulary of both languages
    vocab, target = (
        _vocabulary(source, fields.text(f"{side}_vocab", name if source.has(name) else both or name))
        for side, name in names.items()
    )
    return Description(fields, vocab, target, _languages(source, fields), source.options.max_len)


def _languages(source: Source, fields: Fields) -> tuple[str, str]:
    """Codes of source and target, from the options or from import.json."""
    given, options = fields.get("languages"), source.options
    if options.source_language and options.target_language:
        return options.source_language, options.target_language
    if not (isinstance(given, list) and len(given) == 2 and all(isinstance(code, str) for code in given)):
        raise ImportFailed(
            f'{NAME}: languages is {given!r}, expected two codes such as ["de", "en"]; --languages de,en gives them, too'
        )
    return given[0], given[1]


def _vocabulary(source: Source, name: str) -> Vocabulary:
    if "/" in name or "\\" in name:
        raise ImportFailed(f"{NAME}: {name!r} is not a file in this folder")
    words = source.json(name, once=True) if not name.endswith(".txt") else _lines(source, name)
    if isinstance(words, dict) and words and all(i.isdecimal() and isinstance(word, str) for i, word in words.items()):
        words = {word: int(i) for i, word in words.items()}  # ids with their words
    if isinstance(words, dict) and all(type(i) is int for i in words.values()):
        if twice := next((i for i, count in Counter(words.values()).items() if count > 1), None):
            some = " and ".join(map(repr, [word for word, i in words.items() if i == twice][:2]))
            raise ImportFailed(f"{name}: {some} have the same id, {twice}; each word needs an id of its own")
        if sorted(words.values()) != list(range(len(words))):
            raise ImportFailed(f"{name}: the ids of its {len(words):,} words are not 0 to {len(words) - 1:,}")
        words = sorted(words, key=words.__getitem__)
    if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
        raise ImportFailed(f"{name}: expected a list of words, or words with their ids")
    _tell_twice(source, name, words)
    return Vocabulary(name, words)


def _lines(source: Source, name: str) -> list[str]:
    """A token in each line, as in Joey NMT; what follows a tab, such as its count, is left out."""
    content = source.bytes(name)
    try:
        lines = content.decode(encoding_of(content)).removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        raise ImportFailed(f"{name}: not UTF-8 ({error})") from error
    return [line.removesuffix("\r").partition("\t")[0] for line in lines]


def _tell_twice(source: Source, name: str, words: list[str]) -> None:
    """Notes a word with two ids; typed text gets the last one, as from a Python dictionary made of the list."""
    ids = {word: i for i, word in enumerate(words)}
    if twice := [word for i, word in enumerate(words) if ids[word] != i]:
        some, many = repr(twice[0]), f", and {len(twice) - 1:,} other words" if len(twice) > 1 else ""
        source.notes.append(
            f"{name}: {some} has two ids, {words.index(twice[0]):,} and {ids[twice[0]]:,}{many}: typed text gets the last"
        )
