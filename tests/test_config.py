"""The shape of a model is checked before it is built, and an error quotes the wrong numbers."""

from typing import Any

import pytest

from viz_core.config import ModelConfig
from viz_core.errors import ConfigError


def config(**fields: Any) -> ModelConfig:
    return ModelConfig(**{"source_vocab": 50, "target_vocab": 50} | fields)


@pytest.mark.parametrize(
    ("fields", "numbers"),
    [
        ({"d_model": 100, "n_heads": 8}, ("100", "8")),
        ({"source_vocab": 70}, ("70", "50")),
        ({"n_layers": 0}, ("n_layers is 0", "at least 1")),
        ({"d_ff": 2.5}, ("d_ff is 2.5", "whole number")),
        ({"max_len": True}, ("max_len is True", "whole number")),
        ({"d_model": 15, "n_heads": 3}, ("15", "even")),
        ({"dropout": 1.0}, ("1.0", "less than 1")),
        ({"dropout": float("nan")}, ("nan", "less than 1")),
        ({"norm": "rms"}, ("'rms'", "'pre' or 'post'")),
        ({"layer_norm_eps": 0.0}, ("0.0", "more than 0")),
        ({"tied_embeddings": 0}, ("tied_embeddings is 0", "true or false")),
        ({"n_decoder_layers": -1}, ("n_decoder_layers is -1", "at least 1")),
        ({"activation": "tanh"}, ("'tanh'", "'swish'")),
        ({"final_norm": 1}, ("final_norm is 1", "null")),
        ({"decoder_final_norm": 0}, ("decoder_final_norm is 0", "null")),
        ({"pad_id": None}, ("pad_id is None", "ids of the 50")),
        ({"unk_id": "x"}, ("unk_id is 'x'", "ids of the 50")),
        ({"source_start": [3, 50]}, ("(3, 50)", "ids of the 50")),
        ({"never_ids": range(50)}, ("never_ids", "fewer ids")),
    ],
)
def test_a_bad_value_is_quoted_with_what_was_expected(fields: dict[str, Any], numbers: tuple[str, str]) -> None:
    with pytest.raises(ConfigError) as error:
        config(**fields)
    for number in numbers:
        assert number in str(error.value)


def test_json_there_and_back() -> None:
    before = config(norm="post", max_len=77)
    assert ModelConfig.from_json(before.to_json()) == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"d_modle": 5}, "unknown model settings: d_modle"),
        ({"source_vocab": None}, "source_vocab is None"),
        ({"dropout": "0.1"}, "wrong kind"),
    ],
)
def test_foreign_json_is_named(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        ModelConfig.from_json(config().to_json() | change)


def test_missing_json_is_named() -> None:
    with pytest.raises(ConfigError, match="missing model settings: source_vocab, target_vocab"):
        ModelConfig.from_json({})
