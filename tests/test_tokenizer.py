"""Any text becomes words and tokens that know their place, and the tokens become the text again."""

import random
import unicodedata

import pytest

from viz_core.config import UNK_ID
from viz_core.errors import ConfigError, TextError
from viz_core.tokenizer import FIRST_BYTE_ID, FIRST_TEXT_ID, SPACE, BpeTokenizer
from viz_core.tokenizer.bpe import SPECIAL
from viz_core.words import TokenizedText, follows_blank, knows_language, split_words

TEXTS = {
    "umlauts": "Größere Übergänge, süße Öfen",
    "unknown script": "你好，世界 — привет мир — שלום",
    "emoji": "👩‍🍳 likes 👍🏽 🇩🇪 ☕️!",
    "combining": "e\u0301 a\u0308\u0323",
    "control": "a\x00b \x01 \x7f c",
    "markup": "</script><b>x</b> $y$ *z* [a](b) {{c}}",
    "special tokens typed": "⟨/s⟩ ⟨s⟩⟨pad⟩ a⟨unk⟩b",
    "byte tokens typed": "<0x41> x<0xFF>y",
    "space sign typed": "▁ a▁b ▁▁c",
    "long word": "Donaudampfschifffahrt" * 30,
}
ALL_TEXTS = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())


@ALL_TEXTS
def test_there_and_back(tokenizer: BpeTokenizer, text: str) -> None:
    assert tokenizer.decode(tokenizer.encode(text, "en").ids) == unicodedata.normalize("NFC", text)


TYPED = {
    "Vietnamese": "Nga\u0300y mai to\u0302i \u0111e\u0302\u0301n",
    "Hangul": "\u1112\u1161\u11ab\u1100\u1173\u11af, \u1112\u1161",
    "in another order": "o\u0323\u0302 a\u0308\u0323!",
    "marks without a letter for them": "x\u0323\u0301e\u0301 z",
    "ligature and fullwidth": "\ufb01re \uff21e\u0301",
}


@pytest.mark.parametrize("text", TYPED.values(), ids=TYPED)
def test_accents_typed_as_marks_give_the_tokens_of_letters_at_the_places_of_what_was_typed(
    tokenizer: BpeTokenizer, text: str
) -> None:
    of_letters = unicodedata.normalize("NFC", text)
    typed, expected = tokenizer.encode(text, "en"), tokenizer.encode(of_letters, "en")
    assert (typed.text, typed.ids) == (text, expected.ids)

    def places(of: TokenizedText) -> list[tuple[int, int]]:
        return [(word.start, word.end) for word in of.words] + [(token.start, token.end) for token in of.tokens]

    for (start, end), (first, last) in zip(places(typed), places(expected), strict=True):
        assert of_letters[first:last] in unicodedata.normalize("NFC", text[start:end])
        assert start == 0 or not unicodedata.combining(text[start]) or text[start:end] in of_letters
    assert "".join(word.text for word in typed.words) == "".join(text.split())
    assert not any(unicodedata.combining(word.text[0]) for word in typed.words[1:])
    word = typed.words[-1].text
    assert tokenizer.letters(word, True) == tokenizer.letters(unicodedata.normalize("NFC", word), True)


@ALL_TEXTS
def test_each_token_is_its_characters_of_its_word(tokenizer: BpeTokenizer, text: str) -> None:
    tokenized = tokenizer.encode(text, "en")
    at = 0
    for token in tokenized.tokens:
        assert token.word is not None
        word = tokenized.words[token.word]
        assert word.start <= token.start <= token.end <= word.end
        assert at in (token.start, token.start - 1, token.end) or text[at : token.start].isspace()  # nothing is skipped
        at = token.end
        if token.id >= FIRST_TEXT_ID:
            assert unicodedata.normalize("NFC", text[token.start : token.end]) == tokenizer.vocab[token.id].removeprefix(SPACE)
    assert at == len(text)
    firsts = [token.word for token in tokenized.tokens if token.first]
    assert firsts == list(range(len(tokenized.words)))


@ALL_TEXTS
def test_reading_the_ids_gives_the_same_tokens(tokenizer: BpeTokenizer, text: str) -> None:
    tokenized = tokenizer.encode(text, "en")
    assert tokenizer.read(tokenized.ids, "en") == tokenizer.encode(unicodedata.normalize("NFC", text), "en")


def test_a_character_outside_the_vocabulary_is_its_bytes(tokenizer: BpeTokenizer) -> None:
    tokenized = tokenizer.encode("an 你!", "en")
    of_character = [token for token in tokenized.tokens if token.start == 3 and token.end == 4]
    assert [token.text for token in of_character] == ["⟨E4⟩", "⟨BD⟩", "⟨A0⟩"]
    assert UNK_ID not in tokenized.ids


def test_half_of_a_pair_is_refused_with_its_place(tokenizer: BpeTokenizer) -> None:
    with pytest.raises(TextError, match="character 3 of the text"):
        tokenizer.encode("ab\ud83d", "en")


def test_any_ids_can_be_read(tokenizer: BpeTokenizer) -> None:
    """A model may answer anything: bytes that are no character, bare blanks, special tokens in the middle."""
    draw = random.Random(0)
    awkward = [
        *SPECIAL,
        tokenizer.vocab.index(SPACE),
        *(FIRST_BYTE_ID + byte for byte in (0x20, 0x41, 0xBD, 0xE4, 0xED, 0xF0, 0xFF)),
    ]
    for _ in range(3000):
        ids = [draw.choice([draw.choice(awkward), draw.randrange(len(tokenizer))]) for _ in range(draw.randrange(8))]
        tokenized = tokenizer.read(ids, "en")
        assert tokenized.ids == ids
        assert tokenized.text == tokenizer.decode(ids)
        covered = {at for token in tokenized.tokens for at in range(token.start, token.end)}
        assert all(at in covered or character == " " for at, character in enumerate(tokenized.text)), ids
        for token in tokenized.tokens:
            assert 0 <= token.start <= token.end <= len(tokenized.text)
            if token.id >= FIRST_TEXT_ID:
                assert tokenized.text[token.start : token.end] == tokenizer.vocab[token.id].removeprefix(SPACE), ids


CORPUS = ["▁low", "▁low", "▁lower", "▁lowest", "▁newest", "▁newer", "▁widest", "ing", "▁sing", "▁singing", ","] * 4


@pytest.fixture(scope="module")
def small() -> BpeTokenizer:
    """A vocabulary in which single merges can be followed."""
    return BpeTokenizer.train(CORPUS, 420)


def built(tokenizer: BpeTokenizer, word: str, spaced: bool) -> list[str]:
    steps = tokenizer.merges(word, spaced)
    return list(steps[-1].after if steps else tokenizer.letters(word, spaced))


ODD = ["lowest", "singing", "aaa", "x", "Ä", "🐱low", "lo▁west", "▁", "\0", "<0x41>", "⟨s⟩", "ing北ing"]


@pytest.mark.parametrize("spaced", [True, False])
def test_last_merge_gives_the_tokens_of_the_backend(small: BpeTokenizer, tokenizer: BpeTokenizer, spaced: bool) -> None:
    """In the larger vocabulary many pairs compete for a letter, so that the order of learning matters."""
    draw = random.Random(1)
    for word in [*ODD, *("".join(draw.choices("lowernstidgLÄ▁🐱", k=draw.randint(1, 14))) for _ in range(150))]:
        assert built(small, word, spaced) == [small.vocab[i] for i in small.word_ids(word, spaced)], word
    for word in ("".join(draw.choices("etarnhisuldo", k=draw.randint(2, 14))) for _ in range(150)):
        assert built(tokenizer, word, spaced) == [tokenizer.vocab[i] for i in tokenizer.word_ids(word, spaced)], word


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
