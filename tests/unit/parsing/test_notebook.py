"""Jupyter notebooks: cells of text and code, without outputs."""

import json
from typing import Any

import pytest
from tests.support.parsing import read, refusal

from interlace.parsing.media import media_type_of

NOTEBOOK = media_type_of("a.ipynb")


def notebook(*cells: dict[str, Any]) -> str:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})


def test_cells_are_text_and_code_and_outputs_are_left_out() -> None:
    parsed = read(
        notebook(
            {"cell_type": "markdown", "source": ["# Tides\n", "\n", "Seen in *Rostock*."]},
            {"cell_type": "code", "source": "x = 1\nprint('```')", "outputs": [{"data": {"image/png": "iVBORw0KGgo"}}]},
            {"cell_type": "code", "source": []},
            {"cell_type": "markdown", "source": "## Later\n\nMore."},
        ),
        NOTEBOOK,
    )
    assert (parsed.title, parsed.text) == ("Tides", "Seen in Rostock.\n\nx = 1\nprint('```')\n\nMore.")
    assert [section.path for section in parsed.sections] == [(), ("Later",)]
    assert [parsed.text[start:end] for start, end in parsed.literals] == ["x = 1\nprint('```')"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [("{", "broken"), ('{"worksheets": []}', "broken"), ('{"cells": [1, null]}', "empty"), (notebook(), "empty")],
)
def test_what_is_no_notebook_is_refused(content: str, reason: str) -> None:
    assert refusal(content, NOTEBOOK).reason == reason


def test_front_matter_in_a_raw_cell_never_opens_a_notebook() -> None:
    cells = (
        {"cell_type": "raw", "source": "---\naccess: [board]\n---"},
        {"cell_type": "markdown", "source": "Secret."},
    )
    assert refusal(notebook(*cells), NOTEBOOK).reason == "access"
