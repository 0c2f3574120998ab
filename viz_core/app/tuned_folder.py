"""Fine-tuned models in the folder that all servers share, so that a model's link works on each of them, and after a restart.

$VIZ_SHARED/models/<name>/ is a checkpoint. Without that variable nothing is written, and a model lasts as long as its server.
"""

import logging
import os
import re
import shutil
import time
from collections.abc import Mapping
from pathlib import Path

from viz_core import checkpoint as checkpoints
from viz_core.errors import VizError
from viz_core.files import write_together
from viz_core.home import SHARED
from viz_core.training.material import OURS

FOLDER = SHARED / "models" if SHARED else None
NAME = re.compile(rf"(?:{OURS}|own)-[0-9a-f]{{6}}")
"""Names of fine-tuned models; no other folder is ever read or removed."""
MOST = 1_000_000_000
"""Bytes of all models together; the least recently used go first."""
UNUSED = 7 * 86_400
"""Seconds after its last use at which a model is removed."""
log = logging.getLogger(__name__)


def save(name: str, files: Mapping[str, bytes]) -> None:
    """Writes a model to the shared folder, if there is one, and removes others by age and size.

    A failure is only logged, since the model is in memory.
    """
    if FOLDER is None:
        return
    try:
        write_together({FOLDER / name / file: content for file, content in files.items()})
        os.utime(FOLDER / name)
        _tidy(FOLDER)
    except OSError as error:
        log.warning("the model %s is in memory only: %s", name, error)


def read(name: str) -> Mapping[str, bytes] | None:
    """The files of a model in the shared folder, which counts as a use; None if there is no usable one."""
    if FOLDER is None or not NAME.fullmatch(name) or not (FOLDER / name / "config.json").is_file():
        return None
    try:
        files = checkpoints.read_files(FOLDER / name)
        checkpoints.unpacked(name, files)
        os.utime(FOLDER / name)
    except (VizError, OSError) as error:  # removed meanwhile, or by another server's clock
        log.warning("shared model %s: %s", name, error)
        return None
    return files


def _tidy(folder: Path) -> None:
    """Removes models by size and last use, which is the modification time of their folders."""
    used = {path: path.stat().st_mtime for path in folder.iterdir() if NAME.fullmatch(path.name)}
    room, oldest = MOST, time.time() - UNUSED
    for path in sorted(used, key=used.__getitem__, reverse=True):
        room -= sum(file.stat().st_size for file in path.iterdir())
        if room < 0 or used[path] < oldest:
            shutil.rmtree(path, ignore_errors=True)
