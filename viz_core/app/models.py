"""The checkpoints that the app offers: those of `viz_core.catalog`, and those that sessions have made, in the server's memory."""

import logging
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from cachetools import LRUCache

from viz_core import catalog
from viz_core import checkpoint as checkpoints
from viz_core.analysis.roles import HeadTable, table
from viz_core.app import bounds, session, tuned_folder
from viz_core.app.cache import cached, cached_file, get_explanation
from viz_core.app.elsewhere import can_be_loaded
from viz_core.app.malloc import share_freed_memory
from viz_core.checkpoint import Checkpoint
from viz_core.config import DecoderKind, ModelConfig
from viz_core.errors import VizError
from viz_core.explain import Notice
from viz_core.tokenizer import Tokenizer
from viz_core.training import snapshots
from viz_core.training.material import OURS
from viz_core.words import split_words

ROOT = catalog.SHIPPED
_lent: LRUCache[str, Mapping[str, bytes]] = LRUCache(bounds.TUNED, lambda files: sum(map(len, files.values())))
"""The files of the models that sessions have made."""
_lending = threading.Lock()
_later = threading.Event()
"""While it is set, the server has just started: the checkpoints that nobody has chosen are verified after the first page."""
log = logging.getLogger(__name__)


def verify_later() -> None:
    """At the start of a server: until `verify_now`, each checkpoint is offered as if it were whole, and read when it is chosen."""
    _later.set()


def verify_now() -> bool:
    """From now on only what is whole is offered; returns whether it was otherwise before."""
    was = _later.is_set()
    _later.clear()
    return was


def prepare() -> None:
    """Loads what sessions need sooner or later: spaCy's rules for each language, and what torch makes ready in its first pass."""
    verify_now()
    share_freed_memory()
    names = usable()[0]
    for language in {language for name in names for language in languages(name)}:
        with suppress(VizError):  # some languages need a package of their own, which who chooses such a model is told
            split_words("", language)
    if names:
        get_explanation(get_checkpoint(names[0]), "Hello.")


def usable() -> tuple[list[str], list[tuple[str, str]]]:
    """The names of the checkpoints that are whole, and (name, reason) of those that are not. One is loaded when it is chosen."""
    return cached(_usable, *_roots(), seconds=30)


def shipped() -> tuple[list[str], list[tuple[str, str]]]:
    """What is offered to every session: the usable ones; at the start of a server all that look like checkpoints."""
    return ([*_found(_roots())], []) if _later.is_set() else usable()


def _roots() -> tuple[Path, ...]:
    return (*catalog.folders()[:-1], ROOT)


def _found(roots: tuple[Path, ...], decoder: DecoderKind = "causal") -> dict[str, Path]:
    """Name → folder of what looks like a checkpoint of this kind."""
    return {name: folder for name, folder in catalog.within(roots).items() if checkpoints.kind(folder) == decoder}


def folder_of(name: str) -> Path:
    """The folder of a checkpoint of this name: that of one's own, or a shipped one."""
    own = (root / name for root in _roots()[:-1])
    return next((folder for folder in own if (folder / "config.json").is_file()), ROOT / name)


def _usable(*roots: Path) -> tuple[list[str], list[tuple[str, str]]]:
    good, bad = [], []
    for name, folder in _found(roots).items():
        try:
            cached(checkpoints.verify, folder)
            good.append(name)
        except VizError as error:
            log.warning("checkpoint %s: %s", name, error)
            bad.append((name, str(error)))
    return good, bad


def languages(name: str) -> tuple[str, str]:
    """Source and target language of a usable checkpoint, which need not be loaded for it."""
    return cached(checkpoints.verify, folder_of(name))


def get_checkpoint(name: str) -> Checkpoint:
    """A checkpoint by the name of its folder, as it was after a step of its training (`name@step`), or one that was lent.

    Raises:
        CheckpointError: it cannot be used; the message names the file.
    """
    return cached(_unpack, name) if _files(name) else cached(_load, folder_of(snapshots.split_name(name)[0]), name)


def config_of(name: str) -> ModelConfig:
    """The shape of one of the usable checkpoints, which need not be loaded for that."""
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
        found = checkpoints.load(folder)
        can_be_loaded(found, folder)
        return found
    return snapshots.load_at(folder, get_checkpoint(base), step)


def get_masked(source_language: str, target_language: str) -> Checkpoint | None:
    """The first checkpoint with a masked decoder for these languages; None if there is none that can be used."""
    return cached(_first_masked, _roots(), source_language, target_language, seconds=30)


def _first_masked(roots: tuple[Path, ...], source_language: str, target_language: str) -> Checkpoint | None:
    for name, folder in _found(roots, "masked").items():
        try:
            found = cached(checkpoints.load, folder, "masked")
        except VizError as error:
            log.warning("checkpoint %s: %s", name, error)
            continue
        if (found.source_language, found.target_language) == (source_language, target_language):
            return found
    return None


def folder(checkpoint: Checkpoint) -> Path:
    """The folder of a checkpoint; of a snapshot, that of its trained checkpoint. A lent one has no files there."""
    return folder_of(snapshots.split_name(checkpoint.name)[0])


def named(pairs: str, digest: str) -> str:
    """The name of a fine-tuned model, after its pairs, ours or the user's own, and its weights. Short: their list is narrow."""
    return f"{OURS if pairs == OURS else 'own'}-{digest[:6]}"


def keep(name: str, files: Mapping[str, bytes]) -> None:
    """Offers in this session a model that exists only in memory, given as its files; whoever has its link gets it, too.

    When there are too many, the least recently used go.

    Raises:
        CheckpointError: no model that is allowed here can be made of the files.
    """
    checkpoints.unpacked(name, files)
    _lend(name, files)
    welcome(name)


def _lend(name: str, files: Mapping[str, bytes]) -> None:
    with _lending:
        _lent[name] = files


def is_lent(name: str) -> bool:
    """Whether a model of this name, made in a session, is still kept: in memory, or in the folder that all servers share."""
    if name not in _lent and (found := tuned_folder.read(name)):
        _lend(name, found)
    return name in _lent


def is_offered(name: str) -> bool:
    """Whether an address may name it: a checkpoint, as trained or after a step that was saved, or a model that is lent."""
    base, step = snapshots.split_name(name)
    there = base in shipped()[0] and (step is None or step in snapshots.saved_steps(folder_of(base)))
    return there or is_lent(name)


def names() -> list[str]:
    """The models that this session is offered: those that load, then those it made, while the server keeps them."""
    ours = shipped()[0]
    return [*ours, *(name for name in session.get("_kept", ()) if is_lent(name) and name not in ours)]


def welcome(name: str | None) -> None:
    """Offers the model that a link asks for, if a session has made it and the server still keeps it."""
    mine = session.get("_kept", ())
    if name is not None and name not in mine and is_lent(name):
        session.change(_kept=(*mine, name))


def is_gone(name: str | None) -> bool:
    """Whether a name is that of a model that was made, and that the server keeps no longer."""
    return bool(name and tuned_folder.NAME.fullmatch(name) and name not in usable()[0] and not is_lent(name))


def same_vocabulary(left: Checkpoint, right: Checkpoint) -> bool:
    """Whether the tokens of both are the same, under the same ids."""
    return left.tokenizer is right.tokenizer or cached(_same_tokens, left.tokenizer, right.tokenizer)


def _same_tokens(left: Tokenizer, right: Tokenizer) -> bool:
    return left.to_json() == right.to_json()


def get_heads(checkpoint: Checkpoint) -> tuple[HeadTable | None, tuple[Notice, ...]]:
    """What is stored about the heads of a checkpoint.

    Raises:
        CheckpointError: the file is damaged; the message says what is wrong.
    """
    own = folder_of(checkpoint.name)
    return cached_file(table.read, own / table.NAME, own, checkpoint)
