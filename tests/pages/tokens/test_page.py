"""What the page says of a text depends on how its language writes words."""

from tests.pages.test_all_pages import opened, words


def test_chinese_is_said_to_have_a_word_for_each_character() -> None:
    for model, said in (("zh-en", "each character is treated as a word"), ("en-de", "Each block is one word")):
        assert said in words(opened("tokens/page.py", model=model, text="北京, my love"))
