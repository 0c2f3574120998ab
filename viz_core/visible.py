"""Control characters as their code, so that they can be seen and do no harm wherever typed text is shown."""

from __future__ import annotations


def visible(text: str, keep: str = "") -> str:
    """The text with every character that prints nothing as ⟨its code in hexadecimal⟩, except those of `keep`."""
    return "".join(c if c.isprintable() or c in keep else f"⟨{ord(c):02X}⟩" for c in text)
