"""`import.json`: what the weights of one's own model do not say, such as its heads and its special tokens; and its vocabularies.

    {"heads": 8, "languages": ["de", "en"], "lowercase": false,
     "source_vocab": "source_vocab.json", "target_vocab": "target_vocab.json",
     "pad": "<pad>", "bos": "<bos>", "eos": "<eos>", "unk": "<unk>"}

A vocabulary is a list of words in the order of their ids, or an object of words with their ids; one file may serve both languages.
The words of a text are those of spaCy's blank tokenizers. Special tokens are found by their usual names where none is given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from viz_core.config import ModelConfig
from viz_core.errors import ImportFailed
from viz_core.importing.source import Fields, Source
from viz_core.tokenizer import Tokenizer, WordTokenizer

NAME = "import.json"
USUAL = {
    "pad": ("<pad>", "<blank>", "[PAD]", "⟨pad⟩"),
    "bos": ("<s>", "<bos>", "<sos>", "[BOS]", "⟨s⟩"),
    "eos": ("</s>", "<eos>", "[EOS]", "⟨/s⟩"),
    "unk": ("<unk>", "[UNK]", "⟨unk⟩"),
}


@dataclass(frozen=True, eq=False)
class Description:
    """The fields of import.json, and the vocabularies that it names."""

    fields: Fields
    source: list[str]
    target: list[str]
    languages: tuple[str, str]

    def special_ids(self) -> dict[str, Any]:
        """pad_id, bos_id, eos_id, unk_id: the same in both vocabularies."""
        found: dict[str, Any] = {}
        for name, usual in USUAL.items():
            given = self.fields.get(name)
            names = (given,) if isinstance(given, str) else usual
            ids = {next((vocab.index(each) for each in names if each in vocab), None) for vocab in (self.source, self.target)}
            if len(ids) != 1 or None in ids:
                what = (
                    "stands at different ids in the two vocabularies" if None not in ids else "is in no vocabulary, or in one only"
                )
                raise ImportFailed(f"{NAME}: the token for {name!r} ({' or '.join(names)}) {what}")
            found[f"{name}_id"] = ids.pop()
        return found

    def tokenizers(self, config: ModelConfig) -> tuple[Tokenizer, Tokenizer | None]:
        """Of the target, and of the source where it has another vocabulary."""
        lowercase = self.fields.flag("lowercase", False)
        target = WordTokenizer(self.target, lowercase, config)
        return target, None if self.source == self.target else WordTokenizer(self.source, lowercase, config)


def describe(source: Source) -> Description:
    fields = source.fields(NAME)
    names = fields.text("source_vocab", "source_vocab.json"), fields.text("target_vocab", "target_vocab.json")
    for name in names:
        if "/" in name or "\\" in name:
            raise ImportFailed(f"{NAME}: {name!r} is not a file in this folder")
    given = fields.get("languages")
    if not (isinstance(given, list) and len(given) == 2 and all(isinstance(each, str) for each in given)):
        given = [None, None] if given is None else _wrong_languages(given)
    options = source.options
    languages = options.source_language or given[0], options.target_language or given[1]
    if not languages[0] or not languages[1]:
        raise ImportFailed(
            f'{NAME}: languages is missing, expected two codes such as ["de", "en"]; --languages de,en gives them, too'
        )
    return Description(fields, _vocab(source, names[0]), _vocab(source, names[1]), (languages[0], languages[1]))


def _wrong_languages(given: Any) -> Any:
    raise ImportFailed(f'{NAME}: languages is {given!r}, expected two codes such as ["de", "en"]')


def _vocab(source: Source, name: str) -> list[str]:
    found = source.json(name)
    if isinstance(found, dict) and all(type(i) is int for i in found.values()):
        if sorted(found.values()) != list(range(len(found))):
            raise ImportFailed(f"{name}: the ids of its {len(found):,} words are not 0 to {len(found) - 1:,}")
        found = sorted(found, key=found.__getitem__)
    if not isinstance(found, list) or not found or not all(isinstance(word, str) for word in found):
        raise ImportFailed(f"{name}: expected a list of words, or words with their ids")
    return found
