"""Tables of training: the loss at each position, and translations before and after fine-tuning."""

from collections.abc import Sequence
from dataclasses import dataclass

from viz_core.figures.base import plain
from viz_core.figures.palette import LIGHT, Palette
from viz_core.figures.table import Html, cell, html_table

SQUARES = 24
"""The mask is drawn for up to so many positions."""
OWN = "◆"
"""Marks one of the model's own words, because not everybody can see a colour."""
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
    """Teacher forcing, one line for each position, as HTML; then the sums, each its name and its numbers.

    `data-writes` marks what the model writes at that step, counted from 0: the page hides only this while it is to be guessed.

    Args:
        tokens: what the decoder reads at each position, and what it should write.
        numbers: of each position.
        headings: of position, what is read, what the mask allows, what should be written, and of the numbers.
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
    """One line.

    Attributes:
        drawn: the random number as text; empty where there is none.
        read: what the decoder reads.
        own: whether that is one of its own words.   right: the correct one, where it reads another; else empty.
        write: what it should write.   writes: its top prediction, in the last column.
        numbers: p and −ln p of what it should write, and −ln p with teacher forcing.
        change: of the loss, as text, with its sign; empty where it is the same.
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
    """Scheduled sampling, one line for each position, as HTML; then the sums, each its name and its numbers, the change last."""
    rows = []
    for i, one in enumerate(positions, 1):
        read = (f"{OWN} " if one.own else "") + plain(one.read) + (f" <s>{plain(one.right)}</s>" if one.right else "")
        tokens = Html(f'<td class="word {"own" if one.own else "read"}">{read}</td>'), cell(one.write, "word write")
        rows.append([str(i), one.drawn, *tokens, *one.numbers, _change(one.change), one.writes])
    rows += [["", "", name, "", *numbers, _change(change), ""] for name, *numbers, change in sums]
    return _position_table("forced", headings, rows, (2, 3, len(headings) - 1), highlighted, palette)


def _change(text: str) -> Html:
    return cell(text, "rise" if text.startswith("+") else "fall" if text else "")


def _position_table(
    name: str, headings: Sequence[str], rows: Sequence[Sequence[str]], words: tuple[int, ...], highlighted: int, palette: Palette
) -> str:
    """name: CSS classes besides `draws`. The last two rows are sum and mean."""
    inks = {role: palette.role_text(role) for role in ("q", "k", "v", "output")}
    style = POSITIONS_STYLE.format(**inks, quiet=palette.quiet)
    return html_table(f"draws {name}", headings, rows, words=words, highlighted=highlighted, sums=2, style=style, palette=palette)


MarkedWords = Sequence[tuple[str, bool]]
"""Words and what is between them, and whether each is marked."""
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
    """One line for each sentence, as HTML; a translation that equals the reference has a tick.

    Args:
        rows: source, reference, and the translations before and now.
        headings: of these four.
        what: `held_out`, in which words are marked that are those of the reference, or `everyday`: others than before.
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
