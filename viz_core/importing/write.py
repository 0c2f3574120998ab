"""An imported model as a checkpoint folder."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import torch

from viz_core.checkpoint import MOST_WEIGHTS, Checkpoint, packed
from viz_core.errors import ImportFailed
from viz_core.files import write_together
from viz_core.importing.compared import compared
from viz_core.importing.source import Imported
from viz_core.model import Transformer
from viz_core.tokenizer import Tokenizer
from viz_core.words import knows_language


def as_checkpoint(imported: Imported, name: str) -> Checkpoint:
    """The model, with the very tensors that were read: a large one is in memory once.

    Raises:
        ImportFailed: spaCy, which cuts a text into words, does not know one of the languages, or a parameter has no tensor.
    """
    for language in (imported.source_language, imported.target_language):
        if not knows_language(language):
            raise ImportFailed(f"language {language!r} is not one that spaCy knows; --languages en,de names the two, as codes")
    for tokenizer in filter(None, (imported.tokenizer, imported.source_tokenizer)):
        _require_writable(tokenizer)
    model, shared = Transformer(imported.config), set[int]()
    for each, parameter in model.named_parameters():
        tensor = imported.weights.get(each)
        if tensor is None or tensor.shape != parameter.shape:
            found = "missing" if tensor is None else tuple(tensor.shape)
            raise ImportFailed(f"{each}: {found} in the model that was read, expected {tuple(parameter.shape)}")
        parameter.data = tensor.clone() if tensor.data_ptr() in shared else tensor.float()
        shared.add(tensor.data_ptr())
    model.eval().requires_grad_(False)
    languages = imported.source_language, imported.target_language
    return Checkpoint(name, model, imported.tokenizer, *languages, "", "", imported.source_tokenizer)


def _require_writable(tokenizer: Tokenizer) -> None:
    try:
        "".join(tokenizer.vocab).encode()
    except UnicodeEncodeError as error:
        raise ImportFailed("a token of the vocabulary is half of a surrogate pair, which no file can hold") from error


def save(imported: Imported, out: Path, origin: str, *, half: bool, tell: Callable[[str], None] = lambda _: None) -> Checkpoint:
    """Writes the folder, all of it or nothing, with a card that says where the model came from and how it was compared.

    Args:
        origin: what was read, as it was typed.   half: stores float16; else float32, as exact as the model itself.
        tell: gets each note of the card, the comparison with the original library last.

    Raises:
        ImportFailed: as `as_checkpoint`, or the model is larger than the app opens.
        OSError: the folder cannot be written.
    """
    made = as_checkpoint(imported, out.name)
    if (size := sum(parameter.numel() for parameter in made.model.parameters()) * (2 if half else 4)) > MOST_WEIGHTS:
        advice = "" if half else "; --half stores half as many"
        raise ImportFailed(
            f"the model has {size:,} bytes of weights, expected at most {MOST_WEIGHTS:,}, which the app opens{advice}"
        )
    imported = replace(imported, notes=(*imported.notes, compared(imported, made.model, half=half)))
    files = packed(made, torch.float16 if half else torch.float32)
    files = {"CARD.md": card(imported, made, out, origin, half=half).encode(), **files}  # config.json last
    was_there = out.exists()
    try:
        write_together({out / name: content for name, content in files.items()})
    except BaseException:
        if not was_there:
            with suppress(OSError):
                out.rmdir()
        raise
    for note in imported.notes:
        tell(note)
    return made


def card(imported: Imported, made: Checkpoint, out: Path, origin: str, *, half: bool) -> str:
    """CARD.md: shape, origin, and what is not known of it."""
    c, folder = imported.config, shlex.quote(str(out))
    weights = sum(parameter.numel() for parameter in made.model.parameters())
    codes = made.source_tokenizer.target_codes
    into = f"| target languages | begin each text with one of: {', '.join(f'`{code}`' for code in codes)} |\n" if codes else ""
    notes = "".join(f"\n- {note}" for note in imported.notes)
    shape = f"d_model {c.d_model}, {c.n_heads} heads, {c.layers('encoder')} + {c.layers('decoder')} layers, d_ff {c.d_ff:,}"
    return f"""# {made.name}: {made.source_language} → {made.target_language}, imported

Not trained by this program: {imported.origin}, read from `{origin}` with `python -m viz_core import`.
Its licence, its training data and its limits are those of its authors; write them here before you pass it on.

How it was read:
{notes}

| | |
|---|---|
| shape | {shape}, {c.norm}-norm, {c.activation}, {weights / 1e6:.1f} million parameters |
| tokens | {c.source_vocab:,} of the source, {c.target_vocab:,} of the target |
{into}| longest sentence | {c.max_len} positions on each side |
| stored | {"float16" if half else "float32"}; computed with in float32 |

## Scores

Not measured. `python -m viz_core evaluate --checkpoint {folder} --pairs test.tsv` gives BLEU.

## Heads

Not measured. `python -m viz_core heads {folder}` measures what each head attends to.
"""
