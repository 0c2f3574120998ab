"""The CSV holds the very numbers of the trace, and typed text stays text in a spreadsheet."""

import csv
import io

import numpy as np
import pytest

from viz_core.app.csv_files import attention_csv, output_csv, site_csv, written
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.sites import sites

TEXT = "=1+1 a baker\x00 carries, “two” umbrellas."


@pytest.fixture(scope="module")
def ex(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, TEXT, "Ein Bäcker.")


def rows(content: bytes) -> list[dict[str, str]]:
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def column(lines: list[dict[str, str]], name: str) -> np.ndarray:
    return np.array([line[name] for line in lines]).astype(np.float32)


def test_an_attention_reads_back_bit_for_bit(ex: Explanation) -> None:
    seen = ex.trace.attention("cross", 1)
    lines = rows(attention_csv(ex, "cross", 1))
    for name, array in (("score", seen.scores), ("scaled", seen.scaled), ("weight", seen.weights)):
        assert (column(lines, name) == array.reshape(-1)).all()
    last = {"layer": "2", "head": "4", "query_index": str(len(ex.target)), "key_index": str(len(ex.source)), "key": "⟨/s⟩"}
    assert last.items() <= lines[-1].items()
    assert rows(attention_csv(ex, "cross", 1, head=2)) == [line for line in lines if line["head"] == "3"]


def test_the_output_is_ranked_and_whole(ex: Explanation, checkpoint: Checkpoint) -> None:
    lines = rows(output_csv(ex, checkpoint.tokenizer, step=1))
    assert len(lines) == len(checkpoint.tokenizer)
    assert [int(line["id"]) for line in lines[:5]] == ex.steps[1].top_ids(5)
    assert {line["step"] for line in lines} == {"2"}
    ids = [int(line["id"]) for line in lines]
    assert (column(lines, "logit") == ex.trace.array("output.logits")[1, ids]).all()
    assert sum(float(line["probability"]) for line in lines) == pytest.approx(1, abs=1e-5)
    assert list(lines[0])[-1] == "probability"
    hot = rows(output_csv(ex, checkpoint.tokenizer, step=1, temperature=2.0))
    powers = np.exp(ex.trace.array("output.logits")[1, ids].astype(float) / 2.0)
    assert column(hot, "probability_at_T_2").astype(float) == pytest.approx(powers / powers.sum(), rel=1e-4)
    assert [line["probability"] for line in hot] == [line["probability"] for line in lines]
    first = rows(output_csv(ex, checkpoint.tokenizer, most=3))
    assert [(line["step"], line["rank"]) for line in first] == [
        (str(t + 1), str(r + 1)) for t in range(len(ex.steps)) for r in range(3)
    ]


def test_every_site_reads_back_in_its_order(ex: Explanation, checkpoint: Checkpoint) -> None:
    for site in sites(checkpoint.config):
        if not site.startswith("output"):
            assert (column(rows(site_csv(ex, site)), "value") == ex.trace[site].numpy().reshape(-1)).all(), site
    line = rows(site_csv(ex, "decoder.1.cross_attn.k"))[-1]
    assert (line["head"], line["key"], line["dimension"]) == ("4", "⟨/s⟩", "8")
    assert rows(site_csv(ex, "encoder.0.self_attn.mask"))[0] == {
        "key_index": "1",
        "key": ex.source.labels[0].replace("=", "'="),
        "value": "1",
    }


@pytest.mark.parametrize("typed", ["=1+1", "+1", "-x", "@SUM(A1)", "\tx", "\r=x", "＝1"])
def test_no_text_is_a_formula(typed: str) -> None:
    content = written("text number", [[typed, np.float32(-0.5)]])
    cell, number = content.decode("utf-8-sig").splitlines()[1].split(",")
    assert cell.startswith("'")
    assert not set(cell) & set("\t\r\0")
    assert number == "-0.5"


def test_commas_quotes_and_line_breaks_stay_in_their_cell() -> None:
    assert rows(written("a b", [['x,"y"\n\x00', None]])) == [{"a": 'x,"y"⟨0A⟩⟨00⟩', "b": ""}]
