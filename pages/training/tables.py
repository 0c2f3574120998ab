"""The table of translations before and after fine-tuning."""

from collections.abc import Sequence

from viz_core.figures.base import plain
from viz_core.figures.table import Html, cell, html_table

MarkedWords = Sequence[tuple[str, bool]]
"""Words and the text between them, and whether each is marked."""


def tuned_table(rows: Sequence[tuple[str, str, MarkedWords, MarkedWords]], *, headings: Sequence[str], what: str) -> str:
    """One line per sentence, as HTML; a translation equal to the reference gets a tick.

    Args:
        rows: source, reference, and the translations before and now.
        headings: of these four columns.
        what: `held_out`, in which words that agree with the reference are marked, or `everyday`, in which changed words are.
    """
    lines = []
    for source, reference, *translations in rows:
        line: list[str] = [cell(source, "word given"), cell(reference, "word given")]
        for words in translations:
            text = "".join(f"<mark>{plain(word)}</mark>" if on else plain(word) for word, on in words)
            tick = "&nbsp;<b>✓</b>" if "".join(word for word, _ in words) == reference else ""
            line.append(Html(f'<td class="word">{text}{tick}</td>'))
        lines.append(line)
    return html_table(f"draws {what} tuned", headings, lines, words=range(4), label=what)
