"""Words and where they stand."""

import pytest

from viz_core.errors import ConfigError
from viz_core.words import follows_blank, knows_language, split_words


@pytest.mark.parametrize("text", ["A baker's dozen, isn't it?", " two  blanks ", "日本語 と English", "👩‍🍳!👍🏽", ""])
def test_each_word_is_its_place_in_the_text(text: str) -> None:
    words = split_words(text, "en")
    assert [text[word.start : word.end] for word in words] == [word.text for word in words]
    assert "".join(word.text for word in words) == "".join(text.split())


def test_what_no_blank_breaks_is_cut_and_nothing_is_lost() -> None:
    text = "x" * 450 + " y"
    words = split_words(text, "en")
    assert [len(word.text) for word in words] == [200, 200, 50, 1]
    assert [text[word.start : word.end] for word in words] == [word.text for word in words]
    assert [follows_blank(text, word) for word in words] == [True, False, False, True]


@pytest.mark.parametrize(
    "code",
    [
        "",
        "en.tokenizer_exceptions",
        "../en",
    ],
)
def test_what_is_no_language_is_refused(code: str) -> None:
    assert not knows_language(code)
    with pytest.raises(ConfigError, match="knows no language"):
        split_words("a", code)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("你好。", ["你", "好", "。"]),
        (
            "汤姆有3.5公斤iPhone12和CD、10,000本書",
            ["汤", "姆", "有", "3.5", "公", "斤", "iPhone12", "和", "CD", "、", "10,000", "本", "書"],
        ),
        ("a b1. 2", ["a", "b1", ".", "2"]),
        ("x" * 450, ["x" * 200, "x" * 200, "x" * 50]),
    ],
)
def test_in_chinese_a_character_is_a_word_and_a_latin_word_stays_whole(text: str, words: list[str]) -> None:
    found = split_words(text, "zh")
    assert [word.text for word in found] == words
    assert [text[word.start : word.end] for word in found] == words
