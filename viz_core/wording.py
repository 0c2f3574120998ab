"""The words for one model: what is said of the paper's model in other words where this one computes otherwise, by its own names.

A file of texts says it in tables `[for_model.<trait>]`, which hold only what differs and are laid over the rest:

    scaled = "times √d"
    [for_model.bare]                  # in a model that does not multiply by √d_model
    scaled = "with position"

⟨s⟩, ⟨/s⟩, ⟨pad⟩ and ⟨unk⟩ in a text become the names that these tokens have in the model.
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
"""How a model may differ from the paper's so that words of a page would be false."""

_SPECIAL = re.compile("⟨(?:s|/s|pad|unk)⟩")


def worded(name: str, config: ModelConfig, tokenizer: Tokenizer | None = None) -> Mapping[str, Any]:
    """`texts(name)` for this model. tokenizer: of the target, whose special tokens the texts name."""
    traits = tuple(trait for trait, holds in TRAITS.items() if holds(config))
    return _worded(name, language(), traits, tuple(_names(config, tokenizer).items()) if tokenizer else ())


def _names(config: ModelConfig, tokenizer: Tokenizer) -> dict[str, str]:
    """The special tokens that this model calls otherwise than ours."""
    ids = {"⟨s⟩": config.bos_id, "⟨/s⟩": config.eos_id, "⟨pad⟩": config.pad_id, "⟨unk⟩": config.unk_id}
    names = {ours: tokenizer.token_text(i) for ours, i in ids.items() if i is not None}
    return {ours: name for ours, name in names.items() if name != ours and _plain(name)}


def _plain(name: str) -> bool:
    """True if it may stand in Markdown and in a formula as it is."""
    return all(character.isalnum() or character in "⟨⟩/ -" for character in name)


@functools.lru_cache(maxsize=256)
def _worded(name: str, language: str, traits: tuple[str, ...], names: tuple[tuple[str, str], ...]) -> Mapping[str, Any]:
    found = texts_in(name, language)
    for trait in traits:
        found = laid_over(found, found.get("for_model", {}).get(trait, {}))
    own = {key: value for key, value in found.items() if key != "for_model"}
    return _renamed(own, names) if names else own  # type: ignore[no-any-return]


def _renamed(value: Any, names: tuple[tuple[str, str], ...]) -> Any:
    if isinstance(value, Mapping):
        return {key: each if key == "try" else _renamed(each, names) for key, each in value.items()}  # “try this” shows ours
    if isinstance(value, list):
        return [_renamed(each, names) for each in value]
    if not isinstance(value, str):
        return value
    return _SPECIAL.sub(lambda found: dict(names).get(found[0], found[0]), value)  # at once: Marian starts with its padding
