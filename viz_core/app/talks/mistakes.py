"""The problems in a talk's file, as the reader sees them."""

from collections.abc import Sequence

from viz_core.app import session
from viz_core.app.markup import markdown
from viz_core.app.talks import Problem
from viz_core.app.talks.library import Loaded, loaded
from viz_core.texts import fill, texts

MOST = 20
"""Problems of one file that are listed."""


def unread() -> str | None:
    """The problems in a talk's file as Markdown, once for each talk that is opened; kept back during lecture mode."""
    name = session.get("_talk") or session.get("_unplayable")
    if name is not None:
        told, opened = session.get("_mistakes_shown", {}), loaded(name)
        if opened and told.get(name) != opened[1]:
            session.change(_mistakes_shown={**told, name: opened[1]}, _mistakes=opened if opened[1] else None)
    if session.lecture():
        return None
    waiting: Loaded | None = session.pending("_mistakes")
    return problem_list(waiting[0].title, waiting[1]) if waiting else None


def problem_list(title: str, problems: Sequence[Problem]) -> str:
    """The problems in a file, by line, as Markdown."""
    words = texts("app.lecture")
    lines = [
        fill(words["problem" if one.line else "problem_file"], {"line": one.line, "reason": markdown(one.reason)})
        for one in problems[:MOST]
    ]
    if problems[MOST:]:
        lines.append(fill(words["problems_more"], {"more": len(problems) - MOST}))
    return "\n".join([fill(words["problems"], {"name": markdown(title)}), "", *(f"- {line}" for line in lines)])
