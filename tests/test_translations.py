"""Each language says all that English says: the same keys, the same places for values, marks that Markdown reads as meant."""

import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from viz_core.texts import laid_over, languages

ROOT = Path(__file__).parents[1]
ENGLISH = sorted([*(ROOT / "viz_core").rglob("en.toml"), *(ROOT / "pages").rglob("en.toml")])
OTHERS = [language for language in languages() if language != "en"]
FILES = [(file, language) for file in ENGLISH for language in OTHERS]

PROGRAM = {"icon", "shares", "function", "highlight", "set", "own", "claim", "file", "name_file"}
"""Entries that only the program reads."""
SAME = {
    "pages/compare": ["second_default.*"], "pages/masked_attention": ["partner_text.*.*"], "pages/training": ["typed_hint.*"],
    "viz_core/app": ["frame.example.*.*.text", "frame.language"],
}  # fmt: skip
"""Texts that stay English, by folder: sentences that the model translates, and names."""
CHINESE = re.compile(r"[\u3400-\u9fff]")
NAMES = (
    "softmax Softmax LayerNorm Sublayer ReLU logit logits log min mix top Pre-norm Post-norm pre-norm post-norm pre post greedy "
    "Transformer bertviz Adam BLEU FFN QKV HTML CSV PNG SVG Enter Esc Home End PageUp PageDown"
)
"""What Chinese books leave as it is."""
NO_WORD = re.compile(
    r"\[\[\w+\]\]|\\?\w+\{[^}]*\}|\\\w+|\w*[_\d]\w*|\$\$.*?\$\$|\$[^$]*\$|`[^`]*`|«[^»]*»|:material/\w+:|<[^>]*>|"
    rf"\b(?:{NAMES.replace(' ', '|')})\b",
    re.DOTALL,
)
"""What is no word of English: places for values, formulas, code, tokens, names."""
WORD = re.compile(r"[A-Za-z]{3,}")
PLACE = re.compile(r"\[\[(\w+)\]\]")


def texts(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Every text in a file with its path, such as `try.0.label`; without what only the program reads."""
    if isinstance(value, dict):
        for name, each in value.items():
            if name not in PROGRAM:
                yield from texts(each, (*path, name))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from texts(each, (*path, str(at)))
    elif isinstance(value, str):
        yield ".".join(path), value


def read(file: Path) -> Any:
    return tomllib.loads(file.read_text("utf-8"))


def both(file: Path, language: str) -> Iterator[tuple[str, str, str]]:
    """(path, English, the other language) of each text that English has."""
    english, other = read(file), laid_over(read(file), read(file.with_stem(language)))
    translated = dict(texts(other))
    for path, text in texts(english):
        yield path, text, translated[path]


def stays(file: Path, path: str) -> bool:
    """Whether a text is on the list of those that stay English."""
    return any(fnmatchcase(path, pattern) for pattern in SAME.get(str(file.parent.relative_to(ROOT)), []))


def test_a_translation_has_the_texts_and_places_of_the_english_one() -> None:
    """And each list is as long: entries are matched by their place."""
    for file, language in FILES:
        english, other = dict(texts(read(file))), dict(texts(read(file.with_stem(language))))
        assert not other.keys() - english.keys(), file
        assert dict(texts(laid_over(read(file), read(file.with_stem(language))))).keys() == english.keys(), file
        wrong = [path for path, text, other in both(file, language) if set(PLACE.findall(text)) != set(PLACE.findall(other))]
        assert not wrong, file


def test_every_text_with_words_is_chinese() -> None:
    for file in ENGLISH:
        words = [(path, other) for path, text, other in both(file, "zh") if WORD.search(NO_WORD.sub(" ", text))]
        assert not [(path, text) for path, text in words if not CHINESE.search(text) and not stays(file, path)], file


def test_bold_marks_open_and_close() -> None:
    """A `**` between a Chinese character and a punctuation mark is neither, and would be shown as it stands (CommonMark 6.2)."""
    for file in [*(file.with_stem("zh") for file in ENGLISH), *(ROOT / "talks" / "zh").glob("*.toml")]:
        assert not [(path, mark) for path, text in texts(read(file)) for mark in unread_marks(text)], file


def unread_marks(text: str) -> list[str]:
    """What surrounds each `**` that cannot do what its place in the text asks: open, close, open …"""
    plain = re.sub(r"\$\$.*?\$\$|`[^`]*`", lambda found: "x" * len(found[0]), text, flags=re.DOTALL)
    wrong = []
    for at, mark in enumerate(re.finditer(r"\*\*", plain)):
        before, after = plain[mark.start() - 1 : mark.start()] or " ", plain[mark.end() : mark.end() + 1] or " "
        opens = not after.isspace() and (not is_punctuation(after) or before.isspace() or is_punctuation(before))
        closes = not before.isspace() and (not is_punctuation(before) or after.isspace() or is_punctuation(after))
        if not (closes if at % 2 else opens):
            wrong.append(plain[max(mark.start() - 4, 0) : mark.end() + 4])
    return wrong


def is_punctuation(sign: str) -> bool:
    return not sign.isalnum() and not sign.isspace()
