"""How a word is split: merge by merge from its characters, or why it has its tokens in a vocabulary without merges."""

from collections.abc import Sequence

from pages.tokens.compute import WordBlock, block_of, merge_rows
from pages.tokens.data import merges, spelling
from viz_core.app.arithmetic import arithmetic_section, show_arithmetic
from viz_core.app.markup import markdown
from viz_core.app.page import Page
from viz_core.tokenizer import LibraryTokenizer, SentencePieceTokenizer, Tokenizer, WordTokenizer


def show_split(p: Page, tokenizer: Tokenizer, side: str) -> None:
    """Why the focused word has these tokens."""
    words = {"arithmetic": p.texts[_text(tokenizer)], "the_id": p.texts["the_id"], "the_ids": p.texts["the_ids"]}
    show_arithmetic(p, words, figure="spelling", where={"side": side}, sections=[arithmetic_section("arithmetic")])


def _text(tokenizer: Tokenizer) -> str:
    if isinstance(tokenizer, SentencePieceTokenizer):
        return "arithmetic_pieces"
    if isinstance(tokenizer, WordTokenizer):
        return "arithmetic_whole"
    return "arithmetic_bytes" if isinstance(tokenizer, LibraryTokenizer) and tokenizer.of_bytes else "arithmetic_split"


def special_rows(p: Page, tokenizer: Tokenizer) -> str:
    """The special tokens of the vocabulary, one row of a table each."""
    config, purposes = p.view.config, p.table("purposes")
    ids = {"pad": config.pad_id, "unk": config.unk_id, "bos": config.bos_id, "eos": config.eos_id}
    lines = []
    for i, name in sorted(tokenizer.specials.items()):
        uses = [purposes[use] for use, its in ids.items() if its == i] or [purposes["other"]]  # Marian starts with its padding
        lines.append(f"| {markdown(name)} | {i:,} | {'; '.join(uses)} |")
    return "\n".join(lines)


def show_spelling(p: Page, side: str) -> None:
    """Every word of one side."""
    p.answer(spelling, side=side)
    checkpoint = p.view.checkpoint
    language = checkpoint.source_language if side == "source" else checkpoint.target_language
    p.write("reading_chinese" if language == "zh" else "reading")


def show_merges(p: Page, side: str, parts: Sequence[WordBlock], done: int) -> None:
    """The focused word after each merge, and below it the arithmetic of the last one.

    Args:
        parts: the blocks of this side.
        done: merges that are shown, at most.
    """
    p.answer(merges, side=side, done=done)
    names = ("arithmetic", "arithmetic_none", "rank", "the_id", "the_ids")
    show_arithmetic(p, {name: p.texts[name] for name in names}, figure="merges", where={"side": side})
    focused = p.view.token if side == "source" else p.view.step + 1  # in the target, the token that this step writes
    picked = block_of(parts, focused)
    if word := parts[picked].word:
        _offer(p, parts[picked], word.text, picked)


def _offer(p: Page, block: WordBlock, word: str, picked: int) -> None:
    tokenizer = p.view.checkpoint.tokenizer
    rows = merge_rows(tokenizer.letters(word, block.spaced), tokenizer.merges(word, block.spaced))
    p.offer(
        "merges", f"merges-{picked + 1}", "step rank position token merged",
        lambda: (
            [step, row.merge and row.merge.rank + 1, i + 1, token.text, i == row.joined]
            for step, row in enumerate(rows) for i, token in enumerate(row.tokens)
        ), word=word,
    )  # fmt: skip
