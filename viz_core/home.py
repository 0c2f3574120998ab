"""The folder of the app: app.py, pages/, checkpoints/, talks/ and .streamlit/.

In the repository it is the repository's own; a wheel carries the same files inside the package, where they cannot clash with
another package's `pages` (see `tool.hatch` in pyproject.toml).
"""

from __future__ import annotations

from pathlib import Path

_SHIPPED = Path(__file__).parent / "shipped"
HOME = _SHIPPED if _SHIPPED.is_dir() else Path(__file__).parents[1]
