"""The engine answers each view as the server does: the same numbers, labels and texts."""

from __future__ import annotations

import inspect
import json
import math
import re
from contextlib import nullcontext
from functools import cache
from itertools import product
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest
from safetensors.numpy import load

from pages.code.cost import shape_of
from tests.web.conftest import Engine
from viz_core.analysis.contexts import pool_sentences
from viz_core.analysis.exercises import NAMES
from viz_core.app import answers, edited
from viz_core.app.data_views import views
from viz_core.app.exercises import exercise
from viz_core.app.live import live_words
from viz_core.app.view_options import View
from viz_core.catalog import find
from viz_core.checkpoint import load as load_checkpoint
from viz_core.config import ModelConfig
from viz_core.edits import Edits
from viz_core.explain import explain
from viz_core.texts import speak
from viz_core.word_rules import word_rules

TOLERANCE = 1e-5  # of an array's largest value
ODD = ModelConfig(
    source_vocab=9, target_vocab=8, tied_embeddings=False, output_bias=True, n_decoder_layers=2, positions="learned",
    embedding_norm=True, final_norm=True, decoder_final_norm=False,
)  # fmt: skip
DIALS = f"by=by_heads&start={json.dumps(shape_of(ODD))}&d_model=96&heads=3&d_ff=7&layers=5&norm=post&target_length=0"
ASKED = {
    **{
        name: ["temp=0.7&top_k=20&top_p=0.9&seed=7&draw=3", "temp=1&top_k=0&top_p=1&seed=0&draw=0"]
        for name in ("truncation", "sampled_sentences")
    },
    "beam_tree": ["size=4&alpha=0.6&n_best=3&early=on", "size=1&alpha=0&n_best=1&early=off"],
    "copied_tokens": [""],
    "decoding_limits": [""],
    "cost": [f"{DIALS}&shared=no&vocabulary=8&source_length=0", f"{DIALS}&shared=yes&vocabulary=7&source_length=9"],
    "corner": [f"at={at}&most={2 + at % 3}" for at in (99, 2, 10, 14, 75, 45, 57, 60, 80)],
    "passes": [
        *("count=predicted&passes=3", "count=known&passes=1", "count=predicted&passes=4&masked=en-de-masked&beside=en-de"),
        "count=known&passes=10&masked=en-de-masked&beside=en-de-small",
    ],
    "sentence_loss": ["epsilon=0&own=60&seed=7", "epsilon=30&own=0&seed=0"],
    "guided": ["width=20&beside=by_paid"],
    "alignment": ["by=erasure_by"],
    "attention_rollout": [""],
    "attention_view": ["kind=self", "kind=masked", "kind=cross"],
    "comparison": [
        "pair=sentences&same=no&right_model=MODEL&right_text=The+old+Dr.+sleeps!",
        "pair=models&same=no&right_model=en-de-small&right_text=A+car.&right_target=Ein+roter+Bus.",
        "pair=edits&same=yes&right_model=MODEL&right_text=The+cat+sleeps.&right_edits=heads.cross.1.1-2~uniform.masked~force.2.und",
    ],
    "side_by_side": [
        "pair=sentences&same=no&kind=self&difference=yes&alone=no&right_model=MODEL&right_text=The+old+cat+sleeps.",
        "pair=edits&same=yes&kind=cross&difference=no&alone=yes&right_model=MODEL&right_text=A+cat.&right_edits=temperature.0.5",
    ],
    "through_layers": [
        *(f"by={by}&kind={kind}" for by in ("raw", "rollout") for kind in ("self", "cross")),
        "by=max_flow&kind=self",
        "by=max_flow&kind=cross",
    ],
    "lens_of_steps": ["against=", "against=katzen"],
    "logit_sums": ["of=difference&against=der&kind=cross", "of=logit&against=&kind=masked"],
    "norm_weighted_maps": ["kind=masked&which=this_head", "kind=cross&which=all_heads"],
    "head_roles": [f"kind={kind}&count=384" for kind in ("cross", "self", "masked")],
    "head_ablation": ["kind=self&of=sentence&count=384", "kind=cross&of=bleu&count=384", "kind=masked&of=many&count=3"],
    "inside": [""],
    "mask_removed": [""],
    "batch_masks": ["partner=2&which=both&sentence=shorter", "partner=3&which=padding&sentence=longer"],
    "next_token": [""],
    "overview": [""],
    "qkv": ["kind=self&role=q", "kind=masked&role=v", "kind=cross&role=k"],
    "projection_weights": ["kind=cross&role=k&layer=1&head=3"],
    "residual_stream": ["stack=encoder&block=ffn", "stack=decoder&block=cross_attn"],
    "layer_norm_view": ["stack=encoder&block=self_attn", "stack=decoder&block=ffn"],
    "feed_forward_view": ["stack=encoder", "stack=decoder"],
    "source_words": ["gradients=99999"],
    "spelling": ["side=source", "side=target"],
    **{view: ["side=source", "side=target"] for view in ("lookup", "scaled", "embeddings", "neighbours", "word_map")},
    "in_context": ["second=The+cat+sees+a+dog+in+the+old+red+house+of+Tom's+uncle.", "second="],
    "merges": ["side=source&done=3", "side=target&done=0"],
    "waves": ["side=source&reach=all&dims=0-1-30", "side=target&reach=sentence&dims=5"],
    "position_vectors": ["side=source&reach=sentence", "side=target&reach=all"],
    "position_products": ["side=source&reach=all&other=5", "side=target&reach=sentence&other=1"],
    "position_sum": ["side=source", "side=target"],
}
"""View → its own parameters, in the form of an address; MODEL stands for the model that is asked."""
SENTENCES = {
    "en-de-tiny": ("The cat sleeps.", "", ""),
    "zh-en-tiny": ("他昨天在图书馆借了三本书。", "", ""),
    "en-de-small": ("</script>  Dr. O'Neill's naïve café costs 3.50 🙂 \x07", "Der Hund schläft  nie.", "no_scale"),
}
"""Model → text, target and edits."""


CASES = [
    (view, asked, model)
    for number, (view, each) in enumerate(ASKED.items())
    for at, asked in enumerate(each)
    for turn, model in enumerate(SENTENCES)
    if (turn in (number % 2, 2) if at == 0 else turn == at % len(SENTENCES))
]
"""Each view of the model with the odd sentence, and of an English or a Chinese one; further parameters of one model."""


@pytest.mark.parametrize(("view", "asked", "model"), CASES)
def test_a_view_is_as_the_server_answers(view: str, asked: str, model: str, engine: Engine) -> None:
    sentence = model, *SENTENCES[model]
    asked = asked.replace("MODEL", model)
    known = answers.OF_SENTENCE if "explanation" in inspect.signature(views()[view]).parameters else ("model",)
    own = dict(parse_qsl(asked))
    speak("zh" if model == "zh-en-tiny" else "en")
    words, refused = live_words(), None
    try:
        expected = answers.answer(view, {name: value for name, value in zip(known, sentence, strict=False) if value} | own)
    except answers.Refused as error:
        refused = str(error)
    finally:
        speak("en")
    request = dict(scene(*sentence))
    if "right_model" in own:
        request["right"] = scene(*[own.get(f"right_{name}", "") for name in answers.OF_SENTENCE])
    with pytest.raises(RuntimeError, match=re.escape(refused)) if refused else nullcontext():
        engine.ask("view", view=view, asked=asked, words=words, **request)
    if refused:
        return
    found = engine.out.read_bytes()
    assert_same(expected, found, view)


def test_both_decodings_are_timed(engine: Engine) -> None:
    asked = "masked=en-de-masked&beside=en-de-small&count=predicted&passes=2"
    engine.ask("view", view="decoding_times", asked=asked, words={}, **scene("en-de-small", "A cat.", "", ""))
    assert all(0 < seconds < 60 for seconds in about(engine.out.read_bytes())["seconds"])


@cache
def scene(model: str, *texts: str) -> dict[str, Any]:
    """A model and its input, as the engine is asked. texts: sentence, target and edits."""
    checkpoint = load_checkpoint(model)
    languages = checkpoint.source_language, checkpoint.target_language
    rules, target_rules = map(word_rules, languages)
    sides = {"rules": rules, "target_rules": target_rules, "languages": languages, "sentences": pool_sentences(languages[0])}
    return {"folder": str(find(model)), "texts": texts, **sides}


def assert_same(expected: bytes, found: bytes, view: str = "") -> None:
    """The same description and numbers, in the two sides of an answer as well."""
    assert differences(about(expected), about(found)) == []
    theirs, ours = load(expected), load(found)
    assert theirs.keys() == ours.keys()
    if view == "word_map":  # a principal component has no direction of its own
        ours["at"] *= np.sign((theirs["at"] * ours["at"]).sum(0))
    for name, array in theirs.items():
        if name in ("left", "right"):
            assert_same(array.tobytes(), ours[name].tobytes())
        else:
            assert_near(name, array, ours[name])


def about(content: bytes) -> Any:
    """The description in a payload."""
    length = int.from_bytes(content[:8], "little")
    return json.loads(json.loads(content[8 : 8 + length])["__metadata__"]["about"])


def assert_near(name: str, theirs: np.ndarray[Any, Any], ours: np.ndarray[Any, Any]) -> None:
    """float16 stands for the engine's float32; a bool is a uint8."""
    assert theirs.shape == ours.shape, name
    if not np.issubdtype(theirs.dtype, np.floating):
        assert np.abs(theirs.astype(int) - ours.astype(int)).max(initial=0) <= (name == "ranks"), name  # equals may trade places
        return
    wide = theirs.astype(np.float64)
    finite = np.isfinite(wide)
    assert np.array_equal(wide[~finite], ours[~finite], equal_nan=True), name
    most = 1.0 if name == "changes" else np.abs(wide[finite]).max(initial=0.0)  # of weights, which sum to 1
    allowed = most * (TOLERANCE if theirs.dtype.itemsize > 2 else 1e-3)
    assert np.abs(wide[finite] - ours[finite]).max(initial=0.0) <= allowed, name


def differences(theirs: Any, ours: Any, at: str = "") -> list[str]:
    """The places where two descriptions differ: floats by more than the tolerance, all else at all."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        names = dict.fromkeys([*theirs, *ours])
        return [line for name in names for line in differences(theirs.get(name, "–"), ours.get(name, "–"), f"{at}.{name}")]
    if isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        return [line for i, pair in enumerate(zip(theirs, ours, strict=True)) for line in differences(*pair, f"{at}[{i}]")]
    numbers = [value for value in (theirs, ours) if isinstance(value, int | float) and not isinstance(value, bool)]
    same = math.isclose(*numbers, rel_tol=TOLERANCE, abs_tol=1e-6) if len(numbers) == 2 else theirs == ours
    return [] if same else [f"{at}: {theirs!r} is {ours!r}"]


def test_an_exercise_is_the_one_of_the_app(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    checkpoint = load_checkpoint("en-de-tiny")
    explanation = explain(checkpoint, "Two dogs are running.")
    view = View(lambda: checkpoint, lambda: explanation, step=2, layer=1, head=1)
    for name, draft in product(NAMES, ("", "layers.decoder.1~no_positions", "swap.1.cats")):
        monkeypatch.setattr(edited, "draft", lambda draft=draft: Edits.from_link(draft)[0])
        asked, texts = f"name={name}&step=2&layer=1&head=1&draft={draft}", scene("en-de-tiny", explanation.source.text, "", "")
        engine.ask("view", view="exercise", asked=asked, words=live_words(), **texts)
        both = (json.dumps(each, ensure_ascii=False) for each in (exercise(name, view), about(engine.out.read_bytes())))
        rough = (re.sub(r'"[^"]*"', lambda text: re.sub(r"[\d.]+", "0", text[0]), each) for each in both)  # the texts' numbers
        assert differences(*map(json.loads, rough)) == []
