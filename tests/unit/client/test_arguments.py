"""What the client makes of its arguments before anything is sent."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from interlace.client import Interlace
from interlace.domain.errors import InvalidInputError

ID = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda client, _: client.ask("who?", legs="one"), "legs"),
        (lambda client, _: client.ask("who?", without="one"), "without"),
        (lambda client, _: client.route("who?", without="one"), "without"),
        (lambda client, _: client.entities("Ada", types="one"), "types"),
        (lambda client, _: client.neighbors(ID, types="one"), "types"),
        (lambda client, _: client.neighbors(ID, predicates="one"), "predicates"),
        (lambda client, _: client.decisions.split("Mercury", "planet", "one"), "documents"),
        (lambda client, _: client.ingestion.text("a.md", "text", tags="one"), "tags"),
        (lambda client, folder: client.ingestion.files(folder, tags="one"), "tags"),
    ],
)
def test_a_text_is_no_list_of_letters(call: Callable[..., Any], name: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("text")
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(500)

    with (
        Interlace("http://api.test", transport=httpx.MockTransport(answer)) as client,
        pytest.raises(InvalidInputError, match=rf"^{name}: give a list, such as \['one'\]\.$"),
    ):
        call(client, tmp_path)
    assert sent == []
