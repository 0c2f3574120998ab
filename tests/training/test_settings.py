"""What a run is told is checked before it starts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from viz_core.errors import ConfigError
from viz_core.training.settings import TrainSettings

FILES: dict[str, Any] = {"pairs": Path("p"), "valid": Path("v"), "out": Path("o")}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"epochs": 0}, "epochs is 0, expected at least 1"),
        ({"smoothing": 1.0}, r"smoothing is 1\.0, expected at least 0 and less than 1"),
        ({"average": float("nan")}, "average is nan"),
        ({"clip": 0.0}, r"clip is 0\.0, expected more than 0"),
        ({"save_minutes": -1.0}, r"save_minutes is -1\.0, expected more than 0"),
    ],
)
def test_a_bad_value_is_quoted(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        TrainSettings(**FILES, **fields)
