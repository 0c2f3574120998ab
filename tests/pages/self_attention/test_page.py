"""In self-attention one looks at a token of the source, whatever step the translation is at."""

from __future__ import annotations

from tests.pages.test_all_pages import FILES, opened, visited, words

PAGE = next(path for path in FILES if path.split("/")[-2] == "self_attention")


def test_the_arithmetic_is_of_the_token_one_looks_at() -> None:
    app = opened(PAGE)
    for token, label in (("2", "cat"), ("5", "a")):
        visited(app, text="The cat sees a dog.", token=token, step="1")
        said = words(app)
        assert f"«{label}» gives" in said, said
