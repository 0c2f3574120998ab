"""The current talk: which of its views is on, and how to get to another.

Every way to a view is a link of the form `?talk=twelve-steps&at=3`. The address of a view that is shown names its sentence as well;
it is the view as it was left, so that a reload and the browser's Back restore it.
"""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from viz_core.app import session
from viz_core.app.addressed import go_to, path_of
from viz_core.app.cache import get_explanation
from viz_core.app.chosen import typed
from viz_core.app.exercises import exercise
from viz_core.app.markup import markdown
from viz_core.app.talks import Talk, TalkView, in_browser, library
from viz_core.app.view_options import View
from viz_core.explain import Notice
from viz_core.texts import enumerated, texts

_ahead = ThreadPoolExecutor(1, "next view")


@dataclass(frozen=True)
class RunningTalk:
    """A talk and which of its views is on, counted from 0."""

    talk: Talk
    at: int

    @property
    def view(self) -> TalkView:
        """The current view."""
        return self.talk.views[self.at]


def running_talk() -> RunningTalk | None:
    """The talk that is given; None while there is none."""
    talk = library.find(session.get("_talk"))
    return RunningTalk(talk, min(session.get("_at", 0), len(talk.views) - 1)) if talk and talk.views else None


def show(name: str, at: int, *, lecture: bool) -> None:
    """Goes to a view of a talk with the next run; for callbacks."""
    session.visit(_link(name, at, lecture=lecture))


def _link(name: str, at: int, *, lecture: bool) -> dict[str, str]:
    spoken = session.parameter("lang")
    return {"talk": name, "at": str(at + 1), **({"lecture": "on"} if lecture else {}), **({"lang": spoken} if spoken else {})}


def sync_from_url(page: str) -> None:
    """At the start of a run, before the controls: what the address asks for, and into it."""
    _arrive(page)
    if now := running_talk():
        session.keep("talk", now.talk.name)
        session.keep("at", str(now.at + 1))
    else:
        in_browser.keep_link()


def _arrive(page: str) -> None:
    name = session.parameter("talk")
    is_awaited = in_browser.await_talk(name)
    talk = _nearest(name) if name is not None and not is_awaited else None
    session.change(_talk=talk.name if talk else None, _unplayable=name if name is not None and library.loaded(name) else None)
    if talk is None:
        return
    index = _number(session.parameter("at"), len(talk.views))
    session.change(_at=index)
    view, lecture = talk.views[index], session.parameter("lecture") == "on"
    if session.parameter("text") is not None:
        return
    here = _link(talk.name, index, lecture=lecture)
    if view.page != page:
        go_to(view.page, here)
    session.redirect({**view.link(), **here})


def _nearest(name: str) -> Talk | None:
    """The talk of this name, or the one whose name is nearest; a notice then says so."""
    talk = library.find(name)
    if talk and talk.views:
        return talk
    playable = {name: talk for name, (talk, _) in library.known().items() if talk.views}
    close = get_close_matches(name[:80], playable, 1)
    if close:
        session.notify_replaced(texts("app.lecture")["talk"], name, close[0])
        return playable[close[0]]
    session.notify(Notice("no_talk", {"asked": name[:40], "known": enumerated(playable) or "–"}))
    return None


def _number(text: str | None, views: int) -> int:
    """The index of a link's view; a number that is out of range becomes the nearest one, with a notice."""
    number = int(text) if text is not None and re.fullmatch(r"-?[0-9]{1,9}", text) else 1
    nearest = min(max(number, 1), views)
    if text is not None and text != str(nearest):
        session.notify_replaced(texts("app.lecture")["view"], text, nearest, nearest=text == str(number))
    return nearest - 1


def is_missing() -> bool:
    """Whether a link names an unknown talk: there is nothing to present, and in lecture mode nobody would read the notice."""
    return session.parameter("talk") is not None and not (session.get("_talk") or session.get("_awaited"))


def keep_text() -> None:
    """While a talk is given, the address names the sentence even where it is the default."""
    if running_talk():
        session.keep("text", typed()["source"])


def heading(page: str) -> str | None:
    """The title of the current view, as Markdown; None on another page than its own."""
    now = running_talk()
    return markdown(title_of(now.view)) if now and now.view.page == page else None


def caption(page: str) -> str | None:
    """The caption of the current view, as Markdown; None where it has none, and on another page than its own."""
    now = running_talk()
    return markdown(now.view.caption) if now and now.view.page == page and now.view.caption else None


def title_of(view: TalkView) -> str:
    """The title of a view; without its own, the title of its page in the reader's language."""
    return str(texts(view.page)["title"]) if view.title == view.page else view.title


def payload(view: View) -> dict[str, Any] | None:
    """The talk for the browser: {name, title, at, page, paths, titles, hidden, starts, note}, and for a lesson also {lesson, todo,
    mark, exercise}.
    """
    now = running_talk()
    if now is None:
        return None
    talk = now.talk
    return {
        "name": talk.name,
        "title": talk.title,
        "at": now.at,
        "page": now.view.page,
        "paths": [path_of(view.page) for view in talk.views],
        "titles": [title_of(view) for view in talk.views],
        "hidden": [bool(view.hide) for view in talk.views],
        "starts": talk.starts(),
        "note": flowing(now.view.note),
        "lesson": talk.is_lesson,
        "todo": flowing(now.view.todo),
        "mark": now.view.mark,
        "exercise": exercise(now.view.exercise, view) if now.view.exercise else None,
    }


def flowing(note: str) -> str:
    """A note without the ends of its file's lines; blank lines part paragraphs."""
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", note))


def prepare_next(view: View, text: str) -> None:
    """Explains the sentence of the next view in the background, so that it is there at once. text: of views that name none."""
    now = running_talk()
    if now is None or now.at + 1 >= len(now.talk.views):
        return
    named = now.talk.views[now.at + 1].parameters
    if "snapshot" in named or ("model" in named and named["model"] != view.checkpoint.name):
        return
    sentence, target = named.get("text", text), named.get("target", "")
    _ahead.submit(get_explanation, view.checkpoint, sentence, target)
