"""How much the server keeps from one run of the script to the next: a bound in bytes for each kind of thing.

The least recently used go first. The program itself takes about 475 MB, en-de and the first page included. Each of the other
shipped checkpoints takes up to 38 MB from its first use on. From the fourth reader on, a second process, the calculator, takes 450
to 550 MB and keeps nothing but two models.
"""

from collections.abc import Iterable
from pathlib import Path

MB = 1_000_000

SENTENCES = 200 * MB
"""Explanations, each with its trace, and further passes: 2 to 6 MB for a sentence of 5 to 20 tokens, 45 MB for the longest."""
RESULTS = 96 * MB
"""Results computed from a sentence, a model or a file: payloads of the browser-side parts, analyses, tables."""
CHECKPOINTS = 56 * MB
"""Loaded models beside those of the folders (see `of_folders`): snapshots, tuned and untrained ones."""
TUNED = 96 * MB
"""Fine-tuned models that sessions keep, as files: 19 MB for one of the largest shipped model, 4 MB for the next."""
RUNS = 120 * MB
"""Paused training runs of all sessions together: 12 bytes a weight, so one run of the largest shipped model, or five of the next.
The active run takes memory of its own."""
TALKS = 4 * MB
"""Talks of one session, recorded or opened from files."""


def of_folders(folders: Iterable[Path]) -> int:
    """Bytes of the models in these folders, once loaded: files have at least half precision, loaded models single precision."""
    files = (file for folder in folders for file in folder.glob("*/model.safetensors") if file.is_file())
    return sum(2 * file.stat().st_size for file in files)
