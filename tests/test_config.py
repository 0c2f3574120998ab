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
        ({"n_layers": 0}, ("n_layers is 0", "at least 1")),
        ({"d_ff": 2.5}, ("d_ff is 2.5", "whole number")),
        ({"d_model": 15, "n_heads": 3}, ("15", "even")),
        ({"dropout": float("nan")}, ("nan", "less than 1")),
        ({"norm": "rms"}, ("'rms'", "'pre' or 'post'")),
        ({"activation": "tanh"}, ("'tanh'", "'swish'")),
        ({"pad_id": None}, ("pad_id is None", "ids of the 50")),
        ({"source_start": [3, 50]}, ("(3, 50)", "ids of the 50")),
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
