"""A model of several target languages: its code is one token and one word, and who forgets it or mistypes it is told."""

import io
import json
from collections.abc import Callable
from contextlib import redirect_stderr
from pathlib import Path

import pytest

from pages.tokens.compute import blocks
from tests.importing.conftest import marian
from viz_core.checkpoint import Checkpoint, load
from viz_core.cli import main
from viz_core.explain import explain

TEXT = "The cat is sleeping."


@pytest.fixture(scope="module")
def folder(new_marian_folder: Callable[[], Path]) -> Path:
    """Of the model as `transformers` has it."""
    return new_marian_folder()


@pytest.fixture(scope="module")
def several(folder: Path, vocab: dict[str, int]) -> Checkpoint:
    """A model of three target languages, whose settings name a family of languages, imported by the command."""
    last, heard = len(vocab) - 1, io.StringIO()
    more = {**vocab, ">>cmn_Hans<<": last, ">>ron<<": last + 1, "<pad>": last + 2}
    (folder / "vocab.json").write_text(json.dumps(more))
    (folder / "tokenizer_config.json").write_text('{"source_lang": "eng", "target_lang": "ROMANCE"}')
    marian(more).save_pretrained(folder)
    with redirect_stderr(heard):
        assert main(["import", str(folder), "--out", str(folder / "out")]) == 0
    assert "into >>fra<<, >>cmn_Hans<<, >>ron<<" in heard.getvalue()
    return load(folder / "out")


@pytest.mark.parametrize(("code", "blank"), [(">>fra<<", " "), (">>cmn_Hans<<", ""), (">> a b <<", "\n")])
def test_a_code_is_one_token_and_one_word_drawn_as_it_is_typed(code: str, blank: str, several: Checkpoint) -> None:
    found = explain(several, f"{code}{blank}{TEXT}").source
    assert [word.text for word in found.words] == [code, *(word.text for word in several.encode(TEXT, "source").words)]
    assert several.source_tokenizer.vocab[found.tokens[0].id] == (code if code in several.source_tokenizer.vocab else "<unk>")
    assert (found.tokens[0].start, found.tokens[0].end, found.tokens[1].word) == (0, len(code), 1)
    parts = blocks(found, several.source_tokenizer)
    drawn = [part.word.text for part in parts if part.word]
    assert drawn == [word.text for word in found.words]
    assert "".join(span.text for span in parts[0].letters) == code and len(parts[0].tokens) == 1


@pytest.mark.parametrize(("text", "code"), [(f">>ron<< {TEXT}", ""), (TEXT, "code_wanted"), (f">>xxx<< {TEXT}", "code_unknown")])
def test_who_gives_no_code_or_an_unknown_one_is_told(text: str, code: str, several: Checkpoint) -> None:
    notices = [notice for notice in explain(several, text).notices if notice.code.startswith("code")]
    codes = ">>fra<<, >>cmn_Hans<<, >>ron<<"
    assert [(notice.code, notice.values["codes"]) for notice in notices] == ([(code, codes)] if code else [])


def test_card_list_and_translation_name_the_codes(
    several: Checkpoint, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "begin each text with one of: `>>fra<<`, `>>cmn_Hans<<`, `>>ron<<`" in several.card
    typed = io.TextIOWrapper(io.BytesIO(f">>ron<< {TEXT}\n{TEXT}\n{TEXT}\n>>xxx<< {TEXT}\n".encode()))
    monkeypatch.setattr("sys.stdin", typed)
    assert main(["translate", "--checkpoint", str(folder / "out")]) == 0
    said = capsys.readouterr().err.splitlines()
    assert [line.partition(":")[0] for line in said] == ["line 2", "line 4"]
    assert (
        ">>fra<< The cat is sleeping." in said[0] and ">>xxx<< is not a target language of this model; it knows >>fra<<" in said[1]
    )
