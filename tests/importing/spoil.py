"""Ways to spoil a folder that could be imported; and a pipe into which nobody writes: whoever opens it as a file waits for ever."""

import json
import os
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

Spoil = Callable[[Path], object]


def changed(name: str, **fields: Any) -> Spoil:
    """Other fields in a file of JSON."""

    def spoil(folder: Path) -> None:
        path = folder / name
        path.write_text(json.dumps((json.loads(path.read_text()) if path.exists() else {}) | fields))

    return spoil


def tensors(change: Callable[[dict[str, torch.Tensor]], Any]) -> Spoil:
    """Other tensors in the file of Marian."""

    def spoil(folder: Path) -> None:
        found = load_file(folder / "model.safetensors")
        change(found)
        save_file(found, folder / "model.safetensors")

    return spoil


def saved(content: Any) -> Spoil:
    """Something else in the file that torch saved."""
    return lambda folder: torch.save(content() if callable(content) else content, folder / "best.pt")


def cut(name: str, length: int) -> Spoil:
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:length])


def without(name: str) -> Spoil:
    return lambda folder: (folder / name).unlink()


def pipe(name: str) -> Spoil:
    def spoil(folder: Path) -> None:
        (folder / name).unlink()
        os.mkfifo(folder / name)

    return spoil


def words(found: list[str]) -> Spoil:
    """Another vocabulary of the source."""
    return lambda folder: (folder / "source_vocab.json").write_text(json.dumps(found))


def repacked(folder: Path) -> None:
    """The archive of torch, compressed: a small one could unpack to more than the memory."""
    with zipfile.ZipFile(folder / "best.pt") as old, zipfile.ZipFile(folder / "new", "w", zipfile.ZIP_DEFLATED) as new:
        for each in old.namelist():
            new.writestr(each, old.read(each))
    (folder / "new").replace(folder / "best.pt")


def huge(folder: Path) -> None:
    """One number, said to stand there 10 thousand million times."""
    state = torch.load(folder / "best.pt", weights_only=True)
    torch.save(state | {"generator.weight": torch.zeros(1).expand(100_000, 100_000)}, folder / "best.pt")


@contextmanager
def at_once(pipe: Path) -> Iterator[None]:
    """A reader that waits for the pipe is released after a while, so that the test fails instead of waiting for ever."""
    release = threading.Timer(5, lambda: os.close(os.open(pipe, os.O_RDWR | os.O_NONBLOCK)))
    release.start()
    yield
    assert release.is_alive()
    release.cancel()
