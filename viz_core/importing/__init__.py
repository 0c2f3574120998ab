"""Import of other programs' models as checkpoints: recognizes the kind of a folder, and reads it.

To add a kind, write a module with a function from `Source` to `Imported`, and its row in `FORMATS`.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from viz_core.errors import ImportFailed
from viz_core.importing import annotated, hugging_face, torch_transformer
from viz_core.importing.refused import refusal
from viz_core.importing.source import Imported, Options, Source

__all__ = ["FORMATS", "Imported", "Options", "read_model"]

FORMATS: dict[str, tuple[Callable[[Source], bool], Callable[[Source], Imported]]] = {
    "hugging-face": (hugging_face.matches, hugging_face.read),
    "torch": (torch_transformer.matches, torch_transformer.read),
    "annotated": (annotated.matches, annotated.read),
}
"""Name → (whether a folder holds a model of this kind, function that reads it)."""


def read_model(folder: Path, options: Options, kind: str | None = None) -> Imported:
    """The model in a folder, as one of ours.

    Args:
        kind: a name in FORMATS; None recognizes it.

    Raises:
        ImportFailed: a file is missing, damaged, hostile or of a kind that is not read; the message names file and field, the value
            found and the one expected.
        ConfigError: our model cannot have this shape.
    """
    if not folder.is_dir():
        raise ImportFailed(f"{folder}: {'a file, expected the folder that it lies in' if folder.is_file() else 'no such folder'}")
    source = Source(folder, options)
    if reason := refusal(source):
        raise ImportFailed(reason)
    for name, (matches, read) in FORMATS.items():
        if name == kind or (kind is None and matches(source)):
            imported = read(source)
            return replace(imported, notes=tuple(source.notes))
    raise ImportFailed(
        f"{folder}: no known model; its tensors are {source.some_names()}. Read are torch.nn.Transformer and The Annotated "
        "Transformer; docs/import.md says how to give the tensors of other classes their names"
    )
