"""A class at work: how long each of many readers waits, compared with a page that has only a button.

    python -m benchmarks.load                                    50 readers for a minute, on a server of its own
    python -m benchmarks.load --ramp 10,25,50,100,200            one number of readers after the other
    python -m benchmarks.load --sessions 50 --browsers 10        with real browsers among them
    python -m benchmarks.load --url http://127.0.0.1:8501        on a server that runs already, on this machine

Each reader has sentences of their own: a new one every 20 s, another page every 10 s, and every 3 s a control that needs Python. A
step needs none, so nothing is sent for it. A reader who waits does nothing else: a slow server is asked for less than a fast one.

Times are from the message sent to the end of the run that answers it. Messages, kB (on the wire) and CPU time are those of one
reader alone on the warm server, before the others come. Needs requirements-dev.txt.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from math import isnan
from statistics import fmean, median, quantiles
from urllib.parse import urlsplit

from benchmarks.answer import Answer
from benchmarks.browser_readers import Tabs, opened
from benchmarks.readers import ARRIVALS, BUTTON, EVERY, FIRST, RESTS, STEP, Noted, Reader, sentences
from benchmarks.server import answers, server
from benchmarks.side import Cost, Side

ALONE = 10
"""Times that one reader alone does each thing."""
SETTLES = 0.1
"""Seconds for which the server still tidies up after a run has ended."""
HERE = ("127.0.0.1", "localhost", "::1")
MOST = 5
"""Errors that are printed."""
TITLES = ("readers", "what", "answers", "a second", "median ms", "p95 ms", "errors", "messages", "kB", "CPU ms")
WIDTHS = (7, 36, 8, 8, 9, 9, 7, 8, 9, 8)
Cell = str | float


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints a table; 1 where anything went wrong on a page, or got no answer. How long things take is no error."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.load", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sessions", type=int, default=50, help="readers at the same time (default: %(default)s)")
    parser.add_argument("--ramp", type=_numbers, help="several numbers of them, one after the other: 10,25,50,100,200")
    parser.add_argument("--seconds", type=float, default=60, help="for each number of readers (default: %(default)s)")
    parser.add_argument("--browsers", type=int, default=0, help="real browsers beside them (default: none)")
    parser.add_argument("--pace", type=float, default=1, help="how many times as fast as usual each reader is")
    parser.add_argument("--steps-sent", action="store_true", help=f"each reader also tells the server a step every {RESTS:g} s")
    parser.add_argument("--url", type=_here, help="of a server on this machine that runs already")
    chosen = parser.parse_args(arguments)
    every = EVERY | ({STEP: RESTS} if chosen.steps_sent else {})
    with _sides({what: seconds / chosen.pace for what, seconds in every.items()}, chosen.url) as sides:
        wrong = asyncio.run(_measure(sides, chosen.ramp or [chosen.sessions], chosen.seconds, chosen.browsers))
    print("\n".join([f"{len(wrong)} errors.", *dict.fromkeys(wrong[:MOST])]))
    return int(bool(wrong))


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def _here(url: str) -> str:
    if urlsplit(url).hostname not in HERE:
        raise argparse.ArgumentTypeError(f"{url} is not on this machine: ask nobody else's server for so much")
    return url.rstrip("/")


@contextmanager
def _sides(every: Mapping[str, float], url: str | None) -> Iterator[list[Side]]:
    """The app, and the page with a button: pressed as often as the other's script runs."""
    often = 1 / sum(1 / seconds for seconds in every.values())
    with server("benchmarks/empty_page.py") as (empty, beside):
        sides = [Side("empty page", beside, empty.pid, {BUTTON: often})]
        answers(beside)
        if url:
            yield [Side("app", url, None, every), *sides]
            return
        with server() as (process, ours):
            answers(ours, "/ready")
            yield [Side("app", ours, process.pid, every), *sides]


async def _measure(sides: list[Side], ramp: list[int], seconds: float, browsers: int) -> list[str]:
    """Prints the table; returns what went wrong."""
    # A thread for each reader: what they fetch by address must not wait for one another here.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(max(ramp) + 8))
    texts, wrong = sentences(), []
    costs = {side.name: await _alone(side, texts) for side in sides}
    _line(TITLES)
    _line(["─" * width for width in WIDTHS])
    for count in ramp:
        for side in sides:
            tabs_wanted = browsers if side is sides[0] else 0
            noted, tabs, took = await _together(side, count, seconds, texts, tabs_wanted)
            for what in (FIRST, *side.every):
                results = [each for each in noted if each.what == what]
                _row(count, f"{side.name}: {what}", results, took, costs[side.name].get(what))
            if tabs_wanted:
                _times(count, f"{browsers} browsers: page change", tabs.pages, took, len(tabs.errors))
                _times(count, f"{browsers} browsers: step ({tabs.sent} sent)", tabs.steps, took, 0)
            wrong += [*(error for each in noted for error in each.errors), *tabs.errors]
    return wrong


async def _alone(side: Side, texts: Iterator[str]) -> dict[str, Cost]:
    """The cost of each action of a single reader, on pages that have been opened before."""
    noted: list[Noted] = []
    reader = Reader(side.url, 0, texts, noted)
    answers: dict[str, list[Answer]] = {what: [] for what in side.every}
    spent = dict.fromkeys(side.every, 0.0)
    await reader.arrive()
    await reader.tour()
    for _ in range(ALONE):
        for what in side.every:
            before, so_far = side.cpu(), len(noted)
            await reader.do(what)
            await asyncio.sleep(SETTLES)
            spent[what] += side.cpu() - before
            answers[what] += [each.answer for each in noted[so_far:] if each.answer]
    await reader.leave()
    return {
        what: Cost(fmean(each.messages for each in some), fmean(each.bytes for each in some), spent[what] / ALONE)
        for what, some in answers.items()
        if some
    }


async def _together(side: Side, count: int, seconds: float, texts: Iterator[str], browsers: int) -> tuple[list[Noted], Tabs, float]:
    """So many readers for so long, once all have arrived, and the seconds that it took; prints what it took of the machine."""
    noted: list[Noted] = []
    readers = [Reader(side.url, number, texts, noted) for number in range(count)]
    async with opened(browsers, side.url) as tabs:
        await asyncio.gather(*(reader.arrive(number / ARRIVALS) for number, reader in enumerate(readers)))
        arrived, server_before, own_before = len(noted), side.cpu(), time.process_time()
        began = time.perf_counter()
        await asyncio.gather(tabs.work(began + seconds), *(reader.read(side.every, began + seconds) for reader in readers))
        took = time.perf_counter() - began
    received = sum(each.answer.bytes for each in noted[arrived:] if each.answer)
    wanted = count * sum(1 / often for often in side.every.values())
    machine = f"{(side.cpu() - server_before) / took:.0%} of a core, {side.memory():,.0f} MB, " if side.pid else ""
    print(
        f"{count:7}  {side.name}: {machine}{received / count / took * 60 / 1e6:.2f} MB a minute to each reader, "
        f"{wanted:.1f} a second to do; this program {(time.process_time() - own_before) / took:.0%} of a core"
    )
    if lost := [reader.lost for reader in readers if reader.lost]:
        waited = sorted(each for some in lost for each in some)
        times = f"{median(waited):.1f} s without a page (median), {waited[-1]:.1f} s at most"
        print(f"{count:7}  {side.name}: {len(lost)} readers lost their connection, {max(map(len, lost))} times at most; {times}")
    for reader in readers:
        await reader.leave()
    return noted, tabs, took


def _row(count: int, what: str, noted: list[Noted], seconds: float, cost: Cost | None) -> None:
    times, errors = [each.answer.seconds for each in noted if each.answer], sum(bool(each.errors) for each in noted)
    _times(count, what, times, seconds, errors, *((cost.messages, cost.bytes / 1000, 1000 * cost.cpu) if cost else ()))


def _times(count: int, what: str, times: list[float], seconds: float, errors: int, *cost: float) -> None:
    p95 = quantiles(times, n=20)[-1] if len(times) > 1 else sum(times)
    waited = [1000 * median(times), 1000 * p95] if times else ["–", "–"]
    _line([count, what, len(times), len(times) / seconds, *waited, errors, *cost])


def _line(cells: Sequence[Cell]) -> None:
    texts = [str(cell) if not isinstance(cell, float) else "–" if isnan(cell) else f"{cell:,.1f}" for cell in cells]
    aligned = (
        text.ljust(width) if at == 1 else text.rjust(width) for at, (text, width) in enumerate(zip(texts, WIDTHS, strict=False))
    )
    print("  ".join(aligned).rstrip(), flush=True)


if __name__ == "__main__":
    sys.exit(main())
