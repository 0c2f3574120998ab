"""A tokenized text as HTML: rows of characters, words, tokens and ids, and the merges that build one word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pages.tokens.compute import BLANK, MergeRow, Span, WordBlock
from viz_core.app.markup import html
from viz_core.figures.palette import Palette

ROWS = ("characters", "words", "tokens", "ids")
LINE = 216  # px, of the four rows and the gap below them: the labels on the left repeat at this distance
LINES = 60  # so often the labels are repeated: more than a text of 128 tokens ever takes

STYLE = """<style>
.spelt {{ position: relative; max-height: 66vh; min-height: {line}px; overflow-y: auto; overflow-x: hidden; color: {ink}; }}
.spelt .in {{ position: relative; padding-left: 8.6rem; min-height: {line}px; }}
.spelt .names {{ position: absolute; inset: 0 auto 0 0; width: 8.2rem; overflow: hidden; }}
.spelt .names div {{ height: {line}px; display: grid; grid-template-rows: 40px 44px 44px 36px; row-gap: 9px; align-items: center; }}
.spelt .names span {{ font-size: 18px; color: {quiet}; white-space: nowrap; }}
.spelt .names b {{ color: {ink}; }}
.spelt .flow {{ display: flex; flex-wrap: wrap; gap: 0 14px; align-content: flex-start; }}
.spelt .block {{ display: grid; grid-template-rows: 40px 44px 44px 36px; row-gap: 9px; column-gap: 2px; height: {line}px;
  max-width: 100%; overflow-x: auto; overflow-y: hidden; padding: 0 2px; box-sizing: border-box; align-content: start; }}
.spelt .block > span {{ display: flex; align-items: center; justify-content: center; white-space: pre; font-size: 20px;
  position: relative; border-radius: 6px; unicode-bidi: isolate; padding: 0 5px; box-sizing: border-box; }}
.spelt :is(.letter, .blank) {{ min-width: var(--letter, 30px); }}
.spelt .letter {{ grid-row: 1; background: {chip}; font-size: 22px; }}
.spelt .blank {{ grid-row: 1; color: {quiet}; border: 2px dashed {line_colour}; }}
.spelt .word {{ grid-row: 2; background: {chip}; font-weight: 700; font-size: 22px !important; }}
.spelt .token {{ grid-row: 3; background: {chip}; border: 2px solid {quiet}; }}
.spelt .id {{ grid-row: 4; font: 600 18px 'Source Code Pro', monospace !important; color: {ink}; padding: 0 6px !important; }}
.spelt .word::before, .spelt .token::before {{ content: ""; position: absolute; top: -8px; left: 3px; right: 3px; height: 5px;
  border: solid {quiet}; border-width: 2px 2px 0 2px; }}
.spelt .token::before {{ top: -10px; left: 1px; right: 1px; }}
.spelt .special {{ color: {quiet}; background: none; border-style: dashed !important; }}
.spelt .special::before {{ display: none; }}
@media (max-width: 640px) {{
  .spelt {{ --letter: 22px; }} .spelt .in {{ padding-left: 5.8rem; }} .spelt .names {{ width: 5.6rem; }}
  .spelt .names span {{ font-size: 14px; }} .spelt .flow {{ gap: 0 8px; }} .spelt .block > span {{ padding: 0 2px; }}
}}
.spelt .highlighted .word {{ box-shadow: 0 0 0 3px {accent}; }}
</style>"""

LADDER = """<style>
.ladder {{ max-height: 70vh; overflow: auto; color: {ink}; padding: 2px; }}
.ladder .rung {{ display: grid; gap: 3px; align-items: center; margin-bottom: 8px; width: max-content; }}
.ladder .why {{ grid-column: 1; font-size: 18px; color: {quiet}; white-space: nowrap; position: sticky; left: 0;
  background: {surface}; padding-right: .8rem; z-index: 1; }}
.ladder .token {{ display: flex; align-items: center; justify-content: center; height: 40px; border-radius: 6px; white-space: pre;
  font-size: 21px; border: 2px solid transparent; background: {chip}; unicode-bidi: isolate; box-sizing: border-box; }}
.ladder .joined {{ border-color: {accent}; font-weight: 700; }}
.ladder .later {{ visibility: hidden; }}
.ladder .now .why {{ color: {accent}; font-weight: 700; }}
</style>"""


def spelling(parts: Sequence[WordBlock], palette: Palette, names: Mapping[str, str], highlighted: int | None) -> str:
    """A text in four rows, a block for each word, everything under the characters that it came from.

    Args:
        names: what stands left of each row, by ROWS; Markdown is not read.
        highlighted: index of the block to frame.
    """
    labels = "".join(f"<span>{html(names[row])}</span>" for row in ROWS)
    repeated = f"<div>{labels}</div>" + f'<div aria-hidden="true">{labels}</div>' * LINES
    drawn = "".join(_block(block, index == highlighted) for index, block in enumerate(parts))
    style = STYLE.format(
        line=LINE, ink=palette.ink, quiet=palette.quiet, line_colour=palette.line, chip=palette.chip, accent=palette.accent,
    )  # fmt: skip
    said = f"{', '.join(names[row] for row in ROWS)}. {'; '.join(map(_said, parts))}"
    inner = f'<div class="in"><div class="names">{repeated}</div><div class="flow">{drawn}</div></div>'
    return f'{style}<div class="spelt" {_picture(said)}>{inner}</div>'


def _picture(said: str) -> str:
    """HTML attributes of a drawing with a scroll bar of its own: what it shows, in words."""
    return f'role="img" aria-label="{html(said)}" tabindex="0"'


def _said(block: WordBlock) -> str:
    tokens = ", ".join(f"{token.text} {token.id}" for token in block.tokens)
    return f"«{block.word.text}»: {tokens}" if block.word else tokens


def _block(block: WordBlock, highlighted: bool) -> str:
    special = " special" if block.index is None else ""
    cells = [_cell("blank" if span.text == BLANK else "letter", span) for span in block.letters]
    if block.word:
        cells.append(_cell("word", block.word))
    for token in block.tokens:
        cells.append(_cell("token" + special, token))
        cells.append(_cell("id", Span(str(token.id), token.start, token.width)))
    columns = f"grid-template-columns:repeat({block.width},minmax(min-content,auto))"
    name = "block highlighted" if highlighted else "block"
    return f'<div class="{name}" style="{columns}">{"".join(cells)}</div>'


def _cell(name: str, span: Span, offset: int = 1) -> str:
    return f'<span class="{name}" style="grid-column:{span.start + offset}/span {span.width}">{html(span.text)}</span>'


def merge_table(rows: Sequence[MergeRow], done: int, palette: Palette, names: Sequence[str]) -> str:
    """How a word is built: its characters, then one line for each merge, the joined token framed.

    Args:
        done: number of merges shown; the lines of the later ones stay empty.
        names: what stands left of each line, one for each row.
    """
    columns = len(rows[0].tokens)
    least = 44 if columns <= 12 else 28  # a long German word still fits a small screen
    grid = f"grid-template-columns:12rem repeat({columns},minmax({least}px,auto))"
    said = "; ".join(
        f"{name}: {', '.join(span.text for span in row.tokens)}" for row, name in [*zip(rows, names, strict=True)][: done + 1]
    )
    lines = []
    for step, (row, name) in enumerate(zip(rows, names, strict=True)):
        cells = [_cell("token joined" if i == row.joined else "token", span, offset=2) for i, span in enumerate(row.tokens)]
        mark = " later" if step > done else " now" if step == done else ""
        lines.append(f'<div class="rung{mark}" style="{grid}"><span class="why">{html(name)}</span>{"".join(cells)}</div>')
    return (
        LADDER.format(ink=palette.ink, quiet=palette.quiet, chip=palette.chip, accent=palette.accent, surface=palette.surface)
        + f'<div class="ladder" {_picture(said)}>{"".join(lines)}</div>'
    )
