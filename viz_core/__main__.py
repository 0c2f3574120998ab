"""python -m viz_core {train,evaluate,translate,trace}: everything that needs no browser."""

from __future__ import annotations

import sys

from viz_core.cli import main

sys.exit(main())
