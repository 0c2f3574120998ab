"""The notebook runs from beginning to end, wherever it is opened; its cells check themselves."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "notebooks" / "transformer.ipynb"


@pytest.fixture
def notebook() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)


def test_every_cell_runs(notebook: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR"):  # nothing is left in the tester's home folder
        monkeypatch.setenv(name, str(tmp_path))
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    drawn = [
        out for cell in notebook.cells for out in cell.get("outputs", []) if "application/vnd.plotly.v1+json" in out.get("data", {})
    ]
    assert len(drawn) == 2


def test_it_is_stored_without_outputs(notebook: Any) -> None:
    for cell in notebook.cells:
        assert not cell.get("outputs") and cell.get("execution_count") is None
