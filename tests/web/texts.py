"""Texts that tokenizers and rules for words trip over."""

import random

from tests.importing.conftest import hostile

TYPED = [
    "", "  two  blanks  ", "é\u0301 1½ ﬁ", "\u1100\u1161\u11a8 각", "a\u0323\u0301b ẹ́", "▁▁a ▁", "😀👍🏽 日本", "⟨/s⟩ <0x41> </s>",
    "\u0345\u0301a", "x\u0f73\u0f71y", "A" * 450, "\ufeffa", "\u200b", "ẞß İi",
    "\x85 \x1c a", ">>fra<< Hello", ">>Fra<<hello", ">>x\n<< a", "汤姆的iPhone12有3.5公斤",
]  # fmt: skip
RULES = [
    *("Don't", "can't", "it's", "e.g.", "Mr.", "U.S.A.", ":)", ":-D", "http://a.bc/x?y=1", "foo@bar.de", "3.5km", "10%", "$5"),
    *("1,000.50", "a-b-c", "(hello)", "[x]", '"quoted"', "«oui»", "aujourd'hui", "l'homme", "qu'il", "est-ce", "peut-être"),
    *("y-a-t-il", "z.B.", "d.h.", "12.11.2020", "Dr.", "'s", "...", "…", "--", "—", "''", "``", "C++", "co-op", "Anti-Held"),
    *("faux-vampire", "black-outs", "9am", "10:30", "hi:)", ";)x"),
]


def texts(count: int) -> list[str]:
    """So many hostile texts, half of them of what spaCy's rules are about, and all that are listed here."""
    draw = random.Random(3)
    ends = ["", ",", ".", "!", "?", ")", "'s", "\n", ":)"]
    mixed = [" ".join(draw.choice(RULES) + draw.choice(ends) for _ in range(draw.randint(1, 8))) for _ in range(count // 2)]
    return [*TYPED, *mixed, *hostile(count - len(mixed))]
