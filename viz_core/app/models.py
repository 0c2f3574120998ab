"""The checkpoints that the app offers: those of `viz_core.catalog`, and models made in sessions, in the server's memory."""

import logging
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from cachetools import LRUCache

from viz_core import catalog
from viz_core import checkpoint as checkpoints
from viz_core.analysis.roles import HeadTable, table
from viz_core.app import memory, session, tuned_folder
from viz_core.app.cache import cached, cached_file, get_explanation
from viz_core.app.memory import share_freed_memory
from viz_core.app.worker_process import register_checkpoint
from viz_core.checkpoint import Checkpoint
from viz_core.config import DecoderKind, ModelConfig
from viz_core.errors import VizError
from viz_core.explain import Notice
from viz_core.tokenizer import Tokenizer
from viz_core.training import snapshots
from viz_core.training.material import OURS
from viz_core.words import split_words

ROOT = catalog.SHIPPED
_lent: LRUCache[str, Mapping[str, bytes]] = LRUCache(memory.TUNED, lambda files: sum(map(len, files.values())))
"""The files of models made in sessions."""
_lending = threading.Lock()
_later = threading.Event()
"""Set while the server starts: checkpoints that nobody has chosen are verified only after the first page."""
log = logging.getLogger(__name__)


def verify_later() -> None:
    """At the start of a server: until `verify_now`, every checkpoint is offered unverified, and read when it is chosen."""
    _later.set()


def verify_now() -> bool:
    """Offers only verified checkpoints from now on; returns whether that is a change."""
    was = _later.is_set()
    _later.clear()
    return was


def prepare() -> None:
    """Verifies the checkpoints, and loads what the first sessions need, such as what torch sets up in its first pass."""
    verify_now()
    share_freed_memory()
    if names := usable()[0]:
        get_explanation(get_checkpoint(names[0]), "Hello.")


def prepare_languages() -> None:
    """Loads spaCy's rules for the languages of all checkpoints, which takes seconds for French."""
    for language in {language for name in usable()[0] for language in languages(name)}:
        with suppress(VizError):  # some languages need a package of their own; whoever chooses such a model is told
            split_words("", language)


def usable() -> tuple[list[str], list[tuple[str, str]]]:
    """Names of the verified checkpoints, and (name, reason) of the bad ones. A checkpoint is loaded when it is chosen."""
    return cached(_usable, *_roots(), seconds=30)


def shipped() -> tuple[list[str], list[tuple[str, str]]]:
    """The checkpoints offered to every session: the usable ones, or at server start all that look like checkpoints."""
    return ([*_folders(_roots())], []) if _later.is_set() else usable()


def _roots() -> tuple[Path, ...]:
    return (*catalog.folders()[:-1], ROOT)


def _folders(roots: tuple[Path, ...], decoder: DecoderKind = "causal") -> dict[str, Path]:
    """Name → folder of everything that looks like a checkpoint with this kind of decoder."""
    return {name: folder for name, folder in catalog.within(roots).items() if checkpoints.kind(folder) == decoder}


def folder_of(name: str) -> Path:
    """The folder of a checkpoint: the user's own, or else a shipped one."""
    own = (root / name for root in _roots()[:-1])
    return next((folder for folder in own if (folder / "config.json").is_file()), ROOT / name)


def _usable(*roots: Path) -> tuple[list[str], list[tuple[str, str]]]:
    good, bad = [], []
    for name, folder in _folders(roots).items():
        try:
            cached(checkpoints.verify, folder)
            good.append(name)
        except VizError as error:
            log.warning("checkpoint %s: %s", name, error)
            bad.append((name, str(error)))
    return good, bad


def languages(name: str) -> tuple[str, str]:
    """Source and target language of a usable checkpoint, without loading it."""
    return cached(checkpoints.verify, folder_of(name))


def get_checkpoint(name: str) -> Checkpoint:
    """A checkpoint by the name of its folder, one of its snapshots (`name@step`), or a model made in a session.

    Raises:
        CheckpointError: it cannot be used; the message names the file.
    """
    return cached(_unpack, name) if _files(name) else cached(_load, folder_of(snapshots.split_name(name)[0]), name)


def config_of(name: str) -> ModelConfig:
    """The configuration of a usable checkpoint, without loading it."""
    return cached_file(checkpoints.read_config, folder_of(name) / "config.json", folder_of(name))


def _files(name: str) -> Mapping[str, bytes] | None:
    with _lending:
        return _lent.get(name)


def _unpack(name: str) -> Checkpoint:
    files = _files(name)
    if files is None:  # gone meanwhile: the error says so
        return _load(folder_of(snapshots.split_name(name)[0]), name)
    return checkpoints.unpacked(name, files)


def _load(folder: Path, name: str) -> Checkpoint:
    base, step = snapshots.split_name(name)
    if step is None:
        checkpoint = checkpoints.load(folder)
        register_checkpoint(checkpoint, folder)
        return checkpoint
    return snapshots.load_at(folder, get_checkpoint(base), step)


def get_masked(source_language: str, target_language: str) -> Checkpoint | None:
    """The first usable checkpoint with a masked decoder for these languages; None if there is none."""
    return cached(_first_masked, _roots(), source_language, target_language, seconds=30)


def _first_masked(roots: tuple[Path, ...], source_language: str, target_language: str) -> Checkpoint | None:
    for name, folder in _folders(roots, "masked").items():
        try:
            checkpoint = cached(checkpoints.load, folder, "masked")
        except VizError as error:
            log.warning("checkpoint %s: %s", name, error)
            continue
        if (checkpoint.source_language, checkpoint.target_language) == (source_language, target_language):
            return checkpoint
    return None


def folder(checkpoint: Checkpoint) -> Path:
    """The folder of a checkpoint, or of a snapshot's trained checkpoint. A model made in a session has no files there."""
    return folder_of(snapshots.split_name(checkpoint.name)[0])


def named(pairs: str, digest: str) -> str:
    """The name of a fine-tuned model, from its pairs (ours or the user's own) and its weights. Short, since the list is narrow."""
    return f"{OURS if pairs == OURS else 'own'}-{digest[:6]}"


def keep(name: str, files: Mapping[str, bytes]) -> None:
    """Offers a model in memory, given as files, to this session and to anyone with its link.

    When there are too many, the least recently used go.

    Raises:
        CheckpointError: the files are not an acceptable model.
    """
    checkpoints.unpacked(name, files)
    _lend(name, files)
    welcome(name)


def _lend(name: str, files: Mapping[str, bytes]) -> None:
    with _lending:
        _lent[name] = files


def is_lent(name: str) -> bool:
    """Whether a model of this name, made in a session, still exists in memory or in the folder that all servers share."""
    if name not in _lent and (files := tuned_folder.read(name)):
        _lend(name, files)
    return name in _lent


def is_offered(name: str) -> bool:
    """Whether an address may name this model: a checkpoint, a saved snapshot of one, or a model made in a session."""
    base, step = snapshots.split_name(name)
    exists = base in shipped()[0] and (step is None or step in snapshots.saved_steps(folder_of(base)))
    return exists or is_lent(name)


def names() -> list[str]:
    """The models offered to this session: those that load, then those it made, while the server keeps them."""
    ours = shipped()[0]
    return [*ours, *(name for name in session.get("_kept", ()) if is_lent(name) and name not in ours)]


def welcome(name: str | None) -> None:
    """Offers a linked model to this session, if another session made it and the server still keeps it."""
    mine = session.get("_kept", ())
    if name is not None and name not in mine and is_lent(name):
        session.change(_kept=(*mine, name))


def is_gone(name: str | None) -> bool:
    """Whether a model of this name, made in a session, no longer exists."""
    return bool(name and tuned_folder.NAME.fullmatch(name) and name not in usable()[0] and not is_lent(name))


def same_vocabulary(left: Checkpoint, right: Checkpoint) -> bool:
    """Whether both models have the same target tokens under the same ids."""
    return left.tokenizer is right.tokenizer or cached(_same_tokens, left.tokenizer, right.tokenizer)


def _same_tokens(left: Tokenizer, right: Tokenizer) -> bool:
    return left.to_json() == right.to_json()


def get_heads(checkpoint: Checkpoint) -> tuple[HeadTable | None, tuple[Notice, ...]]:
    """The stored roles and importance of a checkpoint's heads, with notices.

    Raises:
        CheckpointError: the file is damaged; the message says what is wrong.
    """
    own = folder_of(checkpoint.name)
    return cached_file(table.read, own / table.NAME, own, checkpoint)
