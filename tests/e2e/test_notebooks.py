"""The notebooks run from the first cell to the last against a running stack, on Interlace's own documents."""

import asyncio
import os
from contextlib import closing
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from tests.support.waiting import until

from interlace.adapters.neo4j.science import graph_data_science
from interlace.bootstrap import Platform
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sources import find_sources
from interlace.settings import Settings

pytestmark = [pytest.mark.stack, pytest.mark.slow, pytest.mark.timeout(900)]
NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
PARAMETERS = 'QUESTION = "Who taught Ada Lovelace?"\nNAME = "Ada Lovelace"'
QUESTIONS = (
    'QUESTIONS = {"Who taught Ada Lovelace?": "engines/ada-lovelace.md", "Nothing is about this": "none.md"}\nMOST = 5'
)
SECONDS_A_CELL = 400


@pytest.fixture
def kernel_environment(full_stack: Settings, engines: str, tmp_path: Path) -> dict[str, str]:
    """What a kernel must know: where the stack is and which tenant, and folders of its own."""
    return {
        **os.environ,
        "INTERLACE_STACK__HOME": str(full_stack.stack.home),
        "INTERLACE_STACK__NAME": full_stack.stack.name,
        "INTERLACE_TENANT": engines,
        "IPYTHONDIR": str(tmp_path),
        "JUPYTER_RUNTIME_DIR": str(tmp_path),
    }


def opened(path: Path) -> Any:
    return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)  # type: ignore[no-untyped-call]


def executed(path: Path, environment: dict[str, str], parameters: str = "") -> list[Any]:
    """Run a notebook, with the test's parameters if there are any; return its code cells with their outputs."""
    notebook = opened(path)
    for cell in notebook.cells:
        if parameters and "parameters" in cell.metadata.get("tags", ()):
            cell.source = parameters
    client = NotebookClient(notebook, timeout=SECONDS_A_CELL, kernel_name="python3")
    # In a loop that is closed afterwards: `execute` makes one that no one closes.
    asyncio.run(client.async_execute(env=environment))
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def printed(cells: list[Any], start: str) -> str:
    """Return the text or HTML that the cell with this beginning shows last."""
    (cell,) = [cell for cell in cells if cell.source.startswith(start)]
    data = cell.outputs[-1].get("data", cell.outputs[-1])
    return str(data.get("text/html") or data.get("text/plain") or data.get("text"))


def test_every_notebook_is_kept_without_outputs() -> None:
    assert len(NOTEBOOKS) == 4
    for path in NOTEBOOKS:
        code = [cell for cell in opened(path).cells if cell.cell_type == "code"]
        assert not [cell for cell in code if cell.outputs or cell.execution_count], path.name


def test_exploring(kernel_environment: dict[str, str]) -> None:
    cells = executed(NOTEBOOKS[0], kernel_environment, PARAMETERS)
    assert "Mary Somerville" in printed(cells, "hits = ")
    assert "Person" in printed(cells, "interlace.entities")
    assert "Lord Byron" in printed(cells, "interlace.neighbors")
    assert "She was born in London in 1815." in printed(cells, "facts = ")
    assert "Mary Somerville" in printed(cells, "interlace.graph")
    assert "Charles Babbage" in printed(cells, "communities[[")


def test_graph_data_science(kernel_environment: dict[str, str], full_stack: Settings) -> None:
    cells = executed(NOTEBOOKS[1], kernel_environment)
    assert "Charles Babbage" in printed(cells, "ranks = ")
    assert "Charles Babbage" in printed(cells, "groups = ")
    science = graph_data_science(full_stack.neo4j)
    try:
        assert not [graph for graph in science.graph.list() if graph.graph_name.startswith("notebook-")]
    finally:
        science.close()


def test_the_first_notebook_runs_on_any_tenant(kernel_environment: dict[str, str]) -> None:
    cells = executed(NOTEBOOKS[0], kernel_environment)
    assert "Charles Babbage" in printed(cells, "top = ")
    assert "Charles Babbage" in printed(cells, "facts = ")


def test_retrieval_quality_on_questions_of_ones_own(kernel_environment: dict[str, str]) -> None:
    cells = executed(NOTEBOOKS[2], kernel_environment, QUESTIONS)
    assert "Who taught Ada Lovelace?" in printed(cells, "WAYS = ")
    assert "recall@5" in printed(cells, "measures = ")
    assert "Nothing is about this" in printed(cells, "missed = ")


def test_retrieval_quality_beside_a_document_that_cannot_be_read(
    kernel_environment: dict[str, str], full_stack: Settings, tmp_path: Path
) -> None:
    (tmp_path / "mill.md").write_text("# Tuxford mill\n\nThe mill stands in Tuxford.")
    (tmp_path / "empty.md").touch()
    with closing(Platform(full_stack)) as platform:
        sources = find_sources([tmp_path / "mill.md", tmp_path / "empty.md"], limits=ParseLimits())
        receipt = platform.receiver.receive("damaged", sources)
        until(lambda: platform.jobs.status("damaged", receipt.job_id).finished)
        assert platform.jobs.status("damaged", receipt.job_id).failed == 1
    cells = executed(NOTEBOOKS[2], {**kernel_environment, "INTERLACE_TENANT": "damaged"})
    assert printed(cells, "if not QUESTIONS") == "1"


def test_time_lines_and_pictures_of_communities(kernel_environment: dict[str, str]) -> None:
    cells = executed(NOTEBOOKS[3], kernel_environment)
    assert "18" in printed(cells, "if not NAME")
    assert "Charles Babbage" in printed(cells, "interlace.community_graph")
    assert "Person" in printed(cells, "largest = ")
