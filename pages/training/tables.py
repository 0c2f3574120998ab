"""Tables of training: the loss at each position, and translations before and after fine-tuning."""

from collections.abc import Sequence
from dataclasses import dataclass

from viz_core.figures.base import plain
from viz_core.figures.table import Html, cell, html_table

SQUARES = 24
"""Positions up to which the mask is drawn."""
OWN = "◆"
"""Marks the model's own words, in addition to their colour."""


def forced_table(
    tokens: Sequence[tuple[str, str]], numbers: Sequence[Sequence[str]], sums: Sequence[Sequence[str]], *, headings: Sequence[str],
    highlighted: int,
) -> str:  # fmt: skip
    """Teacher forcing, a line per position, as HTML, followed by the sums, each with its name and numbers.

    `data-writes` marks tokens written at a step, counted from 0: the page hides only these while they are to be guessed.

    Args:
        tokens: what the decoder reads at each position, and what it should write.
        numbers: for each position.
        headings: of the position, the token read, the mask, the token to write, and the numbers.
        highlighted: the current position.
    """
    rows = []
    for i, ((read, write), own) in enumerate(zip(tokens, numbers, strict=True)):
        hidden = f' data-writes="{i - 1}"' if i else ""
        masked = f"<b>{'■' * (i + 1)}</b>{'□' * (len(tokens) - i - 1)}" if len(tokens) <= SQUARES else f"1 … {i + 1}"
        seen = (
            Html(f'<td class="word read"><span{hidden}>{plain(read)}</span></td>'),
            Html(f'<td class="word mask">{masked}</td>'),
            Html(f'<td class="word write"><span data-writes="{i}">{plain(write)}</span></td>'),
        )
        rows.append([str(i + 1), *seen, *own])
    rows += [["", name, "", "", *summed] for name, *summed in sums]
    return html_table("draws guessed forced", headings, rows, words=(1, 2, 3), highlighted=highlighted, sums=2)


@dataclass(frozen=True)
class MixedPosition:
    """One line of the table.

    Attributes:
        drawn: the random number as text; "" at the first position.
        read: what the decoder reads.
        own: whether that is one of the model's own words.   right: the correct token if another is read, otherwise "".
        write: what it should write.   writes: its top prediction, in the last column.
        numbers: p and −ln p of what it should write, and −ln p with teacher forcing.
        change: of the loss, as text with its sign; "" if there is none.
    """

    drawn: str
    read: str
    own: bool
    right: str
    write: str
    writes: str
    numbers: Sequence[str]
    change: str


def mixed_table(
    positions: Sequence[MixedPosition], sums: Sequence[Sequence[str]], *, headings: Sequence[str], highlighted: int
) -> str:
    """Scheduled sampling, a line per position, as HTML, followed by the sums, each with its name and numbers, the change last."""
    rows = []
    for i, position in enumerate(positions, 1):
        read = (
            (f"{OWN} " if position.own else "")
            + plain(position.read)
            + (f" <s>{plain(position.right)}</s>" if position.right else "")
        )
        tokens = Html(f'<td class="word {"own" if position.own else "read"}">{read}</td>'), cell(position.write, "word write")
        rows.append([str(i), position.drawn, *tokens, *position.numbers, _change(position.change), position.writes])
    rows += [["", "", name, "", *numbers, _change(change), ""] for name, *numbers, change in sums]
    return html_table("draws forced", headings, rows, words=(2, 3, len(headings) - 1), highlighted=highlighted, sums=2)


def _change(text: str) -> Html:
    return cell(text, "rise" if text.startswith("+") else "fall" if text else "")


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
