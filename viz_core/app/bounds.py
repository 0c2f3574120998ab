"""How much the server keeps from one run of the script to the next: a bound in bytes for each kind of thing.

What is used least recently goes first. The program itself takes about 475 MB, en-de and the first page included.
Of the other shipped checkpoints each takes up to 38 MB, from when it is first chosen.
From the fourth reader on there is a second process, the calculator, with 450 to 550 MB, which keeps nothing but two models.
"""

from collections.abc import Iterable
from pathlib import Path

MB = 1_000_000

SENTENCES = 200 * MB
"""Explanations, each with its trace, and further passes: 2 to 6 MB for a sentence of 5 to 20 tokens, 45 MB for the longest."""
RESULTS = 96 * MB
"""What is computed from a sentence, a model or a file: payloads of the browser-side parts, analyses, tables."""
CHECKPOINTS = 56 * MB
"""Models that are ready to be used beside those of the folder, see `of_folders`: snapshots, tuned ones, untrained ones."""
TUNED = 96 * MB
"""Fine-tuned models that sessions keep, as their files: 19 MB for the largest that is shipped, 4 MB for the next."""
RUNS = 120 * MB
"""Training runs that rest and can go on, of all sessions together: 12 bytes for each weight, so one run of the largest model
that is shipped, or five of the next. The one that is running takes its memory beside them."""
TALKS = 4 * MB
"""Talks of one session, recorded or opened from files."""


def of_folders(folders: Iterable[Path]) -> int:
    """What the models of these folders take: the files have half precision, at least, and computing is done in single precision."""
    files = (file for folder in folders for file in folder.glob("*/model.safetensors") if file.is_file())
    return sum(2 * file.stat().st_size for file in files)
