"""An answer as it stands in a terminal: a question whose answer lies one step behind the name in it."""

import io
from contextlib import closing
from pathlib import Path

import pytest
from rich.console import Console
from rich.terminal_theme import MONOKAI
from selenium.webdriver import Chrome

from interlace.bootstrap import Platform
from interlace.cli.views.answer import print_answer
from interlace.domain.hits import QueryRequest
from interlace.settings import Settings

pytestmark = [pytest.mark.stack, pytest.mark.browser, pytest.mark.slow]
QUESTION = "In which city was the translator of the article by Luigi Menabrea born?"
COLUMNS = 104
SIZE = "const box = document.documentElement.viewBox.baseVal; return [Math.ceil(box.width), Math.ceil(box.height)]"


def test_an_answer_shows_the_path_to_a_chunk_without_the_name(
    chrome: Chrome, full_stack: Settings, engines: str, tmp_path: Path
) -> None:
    with closing(Platform(full_stack)) as platform:
        response = platform.questions.search(engines, QueryRequest(text=QUESTION, limit=4))
    (hit,) = [hit for hit in response.hits if "born in London" in hit.text]
    assert "Luigi Menabrea" not in hit.text
    assert list(dict.fromkeys(step.entity_name for step in hit.path)) == ["Luigi Menabrea", "Ada Lovelace"]

    terminal = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    print_answer(terminal, response, engines)
    assert "Luigi Menabrea ─(" in terminal.export_text(clear=False)
    drawn = tmp_path / "answer.svg"
    drawn.write_text(terminal.export_svg(title=f'interlace query "{QUESTION}"', theme=MONOKAI), encoding="utf-8")
    chrome.get(drawn.as_uri())
    width, height = chrome.execute_script(SIZE)
    assert width > COLUMNS < height
