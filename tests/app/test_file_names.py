"""File names: what was typed cannot leave the folder or break a file system."""

import pytest

from viz_core.app.downloads import file_name


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (["../../etc/passwd"], "etc-passwd"),
        (["cross", "Das Kätzchen: „schläft“?"], "cross-Das-Kätzchen-schläft"),
        (["a\x00b\\c|d\nCON."], "a-b-c-d-CON"),
        (["你好"], "你好"),
        (["</>"], "view"),
        (["x" * 300], "x" * 80),
    ],
)
def test_a_name_is_letters_and_digits(parts: list[str], name: str) -> None:
    assert file_name(*parts) == name
