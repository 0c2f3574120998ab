"""Tables of training: the loss at each position, and translations before and after fine-tuning."""

from collections.abc import Sequence
from dataclasses import dataclass

from viz_core.figures.base import plain
from viz_core.figures.palette import LIGHT, Palette
from viz_core.figures.table import Html, cell, html_table

SQUARES = 24
"""Positions up to which the mask is drawn."""
OWN = "◆"
"""Marks the model's own words, in addition to their colour."""
POSITIONS_STYLE = """
.forced {{ max-height: 34rem; }} .forced :is(th, td) {{ padding: .18rem .8rem; white-space: nowrap; }}
html[data-lecture] .forced :is(th, td) {{ padding-block: 2px; }}
.forced .read {{ color: {q}; }} .forced .write {{ color: {output}; }}
.forced td.mask {{ letter-spacing: .12rem; font-family: monospace; color: {quiet}; }} .forced .mask b {{ color: {q}; }}
.forced .own {{ color: {k}; font-weight: 600; }} .forced s {{ color: {quiet}; font-weight: 400; }}
.forced .rise {{ color: {k}; }} .forced .fall {{ color: {v}; }}
.forced tr.sum > * {{ position: static; }}
"""


def forced_table(
    tokens: Sequence[tuple[str, str]], numbers: Sequence[Sequence[str]], sums: Sequence[Sequence[str]], *, headings: Sequence[str],
    highlighted: int, palette: Palette = LIGHT,
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
    return _position_table("guessed forced", headings, rows, (1, 2, 3), highlighted, palette)


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
    positions: Sequence[MixedPosition], sums: Sequence[Sequence[str]], *, headings: Sequence[str], highlighted: int,
    palette: Palette = LIGHT,
) -> str:  # fmt: skip
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
    return _position_table("forced", headings, rows, (2, 3, len(headings) - 1), highlighted, palette)


def _change(text: str) -> Html:
    return cell(text, "rise" if text.startswith("+") else "fall" if text else "")


def _position_table(
    name: str, headings: Sequence[str], rows: Sequence[Sequence[str]], words: tuple[int, ...], highlighted: int, palette: Palette
) -> str:
    """name: CSS classes besides `draws`. The last two rows are the sum and the mean."""
    inks = {role: palette.role_text(role) for role in ("q", "k", "v", "output")}
    style = POSITIONS_STYLE.format(**inks, quiet=palette.quiet)
    return html_table(f"draws {name}", headings, rows, words=words, highlighted=highlighted, sums=2, style=style, palette=palette)


MarkedWords = Sequence[tuple[str, bool]]
"""Words and the text between them, and whether each is marked."""
TUNED_STYLE = """
.tuned {{ width: auto; max-height: 27rem; }}
html[data-lecture] .tuned {{ max-height: calc((100vh - 14rem - var(--viz-bar, 0px)) / var(--viz-scale, 1)); }}
.tuned table {{ width: 100%; table-layout: fixed; }} .tuned :is(th, td) {{ padding-inline: .8rem; }}
.tuned td {{ vertical-align: top; overflow-wrap: anywhere; unicode-bidi: plaintext; }}
.tuned tr + tr td {{ border-top: 1px solid {line}; }}
.tuned td.given {{ color: {quiet}; }} .tuned b {{ color: {v}; }}
.tuned mark {{ background: none; font-weight: 650; color: {mark}; border-bottom: 3px solid {mark}; }}
"""


def tuned_table(
    rows: Sequence[tuple[str, str, MarkedWords, MarkedWords]], *, headings: Sequence[str], what: str, palette: Palette = LIGHT
) -> str:
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
    mark = palette.v_text if what == "held_out" else palette.output_text
    style = TUNED_STYLE.format(line=palette.line, quiet=palette.quiet, v=palette.v_text, mark=mark)
    return html_table("draws tuned", headings, lines, words=range(4), label=what, style=style, palette=palette)
