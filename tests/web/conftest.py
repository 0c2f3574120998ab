"""The browser's engine as a process of Node.js, one for all tests, and how far its numbers are from PyTorch's."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file
from torch import Tensor

from viz_core.checkpoint import Checkpoint
from viz_core.word_rules import word_rules

ROOT = Path(__file__).parents[2]


class Engine:
    """A process that answers what `engine_process.ts` can answer; folder: for its files."""

    def __init__(self, folder: Path) -> None:
        self.out = folder / "answer.safetensors"
        script = folder / "engine.mjs"
        command = ["node", "viz_core/web/build.mjs", "--for-node", "tests/web/engine_process.ts"]
        script.write_bytes(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
        self._process = subprocess.Popen(["node", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, what: str, folder: Path, **more: Any) -> Any:
        assert self._process.stdin and self._process.stdout
        request = {"do": what, "folder": str(folder), "out": str(self.out), **more}
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if isinstance(answer, dict) and "error" in answer:
            raise RuntimeError(answer["error"])
        return answer

    def tensors(self) -> dict[str, np.ndarray[Any, Any]]:
        """The arrays of the last answer."""
        return load_file(self.out)

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()


def worst(expected: Mapping[str, Tensor], found: Mapping[str, np.ndarray[Any, Any]]) -> dict[str, float]:
    """The largest difference at each site, as a share of the site's largest finite value; infinite where a site is missing.

    Sentences have no batch in the engine, and a mask is 0 or 1 there.
    """
    result = dict.fromkeys([*expected, *found], np.inf)
    for site in expected.keys() & found.keys():
        theirs = expected[site].numpy().astype(np.float64)
        theirs = theirs if site.endswith(".positions") else theirs[0]
        ours = found[site]
        finite = np.isfinite(theirs)
        if theirs.shape == ours.shape and np.array_equal(theirs[~finite], ours[~finite], equal_nan=True):
            difference = np.abs(theirs[finite] - ours[finite]).max(initial=0.0)
            result[site] = float(difference / max(np.abs(theirs[finite]).max(initial=0.0), 1e-30)) if difference else 0.0
    return result


def rules(checkpoint: Checkpoint) -> dict[str, Any]:
    """How words are split, as the engine is told."""
    return {"rules": word_rules(checkpoint.source_language), "target_rules": word_rules(checkpoint.target_language)}


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    started = Engine(tmp_path_factory.mktemp("engine"))
    yield started
    started.close()
