"""Fine-tuning on its page: pairs refused with their line, a run steered by its reader, and the result, kept or downloaded."""

import gzip
import io
import re
import time
import zipfile
from collections.abc import Iterator
from contextvars import ContextVar
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import torch
from streamlit.testing.v1 import AppTest

from pages.training import jobs
from pages.training.fine_tuning import take
from pages.training.fine_tuning_run import TuningJob
from pages.training.jobs import QUEUE, Job
from tests.foot import ask, led
from tests.pages.test_all_pages import FILES, HOSTILE, ROOT, opened, words
from tests.pages.training.conftest import wait
from viz_core import load, texts
from viz_core.app import models
from viz_core.text_lines import NO_TEXT
from viz_core.training.material import FOLDER, MOST
from viz_core.training.pair_file import LONGEST_LINE

PAGE = "training/page.py"
TYPED = HOSTILE.replace("\0", "")
GOOD = (FOLDER / "chess.tsv").read_bytes()
arrived = partial(opened, PAGE, show="tuning", model="en-de-small")


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Three steps per sitting."""
    monkeypatch.setattr(TuningJob, "steps", 3)
    yield
    models._lent.clear()


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception, app.exception
    return app


def trained(**parameters: str) -> tuple[AppTest, TuningJob]:
    app = press(arrived(**parameters), "_train")
    job: TuningJob = app.session_state["_tuning"]
    wait(lambda: job.resting)
    return app.run(), job


def tables(app: AppTest) -> list[str]:
    return [each.proto.body for each in app.get("html") if ' tuned numbers"' in each.proto.body]


def offered(app: AppTest) -> set[str]:
    return {button.key for button in app.button if button.key and button.key.startswith(("_train", "_tuning"))}


def errors(app: AppTest) -> list[str]:
    return [unescape(error.value) for error in app.error]


def test_train_and_continue() -> None:
    app = arrived()
    assert offered(app) == {"_train"}
    assert "As it was trained" in words(app)
    app, job = trained()
    assert (job.state, job.trainer and len(job.trainer.measured)) == ("done", 3)
    assert offered(app) == {"_train_on", "_train_anew", "_tuning_keep"}
    assert "After step 3, on the 12 held-out sentences: BLEU 6.0 → " in words(app)
    told = "Different source words: 32; of these, 32 also occur in the pairs to learn from."
    assert f"Nothing is learned from the 12 held-out sentences. {told}" in words(app)
    assert len(tables(app)) == 2
    ask(app, scrub=0)
    assert "On the 12 held-out sentences: BLEU **6.0**" in words(app)
    press(app, "_train_on")
    wait(lambda: job.resting)
    assert job.trainer
    assert len(job.trainer.measured) == 6


ENGLISH = re.compile(r"[a-z]{3,}(?: [a-z]+)+")
QUOTED = re.compile("`.*?`|cut -f|paste SOURCE|Compressed file ended[^）]*")
"""Commands, and what gzip itself says."""
REFUSED = [
    (GOOD + b"alone\n", "my.tsv, line 41: 1 column, expected 2"), (GOOD + b"a\tb\tc\n", "line 41: 3 columns"),
    (GOOD + b"alone\nb\ta\tc\na;b\nc\\td\n[{}\n<tmx>\n1\ta\t2\tb\na\tb\t\na,b\na  b\n", "10 lines cannot be used"),
    (GOOD + "Läufer\tx\n".encode("latin-1"), "line 41: byte 2 is not UTF-8"),
    (b"\x89PNG\r\n\x1a\n\0\0", "line 1: byte 1 is not UTF-8"),
    (GOOD.decode().encode("utf-16-le"), "line 1: byte 2 is NUL"), (GOOD + b"a\tb\x00c\n", "line 41: byte 4 is NUL"),
    ("\0".encode("utf-16"), ""), (b"\xff\xfea", ""), (GOOD + b"a\rb\n", ""),
    (GOOD + b"a\t \n", "line 41: the target is empty"), (GOOD + b"\ta\n", "line 41: the source is empty"),
    (b"", "the file is empty"), (b"\n\n", ""), (b"a\tb\nc\td\n", "2 pairs, at least 4"), (b"a\tb\n" * 4, ""),
    (GOOD + b"a\t" + b"! ?" * 99 + b"\n", "line 41: the target has 298 tokens, the model reads at most 127"),
    (GOOD + b"! ?" * 99 + b"\ta\n", "line 41: the source has 298 tokens"),
    (b"a\tb\n" * (MOST + 1), f"line {MOST + 1:,}: at most {MOST:,} pairs"),
    (gzip.compress(b"a" * 10**7), f"line 1: more than {LONGEST_LINE:,} bytes"), (gzip.compress(GOOD)[:-20], "cannot be read"),
    (TYPED.encode(), "line 1: 1 column"), *((start, "") for start in NO_TEXT),
]  # fmt: skip
"""Files with what is said of them; where that is empty, another test says what."""


@pytest.mark.parametrize(("content", "said"), REFUSED, ids=lambda each: each[-24:] if isinstance(each, str) else "")
def test_a_file_is_refused_in_the_language_of_the_app_and_the_pairs_before_it_stay(
    content: bytes, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    session: dict[str, object] = {"_tuning_pairs": "those before"}
    monkeypatch.setattr("pages.training.fine_tuning.session.change", lambda **values: session.update(values))
    small = load(ROOT / "checkpoints" / "en-de-small")
    take(small, "my.tsv", content)
    assert said in str(session["_tuning_wrong"]) != ""
    monkeypatch.setattr(texts, "_language", ContextVar("language", default="zh"))
    for mark in ("", "="):
        take(small, "my.tsv", content, mark)
        told = str(session["_tuning_wrong"])
        assert "，" in told or "：" in told
        assert not ENGLISH.search(QUOTED.sub("", told))
    assert session["_tuning_pairs"] == "those before"


def test_pairs_of_ones_own() -> None:
    app = arrived(pairs="yours")
    assert offered(app) == {"_tuning_take"}
    app.text_area(key="_tuning_typed").set_value("The rook gives check.").run()
    press(app, "_tuning_take")
    assert errors(app) == ["what was typed, line 1: 1 column, expected 2 (source, = or tab, target). Nothing has started."]
    typed = "\n".join(GOOD.decode().splitlines()[:6]) + f"\n{TYPED}\t{TYPED}\nA rook. = Ein Turm.\n\n"
    app.text_area(key="_tuning_typed").set_value(typed).run()
    press(app, "_tuning_take")
    assert not errors(app)
    job = press(app, "_train").session_state["_tuning"]
    wait(lambda: job.resting)
    app.run()
    assert (job.state, len(job.recipe.material.learn), len(job.recipe.material.held_out)) == ("done", 6, 2)
    assert press(app, "_tuning_keep").session_state["_tuning_kept"].startswith("own-")
    assert all("<b>*" not in table and "</script>" not in table for table in tables(app))


def test_kept_it_is_a_model_of_this_session_on_all_pages_until_it_is_gone(bar: dict[str, Any]) -> None:
    app, job = trained()
    press(app, "_tuning_keep")
    name = app.session_state["_tuning_kept"]
    assert f"Kept as **{name}**" in unescape(words(app))
    app.run()
    assert bar["models"] == [*models.usable()[0], name]
    led(ask(app, model=name), "cross_attention")
    view = app.session_state["_view"]
    assert job.trainer
    assert job.trainer.model
    half = job.trainer.model.state_dict()["decoder.norm.gamma"].half().float()
    assert torch.equal(view.checkpoint.model.state_dict()["decoder.norm.gamma"], half)
    arrived()
    assert name not in bar["models"]  # another session is not offered it,
    guest = arrived(model=name)  # but has it by its link
    assert guest.session_state["_view"].checkpoint is view.checkpoint
    models._lent.clear()
    for reader in (app.run(), opened(FILES[0], model=name)):
        assert any("is gone" in warning.value and name in unescape(warning.value) for warning in reader.warning)
        assert reader.session_state["_view"].checkpoint.name == "en-de"


def test_downloaded_and_unpacked_it_is_the_same_model(tmp_path: Path) -> None:
    from pages.training.fine_tuning_run import zipped

    _, job = trained(mix="mixed")
    assert job.trainer
    assert job.trainer.model
    with zipfile.ZipFile(io.BytesIO(zipped(job.trainer))) as archive:
        assert all(info.compress_type == zipfile.ZIP_STORED for info in archive.infolist())
        archive.extractall(tmp_path)
    (folder,) = tmp_path.iterdir()
    assert {path.name for path in folder.iterdir()} == {"model.safetensors", "tokenizer.json", "config.json", "CARD.md"}
    again = load(folder)
    assert folder.name == f"chess-{again.digest[:6]}"
    for (name, kept), made in zip(again.model.named_parameters(), job.trainer.model.parameters(), strict=True):
        assert torch.equal(kept, made.half().float()), name
    for fact in (
        job.recipe.checkpoint.digest,
        again.digest,
        "| steps | 3 |",
        "sentence pairs (`chess`): 40",
        "as many everyday pairs mixed",
    ):
        assert fact in again.card
    last = job.trainer.evaluations[-1].held_out
    assert f"{last.loss:.2f} | 6.0" in again.card.replace("5.98", "6.0")


def test_both_kinds_wait_in_one_queue_and_a_session_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = []

    def sitting(job: object) -> str:
        ended.append(job)
        while not getattr(job, "stopping", True):
            time.sleep(0.01)
        return "stopped"

    monkeypatch.setattr(jobs, "_sitting", sitting)
    app = press(arrived(), "_train")
    tuning = app.session_state["_tuning"]
    other = press(arrived(show="live", d_model="32"), "_train")
    live = other.session_state["_training"]
    wait(lambda: ended == [tuning])
    assert "1 ahead of you" in words(other.run())
    press(ask(app, show="live"), "_train")
    wait(lambda: ended == [tuning, live])
    QUEUE.stop(live)
    mine = app.session_state["_training"]
    wait(lambda: ended[2:] == [mine])
    QUEUE.stop(mine)
    assert isinstance(mine, Job)
    assert tuning.stopping


def test_of_resting_runs_the_oldest_releases_its_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    app, first = trained()
    assert first.trainer
    monkeypatch.setattr("viz_core.app.memory.RUNS", 3 * first.size // 2)
    others = [TuningJob(first.recipe) for _ in range(2)]
    for job in others:
        job.trainer = first.learner()
        assert first.size > 2 * job.size > 1_000_000  # it has Adam's moments as well
        QUEUE.put(job)
        QUEUE.stop(job)
    wait(lambda: all(job.resting for job in others) and QUEUE._worker is None)
    assert (first.state, first.trainer.model) == ("forgotten", None)
    assert all(job.trainer and job.trainer.model for job in others)
    assert "**Discarded** after step 3" in words(app.run())
    assert offered(app) == {"_train_anew"}
    assert len(tables(app)) == 2
