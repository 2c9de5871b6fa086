"""What ``documents tag`` and ``access`` print."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from interlace.cli.commands.labels import access, tag


def test_no_name_of_a_document_commands_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    document = SimpleNamespace(source_uri="a\u202e.md", tags=("x", "y"), access=())

    @contextmanager
    def opened(_: str | None) -> Iterator[tuple[Any, str]]:
        yield SimpleNamespace(labels=SimpleNamespace(change=lambda *_: None), graph=None), "acme"

    monkeypatch.setattr("interlace.cli.commands.labels.platform_for", opened)
    repository = SimpleNamespace(get=lambda *_: SimpleNamespace(document=document))
    monkeypatch.setattr("interlace.cli.commands.labels.DocumentRepository", lambda _: repository)
    tag(["d1"], add=["x"])
    access(["d1"], everybody=True)
    shown = capsys.readouterr().out
    assert "\u202e" not in shown
    assert [line.partition(": ")[2] for line in shown.splitlines()] == ["x, y", "everybody"]
