"""Documents and the files they came from: the same, changed, vanished, or no file at all."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from interlace.documents.verification import verify
from interlace.domain.documents import LOCAL_FILE, Source
from interlace.parsing.sandbox.limits import ParseLimits
from interlace.parsing.sources import find_sources
from interlace.ports.graph import GraphDatabase


class Rows:
    """Gives the references of some sources, a page at a time."""

    def __init__(self, sources: list[Source]) -> None:
        self._rows: list[dict[str, Any]] = [
            {
                "id": source.uri,
                "source": source.uri,
                "file": source.metadata.get(LOCAL_FILE),
                "checksum": source.checksum,
                "indexed": "",
                "access": None,
            }
            for source in sorted(sources, key=lambda source: source.uri)
        ]

    def run(self, _: object, *, prefix: str, after: str, limit: int, **__: object) -> list[dict[str, Any]]:
        return [row for row in self._rows if row["source"].startswith(prefix) and row["source"] > after][:limit]


def states(graph: Rows, source: str = "") -> dict[str, str]:
    return {item.reference.source_uri: item.state for item in verify(cast("GraphDatabase", graph), "t", source=source)}


@pytest.fixture
def known(tmp_path: Path) -> tuple[Path, Rows]:
    """A folder, and the graph that has read it."""
    root = tmp_path / "docs"
    root.mkdir()
    for name in ("a.md", "b.md", "c#d.md"):
        (root / name).write_text(name)
    (root / "re\u0301sume\u0301.jsonl").write_text('{"id": "x", "text": "one"}\n{"id": "y", "text": "two"}\n')
    (root / "all#1.jsonl").write_text('{"id": "x", "text": "one"}\n{"id": "y#z", "text": "two"}\n')
    found = [item for item in find_sources([root], limits=ParseLimits()) if isinstance(item, Source)]
    return root, Rows([*found, Source("sent.md", "text/markdown", b"sent")])


def test_untouched_files_are_the_same(known: tuple[Path, Rows]) -> None:
    found = states(known[1])
    assert found.pop("sent.md") == "no file"
    assert len(found) == 7
    assert set(found.values()) == {"same"}


def remove(path: Path) -> None:
    path.unlink()


def replace_by_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def touch(path: Path) -> None:
    os.utime(path, (1, 1))


@pytest.mark.parametrize(
    ("act", "state"),
    [
        (lambda path: path.write_text("a.mD"), "changed"),
        (remove, "vanished"),
        (replace_by_pipe, "unreadable"),
        (touch, "same"),
    ],
)
def test_what_becomes_of_a_file(known: tuple[Path, Rows], act: Callable[[Path], object], state: str) -> None:
    root, graph = known
    act(root / "a.md")
    found = states(graph)
    assert found["docs/a.md"] == state
    assert found["docs/b.md"] == "same"


def test_a_record_is_compared_with_itself_alone(known: tuple[Path, Rows]) -> None:
    root, graph = known
    (root / "all#1.jsonl").write_text('{"id": "y#z", "text": "2"}\n{"id": "new", "text": "three"}\n')
    found = states(graph, "docs/all")
    assert found == {"docs/all#1.jsonl#x": "vanished", "docs/all#1.jsonl#y#z": "changed"}
    (root / "all#1.jsonl").unlink()
    assert set(states(graph, "docs/all").values()) == {"vanished"}
