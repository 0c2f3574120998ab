"""python -m tests.web [--sentences 50] [--texts 2000] [model …]: compares the browser's engine with PyTorch.

Writes the tables of docs/engine.md, a column when a model is done; for some models only, it prints theirs.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import torch

from tests.importing.conftest import lines
from tests.web.conftest import ROOT, Engine, worst
from tests.web.test_engine import TOLERANCE, VARIANTS, compared, random_model
from tests.web.test_engine_texts import assert_same as assert_same_tokens
from tests.web.test_engine_texts import texts
from viz_core.catalog import find
from viz_core.checkpoint import Checkpoint, load
from viz_core.composed import is_blank
from viz_core.decoding.beam import beam_search
from viz_core.decoding.translate import max_steps
from viz_core.explain import explain
from viz_core.word_rules import word_rules

PAGE = ROOT / "docs" / "engine.md"
MODELS = ("en-de", "en-fr", "en-zh", "zh-en", "en-de-small", "en-de-tiny", "zh-en-tiny")
HOSTILE, EVERY = 4, 5  # every fourth text is hostile, and every fifth is searched with a beam
SIZES = ((9, 8), (22, 26))  # tokens of source and target
TWELVE = "The old man with the white beard sells fresh bread every morning."


def compare(checkpoint: Checkpoint, engine: Engine, count: int) -> Iterator[tuple[str, float]]:
    """The worst difference at each site, in each of so many sentences; layers share a row.

    Raises:
        AssertionError: other tokens are written, greedily or as the best of a beam of 5.
    """
    folder, language = find(checkpoint.name), checkpoint.source_language
    rules = {"rules": word_rules(language), "target_rules": word_rules(checkpoint.target_language)}
    hostile = [text for text in texts(60) if not is_blank(text) and checkpoint.encode(text, "source").tokens]
    plain = lines(language)[: count - count // HOSTILE]
    for index, text in enumerate([*plain, *hostile[: count // HOSTILE]]):
        theirs = explain(checkpoint, text)
        ours = engine.ask("explain", folder, texts=[text, "", ""], **rules)
        assert [token[0] for token in ours["output"]] == [token.id for token in theirs.output], text
        for site, off in worst(theirs.trace.tensors, engine.tensors()).items():
            yield re.sub(r"\.\d+\.", ".", site), off
        if index % EVERY == 0:
            beam_is_same(checkpoint, engine, theirs.source.ids)


def beam_is_same(checkpoint: Checkpoint, engine: Engine, source: list[int]) -> None:
    steps = max_steps(checkpoint.config, len(source))
    ((best, *_),) = beam_search(checkpoint.model, torch.tensor([source]), 5, steps, 0.6)
    how = {"size": 5, "length_penalty": 0.6, "n_best": 1, "early_stop": True}
    last = engine.ask("beam", find(checkpoint.name), source=source, settings=how)[-1]
    found = (last["finished"] or sorted(last["live"], key=lambda hypothesis: -hypothesis["scores"][-1]))[0]
    assert tuple(found["ids"]) == best.ids and abs(found["scores"][-1] - best.score) < 1e-5


def tables(names: list[str], engine: Engine, sentences: int, strings: int) -> Iterator[str]:
    """The parity of sites and models, after each model."""
    columns: dict[str, dict[str, float]] = {}
    seen = set()
    for name in names:
        checkpoint, column = load(name), dict[str, float]()
        for site, off in compare(checkpoint, engine, sentences):
            column[site] = max(off, column.get(site, 0.0))
            assert off <= TOLERANCE, f"{name}, {site}: {off:.1e}"
        columns[name] = column
        for language in (checkpoint.source_language, checkpoint.target_language):
            if (key := (checkpoint.tokenizer.to_json(), language)) not in seen:
                seen.add(key)
                assert_same_tokens(engine, find(name), checkpoint.tokenizer, language, checkpoint.config.eos_id, strings)
        counts = f"{sentences} sentences of each model; {strings:,} hostile texts of each vocabulary and language."
        rows = [f"| `{site}` | {' | '.join(written(each[site]) for each in columns.values())} |" for site in column]
        yield "\n".join([counts, "", f"| {' | '.join(['site', *columns])} |", f"|---{'|---' * len(columns)}|", *rows])


def written(off: float) -> str:
    return f"{off:.1e}".replace("e-0", "e−") if off else "–"


def kinds(engine: Engine) -> Iterator[str]:
    """The worst difference of small random models of every kind."""
    yield from ("| kind | worst | at |", "|---|---|---|")
    for kind, fields in VARIANTS.items():
        with tempfile.TemporaryDirectory() as folder:
            off = compared(random_model(Path(folder), **fields), engine, Path(folder))
            site = max(off, key=off.__getitem__)
            assert off[site] <= TOLERANCE, f"{kind}, {site}: {off[site]:.1e}"
            yield f"| {kind} | {written(off[site])} | `{site}` |"


def speed(engine: Engine) -> Iterator[str]:
    """The least time of seven, for en-de."""
    folder, checkpoint = find("en-de"), load("en-de")
    rules = {"rules": word_rules("en"), "target_rules": word_rules("de")}
    yield from ("| en-de | ms |", "|---|---|")
    for rows, columns in SIZES:
        ids = {"source": [*range(300, 299 + rows), 2], "target": [1, *range(400, 399 + columns)]}
        yield f"| a pass of {rows} × {columns} tokens | {min(engine.ask('pass', folder, **ids)['ms'] for _ in range(7)):.0f} |"
    words = engine.ask("explain", folder, texts=[TWELVE, "", ""], **rules)
    source = [token[0] for token in words["source"]]
    steps = f"{len(checkpoint.encode(TWELVE, 'source').words) - 1} words, {len(words['output'])} steps"
    least = min(engine.ask("greedy", folder, source=source)["ms"] for _ in range(7))
    yield f"| greedy decoding of a sentence of {steps}, with its trace | {least:.0f} |"
    least = min(engine.ask("explain", folder, texts=[TWELVE, "", ""], **rules)["ms"] for _ in range(7))
    yield f"| the same from the typed text | {least:.0f} |"


def machine() -> str:
    name = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE)
    return f"Time of one core ({name[1] if name else '?'}, {os.cpu_count()} cores), in Node.js."


def write(part: str, text: str) -> None:
    pattern = re.compile(rf"(?<=<!-- {part} -->\n).*?(?=\n<!-- /{part} -->)", re.DOTALL)
    PAGE.write_text(pattern.sub(lambda _: text, PAGE.read_text("utf-8")), "utf-8")


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.web", description=__doc__)
    parser.add_argument("--sentences", type=int, default=50)
    parser.add_argument("--texts", type=int, default=2000)
    parser.add_argument("names", nargs="*", metavar="model", default=MODELS)
    options = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(Path(folder))
        if options.names != MODELS:
            *_, last = tables(options.names, engine, options.sentences, options.texts)
            print(last)
        else:
            write("speed", "\n".join([machine(), "", *speed(engine)]))
            write("kinds", "\n".join(kinds(engine)))
            for text in tables(options.names, engine, options.sentences, options.texts):
                write("sites", text)
        engine.close()


if __name__ == "__main__":
    main()
