"""The table of edits: each field of `Edits` is one intervention, with its form in a link and its edits of named sites.

A typed text is an edit, too: a forced token of the vocabulary, or the replacement of a word.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from viz_core.config import ModelConfig
from viz_core.edits import interventions
from viz_core.edits.forms import NAMES, Form, Kinds, Places, Quantity, Switch, Words
from viz_core.edits.interventions import PADDING, Head, Layer, Sublayer
from viz_core.errors import ConfigError
from viz_core.taps import Edit, merged
from viz_core.texts import enumerated, fill, texts, visible
from viz_core.tokenizer import SPACE, Tokenizer
from viz_core.trace import BLOCK, Kind
from viz_core.words import Word, without_blanks

Sites = Callable[["Edits", ModelConfig], dict[str, Edit]]
"""An intervention in a model of this shape: full site name → edit of the tensor there."""
LONGEST_LINK, MOST_ENTRIES = 4000, 64
_ENTRY = re.compile(r"(?:[^~]|~~)+")


@dataclass(frozen=True)
class Intervention:
    """The metadata of one field of `Edits`.

    Attributes:
        form: of its value.
        sites: its edits of a pass; none if it changes the text or the choice of a token.
        whole: whether it lets later tokens change earlier rows, so that decoding cannot use a cache.
    """

    form: Form
    sites: Sites = lambda edits, config: {}
    whole: bool = False


def _entry(form: Form, sites: Sites | None = None, whole: bool = False) -> Any:
    intervention = Intervention(form, sites, whole) if sites else Intervention(form)
    return dataclasses.field(default=form.empty, metadata={"intervention": intervention})


@dataclass(frozen=True, kw_only=True)
class Edits:
    """Any combination of interventions, by default none. Numbers count from 0.

    Where two meet at one site, the first in this list acts first.

    Raises:
        ConfigError: a value is out of range, or names something that no model has; the message names the nearest.
    """

    heads: Set[Head] = _entry(Places(Head), lambda edits, config: interventions.without_heads(edits.heads))  # removed
    only: Set[Head] = _entry(Places(Head), lambda edits, config: interventions.only_heads(edits.only, config))
    """The only heads kept in the attentions they belong to; other attentions are untouched."""
    layers: Set[Layer] = _entry(Places(Layer), lambda edits, config: interventions.without_layers(edits.layers))  # removed
    sublayers: Set[Sublayer] = _entry(Places(Sublayer), lambda edits, config: interventions.without_sublayers(edits.sublayers))
    no_scale: bool = _entry(Switch(), lambda edits, config: interventions.no_scale(config))
    temperature: float = _entry(
        Quantity(0.1, 10.0, empty=1.0), lambda edits, config: interventions.temperature(edits.temperature, config)
    )
    no_causal_mask: bool = _entry(Switch(), lambda edits, config: interventions.no_causal_mask(config), whole=True)
    no_padding_mask: bool = _entry(Switch(), lambda edits, config: interventions.no_padding_mask(config))
    uniform: Set[Kind] = _entry(Kinds(), lambda edits, config: interventions.uniform(edits.uniform, config))
    no_positions: bool = _entry(Switch(), lambda edits, config: interventions.no_positions())
    reversed_positions: bool = _entry(
        Switch(), lambda edits, config: interventions.reversed_positions(PADDING * edits.no_padding_mask)
    )
    no_residual: bool = _entry(Switch(), lambda edits, config: interventions.no_residual(config))
    no_layer_norm: bool = _entry(Switch(), lambda edits, config: interventions.no_layer_norm(config))
    force: Mapping[int, str] = _entry(Words())  # step → the token written there, as text
    swap: Mapping[int, str] = _entry(Words())  # index of a source word → the word in its place

    def __post_init__(self) -> None:
        for name, intervention in INTERVENTIONS.items():
            object.__setattr__(self, name, intervention.form.clean(getattr(self, name)))

    def __bool__(self) -> bool:
        return self != NONE

    @property
    def whole(self) -> bool:
        return any(intervention.whole for intervention in self.active().values())

    def active(self) -> dict[str, Intervention]:
        """The interventions that change something, by name."""
        return {name: entry for name, entry in INTERVENTIONS.items() if getattr(self, name) != entry.form.empty}

    def link(self) -> str:
        """The edits as written in a link: `no_scale~heads.cross.4.1-3_8~force.3.Katze`; numbers from 1, a typed ~ doubled."""
        entries = []
        for name, intervention in self.active().items():
            rests = intervention.form.write(getattr(self, name))
            entries += [f"{name}.{rest}".replace("~", "~~") if rest else name for rest in rests]
        return "~".join(entries)

    @classmethod
    def from_link(cls, text: str) -> tuple[Edits, list[str]]:
        """The edits in a link, and the beginnings of its meaningless entries. Never raises."""
        values: dict[str, Any] = {}
        wrong = []
        entries = _ENTRY.findall(text[:LONGEST_LINK])
        for entry in entries[:MOST_ENTRIES]:
            name, _, rest = entry.replace("~~", "~").partition(".")
            intervention = INTERVENTIONS.get(name)
            try:
                if intervention is None:
                    raise ValueError(name)
                values[name] = intervention.form.read(rest, values.get(name, intervention.form.empty))
            except (ValueError, ConfigError):
                wrong.append(entry)
        if beyond := text[LONGEST_LINK:] or "~".join(entries[MOST_ENTRIES:]):
            wrong.append(beyond)
        return cls(**values), [entry[:40].encode(errors="replace").decode() for entry in wrong]

    def require(self, config: ModelConfig) -> None:
        """Raises:
        ConfigError: a model of this shape lacks a named part; the message says which, and what it has instead.
        """
        for name, intervention in self.active().items():
            if reason := intervention.form.missing(getattr(self, name), config):
                raise ConfigError(f"{name}: {reason}")

    def fit(self, config: ModelConfig) -> tuple[Edits, Edits]:
        """The edits that a model of this shape can have, and those of heads or layers that it lacks."""
        parted = {name: intervention.form.fit(getattr(self, name), config) for name, intervention in self.active().items()}
        has, lacks = ({name: both[side] for name, both in parted.items()} for side in (0, 1))
        return Edits(**has), Edits(**lacks)


INTERVENTIONS: Mapping[str, Intervention] = {field.name: field.metadata["intervention"] for field in dataclasses.fields(Edits)}
NONE = Edits()


def site_edits(edits: Edits, config: ModelConfig) -> dict[str, Edit]:
    """Full site name → edit, for one pass or one decoding at a time, since some hold values of a pass.

    Raises:
        ConfigError: this model lacks a head or layer; `Edits.fit` leaves such edits out.
    """
    edits.require(config)
    by_site: dict[str, Edit] = {}
    for intervention in edits.active().values():
        by_site = merged(by_site, intervention.sites(edits, config))
    return by_site


def heads_out(edits: Edits, config: ModelConfig, kind: Kind) -> list[tuple[int, int]]:
    """(layer, head) of all heads of one attention whose output is removed; their weights are recorded all the same."""
    stack, block = BLOCK[kind]
    alone = {(place.layer, place.head) for place in edits.heads if place.kind == kind}
    only = {(place.layer, place.head) for place in edits.only if place.kind == kind}
    chosen = {layer for layer, _ in only}
    layers = range(config.layers(stack))
    whole = {i for i in layers if Layer(stack, i) in edits.layers or Sublayer(stack, i, block) in edits.sublayers}
    every = [(layer, head) for layer in layers for head in range(config.n_heads)]
    return [place for place in every if place[0] in whole or place in alone or (place[0] in chosen and place not in only)]


def describe(edits: Edits) -> tuple[str, ...]:
    """A sentence for each entry of the link; numbers from 1. Plain text that may contain typed words."""
    words = texts("edits")
    sentences = []
    for name, intervention in edits.active().items():
        for rest in intervention.form.write(getattr(edits, name)):
            parts = dict(zip(intervention.form.parts, rest.split(".", len(intervention.form.parts) - 1), strict=False))
            values = {part: _part_in_words(part, text, words["part"]) for part, text in parts.items()}
            sentences.append(fill(words[name], values | {"padding": PADDING}))
    return tuple(sentences)


def _part_in_words(part: str, text: str, words: Mapping[str, Any]) -> str:
    """One part of an entry: a name by its words, `2_5-8` as «heads 2, 5–8», anything else unchanged."""
    if part in NAMES:
        return str(words[text])
    if part in words:
        one, many = words[part]
        return fill(one if text.isdecimal() else many, {"number": enumerated(text.replace("-", "–").split("_"))})
    return visible(text)


INSIDE = "·"  # leads a token that continues a word, as on every axis
ALIKE = 0.8  # similarity from which a word counts as misspelt: twice the common letters ÷ all letters (Ratcliff & Metzener 1988)


@dataclass(frozen=True)
class Forced:
    """A token to write. exact: whether the typed text is this token; if not, this is the nearest one."""

    id: int
    exact: bool


def forced_token(typed: str, tokenizer: Tokenizer) -> Forced:
    """The token that a typed text, not blank, stands for.

    Tokens are typed as shown: «Katze» begins a word, «·chen» continues one, «猫» follows no space, «⟨/s⟩» ends the sentence, «⟨E4⟩»
    is a byte. A sign such as «,» continues a word if there is such a token. Any other text becomes a token with a similar spelling,
    or the first token of its first word. Padding cannot be written, since attention masks it.
    """
    typed = tokenizer.normalized(typed)
    named = {tokenizer.token_text(i): i for i in (*tokenizer.specials, *tokenizer.byte_ids) if i != tokenizer.pad_id}
    if typed in named:
        return Forced(named[typed], True)
    word = typed.split(maxsplit=1)[0]
    inside = word.startswith(INSIDE) and len(word) > 1
    bare = word[1:] if inside else word.removeprefix(SPACE)
    spaced = not inside and ((bare[:1].isalnum() and not without_blanks(bare)) or word.startswith(SPACE))
    ids = {token: i for i, token in enumerate(tokenizer.vocab) if tokenizer.is_text(i)}
    spellings = [SPACE + bare, bare] if spaced else [bare] if inside else [bare, SPACE + bare]
    token_id = next((ids[spelling] for spelling in spellings if spelling in ids), None)
    if token_id is not None:
        return Forced(token_id, word == typed)
    like = [token for token in ids if token.startswith(SPACE) == spaced]
    if alike := difflib.get_close_matches(spellings[0], like, n=1, cutoff=ALIKE):
        return Forced(ids[alike[0]], False)
    return Forced(next(i for i in tokenizer.word_ids(bare, spaced) if tokenizer.vocab[i] != SPACE), False)


def forced_ids(words: Mapping[int, str], tokenizer: Tokenizer) -> dict[int, int]:
    return {index: forced_token(typed, tokenizer).id for index, typed in words.items()}


def swapped(text: str, words: Mapping[int, str], places: Sequence[Word]) -> tuple[str, list[int]]:
    """The text with these words replaced, by index, and the indices beyond its last word; places: the text's words."""
    for index in sorted(words, reverse=True):
        if index < len(places):
            text = text[: places[index].start] + words[index] + text[places[index].end :]
    return text, sorted(index for index in words if index >= len(places))
