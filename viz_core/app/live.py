"""The files and settings that the browser's engine needs (`viz_core/web/src/engine/`), in a site or in a live file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from viz_core.analysis.contexts import pool_sentences
from viz_core.app import models
from viz_core.app.cache import cached
from viz_core.browser.bundle import DIST
from viz_core.browser.inside_payload import lens_code
from viz_core.checkpoint import Checkpoint, load
from viz_core.errors import VizError
from viz_core.texts import fill, texts
from viz_core.word_rules import word_rules

WEIGHTS = "model.safetensors"
FILES = ("config.json", WEIGHTS, "tokenizer.json", "source_tokenizer.json", "heads.json", "copy_gate.safetensors")
"""The files of a checkpoint that the engine reads; the last three may be absent."""
ENGINE = DIST / "engine.js"
_TABLE = json.loads((DIST / "engine.json").read_text("utf-8"))
VIEWS = frozenset(_TABLE["views"]) - {"shell", "exercise"}
"""The parts whose data the engine answers."""


def live_words() -> dict[str, Any]:
    """The tables of texts that the engine uses, in the reader's language, and the lines of code beside an open block."""
    return {name: texts(name) for name in _TABLE["texts"]} | {"code": lens_code()}


@dataclass(frozen=True)
class Live:
    """A model that a file can hold, to compute by itself.

    Attributes:
        model: its name.
        languages: of source and target.
        paths: its files by name.
        digest: of its weights.
    """

    model: str
    languages: tuple[str, str]
    paths: Mapping[str, Path]
    digest: str

    def answers(self, address: str) -> bool:
        """Whether the engine answers this address in a file with this model, and with those that the view needs beside it."""
        path, _, query = address.partition("?")
        parameters = parse_qs(query)
        model = parameters.get("model")
        return path.rpartition("/")[2] in VIEWS and model == parameters.get("right_model", model) == [self.model]

    def tables(self) -> dict[str, tuple[str, bytes]]:
        """The engine's files besides the checkpoint: name → path in a site, where models share them, and content."""
        source, target = self.languages
        own = {"rules.json": source, "target_rules.json": target}
        rules = {name: (f"rules/{code}.json", json.dumps(cached(word_rules, code)).encode()) for name, code in own.items()}
        return rules | {"sentences.json": (f"sentences/{source}.json", json.dumps(pool_sentences(source)).encode())}


def live(model: str) -> Live:
    """A model for a file.

    Raises:
        VizError: there is no such checkpoint, or a browser cannot split its texts into words.
    """
    folder = models.folder_of(model)
    if not (folder / FILES[0]).is_file():  # such as a snapshot, or a model made in a session
        raise VizError(fill(texts("app.downloads")["live"]["no_model"], {"model": model}))
    return held(model, folder, models.get_checkpoint(model))


def models_beside(address: str) -> list[str]:
    """The models that a view needs beside the page's."""
    parameters = parse_qs(address.partition("?")[2])
    return [name for parameter in ("masked", "beside") for name in parameters.get(parameter, ()) if "masked" in parameters]


def held_beside(model: str) -> Live:
    """Such a model; errors as for `held`."""
    return held(model, models.folder_of(model), load(models.folder_of(model), None))


def held(model: str, folder: Path, checkpoint: Checkpoint) -> Live:
    """A model as a file or a site holds it.

    Raises:
        VizError: a browser cannot split its texts into words.
    """
    languages = checkpoint.source_language, checkpoint.target_language
    for language in languages:
        cached(word_rules, language)
    paths = {name: folder / name for name in FILES if (folder / name).is_file()}
    return Live(model, languages, paths, checkpoint.digest)
