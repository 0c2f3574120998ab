"""BART and mBART models of the transformers library give the same numbers and the same tokens after their import."""

import json
from pathlib import Path
from typing import Any

import pytest
import tokenizers
import torch

from tests.importing.conftest import hostile, lines
from tests.importing.parity import assert_same_numbers, assert_same_translations
from viz_core.checkpoint import Checkpoint, load
from viz_core.explain import explain
from viz_core.importing import Options, read_model
from viz_core.importing.spm import read_pieces
from viz_core.importing.write import save

SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]
SHAPE = {
    "d_model": 32, "encoder_layers": 3, "decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
    "encoder_ffn_dim": 48, "decoder_ffn_dim": 48, "max_position_embeddings": 40, "init_std": 0.3, "pad_token_id": 1,
    "bos_token_id": 0, "eos_token_id": 2, "forced_eos_token_id": None,
}  # fmt: skip
TYPED = ["</s>", "a </s> b", "<pad><mask><unk>", "de_DE en_XX", " 2 3", "", " ", "  two  blanks  ", "é\u0301 1½ ﬁ", "A" * 300]


def shaken(model: Any) -> Any:
    """With norms and biases that are not 1 and 0."""
    for name, parameter in model.named_parameters():
        if "norm" in name or name.endswith("bias"):
            parameter.data += 0.3 * torch.randn_like(parameter)
    if hasattr(model, "final_logits_bias"):
        model.final_logits_bias.copy_(torch.randn_like(model.final_logits_bias))
    return model.eval()


@pytest.fixture(scope="session")
def bart_tokenizer() -> Any:
    """Transformers' own class, with byte-level pairs learned from our English sentences."""
    from transformers import BartTokenizer

    made = tokenizers.ByteLevelBPETokenizer()
    made.train_from_iterator(lines("en"), vocab_size=500, special_tokens=[*SPECIAL, "<mask>"], show_progress=False)
    model = json.loads(made.to_str())["model"]
    return BartTokenizer(vocab=model["vocab"], merges=[tuple(pair) for pair in model["merges"]])


@pytest.fixture(scope="session", params=["MBartTokenizer", "MBart50Tokenizer"], ids=["mBART", "mBART-50"])
def mbart_tokenizer(request: pytest.FixtureRequest, pieces: dict[str, bytes]) -> Any:
    """Transformers' own classes, with pieces learned from our sentences, and mBART-50's with the rules of a SentencePiece model."""
    import transformers

    learned = tokenizers.SentencePieceUnigramTokenizer()
    texts = lines("en") + lines("de")
    learned.train_from_iterator(texts, vocab_size=500, special_tokens=SPECIAL, unk_token="<unk>", show_progress=False)
    scores = dict(json.loads(learned.to_str())["model"]["vocab"])
    found = [(token, score) for token, score in scores.items() if token not in SPECIAL]
    if request.param == "MBartTokenizer":
        return transformers.MBartTokenizer(vocab=[(token, 0.0) for token in SPECIAL] + found)
    rules = read_pieces(pieces["en"], "source.spm").charsmap
    return transformers.MBart50Tokenizer(vocab=[*((token, 0.0) for token in SPECIAL[1:]), *found], _spm_precompiled_charsmap=rules)


BARTS: dict[str, dict[str, Any]] = {
    "writes a first token": {"forced_first": 7},
    "scaled, swish": {"scale_embedding": True, "activation_function": "swish"},
}


@pytest.fixture(scope="module", params=list(BARTS.values()), ids=list(BARTS))
def bart(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, bart_tokenizer: Any
) -> tuple[Any, Checkpoint, Any]:
    """The original, the checkpoint that was imported from its folder, saved and loaded again, and the tokenizer of the folder."""
    from transformers import BartConfig, BartForConditionalGeneration, BartTokenizer

    torch.manual_seed(5)
    folder = tmp_path_factory.mktemp("bart")
    fields = SHAPE | {"vocab_size": len(bart_tokenizer), "decoder_start_token_id": 2} | request.param
    first = fields.pop("forced_first", None)
    theirs = shaken(BartForConditionalGeneration(BartConfig(**fields)))
    theirs.generation_config.forced_bos_token_id = first
    theirs.save_pretrained(folder)
    bart_tokenizer.save_pretrained(folder)
    if first is None:  # an older folder, which was written on Windows
        (folder / "tokenizer.json").unlink()
        (folder / "tokenizer_config.json").write_text(json.dumps({"add_prefix_space": True}))
        bart_tokenizer.backend_tokenizer.model.save(str(folder))
        bart_tokenizer = BartTokenizer.from_pretrained(folder)
        merges = folder / "merges.txt"
        merges.write_text(merges.read_text("utf-8"), "utf-8", newline="\r\n")
    save(read_model(folder, Options("en", "en", 64)), folder / "out", "here", half=False)
    return theirs, load(folder / "out"), bart_tokenizer


def test_bart_gives_the_same_numbers_and_translations(bart: tuple[Any, Checkpoint, Any]) -> None:
    sources = [[0, 17, 25, 33, 41, 2], [0, 70, 2]]
    assert bart[1].config.max_len == 40  # of 64 that were asked for
    assert_same_numbers(*bart[:2], sources, [[2, 0, 91, 92], [2, 93]])
    assert_same_translations(*bart[:2], sources)


def test_bart_reads_the_ids_of_its_own_tokenizer(bart: tuple[Any, Checkpoint, Any]) -> None:
    _, ours, theirs = bart
    for text in [*lines("en")[:250], *hostile(250), *TYPED]:
        expected = theirs(text, split_special_tokens=True)["input_ids"]
        assert ours.config.framed(ours.encode(text, "source").ids) == expected, repr(text)
        assert ours.tokenizer.decode(expected) == text.removeprefix(" ")
    assert_in_place(ours)


@pytest.fixture(scope="module")
def mbart(tmp_path_factory: pytest.TempPathFactory, mbart_tokenizer: Any) -> tuple[Any, Checkpoint]:
    """As `bart`, from German to English, though the file of the tokenizer was saved with English as its source."""
    from transformers import MBart50Tokenizer, MBartConfig, MBartForConditionalGeneration

    torch.manual_seed(5)
    folder = tmp_path_factory.mktemp("mbart")
    english, fifty = mbart_tokenizer.convert_tokens_to_ids("en_XX"), isinstance(mbart_tokenizer, MBart50Tokenizer)
    fields = SHAPE | {"vocab_size": len(mbart_tokenizer), "scale_embedding": True}
    theirs = shaken(MBartForConditionalGeneration(MBartConfig(**fields, decoder_start_token_id=2 if fifty else english)))
    theirs.generation_config.forced_bos_token_id = english if fifty else None
    theirs.save_pretrained(folder)
    mbart_tokenizer.src_lang = "en_XX"
    mbart_tokenizer.save_pretrained(folder)
    save(read_model(folder, Options("de", "en")), folder / "out", "here", half=False)
    return theirs, load(folder / "out")


def test_mbart_gives_the_same_numbers_and_translations(mbart: tuple[Any, Checkpoint], mbart_tokenizer: Any) -> None:
    ours = mbart[1]
    english = mbart_tokenizer.convert_tokens_to_ids("en_XX")
    mbart_tokenizer.src_lang = "de_DE"
    texts = ["Die Katze schläft.", "Nein"]
    sources = [ours.config.framed(ours.encode(text, "source").ids) for text in texts]
    assert sources == mbart_tokenizer(texts)["input_ids"]
    assert_same_numbers(*mbart, sources, [[2, english, 91, 92], [english, 93]])
    assert_same_translations(*mbart, sources)


def test_mbart_reads_the_ids_of_its_own_tokenizer(mbart: tuple[Any, Checkpoint], mbart_tokenizer: Any) -> None:
    ours, names = mbart[1], mbart_tokenizer.all_special_tokens
    special = set(mbart_tokenizer.all_special_ids) - {ours.config.unk_id}
    for text in [*lines("en")[:250], *lines("de")[:100], *hostile(250)]:
        if not any(name in text for name in names):
            expected = mbart_tokenizer(text, add_special_tokens=False)["input_ids"]
            assert ours.encode(text, "source").ids == expected, repr(text)
    for text in TYPED:
        assert not special & set(ours.encode(text, "source").ids), repr(text)
    assert_in_place(ours)


def assert_in_place(ours: Checkpoint) -> None:
    """Each token stands where its characters stand."""
    for text in [*lines("en")[:50], *hostile(100), *TYPED]:
        places = [(token.start, token.end) for token in ours.encode(text, "source").tokens]
        assert places == sorted(places) and all(0 <= start <= end <= len(text) for start, end in places), repr(text)
    source = explain(ours, "The cat is sleeping on the sofa.").source
    shown = "".join(token.text for token in source.tokens if token.word is not None)
    assert shown.replace("▁", "") == "Thecatissleepingonthesofa."


def test_bart_with_added_tokens_and_rows(tmp_path: Path, bart_tokenizer: Any) -> None:
    from transformers import BartConfig, BartForConditionalGeneration

    tokens = len(bart_tokenizer)
    theirs = shaken(BartForConditionalGeneration(BartConfig(**SHAPE, vocab_size=tokens, decoder_start_token_id=2)))
    bart_tokenizer.save_pretrained(tmp_path)
    file = json.loads((tmp_path / "tokenizer.json").read_text("utf-8"))
    own = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": True, "special": False}
    file["added_tokens"].append({"id": tokens, "content": "café 1", **own})
    (tmp_path / "tokenizer.json").write_text(json.dumps(file))
    theirs.resize_token_embeddings(tokens + 1, pad_to_multiple_of=8)
    theirs.save_pretrained(tmp_path)
    read = read_model(tmp_path, Options("en", "en", 40))
    save(read, tmp_path / "out", "here", half=False)
    ours = load(tmp_path / "out")
    assert ours.config.target_vocab % 8 == 0 and "café 1" in read.notes[0]
    assert [ours.tokenizer.token_text(i) for i in (tokens, tokens + 1)] == ["café 1", f"<unused {tokens + 1}>"]
    assert ours.tokenizer.decode([tokens]) == "café 1"
    assert_same_numbers(theirs, ours, [[0, 17, 25, tokens, 2]], [[2, 0, 91, tokens]])
