"""Lists that are cut off say so, over stand-ins for the services."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from interlace.cli.main import app
from interlace.ports.graph import Query, Row
from interlace.ports.statements import Limits, Table
from interlace.settings import load_settings

ID = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"
ENTITY = {"id": ID, "name": "Ada", "type": "Person", "keys": ["ada"], "aliases": [], "confidence": 1.0, "mentions": 1}
ROWS: dict[str, Row] = {
    "communities/community_list": {
        "id": "c1", "level": 0, "title": "Mills", "summary": "", "size": 3, "rating": None, "parents": [],
    },
    "entities/entity_detail": {**ENTITY, "chunks": 1, "documents": 1, "facts": 3, "about": [], "communities": []},
    "facts/entity_facts": {
        "id": "f1", "predicate": "BUILT", "subjectId": ID, "subject": "Ada", "objectId": None, "object": None,
        "sentence": "Ada built it.", "start": 0, "end": 3, "extractor": "spacy", "confidence": 1.0, "chunkId": "k1", "documentId": "d1",
        "title": "Mills", "sourceUri": "mills.md",
    },
    "tenants/tenant_known": {"known": True},
    "tools/skill_list": {
        "id": "s1", "name": "Mills", "sourceUri": "SKILL.md", "documentId": "d1", "keywords": [], "tools": [],
    },
}  # fmt: skip


class Endless:
    """Has three of each row that it knows, and rows without end for statements by hand."""

    def run(self, query: Query, /, *, timeout: float | None = None, **params: Any) -> list[Row]:
        assert timeout is None
        return [ROWS[query.name]] * min(3, params.get("limit", 1)) if query.name in ROWS else []

    def plan(self, *_: Any) -> None:
        """Need none: the guard is another test's."""

    def rows(self, _: str, __: Any, limits: Limits) -> Table:
        return Table(("n",), [[1]] * limits.rows, truncated=True)


@pytest.fixture(autouse=True)
def _platform(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = Endless()
    made = SimpleNamespace(settings=load_settings(tenant="acme"), graph=endless, statements=endless, close=lambda: None)
    monkeypatch.setattr("interlace.bootstrap.Platform.open", lambda _: made)
    monkeypatch.setattr("interlace.access.cypher.check_plan", lambda _: None)


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), catch_exceptions=False)


@pytest.mark.parametrize("words", [("communities", "list"), ("entities", "facts", ID), ("tools", "list")])
def test_a_list_that_goes_on_says_so(words: tuple[str, ...]) -> None:
    for limit, said in ((2, "These are the first 2; --limit lists more.\n"), (3, "")):
        result = run(*words, "--json", "--limit", str(limit))
        assert (len(json.loads(result.stdout)), result.stderr) == (limit, said)
        assert run(*words, "--limit", str(limit)).stderr == said


@pytest.mark.parametrize(
    ("limit", "remedy"), [("5", "raise --limit to see them"), ("10000", "page with SKIP, or aggregate")]
)
def test_a_statement_with_more_rows_names_a_remedy_that_works(limit: str, remedy: str) -> None:
    assert (
        run("cypher", "RETURN 1 AS n", "--output", "csv", "--limit", limit).stderr
        == f"There are more rows; {remedy}.\n"
    )
