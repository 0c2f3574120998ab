"""Helpers of the commands: options, loading a checkpoint, notes, writing files atomically."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import math
import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from viz_core.catalog import within
from viz_core.errors import ConfigError, VizError
from viz_core.files import path, write_atomically
from viz_core.home import CHECKPOINTS_BY

if TYPE_CHECKING:
    from viz_core.checkpoint import Checkpoint


def progress(total: int | None, unit: str, name: str | None = None) -> Any:
    from tqdm import tqdm

    return tqdm(total=total, unit=unit, desc=name, dynamic_ncols=True)


MODEL = "name of a checkpoint, such as en-de, or path of its folder"


def add_checkpoint(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--checkpoint", default="en-de", help=f"{MODEL} (default: %(default)s)")


def add_checkpoints(parser: argparse.ArgumentParser) -> None:
    """Add the option for a folder of the user's own checkpoints, which `checkpoints_environment` reads."""
    parser.add_argument(
        "--checkpoints",
        metavar="DIR",
        default=os.environ.get(CHECKPOINTS_BY, ""),
        help=f"folder of further checkpoints, which are offered beside the shipped ones (default: ${CHECKPOINTS_BY}, or none)",
    )


def checkpoints_environment(options: argparse.Namespace) -> dict[str, str]:
    """The environment variable that tells a server the folder given by `add_checkpoints`'s option.

    Raises:
        VizError: it is not a folder, or is itself a checkpoint.
    """
    if not options.checkpoints:
        return {}
    folder = Path(options.checkpoints).absolute()
    if not folder.is_dir():
        raise VizError(f"--checkpoints is {options.checkpoints}: there is no such folder")
    if (folder / "config.json").is_file():
        raise VizError(f"--checkpoints is {options.checkpoints}, which is one checkpoint; expected the folder that it lies in")
    if not within([folder]):
        print(f"note: there is no checkpoint in {options.checkpoints} yet", file=sys.stderr)
    return {CHECKPOINTS_BY: str(folder)}


LENGTH_PENALTY = 0.6


def add_search(parser: argparse.ArgumentParser) -> None:
    """Add the options that `search_options` turns into arguments of `translate`."""
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--beam", type=int, choices=range(2, 11), metavar="N", help="size of a beam search instead of greedy decoding")
    how.add_argument(
        "--iterations", type=int, choices=range(1, 101), metavar="N", help="number of mask-predict passes of a masked decoder"
    )
    parser.add_argument("--length-penalty", type=_penalty, metavar="α", help=f"of the beam search (default: {LENGTH_PENALTY})")


def _penalty(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 <= (value := float(text)) < math.inf:
            return value
    raise argparse.ArgumentTypeError(f"{text!r}, expected a number of at least 0, such as {LENGTH_PENALTY}")


def search_options(options: argparse.Namespace, checkpoint: Checkpoint) -> dict[str, Any]:
    """Arguments of `translate`; a ConfigError if the checkpoint's decoder has no such search."""
    from viz_core.decoding import best_of_beam

    if options.beam and checkpoint.config.decoder == "masked":
        raise ConfigError(f"{checkpoint.name} fills masked positions and has no beam search; it takes --iterations")
    if options.iterations and checkpoint.config.decoder == "causal":
        raise ConfigError(f"{checkpoint.name} writes token by token, not in passes; --iterations is for a masked decoder")
    if options.length_penalty is not None and not options.beam:
        raise ConfigError("--length-penalty is only for beam search; it needs --beam, too")
    if options.iterations:
        return {"iterations": options.iterations}
    if options.beam:
        penalty = LENGTH_PENALTY if options.length_penalty is None else options.length_penalty
        return {"search": partial(best_of_beam, size=options.beam, length_penalty=penalty)}
    return {}


def add_settings(parser: argparse.ArgumentParser, settings: Any, helps: Mapping[str, str]) -> None:
    """Add an option, with the field's name and default, for each field of a dataclass that has a help text."""
    for field in dataclasses.fields(settings):
        if field.name not in helps:
            continue
        option, help_text = "--" + field.name.replace("_", "-"), helps[field.name]
        if field.default is dataclasses.MISSING:
            parser.add_argument(option, type=path, required=True, help=help_text)
        else:
            kind: Any = {(): _steps, None: path}.get(field.default, type(field.default))
            parser.add_argument(option, type=kind, default=field.default, help=f"{help_text} (default: %(default)s)")


def _steps(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(step) for step in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}, expected steps such as 0,100,1000") from None


def read_settings(options: argparse.Namespace, settings: Any) -> Any:
    """An instance of the dataclass, filled from the options."""
    return settings(**{field.name: getattr(options, field.name) for field in dataclasses.fields(settings)})


def load(model: str) -> Checkpoint:
    """Load a checkpoint by name or path, onto the GPU if there is one.

    Raises:
        CheckpointError: it does not exist, is not a checkpoint, or is damaged.
    """
    from viz_core import checkpoint
    from viz_core.training.process import pick_device

    loaded = checkpoint.load(model, decoder=None)
    loaded.model.to(pick_device())
    return loaded


def write(path: Path, content: bytes) -> None:
    """Write a file atomically.

    Raises:
        VizError: it cannot be written; the message says why.
    """
    try:
        write_atomically(path, content)
    except OSError as error:
        raise VizError(f"cannot write {path}: {error.strerror or error}") from error


MAX_BYTES = 65_536  # per line: far more than any model reads, and 1,024 such lines still fit into memory


def add_force(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the option that `keep_better` mentions. name: of the file that the command writes."""
    parser.add_argument("--force", action="store_true", help=f"replace a {name} that contains more")


def keep_better(path: Path, lost: Sequence[str], force: bool) -> None:
    """Raise a VizError if replacing the file would lose something and is not forced.

    Args:
        lost: what the old file contains and the new one will lack.
    """
    if lost and not force:
        raise VizError(f"{path} would be replaced, and with it {' and '.join(lost)}; --force does so")


def note_cut(name: str, checkpoint: Checkpoint, texts: Sequence[str]) -> None:
    """Print how many texts of a file are too long for the model, or lack the code of a target language."""
    from viz_core.decoding.translate import cut_length
    from viz_core.tokenizer import base

    if cut := sum(cut_length(checkpoint, text) > 0 for text in texts):
        limit = checkpoint.config.longest_source
        note(f"{name}: only the first {limit:,} tokens of {cut:,} of {len(texts):,} sentences are read")
    codes = checkpoint.source_tokenizer.target_codes
    if wrong := sum(base.problem(codes, text) is not None for text in texts):
        known = base.some(codes)
        note(f"{name}: {wrong:,} of {len(texts):,} sentences do not begin with the code of a target language: {known}")


def note(text: str) -> None:
    """Print something that is worth knowing but not an error."""
    print(f"note: {text}", file=sys.stderr)


def one_line(text: str) -> str:
    """The text without any character that some program might take for a line break."""
    return " ".join(text.splitlines())
