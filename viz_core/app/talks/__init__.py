"""Talks: ordered lists of views with speaker notes, one TOML file each in the folder `talks/`.

    talk, problems = load(find("twelve-steps"))
    talk.views[0].page, talk.views[0].link()

A file has `title`, `minutes` and `about`, then `[defaults]` for parameters that all views share, then a `[[view]]` each with
`page`, `title`, `note`, and optionally `caption` (one sentence beside the title), `hide` (an answer that the page can hide: "word",
"source", "right" or "figure"), `minutes` and `claim`. With `lesson = true`, the notes are cards for a reader, and a view may have
`todo`, the one thing to do, and `mark`, the framed part of the page. Every other entry is a parameter of the link; numbers count
from 1 as there. Its texts in another language are in `talks/<language>/`, in a file of the same name.
"""

from viz_core.app.talks.read import FOLDER, available, file_name, find, load, loads
from viz_core.app.talks.talk import Problem, Talk, TalkView, dumps
from viz_core.app.talks.translated import read_texts, translated, translation_of

__all__ = [
    "FOLDER",
    "Problem",
    "Talk",
    "TalkView",
    "available",
    "dumps",
    "file_name",
    "find",
    "load",
    "loads",
    "read_texts",
    "translated",
    "translation_of",
]
