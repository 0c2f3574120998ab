"""Weights that torch saved, which are a pickle: only tensors are read, whatever else the file would run."""

from __future__ import annotations

import io
import pickle
import re
import warnings
import zipfile
from collections.abc import Mapping

import torch
from torch import Tensor

from viz_core.errors import ImportFailed

INSIDE = ("model_state_dict", "state_dict", "model_state", "model")  # where a training's file keeps its weights
WRAPPED = re.compile(r"^(?:module\.|_orig_mod\.)+")  # of a model that was trained on several GPUs, or compiled
DAMAGED = (pickle.UnpicklingError, zipfile.BadZipFile, RuntimeError, EOFError, LookupError, ValueError, TypeError, AttributeError)
"""What torch raises where a file is no whole one of its own."""
CODE = re.compile(r"GLOBAL (\S+)")  # how torch names the function that a pickle would call


def read_state_dict(name: str, content: bytes) -> dict[str, Tensor]:
    """The tensors of a file, by name.

    Args:
        name: of the file, for error messages.

    Raises:
        ImportFailed: it is damaged, holds something else, or would run code to be opened.
    """
    advice = "only tensors are read: save them alone, with torch.save(model.state_dict(), …)"
    try:
        _require_stored(content)
        with warnings.catch_warnings(action="ignore"):  # a strange pickle is refused, with a reason
            found = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
    except DAMAGED as error:
        raise ImportFailed(f"{name}: {_reason(error)}; {advice}") from error
    for inside in INSIDE:
        if isinstance(found, Mapping) and isinstance(found.get(inside), Mapping):
            found = found[inside]
    if not isinstance(found, Mapping) or not all(isinstance(key, str) for key in found):
        raise ImportFailed(f"{name}: holds {type(found).__name__}, expected named tensors; {advice}")
    tensors = {WRAPPED.sub("", key): tensor for key, tensor in found.items() if isinstance(tensor, Tensor)}
    for key, tensor in tensors.items():
        if tensor.is_meta or tensor.is_nested or tensor.layout != torch.strided:
            raise ImportFailed(f"{name}: {key} is not a plain tensor of numbers")
        if tensor.numel() > len(content):  # one number, said to be repeated a billion times
            raise ImportFailed(f"{name}: {key} is {tuple(tensor.shape)}, more than the {len(content):,} bytes of the file hold")
    return tensors


def _require_stored(content: bytes) -> None:
    """Torch does not compress its archives; a small one that unpacks to more than the memory is none of its own."""
    if zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if any(each.compress_type != zipfile.ZIP_STORED for each in archive.infolist()):
                raise ValueError("a compressed archive")


def _reason(error: Exception) -> str:
    """What stands in the way, in a few words: torch says it at length, with advice to switch the safety off."""
    message = str(error)
    if found := CODE.search(message):
        return f"to open it would run code ({found[1]})"
    line = "" if message.startswith("Weights only load failed") else message.partition("\n")[0].partition(". ")[0]
    return f"not a whole file of weights ({line or type(error).__name__})"
