"""python -m tests.golden record|check [pictures|numbers] [name …]: what every figure and every view shows, held or compared.

Names are figures (of `pictures.FIGURES`) or pages; without any, all. `record` prints what it changes: a picture that is new is
looked at and its reason goes into the commit message.
"""

import argparse
import logging
import os
import sys
from collections.abc import Iterable

import tests.conftest  # noqa: F401  one thread, no second process, and fast runs of the script
from tests.golden import numbers, pictures
from tests.golden.adapter import Gallery, app
from tests.golden.digest import MACHINE, machine


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("act", choices=("record", "check"))
    parser.add_argument("kind", choices=("all", "pictures", "numbers"), nargs="?", default="all")
    parser.add_argument("names", nargs="*", metavar="name", help="figures or pages")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    os.environ["OMP_NUM_THREADS"] = "1"
    if options.act == "record":
        MACHINE.write_text(f"{machine()}\n")
    count = 0
    for line in _lines(options.act == "record", options.kind, options.names):
        print(line, flush=True)
        count += 1
    print(f"{count} differences", file=sys.stderr)
    sys.exit(options.act == "check" and count > 0)


def _lines(record: bool, kind: str, names: list[str]) -> Iterable[str]:
    if kind in ("all", "pictures"):
        figures = [name for name in pictures.FIGURES if not names or name in names]
        with app() as (tab, url):
            gallery = Gallery(tab, url)
            states = [(name, state) for state in pictures.STATES for name in figures]
            yield from pictures.record(gallery, figures) if record else pictures.check(gallery, states)
    if kind in ("all", "numbers"):
        cases = [case for case in numbers.EVERY if not names or case[0] in names]
        yield from numbers.record(cases) if record else numbers.check(cases)


main()
