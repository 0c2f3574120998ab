"""A page's texts for one model: reworded where the model differs from the paper's, with the model's own special tokens.

Tables `[for_model.<trait>]` in a file of texts hold only the differing texts and are laid over the rest:

    scaled = "times √d"
    [for_model.bare]                  # in a model that does not multiply by √d_model
    scaled = "with position"

⟨s⟩, ⟨/s⟩, ⟨pad⟩ and ⟨unk⟩ in a text become the model's names for these tokens.
"""

import functools
import re
from collections.abc import Callable, Mapping
from typing import Any

from viz_core.config import ModelConfig
from viz_core.texts import laid_over, language, texts_in
from viz_core.tokenizer import Tokenizer

TRAITS: Mapping[str, Callable[[ModelConfig], bool]] = {
    "apart": lambda config: not config.tied_embeddings,
    "bare": lambda config: not config.scaled_embeddings,
    "learned": lambda config: config.positions == "learned",
    "smooth": lambda config: config.activation != "relu",
}
"""Differences from the paper's model that would make words of a page false."""

_SPECIAL = re.compile("⟨(?:s|/s|pad|unk)⟩")


def worded(name: str, config: ModelConfig, tokenizer: Tokenizer | None = None) -> Mapping[str, Any]:
    """`texts(name)` for this model. tokenizer: of the target, with the special tokens that the texts name."""
    traits = tuple(trait for trait, holds in TRAITS.items() if holds(config))
    return _worded(name, language(), traits, tuple(special_names(config, tokenizer).items()) if tokenizer else ())


def special_names(config: ModelConfig, tokenizer: Tokenizer) -> dict[str, str]:
    """Our special tokens → this model's, where they differ."""
    ids = {"⟨s⟩": config.bos_id, "⟨/s⟩": config.eos_id, "⟨pad⟩": config.pad_id, "⟨unk⟩": config.unk_id}
    names = {ours: tokenizer.token_text(i) for ours, i in ids.items() if i is not None}
    return {ours: name for ours, name in names.items() if name != ours and _plain(name)}


def _plain(name: str) -> bool:
    """True if the name needs no escaping in Markdown and formulas."""
    return all(character.isalnum() or character in "⟨⟩/ -" for character in name)


@functools.lru_cache(maxsize=256)
def _worded(name: str, language: str, traits: tuple[str, ...], names: tuple[tuple[str, str], ...]) -> Mapping[str, Any]:
    words = texts_in(name, language)
    for trait in traits:
        words = laid_over(words, words.get("for_model", {}).get(trait, {}))
    own = {key: value for key, value in words.items() if key != "for_model"}
    return _renamed(own, names) if names else own  # type: ignore[no-any-return]


def _renamed(value: Any, names: tuple[tuple[str, str], ...]) -> Any:
    if isinstance(value, Mapping):
        return {key: text if key == "try" else _renamed(text, names) for key, text in value.items()}  # “try this” shows our models
    if isinstance(value, list):
        return [_renamed(text, names) for text in value]
    if not isinstance(value, str):
        return value
    # all in one pass, since Marian's first token is its padding
    return _SPECIAL.sub(lambda match: dict(names).get(match[0], match[0]), value)
